# SPDX-License-Identifier: GPL-2.0-or-later
# bench/local.mk: what measuring costs, with profmem and with other tools.
#
#    make bench                                    some programs, some tools, 3 rounds
#    make bench PROGRAMS=all TOOLS=all ROUNDS=5    everything
#    make bench PROGRAMS='bzip2 git' TOOLS='lean full'
#
# The table goes to standard output, and with all numbers into BENCH_OUTPUT.
#
#    make bench-phases [ROUNDS=7]                  what phases cost while they are measured
#    make bench-sites [ROUNDS=5]                   what events cost with many call chains
#    make bench-translation [ROUNDS=9]             what translating a block costs
#    make bench-steps                              the tool's instructions for a heap event
#    make bench-scale [INSTRUCTIONS=100000000000]  what very large programs take of memory
#    make bench-large [MEGABYTES=100 ROUNDS=3]     what a large report costs who reads it

# Compiled for the bench alone.
EXTRA_PROGRAMS = %D%/measure \
	%D%/steps \
	%D%/programs/allocation_storm \
	%D%/programs/deep_stacks \
	%D%/programs/floating_point \
	%D%/programs/large_code \
	%D%/programs/live_blocks \
	%D%/programs/many_sites \
	%D%/programs/phases \
	%D%/programs/sawtooth \
	%D%/programs/scale \
	%D%/programs/short_functions
%C%_measure_SOURCES = %D%/measure.c
%C%_steps_SOURCES = %D%/steps.c
%C%_programs_allocation_storm_SOURCES = %D%/programs/allocation_storm.c
%C%_programs_deep_stacks_SOURCES = %D%/programs/deep_stacks.c
%C%_programs_floating_point_SOURCES = %D%/programs/floating_point.c
%C%_programs_large_code_SOURCES = %D%/programs/large_code.c
%C%_programs_live_blocks_SOURCES = %D%/programs/live_blocks.c
%C%_programs_many_sites_SOURCES = %D%/programs/many_sites.c
%C%_programs_phases_SOURCES = %D%/programs/phases.c
%C%_programs_phases_CPPFLAGS = -I$(srcdir)/valgrind-tool/client
%C%_programs_sawtooth_SOURCES = %D%/programs/sawtooth.c
%C%_programs_sawtooth_CPPFLAGS = -I$(srcdir)/valgrind-tool/client
%C%_programs_scale_SOURCES = %D%/programs/scale.c
%C%_programs_scale_CPPFLAGS = -I$(srcdir)/valgrind-tool/client
%C%_programs_short_functions_SOURCES = %D%/programs/short_functions.c
CLEANFILES += $(EXTRA_PROGRAMS)

EXTRA_DIST += \
	%D%/bench.py \
	%D%/bench_large.py \
	%D%/bench_phases.py \
	%D%/bench_scale.py \
	%D%/phases.md \
	%D%/scale.md \
	%D%/sites.md \
	%D%/bench_programs.py \
	%D%/bench_report.py \
	%D%/bench_sites.py \
	%D%/bench_tools.py \
	%D%/bench_steps.py \
	%D%/bench_translation.py

BENCH_OUTPUT = %D%/output

# PROGRAMS is also a variable of automake's own: only what make was given counts.
bench_programs = $(if $(filter command environment,$(origin PROGRAMS)),$(PROGRAMS))

bench: $(EXTRA_PROGRAMS) valgrind-tool/profmem-$(VG_PLATFORM) valgrind-tool/lib/.joined
	@python3 -B $(srcdir)/%D%/bench.py --valgrind='$(VALGRIND)' \
		--valgrind-lib=valgrind-tool/lib --measure=%D%/measure \
		--own-programs=%D%/programs --output='$(BENCH_OUTPUT)' \
		--profmem-version='$(PACKAGE_VERSION)' \
		--programs='$(bench_programs)' --tools='$(TOOLS)' --rounds='$(or $(ROUNDS),3)'

bench-phases: %D%/measure %D%/programs/phases valgrind-tool/profmem-$(VG_PLATFORM) \
	valgrind-tool/lib/.joined
	@python3 -B $(srcdir)/%D%/bench_phases.py --valgrind='$(VALGRIND)' \
		--valgrind-lib=valgrind-tool/lib --measure=%D%/measure \
		--program=%D%/programs/phases --rounds='$(or $(ROUNDS),7)'

bench-sites: %D%/measure %D%/programs/sawtooth valgrind-tool/profmem-$(VG_PLATFORM) \
	valgrind-tool/lib/.joined
	@python3 -B $(srcdir)/%D%/bench_sites.py --valgrind='$(VALGRIND)' \
		--valgrind-lib=valgrind-tool/lib --measure=%D%/measure \
		--program=%D%/programs/sawtooth --sources=$(srcdir)/%D%/programs \
		--compare=$(srcdir)/tests/tool/sites/compare_sites.py --rounds='$(or $(ROUNDS),5)'

bench-translation: %D%/measure %D%/programs/large_code valgrind-tool/profmem-$(VG_PLATFORM) \
	valgrind-tool/lib/.joined
	@python3 -B $(srcdir)/%D%/bench_translation.py --valgrind='$(VALGRIND)' \
		--valgrind-lib=valgrind-tool/lib --measure=%D%/measure \
		--program=%D%/programs/large_code --rounds='$(or $(ROUNDS),9)'

bench-scale: %D%/measure %D%/programs/scale valgrind-tool/profmem-$(VG_PLATFORM) \
	valgrind-tool/lib/.joined
	@python3 -B $(srcdir)/%D%/bench_scale.py --valgrind='$(VALGRIND)' \
		--valgrind-lib=valgrind-tool/lib --measure=%D%/measure \
		--program=%D%/programs/scale --expect=$(srcdir)/tests/phases/expect.py \
		--cc='$(CC)' --instructions='$(or $(INSTRUCTIONS),100000000000)'

# On amd64.
bench-steps: %D%/steps %D%/programs/allocation_storm valgrind-tool/profmem-$(VG_PLATFORM) \
	valgrind-tool/lib/.joined
	@python3 -B $(srcdir)/%D%/bench_steps.py --valgrind='$(VALGRIND)' \
		--valgrind-lib=valgrind-tool/lib --steps=%D%/steps \
		--program=%D%/programs/allocation_storm --platform='$(VG_PLATFORM)'

bench-large: profmem
	@python3 -B $(srcdir)/%D%/bench_large.py --profmem=./profmem \
		--megabytes='$(or $(MEGABYTES),100)' --rounds='$(or $(ROUNDS),3)'
pm_phony += bench bench-phases bench-sites bench-scale bench-translation bench-steps bench-large

clean-bench:
	rm -rf '$(BENCH_OUTPUT)'
pm_clean += clean-bench
