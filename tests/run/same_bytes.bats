#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# same_bytes.bats: the report is the same, byte by byte, wherever and however often a
# program runs.

load run

# same REPORT...: these are, apart from paths.
same()
{
   local first=$1 other
   without_paths "$first" >first
   for other in "${@:2}"; do
      without_paths "$other" | cmp first - ||
         fail "$first and $other differ: $(diff "$first" "$other")"
   done
}

@test "an environment of 1 to 4096 bytes more, 50 more variables, another time zone and locale" {
   local bytes i
   "$PROFMEM" run -q -o base.xml -- "$probe" stack >base
   for bytes in 1 2 3 7 16 100 1000 4096; do
      env "MORE=$(head -c $bytes /dev/zero | tr '\0' x)" \
         "$PROFMEM" run -q -o more.xml -- "$probe" stack >more
      cmp base more
      cmp base.xml more.xml
   done
   env $(for i in {1..50}; do echo "V$i=$i"; done) TZ=Asia/Tokyo LC_ALL=de_DE.UTF-8 LANG=C \
      "$PROFMEM" run -q -o more.xml -- "$probe" stack >more
   cmp base more
   cmp base.xml more.xml
}

# What run needs itself is not where the program looks.
@test "a program that lists its working directory, where the report will be" {
   mkdir here
   cd here
   touch before
   "$PROFMEM" run -q -o first.xml -- find . >../list
   printf '%s\n' . ./before | cmp - <(sort ../list)
   mv first.xml ..
   "$PROFMEM" run -q -o other.xml -- find . | cmp ../list
   same ../first.xml other.xml
}

# What profmem fixes has to show: without it the same changes are seen.
@test "the referee: with --host an environment of other size moves stack and numbers" {
   env -i PATH="$PATH" "$PROFMEM" run -q -o a.xml --host -- "$probe" stack >a
   env -i PATH="$PATH" MORE=12345678901234567890 "$PROFMEM" run -q -o b.xml --host -- \
      "$probe" stack >b
   ! cmp -s a b || fail "the stack is where it was"
   [ "$(metric a.xml instructions.total)" != "$(metric b.xml instructions.total)" ]
}

@test "a terminal, a pipe or a file as standard output" {
   "$PROFMEM" run -q -o file.xml -- "$probe" environment >file
   "$PROFMEM" run -q -o pipe.xml -- "$probe" environment | cat >pipe
   script -qec "$PROFMEM run -q -o terminal.xml -- $probe environment" /dev/null </dev/null |
      tr -d '\r' >terminal
   cmp file pipe
   cmp file terminal
   cmp file.xml pipe.xml
   cmp file.xml terminal.xml
   [ "$(fix file.xml standard-output)" = "never a terminal" ]
   # The referee: left alone, a terminal is seen.
   script -qec "$PROFMEM run -q -o tty.xml --tty -- $probe environment" /dev/null </dev/null >tty
   [ "$(metric tty.xml heap.peak)" != "$(metric file.xml heap.peak)" ]
}

# folder LENGTH: one whose name makes PWD that much longer.
folder()
{
   local name
   name=$(head -c "$1" /dev/zero | tr '\0' d)
   mkdir -p "$name"
   printf '%s' "$name"
}

@test "working directories of 1 to 200 characters more" {
   local length where
   cp "$probe" here
   "$PROFMEM" run -q -o base.xml -- ./here stack >base
   for length in 1 2 3 5 8 13 21 34 55 89 144 200; do
      where=$(folder $length)
      cp "$probe" "$where/here"
      (cd "$where" && "$PROFMEM" run -q -o r.xml -- ./here stack >r)
      cmp base "$where/r"
      cmp base.xml "$where/r.xml"
   done
}

# What remains is libc's own search for the last slash of argv[0], before main: nothing
# else in the report may differ, and that by no more than a few instructions per 16 bytes.
@test "paths of the program of 1 to 200 characters more" {
   local length where here
   here=$(mktemp -d /tmp/pXXXXXX)
   cp "$probe" "$here/p"
   "$PROFMEM" run -q -o base.xml -- "$here/p" stack >base
   for length in 1 2 3 5 8 13 16 34 55 89 144 200; do
      where=$here/$(head -c $length /dev/zero | tr '\0' d)
      mkdir "$where"
      cp "$probe" "$where/p"
      "$PROFMEM" run -q -o r.xml -- "$where/p" stack >r
      cmp base r
      if [ $length -le 16 ]; then
         same base.xml r.xml
         continue
      fi
      python3 "$abs_top_srcdir/tests/run/differing_functions.py" base.xml r.xml >functions
      ! grep -v '^__strrchr' functions || fail "$length: $(cat functions)"
      awk -v most=$length '{ sum += $2 } END { exit sum > most }' functions
   done
   rm -r "$here"
}

@test "the tool's folder may have a short path or a long one" {
   local lib
   lib=$(mktemp -d /tmp/lXXXXXX)/$(head -c 100 /dev/zero | tr '\0' l)
   mkdir "$lib"
   cp -P "$PROFMEM_VALGRIND_LIB"/* "$lib"
   cp --remove-destination -L "$PROFMEM_VALGRIND_LIB/profmem-$PROFMEM_PLATFORM" "$lib"
   "$PROFMEM" run -q -o a.xml -- "$probe" stack >a
   "$PROFMEM" run -q --valgrind-lib="$lib" -o b.xml -- "$probe" stack >b
   cmp a b
   cmp a.xml b.xml
   rm -r "${lib%/*}"
}

@test "as many arguments as fit, or more: the stack's size is a multiple of 4096 bytes" {
   "$PROFMEM" run -q -o r.xml -- "$probe" stack >a
   "$PROFMEM" run -q -o r.xml -- "$probe" stack "$(head -c 4096 /dev/zero | tr '\0' x)" >b
   [ "$(fix r.xml initial-stack)" = "8192 bytes" ]
   local a b
   a=$(sed -n 's/^stack //p' a)
   b=$(sed -n 's/^stack //p' b)
   [ $((a - b)) -eq 4096 ]
}
