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
	PROFMEM='$(PROFMEM)'; export PROFMEM; \
	VALGRIND='$(VALGRIND)'; export VALGRIND; \
	PROFMEM_VALGRIND_LIB='$(abs_top_builddir)/valgrind-tool/lib'; export PROFMEM_VALGRIND_LIB; \
	PROFMEM_PLATFORM='$(VG_PLATFORM)'; export PROFMEM_PLATFORM; \
	PM_EMULATOR='$(PM_EMULATOR)'; export PM_EMULATOR; \
	PM_ROOT='$(PM_ROOT)'; export PM_ROOT; \
	PM_BINUTILS='$(PM_BINUTILS)'; export PM_BINUTILS; \
	PM_CC='$(CC)'; export PM_CC; \
	PM_RUSTC='$(PM_RUSTC)'; export PM_RUSTC; \
	PM_CORE_COMPILE='$(CC) $(PM_CORE_FLAGS)'; export PM_CORE_COMPILE; \
	PM_TOOL_TESTS='$(pm_tool_tests)'; export PM_TOOL_TESTS; \
	PM_PLATFORM_TESTS='$(pm_platform_tests)'; export PM_PLATFORM_TESTS; \
	PM_CORE_TESTS='$(pm_core_tests)'; export PM_CORE_TESTS; \
	PM_QUICK_TESTS='$(pm_quick_tests)'; export PM_QUICK_TESTS; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT;

# What other versions of Valgrind must pass, too. Their Callgrind is another referee, which
# has costs at addresses that objdump shows no instruction at.
pm_tool_tests = $(filter-out %/functions_callgrind.bats %/lines_callgrind.bats, \
	$(filter tests/tool/% tests/fixed/fixed.bats,$(pm_bats_tests)))

# And what other platforms must pass, and the core's own tests: all but those that compare
# with programs of this machine.
pm_platform_tests = $(filter tests/tool/% tests/phases/%,$(pm_bats_tests))
pm_core_tests = $(filter-out %/test_pm_elf %/test_pm_mix, \
	$(filter tests/unit/test_pm_%,$(pm_unit_tests)))

# What distcheck runs; it is one of the tests itself.
pm_quick_tests = $(filter-out %/comparison.bats %/deb.bats %/distcheck.bats %/manual.bats %/rpm.bats \
	%/setup.bats \
	tests/accuracy/% tests/client/% tests/diff/% tests/examples/% tests/fixed/% tests/hostile/% \
	tests/html/% tests/model/% tests/phases/% tests/platforms/% tests/run/% tests/tool/%, \
	$(pm_bats_tests) $(pm_unit_tests))

pm_tap_driver = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(pm_tap_driver)
LOG_COMPILER = $(PM_EMULATOR)
TEST_EXTENSIONS = .bats .sh
BATS_LOG_DRIVER = $(pm_tap_driver)
# What the caller ignores, as nohup does SIGHUP, tests and their programs do not.
BATS_LOG_COMPILER = env --default-signal $(BATS)
AM_BATS_LOG_FLAGS = --tap
SH_LOG_DRIVER = $(pm_tap_driver)
SH_LOG_COMPILER = bash

pm_sh_tests =
pm_unit_tests =
pm_bats_tests = \
	tests/build/bench.bats \
	tests/build/configure.bats \
	tests/build/copyright.bats \
	tests/build/core-border.bats \
	tests/build/deb.bats \
	tests/build/distcheck.bats \
	tests/build/install.bats \
	tests/build/rpm.bats \
	tests/build/setup.bats \
	tests/build/version.bats

EXTRA_DIST += $(pm_bats_tests) $(pm_sh_tests) \
	tests/README.md \
	tests/build/copyright_agrees.py \
	tests/build/packages.bash \
	tests/common.bash \
	tests/platforms/lacks.txt \
	tests/fixtures/good/good-hello.xml

# ---- Programs that the tool is tested with, in pm_tool_data, are for the machine that it is
# built for: of what is written for one in particular, each machine has its own.

pm_tool_data =
if ON_ARM64
pm_of_machine = _arm64
pm_machine_flags = -mno-outline-atomics -mbranch-protection=none
pm_of_other_machines = \
	tests/fixed/fixed_cpu \
	tests/tool/code/mix_avx \
	tests/tool/code/mix_kernel-avx \
	tests/tool/code/named-divide_fault \
	tests/tool/code/named-segv_rep \
	$(addprefix tests/tool/freestanding/, \
		die_divide divide_fault segv_rep string_condition string_count)
else
pm_machine_flags = -fcf-protection=none
endif
if ON_X86
# Whose sources are of machines with 64 bits.
pm_of_other_machines = tests/fixed/% tests/phases/% tests/tool/code/% tests/tool/freestanding/% \
	tests/tool/sites/% tests/hostile/%
endif
if !CHECK_RUST
pm_in_rust = tests/tool/tally tests/tool/sites/sites_rust% tests/phases/functions_rs% \
	tests/fixed/strings_rs%
endif
check_DATA = $(filter-out $(pm_of_other_machines) $(pm_in_rust),$(pm_tool_data))

# The tool's tests, or those in TESTS, and no program that others need.
check-tool: all
	$(MAKE) $(AM_MAKEFLAGS) check_PROGRAMS='$(filter-out $(pm_unit_tests) tests/unit/% \
	   tests/fuzz/%,$(check_PROGRAMS))' check_LIBRARIES= check

if CHECKS
check_PROGRAMS += $(pm_unit_tests)
# The longest first, so that none is left running alone at the end.
TESTS += $(pm_sh_tests) $(pm_bats_tests) $(pm_unit_tests)
include tests/unit/local.mk
include tests/model/local.mk
include tests/fuzz/local.mk
include tests/tool/local.mk
include tests/fixed/local.mk
include tests/hostile/local.mk
include tests/phases/local.mk
if REPORTS
include tests/unit/reports.mk
include tests/cli/local.mk
include tests/html/local.mk
include tests/fuzz/reports.mk
include tests/client/local.mk
include tests/run/local.mk
include tests/diff/local.mk
include tests/examples/local.mk
include tests/accuracy/local.mk
include tests/docs/local.mk
include tests/platforms/local.mk
endif
else
check-local:
	@echo "make check needs: $(PM_CHECK_MISSING)" >&2; exit 1
endif
