# SPDX-License-Identifier: GPL-2.0-or-later
# tests/examples/local.mk: projects and CI recipes for users, with an installed profmem.

pm_bats_tests += %D%/ci.bats %D%/projects.bats

EXTRA_DIST += \
	%D%/jenkinsfile.groovy \
	%D%/staged.bash \
	%D%/workflow.mjs

# What npm has of the services, which is fetched once.
pm_clean += clean-ci-packages
clean-ci-packages:
	rm -rf tests/examples/packages tests/examples/packages.new
