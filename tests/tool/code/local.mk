# SPDX-License-Identifier: GPL-2.0-or-later
# tests/tool/code/local.mk: functions, lines and the mix, against referees.

# The longest first.
pm_bats_tests += \
	tests/tool/functions_callgrind.bats \
	tests/tool/lines_callgrind.bats \
	tests/tool/functions_calls.bats

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

pm_code_programs = \
	%D%/known_library.so %D%/known_plugin.so %D%/where.so \
	%D%/known_calls %D%/known_calls-plain \
	%D%/known_calls_cxx %D%/known_calls_cxx-plain %D%/known_calls_cxx-static %D%/known_lines

check_DATA += $(pm_code_programs)
CLEANFILES += $(pm_code_programs)

EXTRA_DIST += \
	%D%/against_callgrind.bash \
	%D%/callgrind_file.py \
	%D%/calls_referee.py \
	%D%/code_referee.py \
	%D%/known_calls.c \
	%D%/known_calls.h \
	%D%/known_calls_cxx.cc \
	%D%/known_calls_other.c \
	%D%/known_library.c \
	%D%/known_lines.c \
	%D%/object_code.py \
	%D%/where.c
