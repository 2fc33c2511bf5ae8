# SPDX-License-Identifier: GPL-2.0-or-later
# packaging/local.mk: packages of distributions. They are made from the release, as they would be
# elsewhere.

EXTRA_DIST += \
	debian/changelog \
	debian/clean \
	debian/control \
	debian/copyright \
	debian/libprofmem-client-dev.examples \
	debian/libprofmem-client-dev.install \
	debian/libprofmem-client0.install \
	debian/libprofmem-client0.symbols \
	debian/not-installed \
	debian/profmem.docs \
	debian/profmem.examples \
	debian/profmem.install \
	debian/profmem.lintian-overrides \
	debian/python3-profmem.examples \
	debian/python3-profmem.install \
	debian/rules \
	debian/source/format \
	debian/tests/control \
	debian/tests/phases \
	debian/tests/program \
	packaging/clean-root.sh \
	packaging/debian-packages.sh \
	packaging/profmem.spec.in \
	packaging/rpmlint.toml

# What the build of a package runs: the tests that need little more than a compiler. All that the
# others need would be much to ask of one.
pm_package_tests = $(pm_unit_tests) tests/tool/smoke.bats
check-package: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(pm_package_tests)' \
	   check_PROGRAMS='$(pm_unit_tests)' check_DATA='$(pm_smoke_programs)' check_LIBRARIES=

# Debian's packages, in deb/.
deb: dist
	rm -rf deb
	$(SHELL) $(srcdir)/%D%/debian-packages.sh '$(distdir).tar.xz' deb

# rpmbuild -tb reads the specification out of the release.
all-local: %D%/profmem.spec
dist-hook: %D%/profmem.spec
	$(MKDIR_P) '$(distdir)/%D%'
	cp -p %D%/profmem.spec '$(distdir)/%D%'

# They are built, used and removed in roots with nothing else, as root and with the machine's
# archives; docs/clean-root.md is the last result.
deb-clean-root: dist
	rm -rf clean-root
	$(SHELL) $(srcdir)/%D%/clean-root.sh '$(distdir).tar.xz' clean-root >clean-root.md

pm_phony += check-package deb deb-clean-root
pm_clean += clean-packages
clean-packages:
	rm -rf deb clean-root

dist_doc_DATA += docs/clean-root.md docs/packaging.md
