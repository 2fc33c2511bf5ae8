#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# man.bats: the manual pages are well formed, and say what the programs do: synopsis and
# options against --help, in both directions, and every example.
#
# What is compared is what a reader sees: the page as mandoc shows it.

load ../common

export LC_ALL=C.UTF-8

pages=$abs_top_builddir/docs/man
sources=$abs_top_srcdir/docs/man
fixtures=$abs_top_srcdir/tests/fixtures

names()
{
   (cd "$sources" && printf '%s\n' *.md) | sed 's/\.md$//'
}

# page_file NAME.SECTION: in the build tree, or in a release.
page_file()
{
   if [ -f "$pages/$1" ]; then echo "$pages/$1"; else echo "$sources/$1"; fi
}

# The page as it is shown; lines have no end, so none is broken.
page()
{
   mandoc -Tutf8 -Owidth=1000 "$(page_file "$1")" | sed $'s/.\b//g'
}

# section TITLE: of a page on standard input, without its title.
section()
{
   awk -v title="$1" '/^[^ ]/ { inside = $0 == title; next } inside'
}

# terms PATTERN: of a section, what matches at the beginnings of terms.
terms()
{
   sed -n 's/^ \{5,7\}\([^ ].*\)$/\1/p' | grep -o -E "^($1)"
}

# "-x, --name=ARGUMENT"
option='(-., )?--[^ ]+'

commands()
{
   "$PROFMEM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# The options that a help text lists.
options_of_help()
{
   sed -n '/^Options:/,/^$/s/^ *//p' | grep -o -E "^$option"
}

@test "no page has anything for mandoc or groff to warn of" {
   [ "$(names | wc -l)" -ge 11 ]
   for name in $(names); do
      file=$(page_file "$name")
      mandoc -Tlint -Wwarning "$file" >said || fail "$name: $(cat said)"
      groff -t -ww -man -Tutf8 "$file" 2>said >/dev/null
      [ ! -s said ] || fail "$name: $(cat said)"
   done
}

@test "every page has its sections, in the order of manuals, and the version" {
   local order='NAME SYNOPSIS DESCRIPTION OPTIONS EXIT-STATUS ENVIRONMENT FILES EXAMPLES SEE-ALSO'
   for name in $(names); do
      page "$name" >shown
      sed -n '2,$s/^\([A-Z][A-Z ]*[A-Z]\)$/\1/p' shown | tr ' ' - >titles
      for title in NAME DESCRIPTION EXAMPLES SEE-ALSO; do
         grep -qxF "$title" titles || fail "$name has no $title"
      done
      if [[ $name == *.1 ]]; then
         for title in SYNOPSIS OPTIONS EXIT-STATUS; do
            grep -qxF "$title" titles || fail "$name has no $title"
         done
         grep -xF "$(tr ' ' '\n' <<<"$order")" titles >usual
         tr ' ' '\n' <<<"$order" | grep -xFf usual | diff - usual || fail "$name: order"
      fi
      [ "$(tail -n 1 titles)" = SEE-ALSO ]
      [ "$(section NAME <shown | grep -c "^ *${name%.*} [-–] ")" -eq 1 ] || fail "$name: its name"
      tail -n 1 shown | grep -qF "$("$PROFMEM" --version)" || fail "$name: version"
   done
}

@test "every command but help has a page, and profmem(1) lists them all" {
   for command in $(commands); do
      [ "$command" = help ] || [ -f "$sources/profmem-$command.1.md" ] || fail "$command"
      [ "$command" = help ] || page profmem.1 | section 'SEE ALSO' | grep -qF "profmem-$command(1)"
   done
   for name in $(names | sed -n 's/^profmem-\(.*\)\.1$/\1/p'); do
      commands | grep -qxF "$name" || fail "there is no command $name"
   done
   # With what the overview says of each.
   "$PROFMEM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\)  */\1 /p' >expected
   page profmem.1 | section COMMANDS |
      sed -e 's/^ *//' -e 's/^\([a-z]*\)  */\1 /' -e '/^$/d' -e 's/\. profmem-.*//' \
         -e 's/\. Its argument.*//' | sed -e '/^[a-z]*$/{N;s/\n/ /}' >listed
   diff expected listed
}

@test "synopsis and options of each command are those of its help" {
   for command in $(commands); do
      [ "$command" != help ] || continue
      "$PROFMEM" help "$command" >help
      page "profmem-$command.1" >shown
      sed -n 's/^Usage: //p' help >expected
      section SYNOPSIS <shown | sed -e 's/^ *//' -e '/^$/d' >synopsis
      diff expected synopsis || fail "$command: synopsis"
      options_of_help <help | sort >expected
      [ -s expected ]
      section OPTIONS <shown | terms "$option" | sort >options
      diff expected options || fail "$command: options"
   done
   "$PROFMEM" help | options_of_help | sort >expected
   page profmem.1 | section OPTIONS | terms "$option" | sort >options
   diff expected options
   "$PROFMEM" help | sed -n 's/^Usage: //p' >expected
   page profmem.1 | section SYNOPSIS | sed -e 's/^ *//' -e '/^$/d' | diff expected -
}

@test "the tool's options are those of its help" {
   profmem_valgrind --help |
      sed -n '/^  user options for profmem/,/^  [A-Z]/s/^    \(--.*\)/\1/p' | sort >expected
   [ "$(wc -l <expected)" -ge 16 ]
   page valgrind-profmem.1 | section OPTIONS | terms "$option" | sort >options
   diff expected options
   # And its defaults, in brackets there: every one stands in the paragraph of its option.
   profmem_valgrind --help | sed -n '/^  user options for profmem/,/^  [A-Z]/p' |
      awk '/^    --/ { option = $1; sub(/=.*/, "", option) }
           match($0, /\[[^]]*\]$/) { print option, substr($0, RSTART + 1, RLENGTH - 2) }' >defaults
   [ "$(wc -l <defaults)" -ge 13 ]
   page valgrind-profmem.1 | section OPTIONS >shown
   while read -r option default; do
      awk -v option="$option=" '/^      ? ?[^ ]/ { inside = index($1, option) == 1 } inside' shown |
         grep -qF "default is $default." || fail "$option: the default is $default"
   done <defaults
}

