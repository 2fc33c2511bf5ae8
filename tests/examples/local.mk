# SPDX-License-Identifier: GPL-2.0-or-later
# tests/examples/local.mk: projects and CI recipes for users, with an installed profmem.

pm_bats_tests += %D%/projects.bats

EXTRA_DIST += %D%/staged.bash
