# SPDX-License-Identifier: GPL-2.0-or-later
# tests/local.mk: how tests run. Every test speaks TAP: C programs with cmocka,
# and scripts for bats. Each subject is one program or one .bats file, so that
# `make -j check` runs them side by side. Tests write below the build tree only.
#
# A folder's local.mk adds its .bats files to pm_bats_tests, its cmocka programs
# to pm_unit_tests, and a script that writes TAP itself to pm_sh_tests; all are
# run. Programs that tests use go into check_PROGRAMS, other files into EXTRA_DIST.

AM_TESTS_ENVIRONMENT = \
	abs_top_srcdir='$(abs_top_srcdir)'; export abs_top_srcdir; \
	abs_top_builddir='$(abs_top_builddir)'; export abs_top_builddir; \
	PROFMEM='$(abs_top_builddir)/profmem'; export PROFMEM; \
	VALGRIND='$(VALGRIND)'; export VALGRIND; \
	PROFMEM_VALGRIND_LIB='$(abs_top_builddir)/valgrind-tool/lib'; export PROFMEM_VALGRIND_LIB; \
	PROFMEM_PLATFORM='$(VG_PLATFORM)'; export PROFMEM_PLATFORM; \
	PM_CORE_COMPILE='$(CC) $(PM_CORE_FLAGS)'; export PM_CORE_COMPILE; \
	PM_TOOL_TESTS='$(pm_tool_tests)'; export PM_TOOL_TESTS; \
	PM_QUICK_TESTS='$(pm_quick_tests)'; export PM_QUICK_TESTS; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT;

# What other versions of Valgrind must pass, too. Their Callgrind is another referee, which
# has costs at addresses that objdump shows no instruction at.
pm_tool_tests = $(filter-out %/functions_callgrind.bats %/lines_callgrind.bats, \
	$(filter tests/tool/% tests/fixed/fixed.bats,$(pm_bats_tests)))

# What distcheck runs; it is one of the tests itself.
pm_quick_tests = $(filter-out %/distcheck.bats %/setup.bats tests/tool/% tests/fixed/% tests/phases/% \
	tests/client/% tests/diff/% tests/model/% tests/platforms/% tests/run/%, \
	$(pm_bats_tests) $(pm_unit_tests))

pm_tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(pm_tap_driver)
TEST_EXTENSIONS = .bats .sh
BATS_LOG_DRIVER = $(pm_tap_driver)
BATS_LOG_COMPILER = $(BATS)
AM_BATS_LOG_FLAGS = --tap
SH_LOG_DRIVER = $(pm_tap_driver)
SH_LOG_COMPILER = bash

pm_sh_tests =
pm_unit_tests =
pm_bats_tests = \
	tests/build/bench.bats \
	tests/build/configure.bats \
	tests/build/core-border.bats \
	tests/build/distcheck.bats \
	tests/build/install.bats \
	tests/build/setup.bats

EXTRA_DIST += $(pm_bats_tests) $(pm_sh_tests) \
	tests/README.md \
	tests/common.bash \
	tests/fixtures/good/good-hello.xml

if CHECKS
check_PROGRAMS += $(pm_unit_tests)
# The longest first, so that none is left running alone at the end.
TESTS += $(pm_sh_tests) $(pm_bats_tests) $(pm_unit_tests)
include tests/unit/local.mk
include tests/unit/reports.mk
include tests/model/local.mk
include tests/cli/local.mk
include tests/fuzz/local.mk
include tests/fuzz/reports.mk
include tests/tool/local.mk
include tests/client/local.mk
include tests/fixed/local.mk
include tests/hostile/local.mk
include tests/phases/local.mk
include tests/run/local.mk
include tests/diff/local.mk
include tests/platforms/local.mk
else
check-local:
	@echo "make check needs: $(PM_CHECK_MISSING)" >&2; exit 1
endif
