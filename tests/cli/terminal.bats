#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# terminal.bats: what the width of a line and color change, on terminals and elsewhere.

load cli

# The longest line of the tables, which are what must fit: sentences are left to the terminal.
widest()
{
   sed -e 's/\x1b\[[0-9]*m//g' -e '/^[a-z]/d' -e '/^  \[[0-9]*\] /d' out |
      awk '{ if (length($0) > most) most = length($0) } END { print most }'
}

@test "lines are as long as they need to be in a pipe, and as COLUMNS says" {
   profmem show -p program good/good-many-sites.xml
   check_golden width-none.txt
   for width in 120 80 60; do
      COLUMNS=$width profmem show -p program good/good-many-sites.xml
      check_status 0
      check_golden "width-$width.txt"
      [ "$(widest)" -le "$width" ] || fail "$(widest) columns: $(cat out)"
   done
}

@test "pairs, lines, histograms and the timeline fit the line, too" {
   profmem show -lHt -p program good/good-shape.xml
   check_golden shape-width-none.txt
   for width in 120 80 60; do
      COLUMNS=$width profmem show -lHt -p program good/good-shape.xml
      check_status 0
      check_golden "shape-width-$width.txt"
      [ "$(widest)" -le "$width" ] || fail "$(widest) columns: $(cat out)"
   done
   export TERM=xterm
   on_terminal 80 show -lHt -p program good/good-shape.xml
   [ "$(grep -o $'\e\\[[12]m' out | wc -l)" -eq "$(grep -o $'\e\\[0m' out | wc -l)" ]
   grep -q $'^\e\\[1mresizes of phase program\e\\[0m, by' out
   sed -i 's/\x1b\[[0-9]*m//g' out
   check_golden shape-width-80.txt
   NO_COLOR=1 on_terminal 80 show -lHt -p program good/good-shape.xml
   check_golden shape-width-80.txt
}

@test "a width that is too small for anything, or is none" {
   COLUMNS=40 profmem show good/good-many-sites.xml
   cp out narrow
   for width in 1 2 39; do
      COLUMNS=$width profmem show good/good-many-sites.xml
      check_status 0
      cmp narrow out
   done
   profmem show good/good-many-sites.xml
   cp out unlimited
   for width in "" 0 -1 80x 99999999999999999999 100000; do
      COLUMNS=$width profmem show good/good-many-sites.xml
      check_status 0
      cmp unlimited out || fail "COLUMNS='$width'"
   done
}

@test "no number is lost in a narrow line" {
   numbers() { sed -e '/^  *[a-z].*(.*)$/d' out | grep -o -E '[0-9][0-9,]*' | sort -u; }
   for report in many-sites shape; do
      profmem show -lHt -p program "good/good-$report.xml"
      numbers >unlimited
      for width in 40 50 64 100; do
         COLUMNS=$width profmem show -lHt -p program "good/good-$report.xml"
         numbers | comm -23 unlimited - >lost
         [ ! -s lost ] || fail "$width: $(cat lost)"
      done
   done
}

@test "a terminal's own width is taken, or 80 if it has none" {
   export NO_COLOR=1
   for width in 60 120; do
      on_terminal $width show -p program good/good-many-sites.xml
      [ "$status" -eq 0 ]
      check_golden "width-$width.txt"
   done
   on_terminal 0 show -p program good/good-many-sites.xml
   check_golden width-80.txt
   COLUMNS=80 on_terminal 120 show -p program good/good-many-sites.xml
   check_golden width-80.txt
}

