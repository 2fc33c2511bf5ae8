#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# list.bats: `profmem run --list`: several programs, each with a report of its own, and one
# verdict.

load run

holds='program allocations.bytes >= 0'
fails='program allocations.bytes = 123456789'
same='program allocations.bytes = baseline'

# row NAME: what the last table says of it, its columns apart by one blank.
row()
{
   sed -n '/^ .* program  *ended/,$p' err | sed -E 's/  +/ /g; s/ $//' |
      grep -E "^(ok|warn|FAIL|not checked|not run) $1( |\$)"
}

@test "each has its report, the same as alone, and a row with its numbers" {
   local name
   cat >programs <<END
# Three of them.
words  $probe environment
files  sh -c "ls / >/dev/null; exit 0"   # a shell

none   true
END
   runs 0 --list programs -o reports
   ls reports >names
   printf '%s.xml\n' files none words | cmp - names
   "$PROFMEM" run -q -o alone.xml -- "$probe" environment </dev/null | cmp - out
   cmp alone.xml reports/words.xml
   "$PROFMEM" run -q -o alone.xml -- sh -c 'ls / >/dev/null; exit 0' </dev/null
   cmp alone.xml reports/files.xml
   "$PROFMEM" validate reports/*
   grep -x -F 'profmem: files (2 of 3)' err
   for name in words files none; do
      [ "$(row $name | tr -d ,)" = "ok $name status 0 $(metric reports/$name.xml heap.peak) \
$(metric reports/$name.xml instructions.total)" ] || fail "$(cat err)"
   done
   # Nothing is added: no row but these.
   [ "$(sed -n '/^ .* program  *ended/,$p' err | wc -l)" -eq 4 ]
   nothing_left
}

@test "the default folder is profmem.out" {
   echo 'one true' >programs
   runs 0 -q --list programs
   "$PROFMEM" validate profmem.out/one.xml
   runs 0 -q --list programs
}

@test "words are what the description says: random ones, printed by a program" {
   local seed
   for seed in 1 2 3; do
      python3 "$abs_top_srcdir/tests/run/list_words.py" $seed programs words
      runs 0 -q --list programs
      cmp out words
   done
}

@test "the status: the first program that failed, or what the check says" {
   echo 'one true' >first
   echo 'three sh -c "exit 3"' >second
   echo 'killed sh -c "kill -9 $$"' >third
   echo 'nothing ./nosuch' >fourth
   echo 'four sh -c "exit 4"' >fifth
   while read -r wanted limit files; do
      cat $files >programs
      case $limit in
         none) runs $wanted -q --list programs ;;
         holds) runs $wanted -q --list programs -L "$holds" ;;
         fails) runs $wanted -q --list programs -L "$fails" ;;
         warns) runs $wanted -q --list programs -L "$fails warn" ;;
      esac
      [ "$(sed -n '/^ .* program  *ended/,$p' err | wc -l)" -eq $(($(wc -l <programs) + 1)) ]
   done <<'END'
0    holds  first
1    fails  first
0    warns  first
3    none   first second third fourth fifth
3    fails  first second fifth
137  holds  first third second
127  none   first fourth second
4    holds  fifth fourth
END
   cat first second third fourth fifth >programs
   runs 3 --list programs -L "$fails" -o all
   row one | grep -q '^FAIL one status 0 1 1 0 '
   row three | grep -q '^FAIL three status 3 1 1 0 '
   row killed | grep -q '^FAIL killed signal 9 2 1 1 '
   [ "$(row nothing)" = "FAIL nothing no report" ]
   row four | grep -q '^FAIL four status 4'
   says "cannot run './nosuch': No such file or directory"
   "$PROFMEM" validate all/one.xml all/three.xml all/killed.xml all/four.xml
   [ ! -e all/nothing.xml ]
   nothing_left
}

@test "limits for all, and a folder of limits with a file for each" {
   mkdir limits
   printf "small $probe grow state\nnone true\n" >programs
   echo "$holds" >limits/small.limits
   echo 'program allocations.count = 0' >limits/none.limits
   runs 0 -q --list programs -l limits
   row small | grep -q '^ok small status 0 1 0 0 '
   row none | grep -q '^ok none status 0 1 0 0 '
   echo "$fails" >all
   runs 1 -q --list programs -l limits -l all -L "$holds"
   row none | grep -q '^FAIL none status 0 3 1 0 '
   # Each verdict is that of profmem check.
   echo "$holds" >limits/none.limits
   runs 1 -q --list programs -l limits -l all
   "$PROFMEM" check -l limits/small.limits -l all profmem.out/small.xml >wanted || [ $? -eq 1 ]
   "$PROFMEM" check -l limits/none.limits -l all profmem.out/none.xml >>wanted || [ $? -eq 1 ]
   head -n "$(wc -l <wanted)" err | cmp - wanted
   # A program without its file is a mistake, and nothing is run.
   printf 'none touch started\nother touch started\n' >programs
   runs 125 -q --list programs -l limits
   says "limits/other.limits: cannot be opened: No such file or directory"
   [ ! -e started ]
}

@test "baselines are in a folder, and updated each by itself" {
   printf "grows $probe grow state\nsame true\nfails sh -c 'exit 5'\n" | tr "'" '"' >programs
   runs 125 -q --list programs -b base -L "$same"
   says "base/grows.xml: cannot be opened: No such file or directory"
   [ ! -e state ]
   runs 5 -q --list programs -b base --update-baseline -L "$same"
   ls base >names
   printf '%s.xml\n' grows same | cmp - names
   cmp base/grows.xml profmem.out/grows.xml
   sed -i '/^fails/d' programs
   runs 1 -q --list programs -b base -L "$same"
   row grows | grep -q '^FAIL grows status 0 1 1 0 '
   row same | grep -q '^ok same status 0 1 0 0 '
   cmp base/same.xml profmem.out/same.xml
   runs 0 -q --list programs -b base --update-baseline -L "$same"
   cmp base/grows.xml profmem.out/grows.xml
   echo 'same sh -c "exit 0"' >programs
   runs 2 -q --list programs -b base -L "$same"
   row same | grep -q '^not checked same status 0'
   # Where the report would be the baseline, none would be left to compare with.
   runs 125 -q --list programs -o base -b base -L "$same"
   says "base/same.xml: the report would replace its own baseline"
}

@test "standard input is empty for each; the A/A control is made for each" {
   printf 'first cat\nsecond cat\n' >programs
   echo text | runs 0 -q --list programs
   [ ! -s out ]
   printf "grows $probe grow state\nsame $probe environment\n" >programs
   runs 1 --list programs --aa -L 'program allocations.bytes <= 1G'
   row grows | grep -q '^FAIL grows status 0 1 1 0 '
   row same | grep -q '^ok same status 0 1 0 0 '
}

@test "what is wrong with a list is told with its place, and nothing is run" {
   while IFS='|' read -r text message; do
      printf "go touch started\n$text\n" >programs
      runs 125 -q --list programs
      says "programs:$message"
      [ ! -e started ] || fail "$text: it was started"
      [ ! -e profmem.out ]
   done <<'END'
name|2:5: expected a program behind the name
name   # x|2:8: expected a program behind the name
go true|2:1: expected another name: 'go' is that of line 1
"g"o true|2:1: expected another name: 'go' is that of line 1
a/b true|2:1: expected a name without a slash: reports are named by it
  .a true|2:3: expected a name that does not begin with a dot: reports are named by it
.. true|2:1: expected a name that does not begin with a dot
"" true|2:1: expected a name, not an empty one
"a\\nb" true|2:1: expected a name without control characters
"a\\u{7}" true|2:1: expected a name without control characters
"\\u{7f}" true|2:1: expected a name without control characters
name ""|2:6: expected a program, not an empty name
name true "x|2:11: expected a closing quote for this one
name sh -c 'exit 0'|2:12: expected double quotes: a single one stands for itself, in double quotes
'name' true|2:1: expected double quotes
nämé "x|2:6: expected a closing quote for this one
name true "\\q"|2:13: expected one of
a b\001|2:4: expected no control character, not 0x01
a \303\050|2:3: expected UTF-8, not the byte 0xc3
END
   printf 'a\nb "\nc true\n' >programs
   runs 125 -q --list programs
   says "programs:1:2: expected a program behind the name"
   says "programs:2:3: expected a closing quote for this one"
   printf '%0201d true\n' 0 >programs
   runs 125 -q --list programs
   says "programs:1:1: expected a name of at most 200 bytes"
   printf '%0200d true\n' 0 >programs
   runs 0 -q --list programs
   printf '# nothing\n' >programs
   runs 125 -q --list programs
   says "programs: has no programs"
   runs 125 -q --list nosuch
   says "nosuch: cannot be opened: No such file or directory"
   runs 125 -q --list .
   says ".: cannot be read: Is a directory"
}

@test "a line of very many words takes room as it is long, not as its square" {
   { printf 'many /bin/echo'; printf ' %s' $(seq 200000); } >programs
   (
      ulimit -v 1000000
      "$PROFMEM" run --list=programs >out 2>err || echo $? >status
   )
   # What the system takes at once is less; that is told, and no lack of memory.
   [ "$(cat status)" -eq 126 ] || [ "$(cat status)" -eq 125 ]
   grep -q "Argument list too long" err || fail "stderr is: $(tail -n 3 err)"
}

@test "no report of a list replaces the list, a program, or an input" {
   mkdir folder
   cp "$probe" folder/program.xml
   echo data >folder/input.xml
   printf 'list true\nprogram folder/program.xml numbers\ninput true\n' >folder/list.xml
   cp -r folder before
   runs 125 -q --list=folder/list.xml -o folder --input=folder/input.xml
   says "folder/list.xml: the report would replace the list"
   says "folder/program.xml: the report would replace the program"
   says "folder/input.xml: the report would replace its input"
   diff -r before folder
   runs 0 -q --list=folder/list.xml -o other
}

@test "names of a list do nothing to a terminal" {
   printf 'a\302\205b\342\200\256 true\n' >programs
   runs 0 --list programs
   grep -q -F 'a\u{85}b\u{202e} (1 of 1)' err
   ! grep -q $'\302\205' err || fail "a control character was written"
   ls profmem.out | cmp - <(printf 'a\302\205b\342\200\256.xml\n')
}

@test "usage" {
   echo 'one touch started' >programs
   runs 125 --list programs -- true
   says "--list and a program do not go together"
   runs 125 --list programs --tty
   says "--tty and --list do not go together"
   runs 125 --list programs -b base
   says "--baseline is for limits"
   echo text >file
   runs 125 --list programs -o file
   says "cannot make the folder 'file': Not a directory"
   runs 125 --list programs -o nosuch/folder
   says "cannot make the folder 'nosuch/folder': No such file or directory"
   runs 125 --list programs -b file --update-baseline
   [ "$(cat file)" = text ]
   [ ! -e started ]
}

# interrupted SIGNAL PROGRAM: the signal comes while the second of three runs this program.
interrupted()
{
   printf 'one true\ntwo %s\nthree touch started\n' "$2" >programs
   rm -rf profmem.out started
   python3 - "$PROFMEM" "$1" <<'END'
import os, subprocess, sys
child = subprocess.Popen([sys.argv[1], "run", "-q", "--list", "programs"],
                         stdout=subprocess.PIPE, stderr=open("err", "w"), start_new_session=True)
assert child.stdout.readline() == b"ready\n"
os.killpg(child.pid, int(sys.argv[2]))
assert child.wait() == -int(sys.argv[2]), child.returncode
END
   [ ! -e started ]
   row one | grep -q '^ok one status 0'
   [ "$(row three)" = "not run three" ]
   "$PROFMEM" validate profmem.out/one.xml profmem.out/two.xml
   nothing_left
}

# No program that executes another one: Valgrind loses signals that come at that moment.
@test "a signal that asks programs to end ends the list; what ran has its report and its row" {
   interrupted 2 "$probe count 10"
   row two | grep -q '^FAIL two signal 2' || fail "$(cat err)"
   interrupted 15 "$probe count 10"
   row two | grep -q '^FAIL two signal 15' || fail "$(cat err)"
   # Also if the program copes with it.
   interrupted 2 "$probe count 2"
   row two | grep -q '^ok two status 0' || fail "$(cat err)"
}
