# SPDX-License-Identifier: GPL-2.0-or-later
# tests/accuracy/local.mk: other tools on programs whose numbers are known.

pm_bats_tests += \
	%D%/peers.bats \
	%D%/shared_word.bats

if ON_AMD64
pm_accuracy_code = %D%/peer_repeated %D%/peer_requests %D%/peer_speculated
pm_accuracy_shared = %D%/shared_word
endif
pm_accuracy_programs = $(pm_accuracy_shared) %D%/peer_cases %D%/peer_cases-static $(pm_accuracy_code)

# Every call as it is written: no built-in knowledge of allocation functions.
pm_accuracy_cc = $(AM_V_CCLD)$(MKDIR_P) $(@D) && \
	$(CC) -std=gnu11 $(PM_WARNINGS) -O1 -g -fno-builtin -I$(top_srcdir)/valgrind-tool/client \
	-o $@ $<

%D%/peer_cases: $(srcdir)/%D%/peer_cases.c
	$(pm_accuracy_cc)
%D%/peer_cases-static: $(srcdir)/%D%/peer_cases.c
	$(pm_accuracy_cc) -static
%D%/shared_word: $(srcdir)/%D%/shared_word.c $(srcdir)/valgrind-tool/client/profmem.h
	$(pm_accuracy_cc)
$(pm_accuracy_code): %D%/%: $(srcdir)/%D%/%.S
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -nostdlib -static -o $@ $<

pm_tool_data += $(pm_accuracy_programs)
CLEANFILES += $(pm_accuracy_programs)
EXTRA_DIST += \
	%D%/peer_cases.c \
	%D%/peer_repeated.S \
	%D%/peer_requests.S \
	%D%/peer_speculated.S \
	%D%/shared_word.c
