# SPDX-License-Identifier: GPL-2.0-or-later
# tests/unit/local.mk: the core hosted, under sanitizers, and its unit tests.

# The same sources as the tool's core, so that a test sees what the tool runs, and
# the host services for it.
check_LIBRARIES += %D%/libpmcore_hosted.a
%C%_libpmcore_hosted_a_SOURCES = $(pm_core_sources) %D%/hosted.c %D%/hosted.h
%C%_libpmcore_hosted_a_CPPFLAGS = $(pm_core_cppflags)
%C%_libpmcore_hosted_a_CFLAGS = $(AM_CFLAGS) $(PM_SANITIZE)

# A test of the core, tests/unit/test_NAME.c, is listed in pm_unit_tests and has
#   tests_unit_test_NAME_SOURCES, and the four variables
#   ..._CPPFLAGS = $(pm_unit_cppflags)   ..._CFLAGS = $(pm_unit_cflags)
#   ..._LDFLAGS = $(PM_SANITIZE)         ..._LDADD = $(pm_unit_ldadd)
pm_unit_cppflags = $(pm_core_cppflags) -I$(srcdir)/%D%
pm_unit_cflags = $(AM_CFLAGS) $(PM_SANITIZE) $(CMOCKA_CFLAGS)
pm_unit_ldadd = %D%/libpmcore_hosted.a $(CMOCKA_LIBS)

pm_bats_tests += %D%/core-calls.bats %D%/mix.bats

pm_unit_tests += %D%/test_pm_text
%C%_test_pm_text_SOURCES = %D%/test_pm_text.c
%C%_test_pm_text_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_text_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_text_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_text_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_ranges
%C%_test_pm_ranges_SOURCES = %D%/test_pm_ranges.c
%C%_test_pm_ranges_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_ranges_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_ranges_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_ranges_LDADD = $(pm_unit_ldadd)

# libxml2 reads back what the core's writer wrote.
pm_unit_tests += %D%/test_pm_xml
%C%_test_pm_xml_SOURCES = %D%/test_pm_xml.c
%C%_test_pm_xml_CPPFLAGS = $(pm_unit_cppflags) $(LIBXML2_CFLAGS)
%C%_test_pm_xml_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_xml_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_xml_LDADD = $(pm_unit_ldadd) $(LIBXML2_LIBS)

# Compiles samples with the same compiler and compares with readelf.
pm_unit_tests += %D%/test_pm_elf
%C%_test_pm_elf_SOURCES = %D%/test_pm_elf.c %D%/elf_samples.c %D%/elf_samples.h
%C%_test_pm_elf_CPPFLAGS = $(pm_unit_cppflags) -D_GNU_SOURCE -DPM_CC='"$(CC)"'
%C%_test_pm_elf_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_elf_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_elf_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_elf_damage
%C%_test_pm_elf_damage_SOURCES = %D%/test_pm_elf_damage.c %D%/elf_samples.c %D%/elf_samples.h
%C%_test_pm_elf_damage_CPPFLAGS = $(pm_unit_cppflags) -D_GNU_SOURCE
%C%_test_pm_elf_damage_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_elf_damage_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_elf_damage_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_allocfns
%C%_test_pm_allocfns_SOURCES = %D%/test_pm_allocfns.c
%C%_test_pm_allocfns_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_allocfns_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_allocfns_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_allocfns_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_signals
%C%_test_pm_signals_SOURCES = %D%/test_pm_signals.c
%C%_test_pm_signals_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_signals_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_signals_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_signals_LDADD = $(pm_unit_ldadd)

# Compares with c++filt, on the functions of this compiler's C++ library.
pm_unit_tests += %D%/test_pm_names
%C%_test_pm_names_SOURCES = %D%/test_pm_names.c
%C%_test_pm_names_CPPFLAGS = $(pm_unit_cppflags) -D_GNU_SOURCE -DPM_CC='"$(CC)"'
%C%_test_pm_names_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_names_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_names_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_activations
%C%_test_pm_activations_SOURCES = %D%/test_pm_activations.c
%C%_test_pm_activations_CPPFLAGS = $(pm_unit_cppflags) -I$(srcdir)/tests/model
%C%_test_pm_activations_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_activations_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_activations_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_insns
%C%_test_pm_insns_SOURCES = %D%/test_pm_insns.c
%C%_test_pm_insns_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_insns_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_insns_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_insns_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_mix
%C%_test_pm_mix_SOURCES = %D%/test_pm_mix.c %D%/mix_rows.h
%C%_test_pm_mix_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_mix_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_mix_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_mix_LDADD = $(pm_unit_ldadd)

