# SPDX-License-Identifier: GPL-2.0-or-later
# tests/hostile/local.mk: programs that do what programs seldom do.

EXTRA_DIST += \
	%D%/valgrind-programs.sh \
	%D%/valgrind_programs.py

# Valgrind's own test programs; its last result is docs/valgrind-programs.md.
pm_phony += valgrind-programs
valgrind-programs: all
	VALGRIND='$(VALGRIND)' PROFMEM='$(abs_top_builddir)/profmem' \
	PROFMEM_VALGRIND_LIB='$(abs_top_builddir)/valgrind-tool/lib' \
	$(srcdir)/%D%/valgrind-programs.sh '$(abs_top_builddir)/%D%/work' \
	   '$(abs_top_builddir)/valgrind-programs.md'
