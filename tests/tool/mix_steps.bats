# SPDX-License-Identifier: GPL-2.0-or-later
# The mix of instructions that ran: each one that step executes is in the classes that objdump's
# text says, and the report must have their sums, over the process, in each function and in each
# source line.
load ../common
load tool

code=$abs_top_srcdir/tests/tool/code

# mix PROGRAM [END]: makes report.xml, lines.xml and steps. It ends with exit 0, or so.
mix()
{
   steps -a steps "$1" >counts
   [ "$(value counts end)" = "${2-exit 0}" ] || fail "natively it ends by $(value counts end)"
   profmem_valgrind -q --report-limit=100000 --profmem-out-file=report.xml "$1" >output 2>&1 ||
      [ $# -gt 1 ] || fail "$(cat output)"
   profmem_valgrind -q --report-limit=100000 --profmem-out-file=lines.xml --lines=yes "$1" \
      >output 2>&1 || [ $# -gt 1 ] || fail "$(cat output)"
   agree counts report.xml
}

# judged PROGRAM KIND REPORT [KIND REPORT...]: 1 if any differ.
judged()
{
   local program=$1 status worst=0
   shift
   while [ $# -gt 0 ]; do
      status=0
      python3 -B "$code/steps_referee.py" "$1" "$2" steps "$program" || status=$?
      [ $worst -eq 1 ] || worst=$status
      shift 2
   done
   return $worst
}

# all_judged PROGRAM: functions are found in another way where lines are.
all_judged()
{
   judged "$1" functions report.xml functions lines.xml lines lines.xml
}

# mix_equal PROGRAM: which executes instructions of every class.
mix_equal()
{
   mix "$1"
   all_judged "$1" >verdict || fail "$(cat verdict)"
   sed -n '/ differences;/s/^/# /p' verdict >&3
}

# some_equal PROGRAM [END]: perhaps not of every class.
some_equal()
{
   mix "$@"
   run all_judged "$1"
   [ "$status" -ne 1 ] || fail "$1: $output"
}

@test "instructions of every class that each such machine has" {
   mix_equal "$programs/code/mix_base"
}

@test "instructions of every class with AVX2" {
   requires avx
   local flag
   for flag in avx2 fma f16c bmi1 bmi2 abm movbe aes pclmulqdq sse4_2; do
      grep -qw $flag /proc/cpuinfo || skip "this processor has no $flag"
   done
   mix_equal "$programs/code/mix_avx"
}

@test "a whole process, with its libc" {
   mix_equal "$programs/code/mix_libc"
}

@test "jumps, calls, loops, repeated instructions, helpers, requests" {
   local name names=(atomics calls conditions fall_into machine requests self_loops straight)
   [ -n "$(lacking rep)" ] || names+=(string_condition string_count)
   for name in "${names[@]}"; do
      some_equal "$programs/freestanding/$name"
   done
}

@test "faults take back what did not happen, of each class, function and line" {
   local name names=(escape segv_fix segv_skip signals)
   [ -n "$(lacking rep)" ] || names+=(divide_fault segv_rep)
   for name in "${names[@]}"; do
      some_equal "$programs/code/named-$name"
   done
   some_equal "$programs/code/named-die_in_handler" 'signal 11'
}

@test "a call counts once when the function's first instruction has faulted before" {
   some_equal "$programs/code/faults_at_entry"
}

@test "one more or less of a class is seen" {
   local class kind program=$programs/code/mix_base
   mix "$program"
   for class in vector scalar-float load store branch call; do
      sed "/name=\"instructions.$class\"/s/value=\"[0-9]*/&1/" report.xml >wrong.xml
      run judged "$program" functions wrong.xml
      [[ $status -eq 1 && $output == *"instructions.$class: reported"* ]]
      for kind in function line; do
         awk -v row="<$kind id=" -v from=" $class=\"[0-9]*" '
            index($0, row) && !done && sub(from, "&1") { done = 1 } { print }' lines.xml >wrong.xml
         run judged "$program" ${kind}s wrong.xml
         [[ $status -eq 1 && $output == *": $class: reported"* ]]
      done
   done
}
