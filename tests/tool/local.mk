# SPDX-License-Identifier: GPL-2.0-or-later
# tests/tool/local.mk: the Valgrind tool on programs that know what must be reported.
#
# The programs are compiled here by their own rules, since each kind wants another
# compiler or libc; the warnings are the project's.

# The longest first.
pm_bats_tests += \
	%D%/instructions.bats \
	%D%/ledger_dynamic.bats \
	%D%/callgrind.bats \
	%D%/sites.bats \
	%D%/sites_languages.bats \
	%D%/dhat.bats \
	%D%/ledger_preloaded.bats \
	%D%/output.bats \
	%D%/memory.bats \
	%D%/ledger_static.bats \
	%D%/calls.bats \
	%D%/processes.bats \
	%D%/coverage.bats \
	%D%/mapped.bats \
	%D%/chains.bats \
	%D%/share.bats \
	%D%/smoke.bats

# ---- The stepping referee.

if ON_AMD64
check_PROGRAMS += %D%/step
%C%_step_SOURCES = %D%/step.c
endif

# ---- With the C library: a program that says what it sees of the tool, and others.

check_PROGRAMS += %D%/fork %D%/mapped_libc %D%/processes %D%/witness
%C%_fork_SOURCES = %D%/fork.c
%C%_mapped_libc_SOURCES = %D%/mapped_libc.c
%C%_processes_SOURCES = %D%/processes.c
%C%_witness_SOURCES = %D%/witness.c

# Frame pointers or not decides how its stack is unwound.
check_PROGRAMS += %D%/chains %D%/chains_fp
%C%_chains_SOURCES = %D%/chains.c
%C%_chains_CFLAGS = $(AM_CFLAGS) -fomit-frame-pointer
%C%_chains_fp_SOURCES = %D%/chains.c
%C%_chains_fp_CFLAGS = $(AM_CFLAGS) -fno-omit-frame-pointer
check_PROGRAMS += %D%/contexts
%C%_contexts_SOURCES = %D%/contexts.c

pm_smoke_programs = %D%/smoke-dynamic %D%/smoke-static
pm_smoke_cc = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 $(PM_WARNINGS) -O1 -g -o $@ $<
%D%/smoke-dynamic: $(srcdir)/%D%/smoke.c
	$(pm_smoke_cc)
%D%/smoke-static: $(srcdir)/%D%/smoke.c
	$(pm_smoke_cc) -static

# ---- Without a libc: one source each, and what all share.

pm_freestanding_c = \
	abandon atomics calls conditions coroutines die_abort die_in_handler divide_fault escape \
	exit_in_handler functions many mapped own_names patched pools requests segv_fix segv_rep \
	segv_skip share signals unused
pm_freestanding_asm = \
	die_divide die_illegal die_segv fall_into machine overlap self_loops straight \
	string_condition string_count
pm_freestanding_shared = \
	%D%/freestanding/faults.h \
	%D%/freestanding/freestanding.h \
	%D%/freestanding/freestanding_amd64.h \
	%D%/freestanding/freestanding_arm64.h \
	%D%/freestanding/print.h \
	%D%/freestanding/faults.S \
	%D%/freestanding/own_allocator.S \
	%D%/freestanding/start.S

pm_freestanding_programs = \
	$(pm_freestanding_c:%=%D%/freestanding/%) $(pm_freestanding_asm:%=%D%/freestanding/%)

# What is written in assembly language is written for each machine.
pm_freestanding_arm64 = \
	die_illegal die_segv fall_into faults machine overlap own_allocator self_loops start straight

# No code but the sources': no start-up code, no calls that the compiler adds.
pm_freestanding_flags = -std=gnu11 $(PM_WARNINGS) -Wno-missing-prototypes -O2 -g -ffreestanding -nostdlib -static \
	-fno-pic -no-pie -fno-stack-protector $(pm_machine_flags) \
	-fno-tree-loop-distribute-patterns -fno-asynchronous-unwind-tables

# own_allocator.S makes functions malloc and free: only for programs that want them.
pm_with_allocator = abandon pools share unused
$(pm_with_allocator:%=%D%/freestanding/%): pm_allocator = $(srcdir)/%D%/freestanding/own_allocator$(pm_of_machine).S

pm_freestanding_start = $(srcdir)/%D%/freestanding/start$(pm_of_machine).S
pm_freestanding_parts = \
	$(pm_freestanding_start) $(srcdir)/%D%/freestanding/faults$(pm_of_machine).S
pm_compile_freestanding = $(AM_V_CCLD)$(MKDIR_P) %D%/freestanding && \
	$(CC) $(pm_freestanding_flags) -o $@ $< \
	$(pm_freestanding_parts) $(pm_allocator)

