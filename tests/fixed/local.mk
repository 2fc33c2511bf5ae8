# SPDX-License-Identifier: GPL-2.0-or-later
# tests/fixed/local.mk: what the tool can hold fixed: processor, random numbers, clock.

# The longest first.
pm_bats_tests += %D%/suites.bats %D%/processors.bats %D%/fixed.bats

pm_clean += clean-fixed
clean-fixed:
	rm -rf %D%/work

pm_fixed_programs = \
	%D%/fixed_clock \
	%D%/fixed_cpu \
	%D%/fixed_outside \
	%D%/fixed_random \
	%D%/strings_c \
	%D%/strings_c_static \
	%D%/strings_cxx \
	%D%/strings_cxx_static \
	%D%/strings_rs \
	%D%/strings_rs_static
pm_fixed_cc = $(AM_V_CCLD)$(MKDIR_P) %D% && $(CC) -std=gnu11 $(PM_WARNINGS) -O1 -g -o $@ $<

%D%/fixed_clock: $(srcdir)/%D%/fixed_clock.c
	$(pm_fixed_cc) -pthread -lrt
%D%/fixed_cpu: $(srcdir)/%D%/fixed_cpu.c
	$(pm_fixed_cc)
%D%/fixed_outside: $(srcdir)/%D%/fixed_outside.c valgrind-tool/client/profmem.h
	$(pm_fixed_cc) -I$(top_srcdir)/valgrind-tool/client -static -pthread
%D%/fixed_random: $(srcdir)/%D%/fixed_random.c
	$(pm_fixed_cc)

# Function names are phases' names; the optimiser knows nothing of the C library.
pm_fixed_cxx = $(AM_V_CCLD)$(MKDIR_P) %D% && $(PM_CXX) -std=c++17 -Wall -Wextra -O2 -g -o $@ $<
pm_fixed_rustc = $(AM_V_GEN)$(MKDIR_P) %D% && env -u MAKEFLAGS $(PM_RUSTC) -O -o $@ $<
%D%/strings_c: $(srcdir)/%D%/strings_c.c
	$(pm_fixed_cc) -fno-builtin
%D%/strings_c_static: $(srcdir)/%D%/strings_c.c
	$(pm_fixed_cc) -fno-builtin -static
%D%/strings_cxx: $(srcdir)/%D%/strings_cxx.cc
	$(pm_fixed_cxx)
%D%/strings_cxx_static: $(srcdir)/%D%/strings_cxx.cc
	$(pm_fixed_cxx) -static
%D%/strings_rs: $(srcdir)/%D%/strings_rs.rs
	$(pm_fixed_rustc)
%D%/strings_rs_static: $(srcdir)/%D%/strings_rs.rs
	$(pm_fixed_rustc) -C target-feature=+crt-static

pm_tool_data += $(pm_fixed_programs)
CLEANFILES += $(pm_fixed_programs)

EXTRA_DIST += \
	%D%/fixed_clock.c \
	%D%/fixed_cpu.c \
	%D%/fixed_outside.c \
	%D%/fixed_random.c \
	%D%/strings_c.c \
	%D%/strings_cxx.cc \
	%D%/strings_rs.rs