@test "the exit statuses of each command are those of its help" {
   for command in $(commands); do
      [ "$command" != help ] || continue
      "$PROFMEM" help "$command" | sed -n '/^Exit status:/,$p' |
         grep -o -E '^ +[0-9]+  ' | tr -d ' ' >expected
      [ -s expected ]
      page "profmem-$command.1" | section 'EXIT STATUS' | grep -o -E '^ {5,7}[0-9]+( |$)' |
         tr -d ' ' | diff expected - || fail "$command"
   done
}

@test "what profmem run sets is what its page says" {
   # As the help says it, and as a program sees it.
   page profmem-run.1 | section 'WHAT IS HELD FIXED' | terms '[A-Z_]+=[^ ]+' | sort >listed
   "$PROFMEM" help run | grep -o -E '^ +([a-z]+ +)?[A-Z_]+=[^ ]+$' |
      sed 's/.* //' | sort >expected
   [ "$(wc -l <expected)" -ge 8 ]
   diff expected listed
   "$PROFMEM" run -q -o report.xml env >seen
   while read -r setting; do
      grep -qxF "$setting" seen || fail "$setting is not set: $(cat seen)"
   done <listed
}

@test "values of options with words of their own are those that are taken" {
   page profmem-export.1 | section DESCRIPTION | terms '[a-z-]+( +[A-Z].*)?$' |
      sed 's/ .*//' >listed
   "$PROFMEM" help export | sed -n '/Formats:$/,/^An/s/^  \([a-z-]*\)  .*/\1/p' >expected
   [ "$(wc -l <expected)" -ge 11 ]
   diff expected listed
   for word in peak traffic temporary retained; do
      "$PROFMEM" show --sort "$word" "$fixtures/good/good-diff-old.xml" >/dev/null
      page profmem-show.1 | grep -A1 -e '--sort=' | grep -qw "$word" || fail "$word"
   done
   for word in text markdown junit github; do
      page profmem-check.1 | grep -A1 -e '--format=' | grep -qw "$word" || fail "$word"
   done
}

@test "every page of profmem that is referred to is there" {
   for name in $(names); do
      page "$name" | grep -o -E '[a-z_-]*profmem[a-z_-]*\([0-9]\)' | tr '()' '. ' | sort -u
   done | sort -u >referred
   [ "$(wc -l <referred)" -ge 10 ]
   while read -r name; do
      [ -f "$sources/$name.md" ] || fail "there is no $name"
   done <referred
}

