# SPDX-License-Identifier: GPL-2.0-or-later
# tests/unit/reports.mk: the report program under sanitizers, and its unit tests.

# The same sources as the program, main() apart.
check_LIBRARIES += tests/unit/libpr_hosted.a
tests_unit_libpr_hosted_a_SOURCES = $(pr_library_sources) $(pr_command_sources)
nodist_tests_unit_libpr_hosted_a_SOURCES = $(pr_generated_sources)
tests_unit_libpr_hosted_a_CPPFLAGS = $(PR_CPPFLAGS)
tests_unit_libpr_hosted_a_CFLAGS = $(PR_CFLAGS) $(PM_SANITIZE)

pr_unit_cppflags = $(PR_CPPFLAGS) -I$(srcdir)/tests/unit
pr_unit_cflags = $(PR_CFLAGS) $(PM_SANITIZE) $(CMOCKA_CFLAGS)
pr_unit_ldadd = tests/unit/libpr_hosted.a $(PR_LIBS) $(CMOCKA_LIBS)
pr_unit_sample = tests/unit/pr_sample.c tests/unit/pr_sample.h

pm_unit_tests += tests/unit/test_pr_arena
tests_unit_test_pr_arena_SOURCES = tests/unit/test_pr_arena.c
tests_unit_test_pr_arena_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_arena_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_arena_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_arena_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_buffer
tests_unit_test_pr_buffer_SOURCES = tests/unit/test_pr_buffer.c
tests_unit_test_pr_buffer_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_buffer_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_buffer_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_buffer_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_number
tests_unit_test_pr_number_SOURCES = tests/unit/test_pr_number.c
tests_unit_test_pr_number_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_number_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_number_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_number_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_text
tests_unit_test_pr_text_SOURCES = tests/unit/test_pr_text.c
tests_unit_test_pr_text_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_text_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_text_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_text_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_nearest
tests_unit_test_pr_nearest_SOURCES = tests/unit/test_pr_nearest.c
tests_unit_test_pr_nearest_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_nearest_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_nearest_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_nearest_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_load
tests_unit_test_pr_load_SOURCES = tests/unit/test_pr_load.c $(pr_unit_sample)
tests_unit_test_pr_load_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_load_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_load_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_load_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_schema
tests_unit_test_pr_schema_SOURCES = tests/unit/test_pr_schema.c $(pr_unit_sample)
tests_unit_test_pr_schema_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_schema_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_schema_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_schema_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_identities
tests_unit_test_pr_identities_SOURCES = tests/unit/test_pr_identities.c $(pr_unit_sample)
tests_unit_test_pr_identities_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_identities_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_identities_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_identities_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_limits
tests_unit_test_pr_limits_SOURCES = tests/unit/test_pr_limits.c $(pr_unit_sample)
tests_unit_test_pr_limits_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_limits_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_limits_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_limits_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_diff
tests_unit_test_pr_diff_SOURCES = tests/unit/test_pr_diff.c $(pr_unit_sample)
tests_unit_test_pr_diff_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_diff_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_diff_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_diff_LDADD = $(pr_unit_ldadd)

pm_unit_tests += tests/unit/test_pr_unlike
tests_unit_test_pr_unlike_SOURCES = tests/unit/test_pr_unlike.c $(pr_unit_sample)
tests_unit_test_pr_unlike_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_unlike_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_unlike_LDFLAGS = $(PM_SANITIZE)
tests_unit_test_pr_unlike_LDADD = $(pr_unit_ldadd)

# Its wrappers stand between the program and the functions that give memory.
pm_unit_tests += tests/unit/test_pr_main
tests_unit_test_pr_main_SOURCES = tests/unit/test_pr_main.c $(pr_unit_sample)
tests_unit_test_pr_main_CPPFLAGS = $(pr_unit_cppflags)
tests_unit_test_pr_main_CFLAGS = $(pr_unit_cflags)
tests_unit_test_pr_main_LDFLAGS = $(PM_SANITIZE) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=vasprintf,--wrap=asprintf
tests_unit_test_pr_main_LDADD = $(pr_unit_ldadd)
