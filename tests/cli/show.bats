#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# show.bats: what `profmem show` shows.

load cli

@test "a report: phases, sites, functions" {
   for report in hello lists instances; do
      profmem show "good/good-$report.xml"
      check_status 0
      check_err ""
      check_golden "show-$report.txt"
   done
}

@test "several phases: a tree, reasons, stability, the largest numbers" {
   profmem show good/good-phases.xml
   check_status 0
   check_err ""
   check_golden show-phases.txt
}

@test "every metric" {
   for report in hello phases stripped; do
      profmem show --metrics "good/good-$report.xml"
      check_status 0
      check_err ""
      check_golden "metrics-$report.txt"
   done
}

@test "an allocator that was not found is unavailable, never 0" {
   profmem show good/good-stripped.xml
   check_status 0
   check_golden show-stripped.txt
   grep -E '^  program +1 +\[1\] +\[1\] +\[1\] +\[1\] ' out
   profmem show --metrics good/good-stripped.xml
   if grep -E '^  (heap|allocations)\.[a-z-]+ +0' out; then
      fail "0 where nothing was measured"
   fi
}

@test "hostile names reach no terminal unescaped" {
   for options in "" --metrics --phase=program --phase=$'\n'; do
      profmem show ${options:+"$options"} good/good-hostile-names.xml
      check_status 0
      # Oracle: Python's idea of what is printable.
      python3 - out <<'END'
import sys
text = open(sys.argv[1], 'rb').read().decode('utf-8')
assert all(c.isprintable() or c == '\n' for c in text), [c for c in text if not c.isprintable()]
assert not any(c in '\u202e\u2066\u200b\ufeff' for c in text)
END
   done
   profmem show good/good-hostile-names.xml
   check_golden show-hostile-names.txt
}

@test "hostile names in messages are escaped, too" {
   profmem show --phase $'p\e[31m\u202e' good/good-small.xml
   check_status 1
   check_err "profmem: error: good/good-small.xml: has no phase 'p\\x1b[31m\\u{202e}'"
   profmem show $'no\e[2Jfile\xff'
   check_status 2
   check_err "profmem: error: no\\x1b[2Jfile\\xff: cannot be opened: No such file or directory"
}

@test "one phase alone" {
   profmem show --phase "parse file" good/good-phases.xml
   check_status 0
   check_golden show-phase.txt
   profmem show -p "parse file" good/good-phases.xml
   check_golden show-phase.txt
   profmem show --metrics --phase "parse file" good/good-phases.xml
   check_status 0
   check_golden metrics-phase.txt
   profmem show -M -p "parse file" good/good-phases.xml
   check_golden metrics-phase.txt
}

# A phase of six sites and six functions, none of which is first in all that counts.
@test "sites by each key, and as many as wanted" {
   for key in peak traffic temporary retained; do
      profmem show --sort "$key" --top 2 --phase program good/good-many-sites.xml
      check_status 0
      check_golden "sort-$key.txt"
   done
   profmem show -p program good/good-many-sites.xml
   cp out default
   profmem show -p program -s peak -n 10 good/good-many-sites.xml
   cmp default out
   profmem show -p program --top 0 good/good-many-sites.xml
   check_golden top-0.txt
   profmem show -p program --top 18446744073709551615 good/good-many-sites.xml
   [ "$(grep -c '^   *[0-9]*\. ' out)" -eq 4 ]
}

@test "what is shown and what is left over add up, whatever is shown" {
   for top in 0 1 2 3 4 5 6 7 100; do
      for key in peak:75000 traffic:999999 temporary:60 retained:4100; do
         profmem show -p program -n "$top" -s "${key%:*}" good/good-many-sites.xml
         awk -v whole="${key#*:}" '
            /^functions/ { exit }
            { n = /other site/ ? last : $2; last = $1 }
            /^   *[0-9]+\. |other site/ { gsub(",", "", n); sum += n }
            END { exit sum != whole }' out || fail "$top $key: $(cat out)"
      done
      profmem show -p program -n "$top" good/good-many-sites.xml
      sed -n '/^functions/,/^threads/s/^  *\([0-9,]*\) .*/\1/p' out | tr -d , |
         awk '{ sum += $1 } END { exit sum != 1000000 }' || fail "$top: $(cat out)"
      sed -n '/^threads/,$s/^  [0-9]\( others*\)*  *\([0-9,]*\) .*/\2/p' out | tr -d , |
         awk '{ sum += $1 } END { exit sum != 1000000 }' || fail "$top: $(cat out)"
   done
}

