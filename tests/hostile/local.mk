# SPDX-License-Identifier: GPL-2.0-or-later
# tests/hostile/local.mk: programs that do what programs seldom do.

EXTRA_DIST += \
	%D%/valgrind-programs.sh \
	%D%/valgrind_programs.py

# ---- Threads, signals, stacks and code: each program is one file and has its own ledger.

pm_bats_tests += \
	%D%/deaths.bats \
	%D%/generated.bats \
	%D%/handlers.bats \
	%D%/stacks.bats \
	%D%/threads.bats

pm_hostile_programs = \
	%D%/hostile_code \
	%D%/hostile_deaths \
	%D%/hostile_exceptions \
	%D%/hostile_ifunc \
	%D%/hostile_libc \
	%D%/hostile_plugin_a.so \
	%D%/hostile_plugin_b.so \
	%D%/hostile_plugins \
	%D%/handlers_first \
	%D%/hostile_signals \
	%D%/hostile_stacks \
	%D%/hostile_threads

# Every call as it is written: no built-in knowledge of allocation functions. Functions
# that the tool is to find are global without being declared anywhere else.
pm_hostile_cc = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 $(PM_WARNINGS) \
	-Wno-missing-prototypes -O2 -g -fno-builtin -pthread \
	-I$(top_srcdir)/valgrind-tool/client -o $@ $<

pm_hostile_shared = %D%/hostile.h valgrind-tool/client/profmem.h

%D%/hostile_code: %D%/hostile_code.c $(pm_hostile_shared)
	$(pm_hostile_cc)
%D%/hostile_deaths: %D%/hostile_deaths.c $(pm_hostile_shared)
	$(pm_hostile_cc)
%D%/hostile_ifunc: %D%/hostile_ifunc.c $(pm_hostile_shared)
	$(pm_hostile_cc)
%D%/hostile_libc: %D%/hostile_libc.c $(pm_hostile_shared)
	$(pm_hostile_cc)
%D%/hostile_plugin_a.so: %D%/hostile_plugin.c
	$(pm_hostile_cc) -fPIC -shared -DPLUGIN_ALLOCATES
%D%/hostile_plugin_b.so: %D%/hostile_plugin.c
	$(pm_hostile_cc) -fPIC -shared
%D%/hostile_plugins: %D%/hostile_plugins.c $(pm_hostile_shared)
	$(pm_hostile_cc)
%D%/handlers_first: %D%/handlers_first.c
	$(pm_hostile_cc)
%D%/hostile_signals: %D%/hostile_signals.c $(pm_hostile_shared)
	$(pm_hostile_cc)
%D%/hostile_stacks: %D%/hostile_stacks.c $(pm_hostile_shared)
	$(pm_hostile_cc)
%D%/hostile_threads: %D%/hostile_threads.c $(pm_hostile_shared)
	$(pm_hostile_cc)

%D%/hostile_exceptions: %D%/hostile_exceptions.cc $(pm_hostile_shared)
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(PM_CXX) -std=c++17 -Wall -Wextra -O2 -g -fno-builtin \
		-I$(top_srcdir)/valgrind-tool/client -o $@ $<

pm_tool_data += $(pm_hostile_programs)
CLEANFILES += $(pm_hostile_programs)

EXTRA_DIST += \
	%D%/against_none.bash \
	%D%/hostile.h \
	%D%/hostile_code.c \
	%D%/hostile_deaths.c \
	%D%/hostile_exceptions.cc \
	%D%/hostile_ifunc.c \
	%D%/hostile_libc.c \
	%D%/hostile_plugin.c \
	%D%/hostile_plugins.c \
	%D%/handlers_first.c \
	%D%/hostile_signals.c \
	%D%/hostile_stacks.c \
	%D%/hostile_threads.c

# ---- Processes, allocators and trouble.

pm_bats_tests += \
	%D%/trouble.bats \
	%D%/lives.bats \
	%D%/allocators.bats

pm_trouble_programs = \
	%D%/allocators \
	%D%/allocators-own \
	%D%/announced \
	%D%/collected \
	%D%/fork_steps \
	%D%/interposer.so \
	%D%/interposer-2.so \
	%D%/lives \
	%D%/mallocx \
	%D%/own_kinds \
	%D%/trouble

pm_account = %D%/account.h $(pm_hostile_shared)

%D%/allocators: %D%/allocators.c $(pm_account)
	$(pm_hostile_cc)
%D%/allocators-own: %D%/allocators.c %D%/own_malloc.c $(pm_account)
	$(pm_hostile_cc) $(srcdir)/%D%/own_malloc.c
%D%/announced: %D%/announced.c $(pm_account)
	$(pm_hostile_cc)
%D%/collected: %D%/collected.c $(pm_hostile_shared)
	$(pm_hostile_cc)
%D%/fork_steps: %D%/fork_steps.S
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -nostdlib -static -o $@ $<
# One source, two libraries: each is above the other's functions.
%D%/interposer.so %D%/interposer-2.so: %D%/interposer.c
	$(pm_hostile_cc) -fPIC -shared
%D%/lives: %D%/lives.c $(pm_account)
	$(pm_hostile_cc)
%D%/mallocx: %D%/mallocx.c $(pm_account)
	$(pm_hostile_cc)
%D%/own_kinds: %D%/own_kinds.c $(pm_account)
	$(pm_hostile_cc)
%D%/trouble: %D%/trouble.c $(pm_hostile_shared)
	$(pm_hostile_cc) -lm

pm_tool_data += $(pm_trouble_programs)
CLEANFILES += $(pm_trouble_programs)

EXTRA_DIST += \
	%D%/account.h \
	%D%/allocators.c \
	%D%/announced.c \
	%D%/collected.c \
	%D%/fork_steps.S \
	%D%/interposer.c \
	%D%/lives.c \
	%D%/mallocx.c \
	%D%/own_kinds.c \
	%D%/own_malloc.c \
	%D%/reports_left.bash \
	%D%/trouble.c

# Valgrind's own test programs; its last result is docs/valgrind-programs.md.
pm_phony += valgrind-programs
valgrind-programs: all
	VALGRIND='$(VALGRIND)' PROFMEM='$(abs_top_builddir)/profmem' \
	PROFMEM_VALGRIND_LIB='$(abs_top_builddir)/valgrind-tool/lib' \
	$(srcdir)/%D%/valgrind-programs.sh '$(abs_top_builddir)/%D%/work' \
	   '$(abs_top_builddir)/valgrind-programs.md'
