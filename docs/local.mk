# SPDX-License-Identifier: GPL-2.0-or-later
# docs/local.mk: what is installed for people and for other tools.

dist_pkgdata_DATA = docs/profmem-report.rng
dist_doc_DATA = docs/instruction-classes.md docs/profmem-limits-format.md docs/profmem-report-format.md docs/reading-reports.md docs/valgrind-programs.md
# docs/arm64.md is the last result of make arm64-full.
dist_doc_DATA += docs/arm64.md
# docs/cost.md is made from results of make bench, by hand.
dist_doc_DATA += docs/cost.md
# docs/accuracy.md has the table that tests/accuracy/peers.bats holds tools to.
dist_doc_DATA += docs/accuracy.md docs/GLOSSARY.md
# For whoever works on profmem: their links lead to files of the source.
EXTRA_DIST += docs/design.md docs/internals/counting.md docs/internals/observing-calls.md \
	docs/internals/peak-pictures.md CONTRIBUTING.md
EXTRA_DIST += docs/instruction-classes.py
# Recipes to copy; tests/examples/ci.bats runs them.
EXTRA_DIST += docs/ci/Jenkinsfile docs/ci/README.md docs/ci/github-actions.yml docs/ci/gitlab-ci.yml

# ---- The manual. Its commands, and those of README.md, are run by tests/docs/manual.bats.

dist_doc_DATA += docs/confirming-latency.md docs/manual.md
EXTRA_DIST += docs/pictures/show.sh docs/pictures/show.svg docs/pictures/terminal.py

# After a change of what `profmem show` looks like.
pm_phony += update-pictures
update-pictures: all
	rm -rf pictures.new && $(MKDIR_P) pictures.new && \
	here=`pwd` && there=`cd $(srcdir) && pwd` && cd pictures.new && \
	PATH=$$here:$$PATH $$there/docs/pictures/show.sh $$there >show.svg && \
	mv show.svg $$there/docs/pictures/show.svg
	rm -rf pictures.new

# After a change of the classes of instructions: tests/cli/classes.bats compares.
pm_phony += update-instruction-classes
update-instruction-classes: tests/unit/mix_decode
	python3 $(srcdir)/docs/instruction-classes.py $(srcdir) tests/unit/mix_decode >instruction-classes.new
	mv instruction-classes.new $(srcdir)/docs/instruction-classes.md

# ---- Manual pages: docs/man/NAME.SECTION.md, and what these include. A release has them made.

pm_tool_pages = \
	docs/man/profmem-report.5 \
	docs/man/valgrind-profmem.1
pm_program_pages = \
	docs/man/profmem.1 \
	docs/man/profmem-check.1 \
	docs/man/profmem-diff.1 \
	docs/man/profmem-export.1 \
	docs/man/profmem-html.1 \
	docs/man/profmem-limits.5 \
	docs/man/profmem-run.1 \
	docs/man/profmem-show.1 \
	docs/man/profmem-validate.1
pm_pages = $(pm_tool_pages) $(pm_program_pages)
# When what they say was last looked through.
pm_pages_date = 2026-11-30

EXTRA_DIST += docs/man/include.awk docs/man/page.awk $(addsuffix .md,$(pm_pages))
if PAGES
dist_man_MANS += $(pm_tool_pages)
if REPORTS
dist_man_MANS += $(pm_program_pages)
endif
EXTRA_DIST += $(pm_pages)
CLEANFILES += $(pm_pages)
else
# A release without them would need lowdown.
pm_phony += docs/man/missing
EXTRA_DIST += docs/man/missing
docs/man/missing:
	@echo 'make dist needs lowdown, which the manual pages are made with' >&2; exit 1
endif

pm_lowdown_flags = -s -Tman --out-no-smarty --nroff-nolinks --parse-no-autolink \
	--parse-no-metadata --parse-no-super

# Not of configure.ac, which has the version: a release's pages need no lowdown.
$(pm_pages): %: %.md docs/man/include.awk docs/man/page.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(AWK) -f $(srcdir)/docs/man/include.awk '$(srcdir)/$@.md' | \
	$(LOWDOWN) $(pm_lowdown_flags) -M section='$(subst .,,$(suffix $@))' \
	   -M title="`echo '$(basename $(@F))' | tr a-z A-Z`" -M date='$(pm_pages_date)' \
	   -M source='$(PACKAGE_STRING)' -M volume='$(PACKAGE_NAME)' | \
	$(AWK) -f $(srcdir)/docs/man/page.awk >$@.new && mv $@.new $@
docs/man/profmem-limits.5: docs/profmem-limits-format.md
docs/man/profmem-report.5: docs/profmem-report-format.md docs/profmem-report.rng

# ---- Completion, where bash-completion looks below every prefix.

bashcompletiondir = $(datadir)/bash-completion/completions
if REPORTS
dist_bashcompletion_DATA = docs/bash-completion/profmem
endif
