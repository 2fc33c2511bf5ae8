# SPDX-License-Identifier: GPL-2.0-or-later
# tests/tool/code/local.mk: functions, lines and the mix, against referees.

# The longest first.
pm_bats_tests += \
	tests/tool/functions_callgrind.bats \
	tests/tool/lines_callgrind.bats \
	tests/tool/mix_steps.bats \
	tests/tool/instr_steps.bats \
	tests/tool/instr_callgrind.bats \
	tests/tool/functions_calls.bats \
	tests/tool/mix_kernel.bats

# ---- Programs that count the calls of their functions, and a library that says where
# objects are.

pm_code_cc = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 $(PM_WARNINGS) -g
pm_code_cxx = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(PM_CXX) -std=c++17 -Wall -Wextra -g -o $@ $<

%D%/where.so: $(srcdir)/%D%/where.c
	$(pm_code_cc) -O2 -fPIC -shared -o $@ $<
%D%/known_library.so: $(srcdir)/%D%/known_library.c $(srcdir)/%D%/known_calls.h
	$(pm_code_cc) -O2 -fPIC -shared -Wl,-soname,known_library.so -o $@ $<
%D%/known_plugin.so: $(srcdir)/%D%/known_library.c $(srcdir)/%D%/known_calls.h
	$(pm_code_cc) -O2 -fPIC -shared -DKNOWN_PLUGIN -o $@ $<

pm_known_sources = $(srcdir)/%D%/known_calls.c $(srcdir)/%D%/known_calls_other.c
pm_known_needs = $(pm_known_sources) $(srcdir)/%D%/known_calls.h %D%/known_library.so
pm_known_link = -o $@ $(pm_known_sources) %D%/known_library.so '-Wl,-rpath,$$ORIGIN' -pthread
%D%/known_calls: $(pm_known_needs)
	$(pm_code_cc) -O2 $(pm_known_link)
%D%/known_calls-plain: $(pm_known_needs)
	$(pm_code_cc) -O0 $(pm_known_link)
%D%/known_lines: $(srcdir)/%D%/known_lines.c
	$(pm_code_cc) -O2 -o $@ $<
%D%/known_calls_cxx: $(srcdir)/%D%/known_calls_cxx.cc
	$(pm_code_cxx) -O2
%D%/known_calls_cxx-plain: $(srcdir)/%D%/known_calls_cxx.cc
	$(pm_code_cxx) -O0
%D%/known_calls_cxx-static: $(srcdir)/%D%/known_calls_cxx.cc
	$(pm_code_cxx) -O2 -static

# ---- Hand-written instructions, a whole process of musl's, and one loop in several builds.

pm_mix_asm = %D%/mix_base %D%/mix_avx
$(pm_mix_asm): %D%/%: $(srcdir)/%D%/%$(pm_of_machine).S $(srcdir)/%D%/mix_kinds.h $(pm_freestanding_shared)
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) $(pm_freestanding_flags) -o $@ $< $(pm_freestanding_start)

# The programs of ../freestanding with data of their own, without which they have no names.
pm_named = divide_fault escape segv_fix segv_rep segv_skip signals die_in_handler
pm_named_programs = $(pm_named:%=%D%/named-%)
$(pm_named_programs): %D%/named-%: $(srcdir)/tests/tool/freestanding/%.c \
	$(srcdir)/%D%/named.S $(pm_freestanding_shared)
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) $(pm_freestanding_flags) -o $@ $< $(srcdir)/%D%/named.S $(pm_freestanding_parts)

%D%/faults_at_entry: $(srcdir)/%D%/faults_at_entry.c $(srcdir)/%D%/named.S $(pm_freestanding_shared)
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) $(pm_freestanding_flags) -o $@ $< $(srcdir)/%D%/named.S $(pm_freestanding_start)

%D%/mix_libc: $(srcdir)/%D%/mix_libc.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(PM_MUSL_CC) -std=gnu11 $(PM_WARNINGS) -O3 -g -static -nostartfiles -o $@ $< -lm

pm_kernel_flags = $(pm_freestanding_flags) -O3 -ffast-math
%D%/mix_kernel-sse: pm_kernel_build = -ftree-vectorize
%D%/mix_kernel-avx: pm_kernel_build = -ftree-vectorize -mavx2 -mfma
%D%/mix_kernel-scalar: pm_kernel_build = -fno-tree-vectorize
%D%/mix_kernel-calls: pm_kernel_build = -fno-tree-vectorize -DBY_CALLS
pm_kernel_programs = %D%/mix_kernel-sse %D%/mix_kernel-avx %D%/mix_kernel-scalar \
	%D%/mix_kernel-calls

%D%/mix_kernel_program.o: $(srcdir)/%D%/mix_kernel_program.c $(srcdir)/%D%/mix_kernel.h
	$(AM_V_CC)$(MKDIR_P) $(@D) && \
	$(CC) $(pm_freestanding_flags) -fno-tree-vectorize -c -o $@ $<
$(pm_kernel_programs): $(srcdir)/%D%/mix_kernel.c %D%/mix_kernel_program.o
	$(AM_V_CCLD)$(CC) $(pm_kernel_flags) $(pm_kernel_build) -o $@ $(srcdir)/%D%/mix_kernel.c \
		%D%/mix_kernel_program.o $(pm_freestanding_start)

pm_code_programs = \
	$(pm_mix_asm) %D%/mix_libc %D%/faults_at_entry $(pm_named_programs) $(pm_kernel_programs) \
	%D%/known_library.so %D%/known_plugin.so %D%/where.so \
	%D%/known_calls %D%/known_calls-plain \
	%D%/known_calls_cxx %D%/known_calls_cxx-plain %D%/known_calls_cxx-static %D%/known_lines

pm_tool_data += $(pm_code_programs)
CLEANFILES += $(pm_code_programs) %D%/mix_kernel_program.o

EXTRA_DIST += \
	%D%/against_callgrind.bash \
	%D%/callgrind_file.py \
	%D%/calls_referee.py \
	%D%/code_referee.py \
	%D%/instr_referee.py \
	%D%/faults_at_entry.c \
	%D%/kernel_referee.py \
	%D%/known_calls.c \
	%D%/known_calls.h \
	%D%/known_calls_cxx.cc \
	%D%/known_calls_other.c \
	%D%/known_library.c \
	%D%/known_lines.c \
	%D%/mix_avx.S \
	%D%/mix_base.S \
	%D%/mix_base_arm64.S \
	%D%/mix_kernel.c \
	%D%/mix_kernel.h \
	%D%/mix_kernel_program.c \
	%D%/mix_kinds.h \
	%D%/mix_libc.c \
	%D%/named.S \
	%D%/object_code.py \
	%D%/steps_referee.py \
	%D%/where.c