@test "pairs of sites where there are any; lines, histograms, timeline where they are wanted" {
   profmem show good/good-shape.xml
   check_status 0
   check_golden show-shape.txt
   profmem show --lines --histograms --timeline good/good-shape.xml
   check_status 0
   check_err ""
   check_golden show-shape-all.txt
   profmem show -l -H -t good/good-shape.xml
   check_golden show-shape-all.txt
   profmem show --phase idle -lHt good/good-shape.xml
   check_golden show-shape-idle.txt
   profmem show --phase bare -lHt good/good-shape.xml
   for what in sites functions lines sizes lifetimes; do
      grep -x "$what of phase bare: not in the report" out
   done
   # What is wanted stands besides what is shown anyway.
   profmem show good/good-shape.xml
   cp out default
   profmem show -lHt good/good-shape.xml
   [ "$(diff default out | grep -c '^<')" -eq 0 ]
   profmem show -t good/good-hello.xml
   check_status 0
   grep -x 'timeline of the run: not in the report' out
   sed '/<point /d' "$fixtures/good/good-shape.xml" >pointless.xml
   profmem show -t "$PWD/pointless.xml"
   check_status 0
   grep -x 'timeline of the run: no points' out
}

@test "lines that the tool did not tell apart are said to be missing, and why" {
   sed -e '/^      <lines>/,/^      <\/lines>/d' -e '/^  <lines>/,/^  <\/lines>/d' \
      -e '/^<\/profmem>/i <lines unavailable="lines were not told apart: --lines=no"/>' \
      "$fixtures/good/good-shape.xml" >without.xml
   profmem validate "$PWD/without.xml"
   check_status 0
   profmem show --lines "$PWD/without.xml"
   check_status 0
   grep -x 'lines of phase program: unavailable: lines were not told apart: --lines=no' out
   profmem show "$PWD/without.xml"
   if grep '^lines' out; then fail "lines that nobody asked for"; fi
}

# sum FIRST LAST: the first numbers of the table's rows between these two titles.
sum()
{
   sed -n "/^$1/,/^$2/s/^  *\([0-9]*\. \)\{0,1\} *\([0-9][0-9,]*\)  .*/\2/p" out | tr -d , |
      awk '{ sum += $1 } END { print sum + 0 }'
}

@test "pairs and lines that are shown and what is left over add up" {
   for top in 0 1 2 3 4 5 100; do
      profmem show -l -n "$top" good/good-shape.xml
      [ "$(sum resizes releases)" -eq 7248 ] || fail "$top: $(cat out)"
      [ "$(sum releases functions)" -eq 4000 ] || fail "$top: $(cat out)"
      [ "$(sum lines no)" -eq 40000 ] || fail "$top: $(cat out)"
   done
}

# timeline_report POINTS: live bytes go up and down over so many points of 10 instructions.
timeline_report()
{
   sed '/<\/phases>/,$d' "$fixtures/good/good-small.xml"
   printf '</phases>\n<timeline interval-instructions="10">\n'
   awk -v points="$1" 'BEGIN {
      srand(points)
      for (p = 0; p < points; p++) {
         last = int(rand() * 100000)
         most = (last > before ? last : before) + int(rand() * 1000)
         printf "<point most-bytes=\"%d\" last-bytes=\"%d\"/>\n", most, last
         before = last
      }
   }'
   printf '</timeline></profmem>\n'
}

# Oracle: the same in Python.
@test "a timeline of any length is at most 20 rows that lose no maximum" {
   for points in 1 2 19 20 21 39 40 41 400 1000 1001; do
      timeline_report $points >long.xml
      profmem show --timeline "$PWD/long.xml"
      check_status 0
      sed -n '/^timeline/,/^$/p' out >timeline
      python3 - timeline long.xml <<'END'
import re, sys
rows = [re.sub(r'[0-9.]+ [KMG]iB', '', line).replace(',', '').replace('#', '').split()
        for line in open(sys.argv[1]) if re.match(r'  +[0-9]', line)]
rows = [tuple(map(int, row)) for row in rows]
points = [tuple(map(int, found))
          for found in re.findall(r'most-bytes="(\d+)" last-bytes="(\d+)"', open(sys.argv[2]).read())]
assert 1 <= len(rows) <= 20 and len(rows) >= min(len(points), 11), len(rows)
size = rows[1][0] // 10 if len(rows) > 1 else len(points)
groups = [points[i:i + size] for i in range(0, len(points), size)]
expected = [(10 * size * i, max(most for most, last in group), group[-1][1])
            for i, group in enumerate(groups)]
assert rows == expected, (rows, expected)
END
   done
}

