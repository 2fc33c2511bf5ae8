#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# gate.bats: `profmem run` with limits and a baseline: run and check in the same command.

load run

# ends_by ARGS...: minus the signal that ended profmem, or its status; leaves out and err.
ends_by()
{
   python3 - "$PROFMEM" run "$@" <<'END'
import subprocess, sys
with open("out", "wb") as out, open("err", "wb") as err:
    print(subprocess.run(sys.argv[1:], stdout=out, stderr=err).returncode)
END
}

# The n-th run of the probe's `grow` allocates n * 1000 bytes.
holds='program allocations.bytes >= 0'
fails='program allocations.count = 123456789'
same='program allocations.bytes = baseline'

@test "the status: the program's if it failed, else the check's" {
   local how wanted verdict
   runs 0 -q -o base.xml -- sh -c 'exit 0'
   # What the program does, what the check says, the status.
   while read -r how verdict wanted; do
      set -- -q -o r.xml
      case $verdict in
         holds) set -- "$@" -L "$holds" ;;
         fails) set -- "$@" -L "$fails" ;;
         both) set -- "$@" -L "$holds" -L "$fails" ;;
         warns) set -- "$@" -L "$fails warn" ;;
         unlike) set -- "$@" -L "$same" -b base.xml ;;
         allowed) set -- "$@" -L "$holds" -b base.xml -u ;;
         alike) set -- "$@" -L "$same" -b base.xml ;;
      esac
      rm -f r.xml
      [ "$(ends_by "$@" -- sh -c "$how")" = "$wanted" ] ||
         fail "$how, $verdict: not $wanted: $(cat err)"
      "$PROFMEM" validate r.xml
   done <<'END'
exit${IFS}0    holds    0
exit${IFS}0    fails    1
exit${IFS}0    both     1
exit${IFS}0    warns    0
true           unlike   2
true           allowed  0
exit${IFS}1    holds    1
exit${IFS}2    holds    2
exit${IFS}3    holds    3
exit${IFS}3    fails    3
exit${IFS}3    unlike   3
exit${IFS}125  fails    125
kill${IFS}-9${IFS}$$   holds   -9
kill${IFS}-9${IFS}$$   fails   -9
kill${IFS}-15${IFS}$$  unlike  -15
END
   [ "$(ends_by -q -o r.xml -L "$same" -b base.xml -- sh -c 'exit 0')" = 0 ]
   nothing_left
}

@test "the verdict is that of profmem check, on standard error; output is the program's" {
   local status checked limits
   cat >limits <<'END'
program heap.peak          <= 1
program allocations.count  >= 0   # holds
*       traffic.bytes      +0  warn
END
   runs 0 -q -o base.xml -- "$probe" environment
   for limits in limits other; do
      status=0
      echo 'program instructions.total = baseline' >other
      "$PROFMEM" run -o r.xml -l $limits -b base.xml -- "$probe" environment >out 2>err ||
         status=$?
      diff out <("$PROFMEM" run -q -o base.xml -- "$probe" environment)
      checked=0
      "$PROFMEM" check -l $limits -b base.xml r.xml >wanted || checked=$?
      [ $status -eq $checked ]
      diff err wanted
   done
}

@test "a change is seen to the byte" {
   local n
   "$PROFMEM" run -q -o base.xml -- "$probe" grow state
   for n in 1 2; do
      runs 1 -q -o r.xml -b base.xml -L 'program allocations.bytes +0' -- "$probe" grow state
      grep -q -F "  +$n,000  +" err || fail "$(cat err)"
   done
   runs 1 -q -o r.xml -b base.xml -L 'program allocations.bytes +2999' -- "$probe" grow state
   grep -q -F "1 too much" err
   runs 0 -q -o r.xml -b base.xml -L 'program allocations.bytes +4000' -- "$probe" grow state
}

