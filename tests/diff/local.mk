# SPDX-License-Identifier: GPL-2.0-or-later
# tests/diff/local.mk: `profmem diff`, on programs that are built twice.

pm_bats_tests += tests/diff/diff_programs.bats
EXTRA_DIST += \
	tests/diff/buffers.c \
	tests/diff/callers.c \
	tests/diff/growing.cc \
	tests/diff/growing_rust.rs \
	tests/diff/inlined.c \
	tests/diff/items.c \
	tests/diff/library.c \
	tests/diff/library_user.c \
	tests/diff/many.c \
	tests/diff/places.c \
	tests/diff/random_reports.py \
	tests/diff/sums.c