@test "bars are as long as their numbers are to the largest" {
   profmem show -H -t good/good-shape.xml
   grep -E '^  +64 +127 +4 +28\.6%  #{20}$' out
   grep -E '^  +4 +7 +2 +14\.3%  #{10}$' out
   grep -E '^  +0 +0 +1 +7\.1%  #{5}$' out
   grep -E '^  +3,072 +5,200  5\.08 KiB  #{50} +2,128$' out
   # 4,196 of 5,200 are 40.3 of 50; less than one is one, nothing is none.
   grep -E '^  +2,048 +4,196  4\.10 KiB  #{40} +4,196$' out
   grep -E '^  +1,024 +100 +# +100$' out
   grep -E '^  +0 +0 +0$' out
}

@test "phases in a circle are all shown, once each" {
   {
      sed '/<\/phases>/,$d' "$fixtures/good/good-small.xml"
      printf '<phase name="%s" kind="request" instances="0" complete="yes" parent="%s"/>\n' \
         a c b a c b self self inner self orphan gone under program
      printf '</phases></profmem>\n'
   } >circle.xml
   profmem show "$PWD/circle.xml"
   check_status 0
   sed -n '/^  phase /,/^  \[1\] /s/^\(  *[a-z]*\)  *[0-9] .*/\1/p' out >tree
   diff - tree <<'END'
  program
    under
  orphan
  a
    b
      c
  self
    inner
END
}

@test "phases nested as deep as there are phases" {
   {
      sed '/<\/phases>/,$d' "$fixtures/good/good-small.xml"
      awk 'BEGIN {
         last = "program"
         for (p = 0; p < 20000; p++) {
            printf "<phase name=\"p%d\" kind=\"request\" instances=\"0\" complete=\"yes\" parent=\"%s\"/>\n", p, last
            last = "p" p
         }
      }'
      printf '</phases></profmem>\n'
   } >deep.xml
   profmem show "$PWD/deep.xml"
   check_status 0
   [ "$(grep -c '^  *p[0-9]* ' out)" -eq 20000 ]
   [ "$(wc -c <out)" -lt 5000000 ]
}

@test "names that look like the table itself are quoted" {
   {
      sed '/<\/phases>/,$d' "$fixtures/good/good-small.xml"
      printf '<phase name="%s" kind="request" instances="0" complete="yes"/>\n' \
         '' ' ' '  x' 'x ' 'two words' "'"
      printf '</phases></profmem>\n'
   } >blanks.xml
   profmem show "$PWD/blanks.xml"
   check_status 0
   sed -n -e "/^  program /d" -e "s/^  \(.*[^ ]\)  *0 .*/\1/p" out >names
   diff - names <<'END'
''
' '
'  x'
'x '
two words
'
END
}