@test "color on a terminal only, and only where it is wanted" {
   TERM=xterm on_terminal 80 show -p program good/good-many-sites.xml
   grep -q $'^\e\\[1msites of phase program\e\\[0m, by' out
   cp out colored
   sed 's/\x1b\[[0-9]*m//g' colored >out
   check_golden width-80.txt
   # Nothing stays switched on.
   [ "$(grep -o $'\e\\[[12]m' colored | wc -l)" -eq "$(grep -o $'\e\\[0m' colored | wc -l)" ]
   [ "$(tail -n 1 colored | tr -cd '\033' | wc -c)" -eq 0 ] || tail -n 1 colored | grep -q $'\e\\[0m'

   TERM=xterm NO_COLOR=1 on_terminal 80 show -p program good/good-many-sites.xml
   check_golden width-80.txt
   TERM=dumb on_terminal 80 show -p program good/good-many-sites.xml
   check_golden width-80.txt
   TERM= on_terminal 80 show -p program good/good-many-sites.xml
   check_golden width-80.txt
   TERM=xterm NO_COLOR= on_terminal 80 show -p program good/good-many-sites.xml
   cmp colored out
   TERM=xterm profmem show -p program good/good-many-sites.xml
   check_golden width-none.txt
}

@test "one number is one number on a terminal, too" {
   TERM=xterm on_terminal 80 show --metric heap.peak good/good-many-sites.xml
   check_out 75000
}

# What a terminal would obey: escape sequences, also those that begin with a C1 control.
obeyed()
{
   LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]\\|\xc2[\x80-\x9f]' "$1"
}

@test "formats for other programs do nothing to a terminal either" {
   report=good/good-hostile-names.xml
   obeyed "$fixtures/$report" || fail "the report has no control character"
   for format in json csv openmetrics bencher benchmark-action folded speedscope callgrind; do
      profmem export -f $format $report
      check_status 0
      cp out file
      on_terminal 80 export -f $format $report
      check_status 0
      if obeyed out; then
         fail "$format"
      fi
      # Otherwise it is the same, and a file has the names as they are.
      [ "$(wc -l <out)" -eq "$(wc -l <file)" ]
   done
   profmem export -f csv $report
   obeyed out || fail "a file has other names"
   on_terminal 80 html $report
   check_status 0
   if obeyed out; then
      fail "html"
   fi
}

# The referee is Unicode, as perl has it. U+FFFE and the like are no characters of XML.
@test "characters that show nothing are written out" {
   perl -CS -e 'for (0x80 .. 0xD7FF, 0xE000 .. 0xFFFD, 0x10000 .. 0xE0FFF) {
      print chr if chr =~ /\p{Default_Ignorable_Code_Point}|\p{Cc}|\p{Zl}|\p{Zp}/ }' >hidden
   [ "$(perl -CS -ne 'print length' hidden)" -gt 4000 ]
   { printf 's|\./small|'; cat hidden; printf '|'; } >edit
   sed -f edit "$fixtures/good/good-small.xml" >hidden.xml
   "$PROFMEM" show hidden.xml >out
   head -n 1 out | grep -q '^command .*u{85}.*u{34f}.*u{3164}.*u{fe0f}.*u{e0fff}'
   perl -CS -ne 'die sprintf("U+%04X\n", ord $1)
      if /((?!\n)[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}])/' out
   # What shows something stays.
   sed 's|\./small|./größe 漢字|' "$fixtures/good/good-small.xml" >shown.xml
   "$PROFMEM" show shown.xml | head -n 1 | grep -q größe
}

@test "a verdict on a terminal: names that leave no room for numbers lose their middle" {
   name="ns::table\\&lt;std::string, std::vector\\&lt;double>>::insert_or_assign(std::string, int) const"
   sed "s/phase name=\"pool\"/phase name=\"$name\"/" "$fixtures/limits/new.xml" >long.xml
   for width in 60 80 100 120; do
      status=0
      COLUMNS=$width "$PROFMEM" check -L '* heap.peak <= 100' long.xml >out 2>err || status=$?
      check_status 1
      # The tables; the sentences behind them have the name in full.
      sed -n '1,/^--limit/p' out | sed '$d' >tables
      [ "$(wc -L <tables)" -le "$width" ] || fail "$width: $(cat tables)"
      grep -q '^  FAIL  "ns::table.*[.][.][.].*const" heap[.]peak  *128' tables ||
         fail "$width: $(cat tables)"
      grep -q -F 'insert_or_assign(std::string, int) const" heap.peak is 128' out
   done
   "$PROFMEM" check -L '* heap.peak <= 100' long.xml >out && fail "it holds"
   grep -q '^  FAIL  "ns::table.*insert_or_assign.*const" heap[.]peak  *128' out
}
