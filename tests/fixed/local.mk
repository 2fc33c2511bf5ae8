# SPDX-License-Identifier: GPL-2.0-or-later
# tests/fixed/local.mk: what the tool can hold fixed: processor, random numbers, clock.

pm_bats_tests += %D%/fixed.bats

pm_fixed_programs = %D%/fixed_clock %D%/fixed_cpu %D%/fixed_outside %D%/fixed_random
pm_fixed_cc = $(AM_V_CCLD)$(MKDIR_P) %D% && $(CC) -std=gnu11 $(PM_WARNINGS) -O1 -g -o $@ $<

%D%/fixed_clock: $(srcdir)/%D%/fixed_clock.c
	$(pm_fixed_cc) -pthread -lrt
%D%/fixed_cpu: $(srcdir)/%D%/fixed_cpu.c
	$(pm_fixed_cc)
%D%/fixed_outside: $(srcdir)/%D%/fixed_outside.c valgrind-tool/client/profmem.h
	$(pm_fixed_cc) -I$(top_srcdir)/valgrind-tool/client -static -pthread
%D%/fixed_random: $(srcdir)/%D%/fixed_random.c
	$(pm_fixed_cc)

check_DATA += $(pm_fixed_programs)
CLEANFILES += $(pm_fixed_programs)

EXTRA_DIST += $(pm_fixed_programs:=.c)
