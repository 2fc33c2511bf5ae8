# SPDX-License-Identifier: GPL-2.0-or-later
# tests/model/local.mk: naive models of the core, in lockstep with it on random
# traces. model_random.h says how to run more of them.

pm_model_cppflags = $(pm_unit_cppflags) -I$(srcdir)/%D%

pm_unit_tests += %D%/test_model_heap
%C%_test_model_heap_SOURCES = %D%/test_model_heap.c %D%/history.c %D%/history.h \
	%D%/model_random.h
%C%_test_model_heap_CPPFLAGS = $(pm_model_cppflags)
%C%_test_model_heap_CFLAGS = $(pm_unit_cflags)
%C%_test_model_heap_LDFLAGS = $(PM_SANITIZE)
%C%_test_model_heap_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_model_calls
%C%_test_model_calls_SOURCES = %D%/test_model_calls.c %D%/expected.c %D%/expected.h \
	%D%/history.c %D%/history.h %D%/model_random.h %D%/sim_memory.c %D%/sim_memory.h
%C%_test_model_calls_CPPFLAGS = $(pm_model_cppflags)
%C%_test_model_calls_CFLAGS = $(pm_unit_cflags)
%C%_test_model_calls_LDFLAGS = $(PM_SANITIZE)
%C%_test_model_calls_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_model_ledger
%C%_test_model_ledger_SOURCES = %D%/test_model_ledger.c %D%/model_random.h
%C%_test_model_ledger_CPPFLAGS = $(pm_model_cppflags)
%C%_test_model_ledger_CFLAGS = $(pm_unit_cflags)
%C%_test_model_ledger_LDFLAGS = $(PM_SANITIZE)
%C%_test_model_ledger_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_model_details
%C%_test_model_details_SOURCES = %D%/test_model_details.c %D%/details.c %D%/details.h \
	%D%/history.c %D%/history.h %D%/model_random.h
%C%_test_model_details_CPPFLAGS = $(pm_model_cppflags)
%C%_test_model_details_CFLAGS = $(pm_unit_cflags)
%C%_test_model_details_LDFLAGS = $(PM_SANITIZE)
%C%_test_model_details_LDADD = $(pm_unit_ldadd)