@test "the format pages hold the documents, every metric and the whole grammar" {
   page profmem-report.5 >shown
   "$PROFMEM" help metrics | awk '{ print $1 " (" $2 ")" }' >expected
   section METRICS <shown | terms '[a-z-]+\.[a-z-]+ \([a-z]+\)' | diff expected -
   section SCHEMA <shown | sed -n '/<?xml/,$s/^ *//p' | sed '/^$/d' >grammar
   sed 's/^ *//' "$abs_top_srcdir/docs/profmem-report.rng" | sed '/^$/d' | diff - grammar
   for document in report limits; do
      # Word by word; titles are in capitals there.
      page "profmem-$document.5" | tr -cs '[:alnum:]' '\n' | tr a-z A-Z | sort -u >words
      sed -e 1d -e 's/\[\([^]]*\)\]([^)]*)/\1/g' \
         "$abs_top_srcdir/docs/profmem-$document-format.md" | tr -cs '[:alnum:]' '\n' |
         tr a-z A-Z | sed '/^$/d' | sort -u | comm -23 - words >missing
      [ ! -s missing ] || fail "profmem-$document(5) lacks: $(cat missing)"
   done
}

# What a reader has: the programs by their names, two reports, the grammar, and the program
# of profmem(1).
reader()
{
   mkdir bin folder
   ln -s "$PROFMEM" bin/profmem
   printf '#!/bin/sh\nexec %s --command-line-only=yes "$@"\n' "$VALGRIND" >bin/valgrind
   printf '#!/bin/sh\nexec %s "$@"\n' "$PM_CC" >bin/cc
   chmod +x bin/valgrind bin/cc
   export PATH=$PWD/bin:$PATH VALGRIND_LIB=$PROFMEM_VALGRIND_LIB
   unset COLUMNS NO_COLOR
   cp "$fixtures/good/good-diff-old.xml" folder/old.xml
   cp "$fixtures/good/good-diff-new.xml" folder/new.xml
   cp "$abs_top_srcdir/docs/profmem-report.rng" folder
   python3 "$abs_top_srcdir/tests/docs/follow_document.py" --files "$sources/profmem.1.md" folder
   (cd folder && cc -g -O1 -fno-inline -o copies copies.c)
}

# PROFMEM_UPDATE_GOLDEN=1 make check puts what differs into the pages; then git diff shows it.
@test "the examples of every page print what it says" {
   reader
   for name in $(names); do
      cp -r folder "$name"
      python3 "$abs_top_srcdir/tests/docs/follow_document.py" \
         ${PROFMEM_UPDATE_GOLDEN:+--update} "$sources/$name.md" "$name" >said || fail "$(cat said)"
      [ "$(grep -c '^0 commands' said)" -eq 0 ] || fail "$name has no example"
   done
}

plain_make()
{
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s "$@"
}

# configured FOLDER OPTIONS...: configures the release there, without a converter.
configured()
{
   local folder=$1
   shift
   mkdir "$folder"
   (cd "$folder" && ../release/configure "$@" LOWDOWN=false >log 2>&1) ||
      fail "$(tail "$folder/log")"
}

@test "a release has the pages and installs them without lowdown; a checkout is built without" {
   plain_make -C "$abs_top_builddir" distdir distdir="$PWD/release" >&2
   chmod -R u+w release
   for name in $(names); do
      cmp "$(page_file "$name")" "release/docs/man/$name"
   done

   configured of-release
   ! grep 'no manual pages' of-release/log || fail "a release has the pages"
   plain_make -C of-release install-man DESTDIR="$PWD/stage" prefix=/usr
   (cd stage/usr/share/man && find . -type f) | sed 's,.*/,,' | sort >installed
   names | sort | diff - installed
   [ -f stage/usr/share/man/man5/profmem-report.5 ]
   plain_make -C of-release uninstall-man DESTDIR="$PWD/stage" prefix=/usr
   [ -z "$(find stage ! -type d)" ]

   # The tool alone, without the program.
   configured of-tool --disable-reports
   plain_make -C of-tool install-man DESTDIR="$PWD/stage" prefix=/usr
   [ "$(find stage ! -type d | sed 's,.*/,,' | sort | xargs)" = \
      'profmem-report.5 valgrind-profmem.1' ]
   rm -r stage
   # What is released does not depend on that.
   plain_make -C of-tool distdir distdir="$PWD/again" >&2
   chmod -R u+w again
   (cd again/docs/man && printf '%s\n' *.[15]) | diff <(names) -

   rm release/docs/man/*.[15]
   configured of-checkout --disable-reports
   [ "$(grep -c 'no manual pages without: lowdown (Debian: lowdown)' of-checkout/log)" -eq 1 ]
   plain_make -C of-checkout install-man DESTDIR="$PWD/stage" prefix=/usr
   [ ! -e stage ] || [ -z "$(find stage ! -type d)" ]
   # But not released.
   ! plain_make -C of-checkout distdir 2>said || fail "it was released without pages"
   grep -qx 'make dist needs lowdown, which the manual pages are made with' said
}
