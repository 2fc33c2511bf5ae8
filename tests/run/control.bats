#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# control.bats: the A/A control says which numbers are stable, and by how much the others
# are not.

load run

# verdicts REPORT yes|no: the metrics of the phase program that have this verdict.
verdicts()
{
   sed -n '/<phase name="program"/,/<sites/p' "$1" |
      sed -n "s/^      <metric name=\"\([a-z.-]*\)\" .* stable=\"$2\".*/\1/p"
}

@test "a program that does the same every time: every number is stable" {
   runs 0 --aa -o r.xml -- "$probe" environment </dev/null
   "$PROFMEM" validate r.xml
   [ -z "$(verdicts r.xml no)" ]
   [ "$(verdicts r.xml yes | wc -l)" -ge 50 ]
   # Those that could not be measured have no verdict.
   ! grep 'unavailable=.*stable=' r.xml || fail "a verdict on no number"
   [ ! -s err ]
   "$PROFMEM" run -q -o once.xml -- "$probe" environment </dev/null >once
   cmp once out
   sed -e 's/ stable="yes"//' r.xml | cmp - once.xml
   nothing_left
}

@test "a program that allocates more each time: the difference, to the byte" {
   local runs
   for runs in 2 3 5; do
      rm -f state
      runs 0 --aa=$runs -o r.xml -- "$probe" grow state </dev/null
      [ "$(wc -c <state)" -eq $runs ]
      grep 'name="allocations.bytes" .* stable="no"' r.xml |
         grep -q " stable-difference=\"$((1000 * (runs - 1)))\""
      grep -q 'name="allocations.count" .* stable="yes"' r.xml
      grep -q "^profmem: warning: of [0-9]* numbers [0-9]* are not stable: they differ" err
      grep -q "between $runs equal runs\$" err
      [ "$(metric r.xml allocations.failed)" = 0 ]
      "$PROFMEM" validate r.xml
   done
   # It is the first run's report.
   rm -f state
   runs 0 -q -o first.xml -- "$probe" grow state </dev/null
   [ "$(metric r.xml allocations.bytes)" = "$(metric first.xml allocations.bytes)" ]
}

@test "a random hash is unstable, and stable where random numbers are fixed" {
   local program='my %h = map { $_ => 1 } 1..300; print join ",", keys %h'
   runs 0 -q --aa -o r.xml --fixed-random=no -- /usr/bin/perl -e "$program" </dev/null
   verdicts r.xml no | grep -q -x instructions.total
   runs 0 -q --aa -o r.xml -- /usr/bin/perl -e "$program" </dev/null
   [ -z "$(verdicts r.xml no)" ]
}

@test "phases have verdicts of their own" {
   runs 0 -q --aa -o r.xml --phase-fn=grow -- "$probe" grow state </dev/null
   sed -n '/<phase name="grow"/,/<.phase>/p' r.xml >phase
   grep -q 'name="allocations.bytes" .* stable="no" stable-difference="1000"' phase
   grep -q 'name="heap.exit" .* stable="yes"' phase
}

@test "a child has them too, and one that ran in some runs only is named" {
   runs 0 --aa -o r.xml --report-children=all -- sh -c ': & wait' </dev/null
   grep -q 'stable="yes"' r.xml.1
   rm r.xml*
   runs 0 --aa -o r.xml --report-children=all -- \
      sh -c '[ -e seen ] || { : & wait; }; : >seen' </dev/null
   grep -q "profmem: warning: the process of report '.*/r.xml.1' ran in some runs only" err
   ! grep 'stable=' r.xml.1 || fail "a verdict on one run"
   "$PROFMEM" validate r.xml r.xml.1
}

@test "another end than the first time: 125, and no report" {
   printf 123456789 >state
   runs 125 --aa -o r.xml -- sh -c "$probe grow state; [ \$? -le 10 ]" </dev/null
   says "the program ended in another way when it was run again; there is no report"
   [ ! -e r.xml ]
   nothing_left
}

@test "a program that a signal ends every time ends profmem by it" {
   python3 - "$PROFMEM" "$probe" <<'END'
import subprocess, sys
command = [sys.argv[1], "run", "-q", "--aa", "-o", "r.xml", "--", sys.argv[2], "die", "15"]
run = subprocess.run(command, stdin=subprocess.DEVNULL)
assert run.returncode == -15, run.returncode
END
   grep -q 'stable="yes"' r.xml
}

@test "standard input is read again, from where it was" {
   seq 1000 >numbers
   (read -r first; "$PROFMEM" run -q --aa -o r.xml -- sort -n) <numbers >out
   seq 2 1000 | cmp - out
   [ -z "$(verdicts r.xml no)" ]
   grep -q 'stable="yes"' r.xml
   runs 125 --aa -o s.xml -- true < <(echo)
   says "standard input cannot be read again"
   [ ! -e s.xml ]
}

@test "further runs have streams of the same kind, and their output is dropped" {
   "$PROFMEM" run -q --aa -o r.xml -- "$probe" kinds seen </dev/null >out 2>err
   "$PROFMEM" run -q --aa -o r.xml -- "$probe" kinds seen </dev/null 2>&1 | cat
   "$PROFMEM" run -q --aa -o r.xml -- "$probe" kinds seen </dev/null >/dev/null 2>&1
   "$PROFMEM" run -q --aa -o r.xml -- "$probe" kinds seen <seen >&- 2>err
   script -qec "$PROFMEM run -q --aa -o r.xml -- $probe kinds seen </dev/null" /dev/null >script
   [ "$(wc -l <seen)" -eq 10 ]
   [ "$(uniq -c seen | awk '$1 != 2' | wc -l)" -eq 0 ] || fail "$(cat seen)"
   [ "$(sort -u seen | wc -l)" -eq 5 ]
   runs 0 -q --aa=3 -o r.xml -- sh -c 'echo out; echo err >&2' </dev/null
   [ "$(cat out err)" = "out
err" ]
}

@test "usage: the number of runs, and programs behind --aa" {
   runs 0 -q -o r.xml --aa echo -o x </dev/null
   [ "$(cat out)" = "-o x" ]
   grep -q 'stable="yes"' r.xml
   runs 0 -q -o r.xml --aa -- echo 3 </dev/null
   [ "$(cat out)" = 3 ]
   runs 125 --aa=1 -o r.xml -- true </dev/null
   says "--aa: '1' is not a number from 2 to 1000"
   runs 125 --aa=99999999999999999999 -o r.xml -- true </dev/null
   runs 125 --aa --tty -o r.xml -- true </dev/null
   says "--tty and --aa do not go together"
}
