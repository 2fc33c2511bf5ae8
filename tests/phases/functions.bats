# SPDX-License-Identifier: GPL-2.0-or-later
# Functions as phases, by --phase-fn: C, with its ways into functions and out of them.
# What is expected is the program's own account of what it does (functions.c).
load ../common
load phases

# lesson PROGRAM NAME [NAME=]PATTERN...
lesson()
{
   local program=$phases/$1 name=$2
   shift 2
   measured "${@/#/--phase-fn=}" "$program" "$name"
}

# Every lesson that says something about the kind of executable.
lessons_of()
{
   lesson "$1" calls work counted outer
   lesson "$1" recursion deep 'parity=parity_*'
   lesson "$1" tail-calls tail_out tail_late tail_target counted 'hop=hop_?' 'via=via_?' \
      loop_to_start library=tail_library library=getpid
   lesson "$1" jumps level_1 level_2 lands_inside leaps
   lesson "$1" signals in_handler interrupted
}

# elf_type PROGRAM: EXEC has its addresses fixed, DYN is moved by the loader.
elf_type()
{
   readelf -h "$phases/$1" | sed -n 's/^ *Type: *\([A-Z]*\).*/\1/p'
}

@test "a dynamic executable at a random address" {
   [ "$(elf_type functions)" = DYN ]
   lessons_of functions
}

@test "a dynamic executable at a fixed address" {
   [ "$(elf_type functions-fixed)" = EXEC ]
   lessons_of functions-fixed
}

@test "a static executable" {
   lessons_of functions-static
}

@test "a static executable with musl" {
   lessons_of functions-musl
}

@test "without a profile of functions and stacks, the same" {
   local name
   measured --functions=no --phase-fn=work --phase-fn=counted --phase-fn=outer \
      "$phases/functions" calls
   measured --functions=no --phase-fn=level_1 --phase-fn=level_2 --phase-fn=lands_inside \
      --phase-fn=leaps "$phases/functions" jumps
}

@test "threads in the function at once, and ending inside it" {
   lesson functions threads meets ends_thread
}

@test "handlers on an alternate stack, returned from and jumped out of" {
   lesson functions signals-alternate in_handler interrupted
   lesson functions signals-mixed in_handler interrupted
}

@test "exit from inside, by another thread too, and death by a signal" {
   lesson functions exits leaves_for_good
   lesson functions thread-exits leaves_for_good waits_for_the_end
   status_wanted=134 lesson functions aborts killed
}

@test "never entered: inlined everywhere, never called, no such function" {
   lesson functions never only_inlined never_called 'no such*function'
   reason()
   {
      xmllint --xpath "string(//phase[@name='$1']/metric[@name='heap.peak']/@unavailable)" report.xml
   }
   reason only_inlined | grep 'no function matches the pattern; it may have been inlined'
   reason never_called | grep 'functions match the pattern, and none of them was called'
   local status=0
   of_phase never_called heap.peak >number 2>said || status=$?
   [ $status -eq 1 ] && [ ! -s number ] && grep 'none of them was called' said

   # An error for a gate, and said on the log.
   [ "$(xmllint --xpath 'count(//diagnostic[@code="phase-never-entered"][@severity="error"])' \
      report.xml)" = 3 ]
   profmem_valgrind --log-file=log --profmem-out-file=report.xml --phase-fn=only_inlined \
      "$phases/functions" never >out
   grep "warning: phase 'only_inlined': no function that was executed matches its pattern" log
}

# What the C library allocates by itself is in the coverage's counts of calls too.
@test "allocation functions as phases" {
   lesson functions allocates malloc free realloc
   calls()
   {
      xmllint --xpath "sum(//allocation-function[@name='$1']/@calls)" report.xml
   }
   instances()
   {
      xmllint --xpath "string(//phase[@name='$1']/@instances)" report.xml
   }
   local name
   for name in malloc free realloc; do
      [ "$(instances $name)" = "$(calls $name)" ] || fail "$name: $(instances $name), $(calls $name)"
   done
   [ "$(of_phase malloc allocations.count)" = "$(instances malloc)" ]
   [ "$(instances malloc)" -ge 50 ]
   [ "$(of_phase free deallocations.count)" = "$(of_phase program deallocations.count)" ]
   [ "$(of_phase malloc instructions.allocator)" = "$(of_phase malloc instructions.total)" ]
}

@test "a function that is a phase twice, and two that are one phase" {
   profmem_valgrind -q --profmem-out-file=report.xml --phase-fn=one=work --phase-fn='two=w?rk' \
      --phase-fn=three=work --phase-fn=three=counted --phase-fn=work "$phases/functions" calls >out
   local name
   for name in one two work; do
      [ "$(xmllint --xpath "string(//phase[@name='$name']/@instances)" report.xml)" = 6 ]
      [ "$(of_phase $name allocations.bytes)" = 2500 ]
   done
   [ "$(xmllint --xpath "string(//phase[@name='three']/@instances)" report.xml)" = 8 ]
   "$PROFMEM" validate report.xml
}

@test "options that cannot be meant" {
   refused()
   {
      local status=0
      profmem_valgrind --profmem-out-file=report.xml "$1" touch ran 2>errors || status=$?
      [ $status -eq 1 ] || fail "$1: status $status"
      [ ! -e ran ] && [ ! -e report.xml ] && grep -F -e "$1" errors
   }
   refused --phase-fn=
   refused --phase-fn==work
   refused --phase-fn=name=
   refused --phase-fn=program=main
   refused --phase-fn=program
   refused "--phase-fn=$(printf 'n%.0s' {1..256})=work"
   refused $'--phase-fn=\xff=work'
   refused --phase-instances=
   refused --phase-instances=-1
   refused --phase-instances=3x
}
