# SPDX-License-Identifier: GPL-2.0-or-later
# tests/fuzz/reports.mk: the report program under fuzzing. `make check` replays the
# fixtures and what fuzzing found before; `make fuzz-report` looks for more with clang:
#
#    make fuzz-report FUZZ_SECONDS=600
#    make fuzz-diff
#    make fuzz-limits
#    make fuzz-listed

pr_fuzz_corpus = tests/fuzz/corpus-report

EXTRA_DIST += tests/fuzz/report.dict \
	$(pr_fuzz_corpus)/attribute-twice.xml \
	$(pr_fuzz_corpus)/circle-of-phases.xml \
	$(pr_fuzz_corpus)/colons-in-names.xml \
	$(pr_fuzz_corpus)/ends-of-ranges.xml \
	$(pr_fuzz_corpus)/instance-in-instance.xml \
	$(pr_fuzz_corpus)/largest-rows.xml \
	$(pr_fuzz_corpus)/largest-shape.xml \
	$(pr_fuzz_corpus)/lists-twice.xml \
	$(pr_fuzz_corpus)/many-reasons.xml \
	$(pr_fuzz_corpus)/metric-in-metric.xml \
	$(pr_fuzz_corpus)/namespaces-on-attributes.xml \
	$(pr_fuzz_corpus)/phase-in-phase.xml \
	$(pr_fuzz_corpus)/prefix-of-the-root.xml \
	$(pr_fuzz_corpus)/prefixed-root.xml \
	$(pr_fuzz_corpus)/processing-instruction-first.xml \
	$(pr_fuzz_corpus)/quotes-and-nothing.xml \
	$(pr_fuzz_corpus)/reserved-in-reserved.xml \
	$(pr_fuzz_corpus)/shape-everywhere.xml \
	$(pr_fuzz_corpus)/tag-cut-off.xml \
	$(pr_fuzz_corpus)/text-everywhere.xml \
	$(pr_fuzz_corpus)/text-in-pieces.xml \
	$(pr_fuzz_corpus)/two-heads.xml \
	$(pr_fuzz_corpus)/version-1.1.xml

pm_unit_tests += tests/fuzz/replay_report
pr_fuzz_whole_program = tests/fuzz/printable.c tests/fuzz/printable.h \
	tests/fuzz/whole_program.c tests/fuzz/whole_program.h
tests_fuzz_replay_report_SOURCES = tests/fuzz/fuzz.h tests/fuzz/fuzz_report.c \
	tests/fuzz/replay_files.c $(pr_fuzz_whole_program)
tests_fuzz_replay_report_CPPFLAGS = $(PR_CPPFLAGS) \
	-DPM_FOLDERS='"tests/fixtures/good tests/fixtures/bad tests/fixtures/unsupported $(pr_fuzz_corpus)"'
tests_fuzz_replay_report_CFLAGS = $(AM_CFLAGS) $(PM_SANITIZE)
tests_fuzz_replay_report_LDFLAGS = $(PM_SANITIZE)
tests_fuzz_replay_report_LDADD = tests/unit/libpr_hosted.a $(PR_LIBS)

pr_fuzz_program_sources = $(filter %.c,$(pr_fuzz_whole_program) $(pr_library_sources) \
	$(pr_command_sources))
pr_fuzz_program_build = $(FUZZ_CC) -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined \
	-fno-sanitize-recover=all $(PR_CPPFLAGS) $(LIBXML2_CFLAGS) $(POPT_CFLAGS) $(JSON_C_CFLAGS) \
	$(addprefix $(srcdir)/,$(pr_fuzz_program_sources)) $(pr_generated_sources)

