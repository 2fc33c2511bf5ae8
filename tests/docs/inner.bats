#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# inner.bats: documents for whoever works on profmem, or wants to know how it is right.
#
# Their commands print what stands below them; the files, functions and tests that they name
# are there; their tables have every metric, in the words of `profmem help`. (manual.bats
# follows the links of all documents.)

load ../common

docs=$abs_top_srcdir/tests/docs
inner='docs/design.md docs/accuracy.md docs/internals/counting.md
   docs/internals/observing-calls.md docs/internals/peak-pictures.md docs/GLOSSARY.md
   CONTRIBUTING.md'
glossary=$abs_top_srcdir/docs/GLOSSARY.md

# as_a_reader COMMAND...: profmem and valgrind are in PATH, and settings of a user are not.
as_a_reader()
{
   mkdir -p bin home
   printf '#!/bin/sh\nexec "%s" "$@"\n' "$VALGRIND" >bin/valgrind
   chmod +x bin/valgrind
   ln -sf "$PROFMEM" bin/profmem
   env -i HOME="$PWD/home" LC_ALL=C.UTF-8 PATH="$PWD/bin:$PATH" \
      VALGRIND_LIB="$PROFMEM_VALGRIND_LIB" "$@"
}

# without_pictures DOCUMENT: drawings in letters are no commands.
without_pictures()
{
   sed '/^```text$/,/^```$/d' "$1"
}

# follows DOCUMENT COMMANDS: as many as that, where the source is `source` and the programs of
# the tests are in `tests`.
follows()
{
   mkdir folder
   ln -s "$abs_top_srcdir" folder/source
   ln -s "$abs_top_builddir/tests" folder/tests
   without_pictures "$abs_top_srcdir/$1" >document.md
   as_a_reader python3 -B "$docs/follow_document.py" document.md folder >said 2>&1 ||
      fail "$(cat said)"
   [ "$(sed -n '$s/ commands, 0 differ$//p' said)" -ge "$2" ]
}

@test "the design: every command prints what stands below it" {
   follows docs/design.md 25
}

@test "accuracy: every command prints what stands below it" {
   follows docs/accuracy.md 5
}

# What is built and tested is what this test is a part of: only that it could be.
@test "the others have no commands but known ones" {
   local document
   for document in $inner; do
      without_pictures "$abs_top_srcdir/$document" >document.md
      python3 -B "$docs/follow_document.py" --not-run document.md
   done | grep -v '^make check TESTS=' >lines
   cat >known <<'END'
autoreconf -fi
mkdir build && cd build
../configure --enable-werror
make
VALGRIND_LIB=$PWD/valgrind-tool/lib valgrind --tool=profmem ./program
./setup check
make check
END
   diff known lines
   # By any other word a block would be run by nobody.
   ! sed -n 's/^```\(..*\)/\1/p' "$abs_top_srcdir"/docs/internals/*.md "$glossary" \
      "$abs_top_srcdir/CONTRIBUTING.md" | grep -vxF -e text -e 'sh not-run'
}

@test "files, functions, structs, modules, tests and targets that are named are there" {
   local document found
   for document in $inner; do
      python3 -B "$docs/named_things.py" names "$abs_top_srcdir" "$abs_top_builddir" \
         "$abs_top_srcdir/$document" >found || fail "$(cat found)"
      found=$(sed -n 's/ looked for, 0 missing$//p' found)
      case $document in
      docs/GLOSSARY.md) ;;
      *) [ "$found" -ge 15 ] || fail "$document: $(cat found)" ;;
      esac
   done
}

@test "a name that is nothing's is seen" {
   cat >good.md <<'END'
docs/design.md, tests/tool/instructions.bats: "client requests are five instructions",
`pm_calls_enter()`, `struct pm_heap`, pmh_translate and `make check`.
END
   python3 -B "$docs/named_things.py" names "$abs_top_srcdir" "$abs_top_builddir" "$PWD/good.md"
   cat >bad.md <<'END'
docs/redesign.md, tests/tool/instructions.bats: "client requests are six instructions",
`pm_calls_leave()`, `struct pm_heaps`, pmh_transmute and `make sense`.
END
   run python3 -B "$docs/named_things.py" names "$abs_top_srcdir" "$abs_top_builddir" "$PWD/bad.md"
   [ "$status" -eq 1 ]
   [ "${lines[-1]}" = '8 looked for, 7 missing' ]
}

# Those of them that words.bats does not look at, by its list.
@test "nothing is said of how long a program takes" {
   local words denials document
   eval "$(grep -E '^(words|denials)=' "$abs_top_srcdir/tests/cli/words.bats")"
   [ -n "$words" ]
   for document in $inner; do
      if sed -E "s/$denials//g" "$abs_top_srcdir/$document" | grep -n -i -w -E "$words"; then
         fail "$document: a word that nothing says"
      fi
   done
}

@test "options that are named are some program's" {
   local command
   {
      for command in $("$PROFMEM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
         "$PROFMEM" help "$command"
      done
      profmem_valgrind --help
      profmem_valgrind --help-debug
      "$abs_top_srcdir/configure" --help
      # Of Massif, memray and git.
      echo --peak-inaccuracy --trace-python-allocators --temporary-allocations --stat
      echo --enable-werror
   } >options
   # shellcheck disable=SC2086
   python3 -B "$docs/document_links.py" "$abs_top_srcdir" options $inner
}

# Its table of metrics, as the help has them: name, unit, meaning.
@test "the glossary has every metric, in the words of the help" {
   sed -n '/^## Metrics/,$s/^| `\([^`]*\)` | \([^|]*\) | \(.*\) |$/\1 \2 \3/p' "$glossary" >told
   "$PROFMEM" help metrics | tr -s ' ' | sed 's/ $//' >helped
   [ "$(wc -l <helped)" -ge 50 ]
   diff helped told
}

@test "the glossary has every unit, and no other" {
   "$PROFMEM" help metrics | awk '{ print $2 }' | sort -u >helped
   sed -n '/^## Units/,/^## Metrics/s/^| \([a-z]*\) | .*/\1/p' "$glossary" | grep -v '^unit$' |
      sort >told
   diff helped told
}