# A log of GitHub Actions is read by a runner that looks for commands at the beginning of lines.
@test "no name of a phase or a function begins a line as a command" {
   sed -e 's/<phase name="parse file"/<phase name="::error::parse"/' \
      -e 's/function="[^"]*"/function="::warning::function"/' \
      -e 's/<function \(.*\)name="[^"]*"/<function \1name="::notice::name"/' \
      "$fixtures/good/good-phases.xml" >commands.xml
   sed 's/name="clock only"/name="::error::clock"/' \
      "$fixtures/good/good-outside.xml" >outside.xml
   for report in commands.xml outside.xml; do
      [ "$(grep -c '"::' $report)" -ge 1 ]
      for arguments in "" --metrics "--phase ::error::parse" --lines "--top 1000"; do
         # shellcheck disable=SC2086
         profmem show $arguments "$PWD/$report"
         if grep -E '^ *::' out; then fail "show $arguments $report"; fi
      done
      profmem diff -u --all "$PWD/$report" good/good-hello.xml
      if grep -E '^ *::' out; then fail "diff $report"; fi
   done
   profmem show "$PWD/commands.xml"
   grep -q -E "^ *'::error::parse' " out
   grep -q -E "^ *'::warning::function' \(" out
   profmem show "$PWD/outside.xml"
   grep -q "^  '::error::clock': " out
}

@test "lists that the report has not are said to be missing, and why" {
   sed -e '/<sites>/,/<\/functions>/d' -e '/<\/phases>/a <sites unavailable="call chains were not taken: --stacks=no"/>' \
      "$fixtures/good/good-lists.xml" >without.xml
   profmem show "$PWD/without.xml"
   check_status 0
   grep -x 'sites of phase program: unavailable: call chains were not taken: --stacks=no' out
   grep -x 'functions of phase program: not in the report' out
}

@test "one number alone, of program unless a phase is named" {
   profmem show --metric heap.peak good/good-hello.xml
   check_status 0
   check_out 1540
   check_err ""
   profmem show --metric=heap.peak --phase="parse file" good/good-phases.xml
   check_out 4096
   profmem show -m heap.peak good/good-phases.xml
   check_out 18446744073709551615
   profmem show -m heap.resized good/good-phases.xml
   check_out -9223372036854775808
   profmem show -m heap.entry -m heap.exit -p never -p program good/good-phases.xml
   check_out 1048575
}

@test "one number alone is what xmllint finds under the documented path" {
   for metric in $(xmllint --xpath "//phase[@name='program']/metric/@name" \
      "$fixtures/good/good-hello.xml" | sed 's/.*"\(.*\)"/\1/'); do
      profmem show --metric "$metric" --phase program good/good-hello.xml
      check_status 0
      check_out "$(xmllint --xpath \
         "string(//phase[@name='program']/metric[@name='$metric']/@value)" \
         "$fixtures/good/good-hello.xml")"
   done
   [ "$metric" = syscalls.count ]
}

@test "an unavailable metric is 1 with the reason, nothing on stdout" {
   profmem show --metric heap.peak good/good-stripped.xml
   check_status 1
   check_out ""
   check_err "profmem: error: good/good-stripped.xml: heap.peak of phase 'program' is unavailable: no allocation function found in any mapped object; add --alloc-fn=KIND:NAME if the program has its own"
   profmem show --metric heap.peak --phase never good/good-phases.xml
   check_status 1
   check_out ""
   check_err "profmem: error: good/good-phases.xml: heap.peak of phase 'never' is unavailable: the phase was never entered"
}

@test "a phase that the report has not is 1, with the nearest name" {
   profmem show --metric heap.peak --phase "parse-file" good/good-phases.xml
   check_status 1
   check_out ""
   check_err "profmem: error: good/good-phases.xml: has no phase 'parse-file'; did you mean 'parse file'?"
   profmem show --phase load good/good-phases.xml
   check_status 1
   check_err "profmem: error: good/good-phases.xml: has no phase 'load'"
}

@test "a metric that the phase does not list is 1, one that does not exist is 2" {
   profmem show --metric pool.peak good/good-small.xml
   check_status 1
   check_out ""
   check_err "profmem: error: good/good-small.xml: phase 'program' does not list the metric 'pool.peak'"
   profmem show --metric heap.peek good/good-small.xml
   check_status 2
   check_out ""
   check_err "profmem: error: there is no metric 'heap.peek'; did you mean 'heap.peak'?"
   profmem show --metric latency good/good-small.xml
   check_status 2
   check_err "profmem: error: there is no metric 'latency'; \`profmem help metrics\` lists them"
}

@test "a newer report's metrics, elements and attributes are no obstacle" {
   profmem show --metric heap.summit bad/bad-schema-unknown-metric.xml
   check_status 0
   check_out 64
   for new in unknown-element unknown-attribute unknown-phase-kind end-of-other-kind; do
      profmem show --metric heap.peak "bad/bad-schema-$new.xml"
      check_status 0
      check_out 64
   done
   profmem show bad/bad-schema-end-of-other-kind.xml
   grep -x 'end         unknown: upload' out
}

@test "options that do not go together, and arguments that are none" {
   for case in "--top=x|--top: 'x' is not a number" "--top=|--top: '' is not a number" \
      "--top=-1|--top: '-1' is not a number" \
      "--top=18446744073709551616|--top: '18446744073709551616' is not a number" \
      "--sort=peek|--sort: no 'peek'; did you mean 'peak'?" "--sort=colour|--sort: no 'colour'" \
      "--metric=heap.peak --metrics|--metric and --metrics do not go together" \
      "--metrics --top=1|--top is for lists, which --metrics does not show" \
      "--metrics --lines|--lines is for lists, which --metrics does not show" \
      "--metrics --histograms|--histograms is for lists, which --metrics does not show" \
      "--timeline --metric=heap.peak|--timeline is for lists, which --metric does not show" \
      "--metric=heap.peak --sort=peak|--sort is for lists, which --metric does not show"; do
      # shellcheck disable=SC2086 # several options
      profmem show ${case%%|*} good/good-lists.xml
      check_status 2
      check_out ""
      check_err "profmem: error: ${case#*|}
Try 'profmem help show'."
   done
}

@test "standard input is read as -" {
   "$PROFMEM" show --metric heap.peak - <"$fixtures/good/good-hello.xml" >out
   check_out 1540
   cat "$fixtures/good/good-hello.xml" | "$PROFMEM" show --metric heap.exit - >out
   check_out 1024
   cat "$fixtures/good/good-hello.xml" | "$PROFMEM" show --metric heap.exit /dev/stdin >out
   check_out 1024
}

@test "what came from outside, what was fixed, and what was not the same in another run" {
   profmem show good/good-outside.xml
   check_status 0
   check_golden show-outside.txt
   # Of one phase alone.
   profmem show --phase "clock only" good/good-outside.xml
   grep -qx "  'clock only': 1 clock read" out
   profmem show --phase quiet good/good-outside.xml
   [ "$(grep -c outside out)" -eq 0 ]
   profmem validate good/good-outside.xml
   check_status 0
}
