# SPDX-License-Identifier: GPL-2.0-or-later
# Instruction totals, on programs without a libc.
#
# The expected numbers are those of step, which single-steps the program natively and
# counts, or of an emulator that does; for some programs they also follow from the
# source, by construction, and the referee has to agree. Every program checks itself
# and exits with 0 if it saw what it should see.
load ../common
load tool

all_programs=(atomics calls conditions escape fall_into machine overlap patched requests segv_fix
   segv_skip self_loops signals straight)
metrics=(instructions.total instructions.client-requests syscalls.count)
by_construction=(straight=24048 self_loops=11640 die_segv=108 die_illegal=7 die_divide=8)
case $PROFMEM_PLATFORM in
amd64*)
   all_programs+=(divide_fault segv_rep string_condition string_count)
   metrics+=(instructions.rep-iterations instructions.rep-ended-by-condition)
   ;;
arm64*) by_construction=(straight=24050 self_loops=11103 die_segv=109 die_illegal=8) ;;
esac

# equals_referee NAME END [OPTIONS...]: END is how it ends: exit N or signal N.
equals_referee()
{
   local program=$programs/freestanding/$1 expected=$BATS_FILE_TMPDIR/$1 end=$2 status=0
   shift 2
   [ -s "$expected" ] || steps "$program" >"$expected"
   [ "$(value "$expected" end)" = "$end" ] || fail "natively it ends by $(value "$expected" end)"
   profmem_valgrind -q --profmem-out-file=report.xml "$@" "$program" || status=$?
   case $end in
   exit*) [ $status -eq "${end#exit }" ] ;;
   signal*) [ $status -eq $((128 + ${end#signal })) ] ;;
   esac || fail "under the tool its status is $status"
   agree "$expected" report.xml "${metrics[@]}"
}

# all_with OPTIONS...: every program, with the user's own options for Valgrind.
all_with()
{
   local name wrong=
   for name in "${all_programs[@]::$(sized ${#all_programs[@]} 4)}"; do
      equals_referee "$name" 'exit 0' "$@" || wrong+=" $name"
   done
   [ -z "$wrong" ] || fail "differ:$wrong"
}

@test "the referee counts what follows from the source" {
   local name
   for name in "${by_construction[@]}"; do
      steps "$programs/freestanding/${name%=*}" >counted
      [ "$(value counted instructions.total)" -eq "${name#*=}" ] || fail "$name"
   done
}

@test "the referee counts the passes of rep that follow from the source" {
   requires rep
   steps "$programs/freestanding/string_count" >counted
   [ "$(value counted instructions.rep-iterations)" -eq 8166 ]
   [ "$(value counted instructions.rep-ended-by-condition)" -eq 0 ]
   steps "$programs/freestanding/string_condition" >counted
   [ "$(value counted instructions.rep-iterations)" -eq 1536 ]
   [ "$(value counted instructions.rep-ended-by-condition)" -eq 96 ]
}

@test "nested conditions: nothing of a path not taken" {
   equals_referee conditions 'exit 0'
}

@test "rep ended by the count: 0, 1, 2 and 1000 passes" {
   requires rep
   equals_referee string_count 'exit 0'
}

@test "repe and repne ended by the condition, the count, or both" {
   requires rep
   equals_referee string_condition 'exit 0'
}

@test "blocks that loop to themselves" {
   equals_referee self_loops 'exit 0'
}

@test "client requests are five instructions" {
   equals_referee requests 'exit 0'
}

@test "straight code of more than a block" {
   equals_referee straight 'exit 0'
}

@test "calls: recursive, indirect, through tables, at the end" {
   equals_referee calls 'exit 0'
}

@test "locked instructions and compare-and-exchange loops" {
   equals_referee atomics 'exit 0'
}

@test "code entered in its middle" {
   equals_referee overlap 'exit 0'
}

@test "code that is changed between runs" {
   equals_referee patched 'exit 0'
}

@test "instructions that helpers execute" {
   equals_referee machine 'exit 0'
}

@test "a handler that makes the page accessible, from the middle of blocks" {
   equals_referee segv_fix 'exit 0'
}

@test "a handler that goes on behind the faulting instruction" {
   equals_referee segv_skip 'exit 0'
}

@test "rep that faults in its middle, and goes on or is left" {
   requires rep
   equals_referee segv_rep 'exit 0'
}

@test "integer divisions that fault" {
   requires divide-faults
   equals_referee divide_fault 'exit 0'
}

@test "a handler that does not return" {
   equals_referee escape 'exit 0'
}

@test "signals sent to itself: handled, ignored, blocked, nested" {
   equals_referee signals 'exit 0'
}

@test "an allocation function that code falls into" {
   equals_referee fall_into 'exit 0'
}

# By construction: the head of fall_into.S, and of fall_into_arm64.S for the last one.
@test "the arguments of an allocation function that code falls into" {
   profmem_valgrind -q --profmem-out-file=report.xml "$programs/freestanding/fall_into"
   cat >expected <<END
allocations.count=40
allocations.bytes=79705
deallocations.count=20
deallocations.bytes=880
deallocations.unmatched=0
heap.peak=78913
heap.exit=78825
instructions.allocator=$([[ $PROFMEM_PLATFORM == arm64* ]] && echo 340 || echo 200)
END
   agree expected report.xml
}

@test "killed by SIGSEGV and SIGILL in the middle of a block" {
   equals_referee die_segv 'signal 11'
   equals_referee die_illegal 'signal 4'
}

@test "killed by SIGFPE in the middle of a block" {
   requires divide-faults
   equals_referee die_divide 'signal 8'
}

@test "killed by a signal it sends to itself" {
   equals_referee die_abort 'signal 6'
}

@test "killed, or ended, inside a handler" {
   equals_referee die_in_handler 'signal 11'
   equals_referee exit_in_handler 'exit 7'
}

@test "the user's options for translation change no number: chasing and unrolling" {
   all_with --vex-guest-chase=yes --vex-iropt-unroll-thresh=400
}

@test "the user's options for translation change no number: length of blocks" {
   all_with --vex-guest-max-insns=1
   all_with --vex-guest-max-insns=7
}

@test "the user's options for translation change no number: optimisation" {
   all_with --vex-iropt-level=0
   all_with --vex-iropt-register-updates=allregs-at-each-insn --smc-check=all
}
