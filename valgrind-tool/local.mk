# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind-tool/local.mk: the core, the Valgrind tool, and the folder that joins
# the tool with the installed Valgrind.

# ---- The core: pure C, twice. Here for the tool, without any include path but
# its own and the compiler's; tests/unit/local.mk compiles the same list hosted,
# under sanitizers.

pm_core_sources = \
	%D%/core/pm_activations.c \
	%D%/core/pm_activations.h \
	%D%/core/pm_allocfns.c \
	%D%/core/pm_allocfns.def \
	%D%/core/pm_allocfns.h \
	%D%/core/pm_allockinds.def \
	%D%/core/pm_calls.c \
	%D%/core/pm_calls.h \
	%D%/core/pm_clock.c \
	%D%/core/pm_clock.h \
	%D%/core/pm_counters.h \
	%D%/core/pm_elf.c \
	%D%/core/pm_elf.h \
	%D%/core/pm_elf_file.c \
	%D%/core/pm_elf_file.h \
	%D%/core/pm_elf_symbols.c \
	%D%/core/pm_fates.c \
	%D%/core/pm_fates.h \
	%D%/core/pm_heap.c \
	%D%/core/pm_heap.h \
	%D%/core/pm_histogram.h \
	%D%/core/pm_host.h \
	%D%/core/pm_insns.c \
	%D%/core/pm_insns.h \
	%D%/core/pm_ledger.c \
	%D%/core/pm_ledger.h \
	%D%/core/pm_metrics.c \
	%D%/core/pm_metrics.def \
	%D%/core/pm_metrics.h \
	%D%/core/pm_mix.h \
	%D%/core/pm_mix_arm64.c \
	%D%/core/pm_mix_x86.c \
	%D%/core/pm_names.c \
	%D%/core/pm_names.h \
	%D%/core/pm_order.c \
	%D%/core/pm_order.h \
	%D%/core/pm_phase_table.c \
	%D%/core/pm_phase_table.h \
	%D%/core/pm_phases.c \
	%D%/core/pm_phases.h \
	%D%/core/pm_pools.c \
	%D%/core/pm_pools.h \
	%D%/core/pm_profile.c \
	%D%/core/pm_profile.h \
	%D%/core/pm_random.c \
	%D%/core/pm_random.h \
	%D%/core/pm_ranges.c \
	%D%/core/pm_ranges.h \
	%D%/core/pm_report.c \
	%D%/core/pm_report.h \
	%D%/core/pm_report_code.c \
	%D%/core/pm_report_code.h \
	%D%/core/pm_report_fates.c \
	%D%/core/pm_report_fates.h \
	%D%/core/pm_report_shape.c \
	%D%/core/pm_report_shape.h \
	%D%/core/pm_report_sites.c \
	%D%/core/pm_report_sites.h \
	%D%/core/pm_room.c \
	%D%/core/pm_room.h \
	%D%/core/pm_signals.c \
	%D%/core/pm_signals.h \
	%D%/core/pm_sites.c \
	%D%/core/pm_sites.h \
	%D%/core/pm_sort.c \
	%D%/core/pm_sort.h \
	%D%/core/pm_stretches.c \
	%D%/core/pm_stretches.h \
	%D%/core/pm_text.c \
	%D%/core/pm_text.h \
	%D%/core/pm_timeline.c \
	%D%/core/pm_timeline.h \
	%D%/core/pm_thread_counts.c \
	%D%/core/pm_thread_counts.h \
	%D%/core/pm_xml.c \
	%D%/core/pm_xml.h

pm_core_cppflags = -I$(srcdir)/%D%/core

# Also what tests/build/core-border.bats compiles its probes with.
PM_CORE_FLAGS = $(PM_FREESTANDING) $(pm_core_cppflags) $(VG_TOOL_CFLAGS) $(PM_WARNINGS)

noinst_LIBRARIES += %D%/libpmcore.a
%C%_libpmcore_a_SOURCES = $(pm_core_sources)
%C%_libpmcore_a_CPPFLAGS =
%C%_libpmcore_a_CFLAGS = $(PM_CORE_FLAGS) $(PM_LTO)

# ---- The tool: host/ on top of the core, linked as Valgrind's own tools are.

# Valgrind's callbacks have more parameters than a tool needs.
profmemtools_PROGRAMS = %D%/profmem-@VG_ARCH@-@VG_OS@
%C%_profmem_@VG_ARCH@_@VG_OS@_SOURCES = \
	%D%/client/profmem.h \
	%D%/host/pmh_clock.c \
	%D%/host/pmh_clock.h \
	%D%/host/pmh_code.c \
	%D%/host/pmh_code.h \
	%D%/host/pmh_core.h \
	%D%/host/pmh_kernel_time.c \
	%D%/host/pmh_kernel_time.h \
	%D%/host/pmh_machine.c \
	%D%/host/pmh_machine.h \
	%D%/host/pmh_emit.c \
	%D%/host/pmh_emit.h \
	%D%/host/pmh_events.c \
	%D%/host/pmh_events.h \
	%D%/host/pmh_inlines.c \
	%D%/host/pmh_inlines.h \
	%D%/host/pmh_main.c \
	%D%/host/pmh_measure.c \
	%D%/host/pmh_measure.h \
	%D%/host/pmh_memory.c \
	%D%/host/pmh_memory.h \
	%D%/host/pmh_monitor.c \
	%D%/host/pmh_monitor.h \
	%D%/host/pmh_options.c \
	%D%/host/pmh_options.h \
	%D%/host/pmh_output.c \
	%D%/host/pmh_output.h \
	%D%/host/pmh_outside.c \
	%D%/host/pmh_outside.h \
	%D%/host/pmh_patterns.c \
	%D%/host/pmh_patterns.h \
	%D%/host/pmh_platform.c \
	%D%/host/pmh_platform.h \
	%D%/host/pmh_process.c \
	%D%/host/pmh_process.h \
	%D%/host/pmh_report.c \
	%D%/host/pmh_report.h \
	%D%/host/pmh_requests.c \
	%D%/host/pmh_requests.h \
	%D%/host/pmh_services.c \
	%D%/host/pmh_services.h \
	%D%/host/pmh_sites.c \
	%D%/host/pmh_sites.h \
	%D%/host/pmh_stacks.c \
	%D%/host/pmh_stacks.h \
	%D%/host/pmh_symbols.c \
	%D%/host/pmh_symbols.h \
	%D%/host/pmh_syscalls.c \
	%D%/host/pmh_syscalls.h \
	%D%/host/pmh_timers.c \
	%D%/host/pmh_timers.h \
	%D%/host/pmh_translate.c \
	%D%/host/pmh_translate.h
