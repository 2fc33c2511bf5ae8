#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# status.bats: how `profmem run` ends, whatever the program or the caller does.

load run

@test "the exit status is the program's" {
   for status in 0 1 2 3 125 126 127 128 255; do
      runs $status -q -o r.xml -- sh -c "exit $status"
      grep -q "<end kind=\"exit\" status=\"$status\"/>" r.xml
      "$PROFMEM" validate r.xml
   done
   nothing_left
}

# The shell's 128 + N does not tell dying by a signal from exiting with that status.
ended_by()
{
   python3 - "$@" <<'END'
import subprocess, sys
print(-subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode)
END
}

@test "a program that a signal ends takes profmem with it, and leaves its report" {
   for number in 1 2 3 6 9 11 13 14 15 10; do
      rm -f r.xml
      [ "$(ended_by "$PROFMEM" run -q -o r.xml -- "$probe" die $number)" = $number ] ||
         fail "not by signal $number"
      grep -q "<end kind=\"signal\" signal=\"$number\"" r.xml
   done
   nothing_left
}

@test "one core at most: profmem leaves none of itself" {
   local pattern
   pattern=$(cat /proc/sys/kernel/core_pattern)
   case $pattern in */* | '|'*) skip "cores go to $pattern" ;; esac
   (ulimit -c unlimited; "$PROFMEM" run -q -o r.xml -- "$probe" die 6 2>err) || :
   for core in core core.*; do
      if [ -e "$core" ]; then
         ! readelf -n "$core" | grep -q "$PROFMEM" || fail "a core of profmem"
      fi
   done
}

@test "no program: 127" {
   runs 127 -o r.xml -- ./nosuch
   says "cannot run './nosuch': No such file or directory"
   runs 127 -o r.xml -- no-such-program
   says "cannot run 'no-such-program': No such file or directory"
   runs 127 -o r.xml -- ''
   [ ! -e r.xml ]
   nothing_left
}

@test "no executable program: 126" {
   echo text >text
   mkdir folder
   runs 126 -o r.xml -- ./text
   says "cannot run './text': Permission denied"
   runs 126 -o r.xml -- ./folder
   says "cannot run './folder': Is a directory"
   PATH=$PWD:$PATH runs 126 -o r.xml -- text
   says "cannot run 'text': Permission denied"
   [ ! -e r.xml ]
   nothing_left
}

@test "no place for the report: 125, and the program is not started" {
   mkdir folder
   runs 125 -o nosuch/r.xml -- touch started
   says "cannot write 'nosuch/r.xml': No such file or directory"
   runs 125 -o folder -- touch started
   says "cannot write 'folder': Is a directory"
   runs 125 -o folder/ -- touch started
   runs 125 -o '' -- touch started
   if [ "$(id -u)" -eq 0 ]; then
      [ ! -e /proc/r.xml ]
      runs 125 -o /proc/r.xml -- touch started
   fi
   [ ! -e started ]
}

@test "a full disk: 125, and the program ran undisturbed" {
   runs 125 -q -o /dev/full -- sh -c 'echo done'
   says "cannot write '/dev/full': No space left on device"
   [ "$(cat out)" = done ]
   nothing_left
}

@test "no tool, no Valgrind: 125" {
   runs 125 --valgrind-lib=. -o r.xml -- true
   says "--valgrind-lib: '.' does not hold profmem-"
   VALGRIND_LIB=/ runs 125 -o r.xml -- true
   says "VALGRIND_LIB: '/' does not hold profmem-"
   runs 125 --valgrind=./nosuch -o r.xml -- true
   says "--valgrind: './nosuch' is not Valgrind's launcher"
   [ ! -e r.xml ]
}

@test "Valgrind refuses an option: 125, and what it says is seen" {
   runs 125 --phase-instances=many -o r.xml -- touch started
   grep -q -- '--phase-instances takes' err
   says "Valgrind did not run the program to its end; there is no report"
   runs 125 --valgrind-option=--no-such-option -o r.xml -- touch started
   grep -q -- '--no-such-option' err
   [ ! -e r.xml ]
   [ ! -e started ]
   nothing_left
}

@test "usage: 125, with a suggestion for a mistyped option" {
   runs 125 --phase-fm=x -- touch started
   says "--phase-fm=x: unknown option; did you mean '--phase-fn'?"
   runs 125
   says "run takes a program and its arguments"
   runs 125 --env=novalue -- touch started
   says "--env: 'novalue' is not NAME=VALUE"
   runs 125 --pass-env=A=b -- touch started
   says "--pass-env: 'A=b' is not a name"
   runs 125 --input=nosuch -o r.xml -- touch started
   says "cannot read the input 'nosuch': No such file or directory"
   [ ! -e started ]
}

@test "options behind the program are the program's" {
   runs 0 -q -o r.xml echo -o x --phase-fn=y -- z
   [ "$(cat out)" = "-o x --phase-fn=y -- z" ]
   runs 0 -q -o r.xml -- echo -- -q
   [ "$(cat out)" = "-- -q" ]
}

@test "a program whose name starts with a dash is no option" {
   printf '#!/bin/sh\necho "$@"\n' >-dash
   chmod +x -- -dash
   PATH=$PWD:$PATH runs 0 -q -o r.xml -- -dash a
   [ "$(cat out)" = a ]
}

@test "the default report is profmem.out.xml, and that is said" {
   runs 0 -- true
   [ "$(cat err)" = "profmem: the report is profmem.out.xml" ]
   "$PROFMEM" validate profmem.out.xml
   runs 0 -q -- true
   [ ! -s err ]
}