$(pm_freestanding_c:%=%D%/freestanding/%): %D%/freestanding/%: \
	$(srcdir)/%D%/freestanding/%.c $(pm_freestanding_shared)
	$(pm_compile_freestanding)

$(pm_freestanding_asm:%=%D%/freestanding/%): %D%/freestanding/%: \
	$(srcdir)/%D%/freestanding/%$(pm_of_machine).S $(pm_freestanding_shared)
	$(pm_compile_freestanding)

# ---- The ledger: C and C++, dynamic and static, glibc and musl.

pm_ledger_programs = %D%/ledger %D%/ledger-static %D%/ledger-musl %D%/ledger-cxx \
	%D%/ledger-cxx-static
pm_ledger_sources = $(srcdir)/%D%/ledger.c $(srcdir)/%D%/ledger_forms.c
# Every call as it is written: no built-in knowledge of allocation functions.
pm_ledger_flags = $(PM_WARNINGS) -O2 -g -fno-builtin
pm_ledger_objects = %D%/ledger-for-cxx.o %D%/ledger_forms.o

# $@ is made in the build tree, where its folder may not be there yet.
pm_ledger_cc = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 $(pm_ledger_flags) -o $@

%D%/ledger: $(pm_ledger_sources) $(srcdir)/%D%/ledger.h
	$(pm_ledger_cc) $(pm_ledger_sources) -pthread
%D%/ledger-static: $(pm_ledger_sources) $(srcdir)/%D%/ledger.h
	$(pm_ledger_cc) -static $(pm_ledger_sources) -pthread
%D%/ledger-musl: $(pm_ledger_sources) $(srcdir)/%D%/ledger.h
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(PM_MUSL_CC) -std=gnu11 $(pm_ledger_flags) -static -o $@ $(pm_ledger_sources)
%D%/ledger-for-cxx.o: $(srcdir)/%D%/ledger.c $(srcdir)/%D%/ledger.h
	$(pm_ledger_cc) -DLEDGER_CXX -c $<
%D%/ledger_forms.o: $(srcdir)/%D%/ledger_forms.c $(srcdir)/%D%/ledger.h
	$(pm_ledger_cc) -c $<
pm_link_ledger_cxx = $(AM_V_CCLD)$(PM_CXX) -std=c++17 -Wall -Wextra -O2 -g -fno-builtin \
	-DLEDGER_CXX -o $@ $(srcdir)/%D%/ledger_forms_cxx.cc $(pm_ledger_objects) -pthread
%D%/ledger-cxx: $(srcdir)/%D%/ledger_forms_cxx.cc $(pm_ledger_objects)
	$(pm_link_ledger_cxx)
%D%/ledger-cxx-static: $(srcdir)/%D%/ledger_forms_cxx.cc $(pm_ledger_objects)
	$(pm_link_ledger_cxx) -static

# ---- A library that is an allocator, and one that is none; for processes.

%D%/plug-known.so: $(srcdir)/%D%/plug.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) -std=gnu11 $(PM_WARNINGS) -Wno-missing-prototypes -O1 -fPIC -shared -o $@ $<
%D%/plug-unknown.so: $(srcdir)/%D%/plug.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) -std=gnu11 $(PM_WARNINGS) -Wno-missing-prototypes -O1 -fPIC -shared -DPLUG_UNKNOWN -o $@ $<

# ---- Programs of the distribution, and one in Rust, under other tools.

%D%/steady.so: $(srcdir)/%D%/steady.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) -std=gnu11 $(PM_WARNINGS) -Wno-missing-prototypes -O2 -fPIC -shared -o $@ $<
%D%/tally: $(srcdir)/%D%/tally.rs
	$(AM_V_GEN)$(MKDIR_P) $(@D) && env -u MAKEFLAGS $(PM_RUSTC) -O -o $@ $<

# ---- Programs that keep an account of their sites, each in several builds.

pm_sites_fixed_programs = \
	%D%/sites/sites_fixed \
	%D%/sites/sites_fixed-O0 \
	%D%/sites/sites_fixed-clang \
	%D%/sites/sites_fixed-musl \
	%D%/sites/sites_fixed-nopie \
	%D%/sites/sites_fixed-static \
	%D%/sites/sites_fixed-whole
pm_sites_twins = %D%/sites/libtwin_a.so %D%/sites/libtwin_b.so
pm_sites_plugins = \
	%D%/sites/libplugin_a.so \
	%D%/sites/libplugin_b.so \
	%D%/sites/libplugin_c.so
