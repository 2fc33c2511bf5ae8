# SPDX-License-Identifier: GPL-2.0-or-later
# tests/run/local.mk: `profmem run`, on programs that say how they were started.

pm_run_tests = \
	tests/run/programs.bats \
	tests/run/same_bytes.bats \
	tests/run/status.bats \
	tests/run/control.bats \
	tests/run/environment.bats \
	tests/run/gate.bats \
	tests/run/list.bats \
	tests/run/refused.bats \
	tests/run/report.bats \
	tests/run/signals.bats \
	tests/run/streams.bats
pm_bats_tests += $(pm_run_tests)

check_PROGRAMS += tests/run/run_probe tests/run/run_queue
tests_run_run_probe_SOURCES = tests/run/run_probe.c
tests_run_run_queue_SOURCES = tests/run/run_queue.c
tests_run_run_queue_LDFLAGS = -pthread

# Built like the programs of the tool's tests.
pm_run_programs = tests/run/run_words tests/run/run_hashes
check_DATA += $(pm_run_programs)
CLEANFILES += $(pm_run_programs)
tests/run/run_words: tests/run/run_words.cc
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(PM_CXX) -std=c++17 -Wall -Wextra -O2 -g -o $@ $<
tests/run/run_hashes: tests/run/run_hashes.rs
	$(AM_V_GEN)$(MKDIR_P) $(@D) && env -u MAKEFLAGS $(PM_RUSTC) -O -o $@ $<

EXTRA_DIST += tests/run/run_words.cc tests/run/run_hashes.rs \
	 $(pm_run_tests) tests/run/run.bash tests/run/at_terminal.py \
	tests/run/differing_functions.py tests/run/list_words.py