@test "what is wrong is found before the program is started: 125, and all of it is told" {
   printf 'program heap.peek <= 1\nprogram heap.peak <= \n' >bad
   : >empty
   echo '<profmem format="1">' >broken.xml
   mkdir folder
   for wrong in "-l bad" "-l nosuch" "-l empty" "-l folder" "-b nosuch.xml -L x" \
      "-b broken.xml -L x" "-b r.xml -L x" "-b folder/../r.xml -L x" "-b r.xml --update-baseline" \
      "-b broken.xml --update-baseline" "-b /dev/null --update-baseline" "-b base.xml" \
      "--update-baseline" "-L heap" "-b folder -L x"; do
      echo old >r.xml
      runs 125 -o r.xml $wrong -- touch started
      [ ! -e started ] || fail "$wrong: it was started"
      [ "$(cat r.xml)" = old ]
   done
   runs 125 -o r.xml -l bad -b nosuch.xml -L "program heap.peak" -- touch started
   says "bad:1:9: expected a metric"
   says "bad:2:22: expected a number"
   says "--limit:1:18: expected a limit"
   says "nosuch.xml: cannot be opened: No such file or directory"
   runs 125 -o r.xml -L "$holds" -L "program heap.peak +0" -- touch started
   says "--limit:2: the limit is on a baseline: --baseline FILE"
   runs 125 -o r.xml -b r.xml -L "program heap.peak +0" -- touch started
   says "r.xml: the report would replace its own baseline"
   [ ! -e started ]
   # Nor anything else that is read.
   echo "$holds" >limits
   ln -s limits link
   cp "$probe" program
   for other in limits link program input; do
      echo data >input
      cp limits kept.limits
      runs 125 -o "$other" -l limits -i input -- ./program grow started
      grep -q -E "$other: the report would replace|limits: the report would replace these limits" err
      cmp limits kept.limits
      cmp program "$probe"
      [ "$(cat input)" = data ]
   done
   runs 125 -o program -- ./program grow started
   says "program: the report would replace the program"
   runs 125 -o input -i input -- ./program grow started
   says "input: the report would replace its input"
   # A program that is found elsewhere is not the file of its name here.
   echo old >true
   runs 0 -q -o true -- true
   "$PROFMEM" validate true
   [ ! -e started ]
}

@test "a baseline of another class of processor is refused, with what differs" {
   runs 0 -q -o base.xml --cpu=sse42 -- true
   runs 2 -q -o r.xml -b base.xml -L 'program heap.peak +0' -- true
   says "r.xml: not comparable with base.xml: fixed cpu: sse42 in the baseline, avx2 here"
   # The class may be given by the machine: then no option tells.
   sed '/<option name="--cpu"/d' base.xml >host.xml
   ! cmp -s base.xml host.xml || fail "no option --cpu in the report"
   runs 2 -q -o r.xml -b host.xml -L 'program heap.peak +0' -- true
   grep -q 'fixed cpu' err
   runs 0 -q -o r.xml -b base.xml -u -L 'program heap.peak +0' -- true
   head -n 1 err | grep -q '^The runs are unlike:'
   "$PROFMEM" validate r.xml
}

@test "a number that is not stable does not pass" {
   runs 1 -q --aa -o r.xml -L 'program allocations.bytes <= 1G' -- "$probe" grow state </dev/null
   grep -q 'not stable' err
   runs 0 -q --aa -o r.xml -L 'program allocations.count <= 1G' -- "$probe" grow other </dev/null
}

@test "an error that the report tells of fails" {
   runs 1 -q -o r.xml --phase-fn=nosuch -L 'program heap.peak <= 1G' -- "$probe" numbers
   runs 1 -q -o r.xml -L 'nosuch heap.peak <= 1G' -- "$probe" numbers
   grep -q 'no such phase' err
}

@test "a report that goes to a pipe or a device is checked, too" {
   runs 1 -q -o /dev/null -L "$fails" -- true
   runs 0 -q -o /dev/null -L "$holds" -- true
   "$PROFMEM" run -q -o /dev/stdout -L "$holds" -- true 2>err | "$PROFMEM" validate -
   "$PROFMEM" run -q -o file.xml -L "$holds" -- true 2>err
   "$PROFMEM" run -q -o /dev/stdout -L "$holds" -- true 2>err | cmp file.xml
   runs 125 -q -o /dev/full -L "$holds" -- sh -c 'echo done'
   says "cannot write '/dev/full': No space left on device"
   [ "$(cat out)" = done ]
   runs 0 -q -o r.xml -b <(cat file.xml) -L "$same" -- true
   nothing_left
}

