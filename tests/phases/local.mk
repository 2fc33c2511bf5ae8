# SPDX-License-Identifier: GPL-2.0-or-later
# tests/phases/local.mk: phases, on programs that know what each must report.
#
# Programs that make requests find profmem.h where a user's would: by an include path.

# The longest first.
pm_bats_tests += \
	%D%/programs.bats \
	%D%/random.bats \
	%D%/random_functions.bats \
	%D%/functions.bats \
	%D%/coroutines.bats \
	%D%/languages.bats \
	%D%/monitor.bats \
	%D%/processes.bats \
	%D%/requests.bats

pm_phases_shared = %D%/say.h valgrind-tool/client/profmem.h
# Functions that are phases are global without being declared anywhere else.
pm_phases_flags = $(PM_WARNINGS) -Wno-missing-prototypes -O2 -g \
	-I$(srcdir)/%D% -I$(top_srcdir)/valgrind-tool/client

# $@ is made in the build tree, where its folder may not be there yet.
pm_phases_cc = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 $(pm_phases_flags) -o $@ $<

pm_phases_programs = \
	%D%/breakpoints \
	%D%/coroutines \
	%D%/functions \
	%D%/functions-fixed \
	%D%/functions-musl \
	%D%/functions-static \
	%D%/functions_cxx \
	%D%/functions_rs \
	%D%/functions_rs_v0 \
	%D%/loads \
	%D%/plugin.so \
	%D%/processes \
	%D%/random_functions \
	%D%/random_phases \
	%D%/requests \
	%D%/server \
	%D%/spy.so

%D%/breakpoints: %D%/breakpoints.c
	$(pm_phases_cc) -fno-pie -no-pie
%D%/coroutines: %D%/coroutines.c $(pm_phases_shared)
	$(pm_phases_cc)
%D%/functions: %D%/functions.c $(pm_phases_shared)
	$(pm_phases_cc) -pthread
%D%/functions-fixed: %D%/functions.c $(pm_phases_shared)
	$(pm_phases_cc) -fno-pie -no-pie -pthread
%D%/functions-static: %D%/functions.c $(pm_phases_shared)
	$(pm_phases_cc) -static -pthread
%D%/functions-musl: %D%/functions.c $(pm_phases_shared)
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(PM_MUSL_CC) -std=gnu11 $(pm_phases_flags) -static -o $@ $<
pm_phases_cxx = $(AM_V_CCLD)$(MKDIR_P) $(@D) && $(PM_CXX) -std=c++17 -Wall -Wextra -O2 -g \
	-I$(srcdir)/%D% -I$(top_srcdir)/valgrind-tool/client -o $@ $<
%D%/functions_cxx: %D%/functions_cxx.cc $(pm_phases_shared)
	$(pm_phases_cxx)
%D%/random_functions: %D%/random_functions.cc $(pm_phases_shared)
	$(pm_phases_cxx)
pm_phases_rustc = $(AM_V_GEN)$(MKDIR_P) $(@D) && env -u MAKEFLAGS $(PM_RUSTC) -O -o $@ $<
%D%/functions_rs: %D%/functions_rs.rs
	$(pm_phases_rustc)
%D%/functions_rs_v0: %D%/functions_rs.rs
	$(pm_phases_rustc) -C symbol-mangling-version=v0
%D%/loads: %D%/loads.c $(pm_phases_shared)
	$(pm_phases_cc)
%D%/plugin.so: %D%/plugin.c $(pm_phases_shared)
	$(pm_phases_cc) -fPIC -shared
%D%/processes: %D%/processes.c $(pm_phases_shared)
	$(pm_phases_cc) -pthread
%D%/random_phases: %D%/random_phases.c $(pm_phases_shared)
	$(pm_phases_cc) -pthread
%D%/requests: %D%/requests.c $(pm_phases_shared)
	$(pm_phases_cc) -pthread
%D%/server: %D%/server.c $(pm_phases_shared)
	$(pm_phases_cc)
%D%/spy.so: %D%/spy.c $(pm_phases_shared)
	$(pm_phases_cc) -fPIC -shared -fno-builtin

pm_tool_data += $(pm_phases_programs)
CLEANFILES += $(pm_phases_programs)

EXTRA_DIST += \
	$(pm_phases_shared) \
	%D%/expect.py \
	%D%/spans.py \
	%D%/phases.bash \
	%D%/breakpoints.c \
	%D%/coroutines.c \
	%D%/debugger.py \
	%D%/functions.c \
	%D%/functions_cxx.cc \
	%D%/functions_rs.rs \
	%D%/loads.c \
	%D%/plugin.c \
	%D%/processes.c \
	%D%/random_functions.cc \
	%D%/random_phases.c \
	%D%/requests.c \
	%D%/server.c \
	%D%/spy.c