%C%_profmem_@VG_ARCH@_@VG_OS@_CPPFLAGS = $(AM_CPPFLAGS) $(pm_core_cppflags) -I$(srcdir)/%D%/host -I$(srcdir)/%D%/client \
	-DPMH_VALGRIND_VERSION='"$(VG_VERSION)"' \
	-DPMH_PLATFORM='"$(VG_PLATFORM)"'
%C%_profmem_@VG_ARCH@_@VG_OS@_CFLAGS = \
	$(PM_FREESTANDING) $(VG_CPPFLAGS) $(VG_TOOL_CFLAGS) $(PM_LTO) $(PM_WARNINGS) -Wno-unused-parameter
%C%_profmem_@VG_ARCH@_@VG_OS@_LDADD = %D%/libpmcore.a $(VG_TOOL_LIBS)
%C%_profmem_@VG_ARCH@_@VG_OS@_DEPENDENCIES = %D%/libpmcore.a $(VG_ARCHIVES)
# host/pmh_core.h says why these are wrapped.
pm_wraps = -Wl,--wrap=vgPlain_nuke_all_threads_except -Wl,--wrap=vgPlain_kill_self \
	-Wl,--wrap=vgPlain_exit
# $(LDFLAGS) stays out: what suits ordinary programs breaks this link.
%C%_profmem_@VG_ARCH@_@VG_OS@_LINK = $(CC) $(PM_LTO) $(VG_TOOL_LDFLAGS) $(pm_wraps) -o $@

# Objects of the tool, not those of the same sources for tests. What is in CFLAGS comes last
# otherwise, also when it is given to make.
%D%/core/libpmcore_a-%.o %D%/host/profmem_%.o: override CFLAGS += $(VG_TOOL_LAST_CFLAGS)

# ---- The build tree's VALGRIND_LIB.

pm_join_tools = $(SHELL) $(srcdir)/%D%/join-tools.sh
EXTRA_DIST += %D%/join-tools.sh

%D%/lib/.joined: %D%/join-tools.sh Makefile
	$(AM_V_GEN)rm -rf %D%/lib && $(MKDIR_P) %D%/lib && \
	$(pm_join_tools) '$(VALGRIND_TOOLS_DIR)' %D%/lib && \
	$(LN_S) -f ../profmem-$(VG_PLATFORM) %D%/lib/profmem-$(VG_PLATFORM) && \
	touch $@

all-local: %D%/lib/.joined

pm_clean += clean-joined
clean-joined:
	rm -rf %D%/lib

# ---- Installation. libexec/profmem always works as VALGRIND_LIB; Valgrind's own
# folder gets the tool too where that is allowed (m4/pm_valgrind.m4 says when), or is
# the folder that profmemtools_PROGRAMS are installed in.

pm_in_valgrind = \
	case '$(install_in_valgrind):$(prefix):$(DESTDIR)' in \
	only:*) in_valgrind=only ;; \
	yes:*) in_valgrind=yes ;; \
	auto:/usr/local:) test -w '$(valgrindtoolsdir)' && in_valgrind=yes || in_valgrind=no ;; \
	*) in_valgrind=no ;; \
	esac

install-exec-hook:
	@$(pm_in_valgrind); set -e; test $$in_valgrind != only || exit 0; \
	$(pm_join_tools) '$(VALGRIND_TOOLS_DIR)' '$(DESTDIR)$(profmemtoolsdir)'; \
	if test $$in_valgrind = yes; then \
	   $(MKDIR_P) '$(DESTDIR)$(valgrindtoolsdir)'; \
	   $(INSTALL_PROGRAM) %D%/profmem-$(VG_PLATFORM) '$(DESTDIR)$(valgrindtoolsdir)'; \
	else \
	   echo "profmem: to run the tool, set VALGRIND_LIB=$(profmemtoolsdir)"; \
	fi

uninstall-hook:
	@$(pm_in_valgrind); set -e; test $$in_valgrind != only || exit 0; \
	$(pm_join_tools) --undo '$(VALGRIND_TOOLS_DIR)' '$(DESTDIR)$(profmemtoolsdir)'; \
	rmdir '$(DESTDIR)$(profmemtoolsdir)' 2>/dev/null || :; \
	test $$in_valgrind = no || rm -f '$(DESTDIR)$(valgrindtoolsdir)/profmem-$(VG_PLATFORM)'
