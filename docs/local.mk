# SPDX-License-Identifier: GPL-2.0-or-later
# docs/local.mk: what is installed for people and for other tools.

dist_pkgdata_DATA = docs/profmem-report.rng
dist_doc_DATA = docs/instruction-classes.md docs/profmem-limits-format.md docs/profmem-report-format.md docs/reading-reports.md docs/valgrind-programs.md
# docs/arm64.md is the last result of make arm64-full.
dist_doc_DATA += docs/arm64.md
# docs/cost.md is made from results of make bench, by hand.
dist_doc_DATA += docs/cost.md
EXTRA_DIST += docs/instruction-classes.py

# After a change of the classes of instructions: tests/cli/classes.bats compares.
pm_phony += update-instruction-classes
update-instruction-classes: tests/unit/mix_decode
	python3 $(srcdir)/docs/instruction-classes.py $(srcdir) tests/unit/mix_decode >instruction-classes.new
	mv instruction-classes.new $(srcdir)/docs/instruction-classes.md