pm_sites_twin_objects = %D%/sites/twin_a.o %D%/sites/twin_b.o
pm_sites_objects = $(pm_sites_twin_objects) %D%/sites/sites_ledger.o
pm_sites_programs = $(pm_sites_twins) $(pm_sites_fixed_programs) %D%/sites/sites_random \
	%D%/sites/sites_files \
	%D%/sites/sites_load $(pm_sites_plugins) \
	%D%/sites/sawtooth \
	%D%/sites/sites_cxx \
	%D%/sites/sites_cxx-O0 \
	%D%/sites/sites_cxx-clang \
	%D%/sites/sites_cxx-nopie \
	%D%/sites/sites_cxx-static \
	%D%/sites/sites_inlined-100 \
	%D%/sites/sites_inlined-300 \
	%D%/sites/sites_rust \
	%D%/sites/sites_rust-O0 \
	%D%/sites/sites_rust-static \
	%D%/sites/sites_rust-v0

pm_sites_shared = $(srcdir)/%D%/sites/sites_ledger.h $(srcdir)/valgrind-tool/client/profmem.h
pm_sites_ledger = $(srcdir)/%D%/sites/sites_ledger.c
pm_sites_fixed = $(srcdir)/%D%/sites/sites_fixed.c $(pm_sites_ledger)

# The last -O counts.
pm_sites_flags = $(PM_WARNINGS) -O2 -g -I$(srcdir)/valgrind-tool/client
pm_sites_cc = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 $(pm_sites_flags)
pm_sites_twin = -DTWIN=twin_$* $<

%D%/sites/libtwin_%.so: $(srcdir)/%D%/sites/sites_twin.c $(pm_sites_shared)
	$(pm_sites_cc) -DSITES_OBJECT='"$(@F)"' -fPIC -shared -o $@ $(pm_sites_twin)
%D%/sites/twin_%.o: $(srcdir)/%D%/sites/sites_twin.c $(pm_sites_shared)
	$(pm_sites_cc) -c -o $@ $(pm_sites_twin)

# The libraries enter what they do in the program's account.
pm_with_twins = -rdynamic -L$(@D) -ltwin_a -ltwin_b -Wl,-rpath,'$$ORIGIN'
$(pm_sites_fixed_programs): $(pm_sites_fixed) $(pm_sites_shared)
%D%/sites/sites_fixed %D%/sites/sites_fixed-O0 %D%/sites/sites_fixed-nopie: $(pm_sites_twins)
%D%/sites/sites_fixed-clang %D%/sites/sites_fixed-musl %D%/sites/sites_fixed-static \
%D%/sites/sites_fixed-whole: \
	$(pm_sites_twin_objects)
%D%/sites/sites_fixed:
	$(pm_sites_cc) -o $@ $(pm_sites_fixed) $(pm_with_twins)
%D%/sites/sites_fixed-O0:
	$(pm_sites_cc) -O0 -o $@ $(pm_sites_fixed) $(pm_with_twins)
%D%/sites/sites_fixed-nopie:
	$(pm_sites_cc) -fno-pie -no-pie -o $@ $(pm_sites_fixed) $(pm_with_twins)
%D%/sites/sites_fixed-static:
	$(pm_sites_cc) -static -o $@ $(pm_sites_fixed) $(pm_sites_twin_objects)
%D%/sites/sites_fixed-musl:
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(PM_MUSL_CC) -std=gnu11 $(pm_sites_flags) -static -o $@ \
		$(pm_sites_fixed) $(pm_sites_twin_objects)
# What clang 14 writes as version 5 of its debug information, Valgrind 3.19 cannot read.
pm_sites_clang_flags = -Wall -Wextra -O2 -gdwarf-4
%D%/sites/sites_fixed-clang:
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(PM_CLANG) -std=gnu11 $(pm_sites_clang_flags) \
		-I$(srcdir)/valgrind-tool/client -o $@ $(pm_sites_fixed) $(pm_sites_twin_objects)
%D%/sites/sites_fixed-whole:
	$(pm_sites_cc) -o $@ $(pm_sites_fixed) $(pm_sites_twin_objects)
%D%/sites/sites_random: $(srcdir)/%D%/sites/sites_random.c $(pm_sites_ledger) $(pm_sites_shared)
	$(pm_sites_cc) -o $@ $< $(pm_sites_ledger) -pthread

%D%/sites/libplugin_%.so: $(srcdir)/%D%/sites/sites_plugin.c $(pm_sites_shared)
	$(pm_sites_cc) -DPLUGIN_NAME=$* -DSITES_OBJECT='"$(@F)"' -fPIC -shared -o $@ $<
