# SPDX-License-Identifier: GPL-2.0-or-later
# tests/platforms/local.mk: other platforms and other versions of Valgrind.

pm_bats_tests += %D%/arm64.bats
pm_sh_tests += %D%/valgrind-sid.sh

EXTRA_DIST += \
	%D%/platforms.bash \
	%D%/smoke.c \
	%D%/unpack_package.sh

pm_clean += clean-platforms
clean-platforms:
	rm -rf %D%/work
