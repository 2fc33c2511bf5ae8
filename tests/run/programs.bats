#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# programs.bats: ten runs of real programs give the same bytes, which they do not elsewhere.

load run

# ten ARGS...: ten runs give the same bytes.
ten()
{
   local i
   for i in 0 1 2 3 4 5 6 7 8 9; do
      "$PROFMEM" run -q -o "r$i.xml" "$@" >"out$i" </dev/null
      cmp r0.xml "r$i.xml" || fail "run $i differs: $(diff r0.xml "r$i.xml")"
      cmp out0 "out$i"
   done
   "$PROFMEM" validate r0.xml
}

# differs ARGS...: the referee: with nothing held fixed some of these runs differ.
differs()
{
   local i
   for i in 0 1 2 3 4 5; do
      "$PROFMEM" run -q -o "h$i.xml" --host "$@" >"host$i" </dev/null
      cmp -s h0.xml "h$i.xml" || return 0
   done
   fail "these do not differ on the host either"
}

programs=$abs_top_builddir/tests/run

@test "C++: ten runs, and a path of another length" {
   ten -- "$programs/run_words"
   local folder
   folder=$(mktemp -d /tmp/wXXXXXX)
   mkdir "$folder/sub"
   cp "$programs/run_words" "$folder/run_words"
   cp "$programs/run_words" "$folder/sub/run_words"
   "$PROFMEM" run -q -o a.xml -- "$folder/run_words" </dev/null >a
   "$PROFMEM" run -q -o b.xml -- "$folder/sub/run_words" </dev/null >b
   without_paths a.xml >a
   without_paths b.xml | cmp a -
   rm -r "$folder"
}

@test "Rust: HashMap" {
   ten -- "$programs/run_hashes"
   differs -- "$programs/run_hashes"
}

@test "CPython, with and without -I" {
   local python
   # A version manager's wrapper would measure a shell.
   python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
   ten -- "$python" -c 'print({str(i) for i in range(300)})'
   ten -- "$python" -I -c 'print({str(i) for i in range(300)})'
   differs -- "$python" -I -c 'print({str(i) for i in range(300)})'
}

@test "perl" {
   local program='my %h = map { $_ => 1 } 1..300; print join ",", keys %h'
   ten -- /usr/bin/perl -e "$program"
   differs -- /usr/bin/perl -e "$program"
}

@test "git status" {
   git init -q here
   seq 100 | (cd here && xargs touch && git add . && echo changed >7)
   # An index as old as its files makes git look into them.
   sleep 1.1
   (cd here && git update-index -q --refresh || :)
   ten -- git -C here status --short
   grep -q '^A\|^AM' out0
}

@test "xmllint, with the fixed clock" {
   command -v xmllint || skip "there is no xmllint"
   cp "$abs_top_srcdir/tests/fixtures/good/good-lists.xml" a.xml
   ten --fixed-clock=yes -- xmllint --format a.xml
}

@test "a queue between threads, beside a program that competes for the processor" {
   has_rights || skip "first-in first-out scheduling is refused: $(chrt -f 1 true 2>&1 | head -n 1)"
   timeout 60 sh -c 'while :; do :; done' 3>&- &
   local competitor=$!
   ten -- "$programs/run_queue"
   kill $competitor
   [ "$(fix r0.xml scheduling)" = fifo ]
}
