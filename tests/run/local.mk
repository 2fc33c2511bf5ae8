# SPDX-License-Identifier: GPL-2.0-or-later
# tests/run/local.mk: `profmem run`, on programs that say how they were started.

pm_run_tests = \
	tests/run/same_bytes.bats \
	tests/run/status.bats \
	tests/run/control.bats \
	tests/run/environment.bats \
	tests/run/refused.bats \
	tests/run/report.bats \
	tests/run/signals.bats \
	tests/run/streams.bats
pm_bats_tests += $(pm_run_tests)

check_PROGRAMS += tests/run/run_probe
tests_run_run_probe_SOURCES = tests/run/run_probe.c

EXTRA_DIST += $(pm_run_tests) tests/run/run.bash tests/run/at_terminal.py \
	tests/run/differing_functions.py
