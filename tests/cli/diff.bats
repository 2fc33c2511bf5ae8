#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# diff.bats: what `profmem diff` shows, refuses and returns.

load cli

old=good/good-diff-old.xml
new=good/good-diff-new.xml

@test "everything that can differ" {
   profmem diff $old $new
   check_status 1
   check_err ""
   check_golden diff.txt
   profmem diff --all $old $new
   check_status 1
   check_golden diff-all.txt
   profmem diff -a $old $new
   check_golden diff-all.txt
   profmem diff --brief $old $new
   check_status 1
   check_golden diff-brief.txt
   profmem diff -b $old $new
   check_golden diff-brief.txt
}

@test "a report and itself: 0 and nothing" {
   for report in "$fixtures"/good/*.xml; do
      profmem diff "$report" "$report"
      check_status 0
      check_out ""
      check_err ""
   done
}

# told NAME [DIAGNOSTIC...]: the small report, which tells of these.
told()
{
   local name=$1
   shift
   sed "s|</profmem>|<diagnostics>$*</diagnostics>&|" "$fixtures/good/good-small.xml" >"$name"
   "$PROFMEM" validate "$name"
}

@test "errors and warnings that only one report tells of stand above the numbers" {
   told none.xml
   told some.xml '<diagnostic severity="error" code="heap-lost" count="1">lost</diagnostic>' \
      '<diagnostic severity="error" code="phase-open-at-end" phase="a b" count="2">x</diagnostic>' \
      '<diagnostic severity="warning" code="unmatched" count="3">y</diagnostic>' \
      '<diagnostic severity="note" code="remark" count="4">z</diagnostic>'
   told more.xml '<diagnostic severity="error" code="heap-lost" count="1">lost</diagnostic>' \
      '<diagnostic severity="error" code="phase-open-at-end" phase="a b" count="5">x</diagnostic>'
   profmem diff "$PWD/none.xml" "$PWD/some.xml"
   check_status 0
   check_out "the runs
  error heap-lost                 none  ->  1
  error phase-open-at-end of a b  none  ->  2
  warning unmatched               none  ->  3

no number differs"
   profmem diff "$PWD/some.xml" "$PWD/more.xml"
   check_status 0
   check_out "the runs
  error phase-open-at-end of a b  2  ->  5
  warning unmatched               3  ->  none

no number differs"
   profmem diff "$PWD/more.xml" "$PWD/more.xml"
   check_status 0
   check_out ""
}

@test "one phase, one metric" {
   profmem diff --phase=moved $old $new
   check_status 1
   [ "$(grep -c '^phase ' out)" -eq 1 ]
   grep -q '^  instructions.total  0  moved  100  ->  100  instructions$' out
   profmem diff -p same $old $new
   check_status 0
   tail -n 1 out | grep -x 'no number differs'
   profmem diff --phase=print $old $new
   check_status 1
   grep -q '^phase print: gone$' out
   profmem diff --metric=heap.growth $old $new
   check_status 1
   [ "$(grep -c '^  [a-z]*\.' out)" -eq 1 ]
   grep -q '^    +410  metric  heap.peak  574 -> 984$' out
   profmem diff -m heap.entry $old $new
   check_status 1 # for the phases that are on one side only
   if grep -q '^  [a-z]*\.' out; then
      fail "$(cat out)"
   fi
   profmem diff -p program -m heap.entry $old $new
   check_status 0
}

# instructions TOTAL ALLOCATOR OWN BLOCKS: a report with these numbers of one phase.
instructions()
{
   sed "s|<metric name=\"heap.resized\".*|&\\
<metric name=\"traffic.blocks\" unit=\"blocks\" value=\"$4\"/>\\
<metric name=\"instructions.total\" unit=\"instructions\" value=\"$1\"/>\\
<metric name=\"instructions.allocator\" unit=\"instructions\" value=\"$2\"/>\\
<metric name=\"instructions.program\" unit=\"instructions\" value=\"$(($1 - $2))\"/>\\
<metric name=\"instructions.own-thread\" unit=\"instructions\" value=\"$3\"/>|" \
      "$fixtures/good/good-small.xml"
}

@test "instructions of the allocator, and of a single thread, are accounted for" {
   instructions 1000 400 1000 9 >old.xml
   instructions 1021 421 1021 9 >new.xml
   profmem diff -m instructions.allocator "$PWD/old.xml" "$PWD/new.xml"
   check_out "phase program
  instructions.allocator  +21  +5.25%  400  ->  421  instructions
    +21  metric  instructions.total  1,000 -> 1,021"
   profmem diff -m instructions.own-thread "$PWD/old.xml" "$PWD/new.xml"
   check_out "phase program
  instructions.own-thread  +21  +2.10%  1,000  ->  1,021  instructions
    +21  metric  instructions.total  1,000 -> 1,021"
   # The program's own work is no reason for the allocator's.
   instructions 1050 421 1021 9 >new.xml
   profmem diff -m instructions.allocator "$PWD/old.xml" "$PWD/new.xml"
   check_out "phase program
  instructions.allocator  +21  +5.25%  400  ->  421  instructions
    +50  metric  instructions.total    1,000 -> 1,050
    -29  metric  instructions.program  600 -> 629, subtracted"
   # With other threads at work, nothing adds up to one.
   profmem diff -m instructions.own-thread "$PWD/old.xml" "$PWD/new.xml"
   check_out "phase program
  instructions.own-thread  +21  +2.10%  1,000  ->  1,021  instructions"
}

@test "the rest of what is not shown is summed up" {
   for top in 0 1 2; do
      profmem diff -p program -m instructions.total --top=$top $old $new
      check_status 1
      for kind in function object line thread phase; do
         sum=$(awk -v kind=$kind '$2 == kind {gsub(/[+,]/, "", $1); sum += $1} END {print sum}' out)
         [ "$sum" -eq 2810 ] || fail "--top=$top: $kind: $sum; $(cat out)"
      done
   done
   profmem diff -p program -m instructions.total -n 1 $old $new
   grep -q '^    +1,810  function *2 more that changed$' out ||
      grep -q '^      +810  function *2 more that changed$' out
}

@test "small changes are hidden, counted, and still differences" {
   # heap.retained is 474 -> 484: 2.1097 %.
   for threshold in 2.11 2.11% 3 100; do
      profmem diff -p program -m heap.retained --threshold=$threshold $old $new
      check_status 1
      [ "$(tail -n 1 out)" = "1 smaller change is not shown" ]
      if grep -q '^phase ' out; then
         fail "--threshold=$threshold: shown"
      fi
   done
   for threshold in 0 0.000001 2 2.1 2.1097%; do
      profmem diff -p program -m heap.retained -t $threshold $old $new
      check_status 1
      grep -q '^  heap.retained *+10 ' out || fail "--threshold=$threshold: hidden"
   done
   # Exactly the threshold is not less: 23 -> 34 blocks are 11/23; 574 -> 984 bytes 410/574.
   profmem diff -p 'parse file' -m instructions.total -t 30 $old $new
   grep -q '^  instructions.total *+900 ' out
   profmem diff -p 'parse file' -m instructions.total -t 30.000001 $old $new
   grep -q '^1 smaller change is not shown$' out
   profmem diff -t 1000000 $old $new
   check_status 1
   grep -q -E '^[0-9]+ smaller changes are not shown$' out
}

@test "wrong usage is 2 and says what is wrong" {
   usage()
   {
      local message=$1
      shift
      profmem diff "$@"
      check_status 2
      check_out ""
      [ "$(head -n 1 err)" = "profmem: error: $message" ] || fail "$*: $(cat err)"
   }
   usage "diff takes two reports, the old one first"
   usage "diff takes two reports, the old one first" $old
   usage "diff takes two reports, the old one first" $old $new $new
   usage "only one of both reports can be standard input" - -
   usage "--top: '-1' is not a number" --top=-1 $old $new
   for threshold in '' % . 1. .5 -1 +1 1e3 1000001 0.0000001 '1 %' 1%% 99999999999999999999; do
      usage "--threshold: '$threshold' is not a percentage of up to 1000000, with up to 6 decimals" \
         "--threshold=$threshold" $old $new
   done
   usage "neither report has a phase 'programm'; did you mean 'program'?" -p programm $old $new
   usage "neither report has a phase 'unlike anything'" -p 'unlike anything' $old $new
   usage "there is no metric 'heap.peek'; did you mean 'heap.peak'?" -m heap.peek $old $new
   usage "there is no metric 'zzzzzzzzz'; \`profmem help metrics\` lists them" -m zzzzzzzzz $old $new
   usage "no/such.xml: cannot be opened: No such file or directory" no/such.xml $new
   usage "bad/bad-empty.xml:1: not well-formed XML: Document is empty" $old bad/bad-empty.xml
}

@test "either report may come from standard input" {
   profmem diff $old $new
   cp out expected
   profmem diff - $new <"$fixtures/$old"
   check_status 1
   cmp out expected
   profmem diff $old - <"$fixtures/$new"
   check_status 1
   cmp out expected
}

@test "instructions are not paired: what moved is no difference, what changed is in its function" {
   local report=good/good-instructions.xml
   # Against a report without.
   profmem diff good/good-lists.xml $report
   check_status 2
   grep -qx '  option --instr  none  ->  yes' err
   profmem diff --allow-unlike good/good-lists.xml $report
   check_status 0
   # All code moved.
   sed 's/ address="0x4/ address="0x5/' "$fixtures/$report" >moved.xml
   profmem diff $report "$PWD/moved.xml"
   check_status 0
   check_out ""
   # Seven more executions of one.
   sed -e 's/id="3" instructions="893"/id="3" instructions="900"/' \
      -e 's/id="1" instructions="900"/id="1" instructions="907"/' \
      -e 's/total" unit="instructions" value="1000"/total" unit="instructions" value="1007"/' \
      "$fixtures/$report" >more.xml
   "$PROFMEM" validate more.xml
   profmem diff $report "$PWD/more.xml"
   check_status 1
   grep -qE '^ *\+7 +function +main in small +900 -> 907$' out
   if grep -q 0x out; then
      fail "an address"
   fi
}

@test "unlike runs are refused with what makes them so" {
   profmem diff good/good-hello.xml good/good-small.xml
   check_status 2
   check_out ""
   [ "$(head -n 1 err)" = "profmem: error: the runs are unlike; --allow-unlike compares them all the same:" ]
   grep -q -E '^  program +hello +-> +small$' err
   grep -q -E '^  argument 1 +world +-> +none$' err
   if grep -q executable err; then
      fail "what is only told is no reason"
   fi
   profmem diff --allow-unlike good/good-hello.xml good/good-small.xml
   check_status 1
   check_err ""
   [ "$(head -n 1 out)" = "the runs are unlike" ]
   profmem diff -u good/good-hello.xml good/good-small.xml
   check_status 1
}

# with_libc ATTRIBUTE VALUE: a report of a program with a libc that has this besides its name.
with_libc()
{
   sed "s|<objects/>|<objects><object name=\"ld-musl-x86_64.so.1\" $1=\"$2\"/></objects>|" \
      "$fixtures/good/good-small.xml"
}

@test "a libc without a build-id is known by its digest, if there are two" {
   with_libc sha256 00ab >old.xml
   with_libc sha256 00cd >new.xml
   profmem diff "$PWD/old.xml" "$PWD/new.xml"
   check_status 2
   check_err "profmem: error: the runs are unlike; --allow-unlike compares them all the same:
  libc ld-musl-x86_64.so.1  00ab  ->  00cd"
   profmem check -L 'program heap.peak +0' -b "$PWD/old.xml" "$PWD/new.xml"
   check_status 2
   profmem diff "$PWD/old.xml" "$PWD/old.xml"
   check_status 0
   # Of a run of which no digests were taken, this is not known.
   with_libc other 00cd >new.xml
   profmem diff "$PWD/old.xml" "$PWD/new.xml"
   check_status 0
   # A build-id says enough, whatever was done to the file since.
   with_libc 'sha256="00ab" build-id' ee >old.xml
   with_libc 'sha256="00cd" build-id' ee >new.xml
   profmem diff "$PWD/old.xml" "$PWD/new.xml"
   check_status 0
   check_out ""
}

# Oracle: Python's idea of what is printable.
check_printable()
{
   python3 - "$1" <<'END'
import sys
text = open(sys.argv[1], 'rb').read().decode('utf-8')
assert all(c.isprintable() or c == '\n' for c in text), [c for c in text if not c.isprintable()]
assert not any(c in '\u202e\u2066\u200b\ufeff' for c in text)
END
}

@test "hostile names reach no terminal unescaped" {
   # Every number of the report is another one, so that all names are said.
   python3 - "$fixtures/good/good-hostile-names.xml" >changed.xml <<'END'
import re, sys
text = open(sys.argv[1], encoding='utf-8', newline='').read()
names = ('value|[a-z]+-bytes|[a-z]+-blocks|instructions|calls|blocks|bytes|vector|load|store')
sys.stdout.reconfigure(encoding='utf-8', newline='')
sys.stdout.write(re.sub(rf' ({names})="([0-9]+)"', lambda m: f' {m[1]}="{int(m[2]) + 7}"', text))
END
   for columns in "" 40; do
      export COLUMNS=$columns
      profmem diff --all good/good-hostile-names.xml "$PWD/changed.xml"
      check_status 1
      check_printable out
      for other in "$fixtures"/good/*.xml; do
         profmem diff --all --allow-unlike "$other" good/good-hostile-names.xml
         check_printable out
         profmem diff --allow-unlike good/good-hostile-names.xml "$other"
         check_printable out
         profmem diff good/good-hostile-names.xml "$other"
         check_printable err
      done
   done
}

@test "every pair of reports can be compared" {
   for one in "$fixtures"/good/*.xml; do
      for other in "$fixtures"/good/*.xml; do
         profmem diff -u "$one" "$other"
         [ "$status" -le 1 ] || fail "$one $other: $status"
         check_err ""
      done
   done
}

@test "lines of a given width" {
   for width in 60 80 120; do
      COLUMNS=$width profmem diff -p program -m traffic.bytes $old $new
      check_status 1
      check_golden "diff-width-$width.txt"
   done
}

@test "no escape sequences but on terminals" {
   profmem diff $old $new
   if grep -q $'\e' out; then
      fail "escape sequences in a file"
   fi
   TERM=xterm on_terminal 100 diff $old $new
   check_status 1
   grep -q $'\e\[1m' out
   NO_COLOR=1 TERM=xterm on_terminal 100 diff $old $new
   check_status 1
   if grep -q $'\e' out; then
      fail "escape sequences in spite of NO_COLOR"
   fi
}

@test "output that nobody takes" {
   status=0
   "$PROFMEM" diff "$fixtures/$old" "$fixtures/$new" >/dev/full 2>err || status=$?
   [ "$status" -eq 2 ]
   grep -q -x 'profmem: error: cannot write the output: No space left on device' err
   ("$PROFMEM" diff --all "$fixtures/$old" "$fixtures/$new" 2>err; echo $? >status) | true
   [ ! -s err ] || fail "$(cat err)"
}

@test "blocks of other sizes and lifetimes, where every metric is the same" {
   local report=$fixtures/good/good-shape.xml
   sed 's/from="4" blocks="2"/from="4" blocks="1"/
        s/from="64" blocks="4"/from="32" blocks="1"\/><bucket from="64" blocks="4"/
        s/<bucket from="1" blocks="1"\/>/<bucket from="0" blocks="1"\/>/' "$report" >other.xml
   "$PROFMEM" validate other.xml
   profmem diff "$report" "$PWD/other.xml"
   check_status 1
   check_out "phase program
  sizes, in bytes, of blocks obtained or resized
    -1   4  to 7   2  ->  1
    +1  32  to 63  0  ->  1
  lifetimes, in instructions, of blocks obtained and given back inside
    +1  0  0  ->  1
    -1  1  1  ->  0"
   profmem diff --brief "$report" "$PWD/other.xml"
   check_status 1
   check_out "phase program
  sizes, in bytes, of blocks obtained or resized
  lifetimes, in instructions, of blocks obtained and given back inside"
   profmem diff --metric deallocations.count "$report" "$PWD/other.xml"
   check_status 0
}