fuzz-report: $(pr_generated_sources)
	$(pr_fuzz_program_build) -o tests/fuzz/libfuzzer_report $(srcdir)/tests/fuzz/fuzz_report.c \
	   $(PR_LIBS)
	$(MKDIR_P) tests/fuzz/report
	tests/fuzz/libfuzzer_report -max_len=8000 -max_total_time=$(FUZZ_SECONDS) \
	   -dict=$(srcdir)/tests/fuzz/report.dict tests/fuzz/report $(srcdir)/$(pr_fuzz_corpus) \
	   $(srcdir)/tests/fixtures/good $(srcdir)/tests/fixtures/bad

# Pairs of reports.
pr_fuzz_diff_corpus = tests/fuzz/corpus-diff

EXTRA_DIST += $(pr_fuzz_diff_corpus)/hello-and-stripped.xml \
	$(pr_fuzz_diff_corpus)/lists-and-sites.xml \
	$(pr_fuzz_diff_corpus)/old-and-new.xml \
	$(pr_fuzz_diff_corpus)/phases-and-instances.xml \
	$(pr_fuzz_diff_corpus)/shape-and-outside.xml \
	$(pr_fuzz_diff_corpus)/small-and-hostile-names.xml

pm_unit_tests += tests/fuzz/replay_diff
tests_fuzz_replay_diff_SOURCES = tests/fuzz/fuzz.h tests/fuzz/fuzz_diff.c \
	tests/fuzz/replay_files.c $(pr_fuzz_whole_program)
tests_fuzz_replay_diff_CPPFLAGS = $(PR_CPPFLAGS) \
	-DPM_FOLDERS='"tests/fixtures/good tests/fixtures/bad $(pr_fuzz_diff_corpus)"'
tests_fuzz_replay_diff_CFLAGS = $(AM_CFLAGS) $(PM_SANITIZE)
tests_fuzz_replay_diff_LDFLAGS = $(PM_SANITIZE)
tests_fuzz_replay_diff_LDADD = tests/unit/libpr_hosted.a $(PR_LIBS)

fuzz-diff: $(pr_generated_sources)
	$(pr_fuzz_program_build) -o tests/fuzz/libfuzzer_diff $(srcdir)/tests/fuzz/fuzz_diff.c \
	   $(PR_LIBS)
	$(MKDIR_P) tests/fuzz/diff
	tests/fuzz/libfuzzer_diff -max_len=16000 -max_total_time=$(FUZZ_SECONDS) \
	   -dict=$(srcdir)/tests/fuzz/report.dict tests/fuzz/diff $(srcdir)/$(pr_fuzz_diff_corpus) \
	   $(srcdir)/tests/fixtures/good

pm_phony += fuzz-diff

# Files of limits.
pr_fuzz_limits_corpus = tests/fuzz/corpus-limits

EXTRA_DIST += tests/fuzz/limits.dict \
	$(pr_fuzz_limits_corpus)/empty.txt \
	$(pr_fuzz_limits_corpus)/every-form.txt \
	$(pr_fuzz_limits_corpus)/hostile-names.txt \
	$(pr_fuzz_limits_corpus)/largest-numbers.txt \
	$(pr_fuzz_limits_corpus)/mark-and-line-ends.txt \
	$(pr_fuzz_limits_corpus)/max-cut-off.txt \
	$(pr_fuzz_limits_corpus)/no-text.txt \
	$(pr_fuzz_limits_corpus)/quote.txt \
	$(pr_fuzz_limits_corpus)/signs.txt \
	$(pr_fuzz_limits_corpus)/too-large.txt

pm_unit_tests += tests/fuzz/replay_limits
tests_fuzz_replay_limits_SOURCES = tests/fuzz/fuzz.h tests/fuzz/fuzz_limits.c \
	tests/fuzz/printable.c tests/fuzz/printable.h tests/fuzz/replay_files.c
tests_fuzz_replay_limits_CPPFLAGS = $(PR_CPPFLAGS) \
	-DPM_FOLDERS='"tests/fixtures/limits $(pr_fuzz_limits_corpus)"'
