# SPDX-License-Identifier: GPL-2.0-or-later
# make bench works: a program of our own and one of the distribution, one round. What
# it measures is not judged here.
load ../common

# make bench with this output folder; what it printed is in the files stdout, stderr.
bench()
{
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
      make -s -C "$abs_top_builddir" bench BENCH_OUTPUT="$PWD/output" "$@" >stdout 2>stderr
}

# value EXPRESSION: of the results, r.
value()
{
   python3 -c "import json; r = json.load(open('output/results.json')); print($1)"
}

# A file that make bench takes for the launcher, with that as its body.
false_launcher()
{
   printf '#!/bin/sh\n[ "$1" != --version ] || exec echo valgrind-0\n%s\n' "$1" >launcher
   chmod +x launcher
}

@test "one round of two programs: a table, and all numbers as JSON" {
   bench PROGRAMS='gzip floating_point' TOOLS='none lean full' ROUNDS=1 || fail "$(cat stderr)"
   grep -E '^\| gzip +\| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \|$' stdout
   grep -E '^\| floating point +\| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \|$' stdout
   grep -E '^\| \*\*geometric mean\*\* ' stdout
   grep -F "Valgrind $("$VALGRIND" --version | sed 's/valgrind-//')" stdout
   # The table in the folder is the one that was shown.
   [[ $(cat stdout) == *"$(cat output/results.md)" ]]

   [ "$(value 'sorted(r["runs"]["gzip"])')" = "['full', 'lean', 'none']" ]
   [ "$(value 'len(r["runs"]["floating_point"]["full"])')" = 1 ]
   [ "$(value 'r["runs"]["gzip"]["none"][0]["user_us"] > 10000')" = True ]
   [ "$(value 'r["runs"]["gzip"]["none"][0]["peak_kib"] > 10000')" = True ]
   [ "$(value 'r["ratios"]["programs"]["gzip"]["none"]["time"]["median"]')" = 1.0 ]
   # The tool wrote its report: it did run.
   "$PROFMEM" validate output/scratch/profmem.xml
}

@test "a program, a tool that there is none" {
   ! bench PROGRAMS='gzip nonesuch' || fail 'it succeeded'
   grep -q '^bench: no program nonesuch; there are: .*gzip' stderr
   ! bench PROGRAMS=gzip TOOLS=nonesuch || fail 'it succeeded'
   grep -q '^bench: no tool nonesuch; there are: .*lean' stderr
}

@test "a run that fails, and one with other output, end the bench" {
   false_launcher 'echo broken >&2; exit 3'
   ! bench PROGRAMS=floating_point TOOLS=none VALGRIND="$PWD/launcher" || fail 'it succeeded'
   grep -qx broken stderr
   grep -qx 'bench: floating_point under none ended with 3' stderr

   false_launcher 'echo something else'
   ! bench PROGRAMS=floating_point TOOLS=none VALGRIND="$PWD/launcher" || fail 'it succeeded'
   grep -q '^bench: floating_point has other output under none than before' stderr
}

@test "another tool's failure is that tool's" {
   false_launcher 'case $* in *--tool=dhat*) exit 3 ;; *--tool=massif*) echo else; exit ;; esac
      while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"'
   bench PROGRAMS=floating_point TOOLS='none massif callgrind dhat' ROUNDS=1 \
      VALGRIND="$PWD/launcher" || fail "$(cat stderr)"
   grep -E '^\| floating point +\| [0-9.]+ \| [0-9.]+ \|$' stdout
   grep -E '^Failed and left out: .*floating_point under dhat ended with 3 \(1 of 1\)' stdout
   grep -E '^Failed and left out: .*floating_point has other output under massif' stdout
}

@test "what translating a block costs: a row for each tool, with its blocks" {
   make -s -C "$abs_top_builddir" bench-translation ROUNDS=1 >stdout 2>stderr || fail "$(cat stderr)"
   local tool
   for tool in none 'profmem lean' 'profmem full' callgrind memcheck; do
      grep -Eq "^\| $tool \| [1-9][0-9]?,[0-9]{3} \|( [0-9.]+ \|){3}$" stdout ||
         fail "$(cat stdout)"
   done
}

@test "the tool's instructions for a heap event: the same each time" {
   local run
   for run in 1 2; do
      make -s -C "$abs_top_builddir" bench-steps >stdout.$run 2>stderr || fail "$(cat stderr)"
   done
   cmp stdout.1 stdout.2 || fail "$(diff stdout.1 stdout.2)"
   grep -Eq '^\| all \| [1-9][0-9]{3} \| [1-9][0-9]{3} \|$' stdout.1 || fail "$(cat stdout.1)"
}
