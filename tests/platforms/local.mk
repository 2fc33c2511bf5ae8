# SPDX-License-Identifier: GPL-2.0-or-later
# tests/platforms/local.mk: other platforms and other versions of Valgrind.

pm_sh_tests += \
	%D%/arm64.sh \
	%D%/valgrind-sid.sh \
	%D%/valgrind-trixie.sh \
	%D%/x86.sh

# The same as arm64.sh in every run, with all numbers of operations. It takes most of an hour; its
# last result is docs/arm64.md.
pm_phony += arm64-full
arm64-full: all
	@$(AM_TESTS_ENVIRONMENT) PM_SIZE_PERCENT=100 BATS_TEST_TIMEOUT=7200 \
	   bash $(srcdir)/%D%/arm64.sh >arm64.tap
	python3 -B $(srcdir)/%D%/arm64_full.py $(srcdir)/%D%/lacks.txt <arm64.tap >arm64.md

EXTRA_DIST += \
	%D%/arm64_full.py \
	%D%/emulated.bash \
	%D%/emulated.c \
	%D%/qemu_step.py \
	%D%/tests_there.bash \
	%D%/unpack_package.sh \
	%D%/valgrind_of.bash

pm_clean += clean-platforms
clean-platforms:
	rm -rf %D%/work