tests_fuzz_replay_limits_CFLAGS = $(AM_CFLAGS) $(PM_SANITIZE)
tests_fuzz_replay_limits_LDFLAGS = $(PM_SANITIZE)
tests_fuzz_replay_limits_LDADD = tests/unit/libpr_hosted.a $(PR_LIBS)

pr_fuzz_limits_sources = tests/fuzz/fuzz_limits.c tests/fuzz/printable.c \
	$(filter %.c,$(pr_library_sources))

fuzz-limits: $(pr_generated_sources)
	$(FUZZ_CC) -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	   $(PR_CPPFLAGS) $(LIBXML2_CFLAGS) -o tests/fuzz/libfuzzer_limits \
	   $(addprefix $(srcdir)/,$(pr_fuzz_limits_sources)) $(pr_generated_sources) $(PR_LIBS)
	$(MKDIR_P) tests/fuzz/limits
	tests/fuzz/libfuzzer_limits -max_len=400 -max_total_time=$(FUZZ_SECONDS) \
	   -dict=$(srcdir)/tests/fuzz/limits.dict tests/fuzz/limits \
	   $(srcdir)/$(pr_fuzz_limits_corpus) $(srcdir)/tests/fixtures/limits

pm_phony += fuzz-limits

# Lists of programs.
pr_fuzz_listed_corpus = tests/fuzz/corpus-listed

EXTRA_DIST += tests/fuzz/listed.dict \
	$(pr_fuzz_listed_corpus)/control-arguments.txt \
	$(pr_fuzz_listed_corpus)/controls.txt \
	$(pr_fuzz_listed_corpus)/escapes.txt \
	$(pr_fuzz_listed_corpus)/every-form.txt \
	$(pr_fuzz_listed_corpus)/long-names.txt \
	$(pr_fuzz_listed_corpus)/mark-and-line-ends.txt \
	$(pr_fuzz_listed_corpus)/mistakes.txt \
	$(pr_fuzz_listed_corpus)/names.txt \
	$(pr_fuzz_listed_corpus)/no-programs.txt \
	$(pr_fuzz_listed_corpus)/no-text.txt

pm_unit_tests += tests/fuzz/replay_listed
tests_fuzz_replay_listed_SOURCES = tests/fuzz/fuzz.h tests/fuzz/fuzz_listed.c \
	tests/fuzz/printable.c tests/fuzz/printable.h tests/fuzz/replay_files.c
tests_fuzz_replay_listed_CPPFLAGS = $(PR_CPPFLAGS) \
	-DPM_FOLDERS='"$(pr_fuzz_listed_corpus)"'
tests_fuzz_replay_listed_CFLAGS = $(AM_CFLAGS) $(PM_SANITIZE)
tests_fuzz_replay_listed_LDFLAGS = $(PM_SANITIZE)
tests_fuzz_replay_listed_LDADD = tests/unit/libpr_hosted.a $(PR_LIBS)

pr_fuzz_listed_sources = tests/fuzz/fuzz_listed.c tests/fuzz/printable.c \
	reports/run/run_listed.c $(filter %.c,$(pr_library_sources))

fuzz-listed: $(pr_generated_sources)
	$(FUZZ_CC) -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	   $(PR_CPPFLAGS) $(LIBXML2_CFLAGS) $(JSON_C_CFLAGS) -o tests/fuzz/libfuzzer_listed \
	   $(addprefix $(srcdir)/,$(pr_fuzz_listed_sources)) $(pr_generated_sources) $(PR_LIBS)
	$(MKDIR_P) tests/fuzz/listed
	tests/fuzz/libfuzzer_listed -max_len=400 -max_total_time=$(FUZZ_SECONDS) \
	   -dict=$(srcdir)/tests/fuzz/listed.dict tests/fuzz/listed \
	   $(srcdir)/$(pr_fuzz_listed_corpus)

pm_phony += fuzz-listed

CLEANFILES += tests/fuzz/libfuzzer_diff tests/fuzz/libfuzzer_limits tests/fuzz/libfuzzer_listed \
	tests/fuzz/libfuzzer_report