@test "the report of the program is held, not those of its children" {
   runs 0 -q -o r.xml --report-children=all -L 'program heap.peak <= 100k' -- \
      sh -c '{ x=$(head -c 200000 /dev/zero | tr "\\0" x); } & wait'
   [ "$(metric r.xml heap.peak)" -le 100000 ]
   [ -e r.xml.1 ]
   "$PROFMEM" validate r.xml*
}

# The baseline ----------------------------------------------------------------------------

@test "--update-baseline: the report is the baseline, and the next run is held against it" {
   runs 0 -q -o r.xml -b base.xml --update-baseline -- "$probe" grow state
   grep -q "the baseline 'base.xml' is new" err
   cmp r.xml base.xml
   runs 1 -q -o r.xml -b base.xml -L "$same" -- "$probe" grow state
   "$PROFMEM" validate r.xml
   ! cmp -s r.xml base.xml || fail "it was updated"
   # Updating accepts what the old baseline does not, and shows it.
   runs 0 -q -o r.xml -b base.xml --update-baseline -L "$same" -- "$probe" grow state
   grep -q "FAIL.*program allocations.bytes" err
   grep -q "the baseline 'base.xml' is updated" err
   cmp r.xml base.xml
   # From a run that was not alike, with what differs.
   runs 0 -q -o r.xml -b base.xml --update-baseline -L "$same" -- true
   head -n 1 err | grep -q '^The runs are unlike:'
   cmp r.xml base.xml
   nothing_left
   [ -z "$(find . -name 'base.xml?*')" ]
}

@test "--update-baseline: bounds that are not on a baseline decide the status" {
   local limit
   for limit in 'program allocations.bytes <= 1000000 +0' '* allocations.bytes <= baseline-5%' \
      'program allocations.bytes <= 1 warn' 'program allocations.bytes max(+0, +1%)'; do
      runs 0 -q -o r.xml -b base.xml --update-baseline -L "$limit" -- "$probe" grow state
      cmp r.xml base.xml
   done
   for limit in 'program allocations.bytes <= 1 +1M' 'nosuch heap.peak +0' \
      'program allocations.bytes = 123456789'; do
      runs 1 -q -o r.xml -b base.xml --update-baseline -L "$limit" -- "$probe" grow state
      cmp r.xml base.xml
   done
   runs 1 -q -o r.xml -b base.xml --update-baseline --phase-fn=nosuch -L "$holds" -- true
   cmp r.xml base.xml
}

@test "--update-baseline: not from a program that failed, nor from part of a report" {
   runs 0 -q -o r.xml -b base.xml --update-baseline -- true
   cp base.xml old.xml
   runs 3 -q -o r.xml -b base.xml --update-baseline -- sh -c 'exit 3'
   grep -q "the baseline 'base.xml' is not updated: the program failed" err
   cmp base.xml old.xml
   [ "$(ends_by -q -o r.xml -b base.xml --update-baseline -- sh -c 'kill -9 $$')" = -9 ]
   cmp base.xml old.xml
   runs 2 -q -o r.xml -b base.xml --update-baseline -- sh -c 'exec true'
   grep -q "is not updated: the report ends where the program turned into another one" err
   cmp base.xml old.xml
   runs 127 -q -o r.xml -b base.xml --update-baseline -- ./nosuch
   runs 125 -q -o /dev/full -b base.xml --update-baseline -- true
   cmp base.xml old.xml
   runs 0 -q -o /dev/null -b base.xml --update-baseline -- sh -c 'exit 0'
   ! cmp -s base.xml old.xml
}