# What mix.bats pipes objdump's lines through. The translator of the installed Valgrind
# says what that executes; its archive, and the core's, want a program at a fixed address.
check_PROGRAMS += %D%/mix_decode
%C%_mix_decode_SOURCES = %D%/mix_decode.c
%C%_mix_decode_CPPFLAGS = $(pm_unit_cppflags)
%C%_mix_decode_LDFLAGS = -no-pie
%C%_mix_decode_LDADD = valgrind-tool/libpmcore.a
check_PROGRAMS += %D%/mix_executed
%C%_mix_executed_SOURCES = %D%/mix_executed.c
%C%_mix_executed_CPPFLAGS = $(VG_CPPFLAGS)
%C%_mix_executed_CFLAGS = $(AM_CFLAGS) -fno-pie
%C%_mix_executed_LDFLAGS = -no-pie
%C%_mix_executed_LDADD = $(filter %/libvex-$(VG_PLATFORM).a,$(VG_ARCHIVES))
EXTRA_DIST += %D%/mix_opcodes.py %D%/mix_referee.py

pm_unit_tests += %D%/test_pm_calls
%C%_test_pm_calls_SOURCES = %D%/test_pm_calls.c
%C%_test_pm_calls_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_calls_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_calls_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_calls_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_heap
%C%_test_pm_heap_SOURCES = %D%/test_pm_heap.c
%C%_test_pm_heap_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_heap_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_heap_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_heap_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_pools
%C%_test_pm_pools_SOURCES = %D%/test_pm_pools.c
%C%_test_pm_pools_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_pools_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_pools_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_pools_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_stretches
%C%_test_pm_stretches_SOURCES = %D%/test_pm_stretches.c
%C%_test_pm_stretches_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_stretches_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_stretches_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_stretches_LDADD = $(pm_unit_ldadd)

# A report, against a file that was read by people and against the schema.
pm_unit_tests += %D%/test_pm_report
%C%_test_pm_report_SOURCES = %D%/test_pm_report.c
%C%_test_pm_report_CPPFLAGS = $(pm_unit_cppflags) $(LIBXML2_CFLAGS)
%C%_test_pm_report_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_report_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_report_LDADD = $(pm_unit_ldadd) $(LIBXML2_LIBS)
EXTRA_DIST += %D%/report-golden.xml

pm_unit_tests += %D%/test_pm_order
%C%_test_pm_order_SOURCES = %D%/test_pm_order.c
%C%_test_pm_order_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_order_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_order_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_order_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_ledger
%C%_test_pm_ledger_SOURCES = %D%/test_pm_ledger.c
%C%_test_pm_ledger_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_ledger_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_ledger_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_ledger_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_phases
%C%_test_pm_phases_SOURCES = %D%/test_pm_phases.c
%C%_test_pm_phases_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_phases_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_phases_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_phases_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_profile
%C%_test_pm_profile_SOURCES = %D%/test_pm_profile.c
%C%_test_pm_profile_CPPFLAGS = $(pm_unit_cppflags) -I$(srcdir)/tests/model
%C%_test_pm_profile_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_profile_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_profile_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_sort
%C%_test_pm_sort_SOURCES = %D%/test_pm_sort.c
%C%_test_pm_sort_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_sort_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_sort_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_sort_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_out_of_memory
%C%_test_pm_out_of_memory_SOURCES = %D%/test_pm_out_of_memory.c
%C%_test_pm_out_of_memory_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_out_of_memory_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_out_of_memory_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_out_of_memory_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_timeline
%C%_test_pm_timeline_SOURCES = %D%/test_pm_timeline.c
%C%_test_pm_timeline_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_timeline_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_timeline_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_timeline_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_phase_table
%C%_test_pm_phase_table_SOURCES = %D%/test_pm_phase_table.c
%C%_test_pm_phase_table_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_phase_table_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_phase_table_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_phase_table_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_clock
%C%_test_pm_clock_SOURCES = %D%/test_pm_clock.c
%C%_test_pm_clock_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_clock_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_clock_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_clock_LDADD = $(pm_unit_ldadd)

pm_unit_tests += %D%/test_pm_random
%C%_test_pm_random_SOURCES = %D%/test_pm_random.c
%C%_test_pm_random_CPPFLAGS = $(pm_unit_cppflags)
%C%_test_pm_random_CFLAGS = $(pm_unit_cflags)
%C%_test_pm_random_LDFLAGS = $(PM_SANITIZE)
%C%_test_pm_random_LDADD = $(pm_unit_ldadd)