@test "the glossary's terms are in order, and words of documents, help or reports" {
   sed -n '/^## Terms/,/^## Units/s/^| \([a-z ]*[a-z]\) |.*/\1/p' "$glossary" | sed 1d >terms
   [ "$(wc -l <terms)" -ge 40 ]
   (cd "$abs_top_srcdir" && cat README.md NEWS docs/*-format.md docs/manual.md docs/design.md \
      docs/accuracy.md docs/internals/*.md valgrind-tool/core/pm_metrics.def) >used
   local term unused=
   while read -r term; do
      grep -qiF -- "$term" used || unused+=" $term;"
   done <terms
   [ -z "$unused" ] || fail "nobody says:$unused"
   LC_ALL=C sort -u terms | diff - terms
}

# Of the tables, not of the prose around.
@test "accuracy has every metric, with a referee" {
   grep '^| `' "$abs_top_srcdir/docs/accuracy.md" | grep -oE '`[a-z-]+\.[a-z-]+`' | tr -d '`' |
      sort >told
   "$PROFMEM" help metrics | awk '{ print $1 }' | sort >helped
   diff helped told
   ! grep '^| `' "$abs_top_srcdir/docs/accuracy.md" | grep -vE '\| tests/[a-z]+/[^|]*\|$'
}

@test "the commits that show how to add something touched what they are said to" {
   git -C "$abs_top_srcdir" rev-parse --verify -q HEAD >/dev/null 2>&1 ||
      skip "a release has no commits"
   [ "$(git -C "$abs_top_srcdir" rev-parse --is-shallow-repository)" = false ] ||
      skip "only the last commits are here"
   python3 -B "$docs/named_things.py" commits "$abs_top_srcdir" "$abs_top_srcdir/CONTRIBUTING.md" \
      >found || fail "$(cat found)"
   [ "$(sed -n 's/ looked for, 0 missing$//p' found)" -ge 30 ]
   sed 's/`4d10d07`/`41fb88d`/' "$abs_top_srcdir/CONTRIBUTING.md" >bad.md
   run python3 -B "$docs/named_things.py" commits "$abs_top_srcdir" bad.md
   [ "$status" -eq 1 ]
   [[ $output == *"41fb88d did not touch reports/lib/pr_export.c"* ]]
}