@test "--update-baseline: links, permissions and folders stay; no other file is replaced" {
   mkdir folder there
   runs 0 -q -o r.xml -b folder --update-baseline -- true
   cmp r.xml folder/r.xml
   ln -s ../folder/r.xml there/link.xml
   chmod 640 folder/r.xml
   runs 0 -q -o r.xml -b there/link.xml --update-baseline -- sh -c 'exit 0'
   [ -L there/link.xml ]
   cmp r.xml folder/r.xml
   [ "$(stat -c %a folder/r.xml)" = 640 ]
   # What a link leads to need not be there yet.
   ln -s ../folder/fresh.xml there/fresh.xml
   runs 0 -q -o r.xml -b there/fresh.xml --update-baseline -- true
   [ -L there/fresh.xml ]
   cmp r.xml folder/fresh.xml
   (umask 027; "$PROFMEM" run -q -o r.xml -b masked.xml --update-baseline -- true)
   [ "$(stat -c %a masked.xml)" = 640 ]
   runs 0 -q -o r.xml -b folder -L "$same" -- sh -c 'exit 0'
   # A report that is there already is no loss if the baseline cannot be written.
   mkdir gone
   runs 2 -q -o r.xml -b gone/base.xml --update-baseline -- sh -c 'rmdir gone'
   says "the baseline 'gone/base.xml' is not updated: No such file or directory"
   "$PROFMEM" validate r.xml
   # What is known before is told before.
   ln -s nosuch/base.xml nowhere.xml
   for path in nosuch/base.xml nowhere.xml; do
      runs 125 -q -o r.xml -b $path --update-baseline -- touch started
      says "$path: the baseline cannot be made: No such file or directory"
      [ ! -e started ]
   done
   echo 'int main(void) { return 0; }' >source.c
   runs 125 -q -o r.xml -b source.c --update-baseline -- true
   [ "$(cat source.c)" = 'int main(void) { return 0; }' ]
}

@test "killed at any step of it, the old baseline is there, or the new one" {
   local call number wanted status
   runs 0 -q -o new.xml -- "$probe" numbers
   runs 0 -q -o old.xml -- sh -c 'exit 0'
   # The calls of profmem itself: the report takes its name by the first rename.
   while read -r call number wanted; do
      cp old.xml base.xml
      status=0
      strace -qq -o trace -e trace="$call" -e inject="$call:signal=KILL:when=$number" \
         "$PROFMEM" run -q -o r.xml -b base.xml --update-baseline -- "$probe" numbers >out ||
         status=$?
      [ $status -eq 137 ] || fail "$call $number: not killed, but $status"
      cmp base.xml "$wanted"
      rm -f base.xml.* .profmem-*/* r.xml
   done <<'END'
fsync       1  old.xml
/^rename    1  old.xml
/^rename    2  old.xml
exit_group  1  new.xml
END
}

# Programs that turn into others ----------------------------------------------------------

@test "a program that turns into another one is told of, in one line" {
   local warning="profmem: warning: the program turned into '/bin/true', which was not measured; \
--trace-children=yes measures it"
   runs 0 -o r.xml -- sh -c 'exec /bin/true'
   [ "$(cat err)" = "$warning" ]
   runs 0 -o r.xml --trace-children=yes --trace-children=no -- sh -c 'exec /bin/true'
   [ "$(cat err)" = "$warning" ]
   runs 0 -o r.xml --report-children=all -- sh -c '/bin/true & exec /bin/true'
   [ "$(grep -c . err)" = 1 ]
   runs 0 -q -o r.xml -- sh -c 'exec /bin/true'
   [ ! -s err ]
   runs 0 -o r.xml --trace-children=yes -- sh -c 'exec /bin/true'
   [ ! -s err ]
   [ -e r.xml.1 ]
   runs 0 -o r.xml --valgrind-option=--trace-children=yes -- sh -c 'exec /bin/true'
   [ ! -s err ]
   # Limits would hold of the script alone.
   for option in --trace-children=no --trace-children=yes; do
      runs 2 -q -o r.xml $option -L "$holds" -- sh -c 'exec /bin/true'
      says "r.xml: not checked to the end: the program turned into '/bin/true', which is not in this report"
      grep -q "warn: the run: the program's end was exec of /bin/true" err
   done
   # A name cannot do anything to a terminal.
   cp /bin/true $'\033[31mx'
   runs 0 -o r.xml -- sh -c "exec ./\$(printf '\\033[31mx')"
   ! grep -q $'\033' err
}