%D%/sites/sites_load: $(srcdir)/%D%/sites/sites_load.c $(pm_sites_ledger) $(pm_sites_shared)
	$(pm_sites_cc) -rdynamic -o $@ $< $(pm_sites_ledger)

%D%/sites/sites_files: $(srcdir)/%D%/sites/sites_files.c
	$(pm_sites_cc) -o $@ $<
# The same that is measured with more sites.
%D%/sites/sawtooth: $(srcdir)/bench/programs/sawtooth.c $(srcdir)/valgrind-tool/client/profmem.h
	$(pm_sites_cc) -o $@ $<

%D%/sites/sites_ledger.o: $(pm_sites_ledger) $(pm_sites_shared)
	$(pm_sites_cc) -c -o $@ $<
pm_sites_cxx = $(AM_V_CCLD)$(PM_CXX) -std=c++17 -Wall -Wextra -O2 -g \
	-o $@ $(srcdir)/%D%/sites/sites_cxx.cc %D%/sites/sites_ledger.o
%D%/sites/sites_cxx: $(srcdir)/%D%/sites/sites_cxx.cc %D%/sites/sites_ledger.o
	$(pm_sites_cxx)
%D%/sites/sites_cxx-O0: $(srcdir)/%D%/sites/sites_cxx.cc %D%/sites/sites_ledger.o
	$(pm_sites_cxx) -O0
%D%/sites/sites_cxx-clang: $(srcdir)/%D%/sites/sites_cxx.cc %D%/sites/sites_ledger.o
	$(AM_V_CCLD)$(PM_CLANGXX) -std=c++17 $(pm_sites_clang_flags) -o $@ $< %D%/sites/sites_ledger.o
%D%/sites/sites_cxx-nopie: $(srcdir)/%D%/sites/sites_cxx.cc %D%/sites/sites_ledger.o
	$(pm_sites_cxx) -fno-pie -no-pie
%D%/sites/sites_cxx-static: $(srcdir)/%D%/sites/sites_cxx.cc %D%/sites/sites_ledger.o
	$(pm_sites_cxx) -static
%D%/sites/sites_inlined-%: $(srcdir)/%D%/sites/sites_inlined.cc
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(PM_CXX) -std=c++17 -Wall -Wextra -O2 -g -DDEPTH=$* -o $@ $<

pm_sites_rustc = $(AM_V_GEN)$(MKDIR_P) $(@D) && env -u MAKEFLAGS $(PM_RUSTC) -g -o $@ $<
%D%/sites/sites_rust: $(srcdir)/%D%/sites/sites_rust.rs
	$(pm_sites_rustc) -O
%D%/sites/sites_rust-O0: $(srcdir)/%D%/sites/sites_rust.rs
	$(pm_sites_rustc)
%D%/sites/sites_rust-static: $(srcdir)/%D%/sites/sites_rust.rs
	$(pm_sites_rustc) -O -C target-feature=+crt-static
%D%/sites/sites_rust-v0: $(srcdir)/%D%/sites/sites_rust.rs
	$(pm_sites_rustc) -O -C symbol-mangling-version=v0

pm_tool_programs = $(pm_smoke_programs) $(pm_freestanding_programs) $(pm_ledger_programs) $(pm_sites_programs) \
	%D%/plug-known.so %D%/plug-unknown.so %D%/steady.so %D%/tally
pm_tool_data += $(pm_tool_programs)
CLEANFILES += $(pm_tool_programs) $(pm_ledger_objects) $(pm_sites_objects)

EXTRA_DIST += \
	$(pm_freestanding_shared) \
	$(pm_freestanding_c:%=%D%/freestanding/%.c) \
	$(pm_freestanding_asm:%=%D%/freestanding/%.S) \
	$(pm_freestanding_arm64:%=%D%/freestanding/%_arm64.S) \
	%D%/distribution.bash \
	%D%/plug.c \
	%D%/ledger.bash \
	%D%/ledger.c \
	%D%/ledger.h \
	%D%/ledger_forms.c \
	%D%/ledger_forms_cxx.cc \
	%D%/sites.bash \
	%D%/sites/compare_sites.py \
	%D%/sites/sites_cxx.cc \
	%D%/sites/sites_files.c \
	%D%/sites/sites_fixed.c \
	%D%/sites/sites_inlined.cc \
	%D%/sites/sites_ledger.c \
	%D%/sites/sites_ledger.h \
	%D%/sites/sites_load.c \
	%D%/sites/sites_plugin.c \
	%D%/sites/sites_random.c \
	%D%/sites/sites_rust.rs \
	%D%/sites/sites_twin.c \
	%D%/smoke.c \
	%D%/steady.c \
	%D%/tally.rs \
	%D%/tool.bash

include tests/tool/code/local.mk
