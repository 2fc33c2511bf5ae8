# SPDX-License-Identifier: GPL-2.0-or-later
# tests/fuzz/local.mk: fuzz targets. `make check` replays the corpus of each, with any
# compiler; `make fuzz-elf` and others let libFuzzer look for more with clang:
#
#    make fuzz-elf FUZZ_SECONDS=600
#    tests/fuzz/corpus.bash pack tests/fuzz/elf    # in the build tree: what it found

EXTRA_DIST += %D%/corpus.bash %D%/fuzz_elf.corpus %D%/fuzz_mix.corpus

pm_unit_tests += %D%/replay_elf
%C%_replay_elf_SOURCES = %D%/fuzz.h %D%/fuzz_elf.c %D%/replay.c
%C%_replay_elf_CPPFLAGS = $(pm_unit_cppflags) -DPM_CORPUS='"%D%/fuzz_elf.corpus"'
%C%_replay_elf_CFLAGS = $(AM_CFLAGS) $(PM_SANITIZE)
%C%_replay_elf_LDFLAGS = $(PM_SANITIZE)
%C%_replay_elf_LDADD = tests/unit/libpmcore_hosted.a

FUZZ_CC = clang
FUZZ_SECONDS = 60
pm_fuzz_elf_sources = %D%/fuzz_elf.c tests/unit/hosted.c \
	$(filter %/pm_elf.c %/pm_elf_file.c %/pm_elf_symbols.c %/pm_text.c,$(pm_core_sources))

fuzz-elf:
	$(FUZZ_CC) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	   $(pm_unit_cppflags) -o %D%/libfuzzer_elf $(addprefix $(srcdir)/,$(pm_fuzz_elf_sources))
	bash $(srcdir)/%D%/corpus.bash unpack $(srcdir)/%D%/fuzz_elf.corpus %D%/elf
	%D%/libfuzzer_elf -max_len=6000 -max_total_time=$(FUZZ_SECONDS) %D%/elf
pm_phony += fuzz-elf

pm_unit_tests += %D%/replay_mix
%C%_replay_mix_SOURCES = %D%/fuzz.h %D%/fuzz_mix.c %D%/replay.c
%C%_replay_mix_CPPFLAGS = $(pm_unit_cppflags) -DPM_CORPUS='"%D%/fuzz_mix.corpus"'
%C%_replay_mix_CFLAGS = $(AM_CFLAGS) $(PM_SANITIZE)
%C%_replay_mix_LDFLAGS = $(PM_SANITIZE)
%C%_replay_mix_LDADD = tests/unit/libpmcore_hosted.a

pm_fuzz_mix_sources = %D%/fuzz_mix.c \
	$(filter %/pm_mix_x86.c %/pm_mix_arm64.c %/pm_insns.c %/pm_text.c,$(pm_core_sources))

fuzz-mix:
	$(FUZZ_CC) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	   $(pm_unit_cppflags) -o %D%/libfuzzer_mix $(addprefix $(srcdir)/,$(pm_fuzz_mix_sources))
	bash $(srcdir)/%D%/corpus.bash unpack $(srcdir)/%D%/fuzz_mix.corpus %D%/mix
	%D%/libfuzzer_mix -max_len=20 -max_total_time=$(FUZZ_SECONDS) %D%/mix
pm_phony += fuzz-mix

CLEANFILES += %D%/libfuzzer_elf %D%/libfuzzer_mix
