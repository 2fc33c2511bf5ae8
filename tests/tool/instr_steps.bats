# SPDX-License-Identifier: GPL-2.0-or-later
# --instr=yes: how often each instruction was executed, against single steps: every address of
# static programs is equal, faults, repeated instructions and changed code among them.
# code/instr_referee.py says how.
load ../common
load tool

code=$abs_top_srcdir/tests/tool/code

# told PROGRAM [END]: makes report.xml and steps. It ends with exit 0, or so.
told()
{
   steps -a steps "$1" >counts
   [ "$(value counts end)" = "${2-exit 0}" ] || fail "natively it ends by $(value counts end)"
   profmem_valgrind -q --instr=yes --profmem-out-file=report.xml "$1" >output 2>&1 ||
      [ $# -gt 1 ] || fail "$(cat output)"
   agree counts report.xml
}

judged()
{
   python3 -B "$code/instr_referee.py" steps "$1" steps "$2"
}

# instrs_equal PROGRAM [END]: and they add up.
instrs_equal()
{
   told "$@"
   judged report.xml "$1" >verdict || fail "$1: $(cat verdict)"
   echo "# ${1##*/}: $(tail -n 1 verdict)" >&3
   "$PROFMEM" validate report.xml
}

@test "jumps, calls, loops, helpers, changed code" {
   local name
   for name in atomics calls conditions fall_into machine overlap patched self_loops straight; do
      instrs_equal "$programs/freestanding/$name"
   done
}

@test "code outside of the program's file has no address, and is counted" {
   told "$programs/freestanding/patched"
   judged report.xml "$programs/freestanding/patched"
   run xmllint --xpath '//profmem/instructions/object[@name="???"]/instruction' report.xml
   [[ $output == '<instruction id="1" function="???"/>' ]] || fail "$output"
}

@test "a repeated instruction is one, and its iterations are its own" {
   requires rep
   local name
   for name in string_condition string_count; do
      instrs_equal "$programs/freestanding/$name"
   done
}

@test "a client request is five instructions at five addresses" {
   instrs_equal "$programs/freestanding/requests"
}

@test "faults take back what did not happen, where it did not" {
   local name names=(escape segv_fix segv_skip signals)
   [ -n "$(lacking rep)" ] || names+=(divide_fault segv_rep)
   for name in "${names[@]}"; do
      instrs_equal "$programs/code/named-$name"
      instrs_equal "$programs/freestanding/$name"
   done
   instrs_equal "$programs/code/faults_at_entry"
}

@test "the last instructions of a process that a signal ends" {
   instrs_equal "$programs/code/named-die_in_handler" 'signal 11'
   instrs_equal "$programs/freestanding/die_segv" 'signal 11'
   instrs_equal "$programs/freestanding/die_illegal" 'signal 4'
}

@test "instructions of every class, and a whole process with its libc" {
   instrs_equal "$programs/code/mix_base"
   instrs_equal "$programs/code/mix_libc"
}

@test "the same with lines" {
   local program=$programs/code/mix_libc
   told "$program"
   profmem_valgrind -q --instr=yes --lines=yes --profmem-out-file=report.xml "$program" >output
   judged report.xml "$program" || fail "$output"
   "$PROFMEM" validate report.xml
   [ "$(xmllint --xpath 'count(/profmem/lines/line)' report.xml)" -gt 10 ]
}

@test "one more or less of anything is seen" {
   local program=$programs/freestanding/conditions what
   told "$program"
   judged report.xml "$program"
   for what in ' instructions' ' branch' ' load'; do
      awk -v from="$what=\"[0-9]*" '/<instruction id=/ && !done && sub(from, "&1") { done = 1 }
         { print } END { exit !done }' report.xml >wrong.xml
      run judged wrong.xml "$program"
      [[ $status -eq 1 && $output == *"${what# }: reported"* ]] || fail "$what: $output"
   done
   # An address in the middle of an instruction is none.
   awk '/ address="/ && !done && sub(/address="0x[0-9a-f]*/, "&1") { done = 1 } { print }
      END { exit !done }' report.xml >wrong.xml
   run judged wrong.xml "$program"
   [[ $status -eq 1 && $output == *'no instruction begins there'* ]] || fail "$output"
}
