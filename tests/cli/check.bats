#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# check.bats: `profmem check`: its verdicts, its reasons, and what it refuses.
#
# That each form of limit means what it says is shown by limits_model.py, with Python's
# integers and fractions; what other programs read of the verdicts by check_formats.py.

load cli

# A python3 that has the readers; Debian's own has them if another one comes first.
reader=python3
python3 -c 'import junitparser' 2>/dev/null || reader=/usr/bin/python3

# check STATUS ARGS...: in the folder of the fixtures for limits.
check()
{
   local wanted=$1
   shift
   status=0
   (cd "$fixtures/limits" && exec "$PROFMEM" check "$@") >out 2>err || status=$?
   check_status "$wanted"
}

# check_golden_err NAME: the same of stderr.
check_golden_err()
{
   if [ -n "${PROFMEM_UPDATE_GOLDEN-}" ]; then
      cp err "$golden/$1"
   fi
   diff -u "$golden/$1" err >&2 || fail "stderr differs from golden/$1"
}

@test "every form of limit, at, below and above its bound, as exact arithmetic has it" {
   python3 "$abs_top_srcdir/tests/cli/limits_model.py" bounds "$PROFMEM" .
}

@test "wildcards find the phases that a regular expression finds" {
   python3 "$abs_top_srcdir/tests/cli/limits_model.py" wildcards "$PROFMEM" .
}

@test "what is taken for a limit is what the grammar says" {
   python3 "$abs_top_srcdir/tests/cli/limits_model.py" grammar "$PROFMEM" .
}

@test "limits that hold are 0, and the verdict says what was measured and allowed" {
   check 0 -l hold.txt -b old.xml new.xml
   check_err ""
   check_golden check-hold.txt
}

@test "limits that do not hold are 1, each with its reason and how much it is off" {
   check 1 -l fail.txt -b old.xml new.xml
   check_err ""
   check_golden check-fail.txt
}

@test "one limit that does not hold is enough" {
   for line in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
      sed -n "${line}p" "$fixtures/limits/fail.txt" >one.txt
      check 1 -l hold.txt -l "$BATS_TEST_TMPDIR/one.txt" -b old.xml new.xml
      grep -q "one.txt:1: FAIL: " out
   done
}

@test "a limit that only warns is told and is 0, whatever is wrong with it" {
   check 0 -L 'pool heap.peak <= 127 warn' new.xml
   grep -q "^--limit:1: warn: pool heap.peak is 128; allowed: at most 127, 1 too much (+0.79%)" out
   check 0 -L 'nothing heap.peak <= 127 warn' new.xml
   grep -q "^--limit:1: warn: nothing heap.peak: the report has no such phase$" out
}

@test "what the report itself tells of as an error is 1, with limits that hold" {
   check 1 -L '* heap.peak >= 0' errors.xml
   check_golden check-errors.txt
   check 1 -L '* heap.peak >= 0 warn' errors.xml
}

@test "errors of the baseline are not the run's" {
   check 0 -L '* heap.peak +0' -b errors.xml -u "$fixtures/limits/errors-corrected.xml"
}

# ended NAME END...: the report new.xml as NAME, of a program with this end.
ended()
{
   sed "s,<end kind=\"exit\" status=\"0\"/>,<end $2/>," "$fixtures/limits/new.xml" >"$1"
   grep -q -F "<end $2/>" "$1" || fail "no such end: $2"
   "$PROFMEM" validate "$1"
}

@test "a program that crashed does not pass with what it did until then" {
   local number name
   while read -r number name; do
      ended crashed.xml "kind=\"signal\" signal=\"$number\" name=\"$name\""
      check 1 -L '* heap.peak >= 0 warn' "$BATS_TEST_TMPDIR/crashed.xml"
      grep -q "crashed.xml: FAIL: the run: the program's end was signal $number ($name)$" out
      # As the baseline did: no program's numbers either.
      check 1 -L '* heap.peak >= 0 warn' -b "$BATS_TEST_TMPDIR/crashed.xml" \
         "$BATS_TEST_TMPDIR/crashed.xml"
   done <<'END'
3 SIGQUIT
4 SIGILL
6 SIGABRT
7 SIGBUS
8 SIGFPE
11 SIGSEGV
31 SIGSYS
END
}

@test "another end of the program is told, and is 1 where the baseline's was not that" {
   local end text
   while IFS='|' read -r end text; do
      ended other.xml "$end"
      check 0 -L 'program heap.peak >= 0' "$BATS_TEST_TMPDIR/other.xml"
      if [ "${end#*exit}" = "$end" ]; then
         grep -q "^$BATS_TEST_TMPDIR/other.xml: 2 checks, 1 warns$" out
         grep -q -F "other.xml: warn: the run: the program's end was $text" out
      else
         # That is for whoever ran it to judge.
         grep -q "^$BATS_TEST_TMPDIR/other.xml: 1 check, which holds$" out
      fi
      for format in junit markdown github; do
         check 0 -L 'program heap.peak >= 0' -f $format "$BATS_TEST_TMPDIR/other.xml"
      done
      check 1 -L 'program heap.peak >= 0' -b new.xml "$BATS_TEST_TMPDIR/other.xml"
      grep -q -F "FAIL: the run: the program's end was exit status 0 in the baseline, $text here" out
      check 1 -L 'program heap.peak >= 0' -b "$BATS_TEST_TMPDIR/other.xml" new.xml
      grep -q -F "FAIL: the run: the program's end was $text in the baseline, exit status 0 here" out
      check 0 -L 'program heap.peak >= 0' -b new.xml -u "$BATS_TEST_TMPDIR/other.xml"
      grep -q -F "warn: the run: the program's end was exit status 0 in the baseline, $text here" out
      check 0 -L 'program heap.peak >= 0' -b "$BATS_TEST_TMPDIR/other.xml" \
         "$BATS_TEST_TMPDIR/other.xml"
      if grep "the program's end" out; then
         fail "it is the baseline's: $end"
      fi
   done <<'END'
kind="exit" status="3"|exit status 3
kind="signal" signal="15" name="SIGTERM"|signal 15 (SIGTERM)
kind="exec" path="./other"|exec of ./other
kind="unknown" reason="a snapshot"|unknown: a snapshot
END
}

@test "ends are told in formats that programs read" {
   ended term.xml 'kind="signal" signal="15" name="SIGTERM"'
   formats 0 -L 'program heap.peak >= 0' "$BATS_TEST_TMPDIR/term.xml"
   ended abort.xml 'kind="signal" signal="6" name="SIGABRT"'
   formats 1 -L 'program heap.peak >= 0' "$BATS_TEST_TMPDIR/abort.xml"
}

@test "totals of a phase that overlapped with itself are refused, unless they are accepted" {
   check 1 -L 'pool allocations.count <= 8' new.xml
   grep -q "pool allocations.count is 8: instances of the phase overlapped" out
   check 0 -L 'pool allocations.count <= 8 overlapping' new.xml
   check 1 -L 'pool allocations.count <= 7 overlapping' new.xml
   check 0 -L 'pool heap.peak <= 128' new.xml
}

@test "a wildcard that finds nothing is 1; a phase that only the baseline has, too" {
   check 1 -L 'no* heap.peak <= 1' new.xml
   grep -q "no phase of the report matches no\*" out
   check 1 -L 'g* heap.peak +0' -b old.xml new.xml
   grep -q "gone heap.peak: the report has no such phase, the baseline has" out
}

@test "a value that is not stable does not pass, here or in the baseline" {
   check 1 -L '"parse file" instructions.total <= 1M' new.xml
   grep -q "not stable: another, identical run differed by 12" out
   check 1 -L '"parse file" instructions.total +1M' -b new.xml old.xml
   grep -q "in the baseline: not stable" out
   check 0 -L '"parse file" instructions.total <= 1M' -b new.xml old.xml
}

@test "an unavailable value does not pass, not even at least 0" {
   check 1 -L 'idle heap.peak >= 0' new.xml
   grep -q "idle heap.peak: unavailable: the phase was never entered" out
}

@test "mistakes in limits are 2, all of them, with line, column and what was expected" {
   check 2 -l bad.txt new.xml
   check_out ""
   check_golden_err check-bad-err.txt
   check 2 -L 'program heap.peak <= 1' -L 'program heap.peek <= 1' -L 'x' new.xml
   check_err "profmem: error: --limit:2:9: expected a metric, such as 'heap.peak', not 'heap.peek'
profmem: error: --limit:3:2: expected a metric"
}

@test "files of limits that cannot be read, or have none, are 2" {
   check 2 -l nothing.txt new.xml
   check_err "profmem: error: nothing.txt: cannot be opened: No such file or directory"
   check 2 -l . new.xml
   check_err "profmem: error: .: cannot be read: Is a directory"
   printf '# nothing\n\n' >none.txt
   check 2 -l "$BATS_TEST_TMPDIR/none.txt" new.xml
   grep -q "none.txt: has no limits" err
   check 2 -L '# nothing' new.xml
   check_err "profmem: error: --limit:1: expected one limit"
   head -c 20000000 /dev/zero | tr '\0' ' ' >large.txt
   check 2 -l "$BATS_TEST_TMPDIR/large.txt" new.xml
   grep -q "large.txt: cannot be read: it has more than 16 MiB" err
}

@test "line ends of other systems, a byte order mark, no line end at the end" {
   printf '\xef\xbb\xbfprogram heap.peak <= 2M\r\n\r\n# x\r\nprogram heap.exit = 0' >dos.txt
   check 0 -l "$BATS_TEST_TMPDIR/dos.txt" new.xml
   grep -q "^new.xml: 2 checks, all hold$" out
}

@test "the sample of the format page is a file of limits, and the grammar is the parser's" {
   page=$abs_top_srcdir/docs/profmem-limits-format.md
   sed -n '/^    # heap of the parser/,/^$/s/^    //p' "$page" >sample.txt
   [ "$(grep -c . sample.txt)" -eq 9 ]
   check 1 -l "$BATS_TEST_TMPDIR/sample.txt" -b old.xml new.xml
   grep -q "^new.xml, baseline old.xml: " out
   sed -n '/^    limit    = /,/^    amount   = /s/^    //p' "$page" >grammar
   sed -n '/^ \*    limit    = /,/^ \*    amount   = /s/^ \*    //p' \
      "$abs_top_srcdir/reports/lib/pr_limits_parse.c" | diff -u - grammar
   [ "$(grep -c . grammar)" -ge 8 ]
   for unit in $(sed -n 's/^    unit     = //p' "$page" | tr -d '"|'); do
      grep -q "{\"$unit\", " "$abs_top_srcdir/reports/lib/pr_limits_amount.c"
      check 1 -L "program heap.peak = 1$unit" new.xml
   done
}

@test "wrong usage is 2" {
   check 2
   grep -q "check takes one report or more" err
   check 2 new.xml
   grep -q "check takes limits: --limits FILE or --limit LIMIT" err
   check 2 -L 'program heap.peak +0' new.xml
   grep -q -- "--limit:1: the limit is on a baseline: --baseline FILE" err
   check 2 -L 'program heap.peak = 0' -f markdwon new.xml
   grep -q -- "--format: no format 'markdwon'; did you mean 'markdown'?" err
   check 2 -L 'program heap.peak = 0' -o x.txt new.xml
   grep -q -- "--output: 'x.txt' is not FORMAT=FILE" err
   check 2 -L 'program heap.peak = 0' -o tap=x.txt new.xml
   grep -q -- "--output: no format 'tap'" err
   check 2 -L 'program heap.peak = 0' -t new.xml
   grep -q -- "--tighten is for files of limits" err
}

@test "reports and baselines that are none are 2, and invalid ones" {
   check 2 -L 'program heap.peak >= 0' nothing.xml
   check_out ""
   check_err "profmem: error: nothing.xml: cannot be opened: No such file or directory"
   check 2 -L 'program heap.peak >= 0' ../bad/bad-truncated.xml
   grep -q "^profmem: error: ../bad/bad-truncated.xml:16: not well-formed XML" err
   check 2 -L 'program heap.peak >= 0' ../bad/bad-identity-peak-below-exit.xml
   check_out ""
   grep -q "^profmem: error: ../bad/bad-identity-peak-below-exit.xml:[0-9]*: " err
   check 2 -L 'program heap.peak +0' -b nothing.xml new.xml
   check_err "profmem: error: nothing.xml: cannot be opened: No such file or directory"
   check 2 -L 'program heap.peak +0' -b ../bad/bad-identity-peak-below-exit.xml new.xml
   check_out ""
}

@test "every file that is no report is 2, for the reason that validate gives" {
   refused=0
   for report in "$fixtures"/bad/* "$fixtures"/unsupported/*; do
      status=0
      "$PROFMEM" validate "$report" >/dev/null 2>expected || status=$?
      [ "$status" -eq 2 ] || continue
      check 2 -L '* heap.peak >= 0' "$report"
      check_out ""
      diff -u expected err
      refused=$((refused + 1))
   done
   [ "$refused" -gt 80 ]
}

@test "lines of a terminal's width: what follows below says what it is of" {
   COLUMNS=70 check 0 -l hold.txt -b old.xml new.xml
   check_golden check-width-70.txt
   [ "$(wc -L <out)" -le 70 ]
}

@test "unlike runs are 2 with the differences, and compared if that is asked for" {
   check 2 -L 'program heap.peak +0' -b new.xml unlike.xml
   check_out ""
   check_err 'profmem: error: unlike.xml: not comparable with new.xml: program: app in the baseline, tool here
profmem: error: unlike.xml: not comparable with new.xml: argument 1: input.txt in the baseline, in<p>ut | `x` here
profmem: error: unlike.xml: not comparable with new.xml: option --stacks: yes in the baseline, no here
profmem: error: unlike.xml: --allow-unlike compares them all the same'
   check 0 -L 'program heap.peak +0' -b new.xml --allow-unlike unlike.xml
   check_golden check-unlike.txt
   # Nothing was compared.
   check 2 -L 'program heap.peak +0' -b new.xml -f junit unlike.xml
   [ "$(xmllint --xpath 'concat(//testsuite/@tests, " ", count(//error))' out)" = "1 1" ]
   [ "$(xmllint --xpath 'count(//testcase)' out)" = 1 ]
   # Also when no bound is of the baseline: its numbers would stand in the table.
   check 2 -L 'program heap.peak >= 0' -b new.xml unlike.xml
}

@test "several reports: each by itself, a row each; trouble with one does not hide the others" {
   check 1 -L 'program heap.peak <= 1052k' -b old.xml old.xml new.xml
   check_golden check-several.txt
   check 2 -L 'program heap.peak <= 2M' old.xml nothing.xml new.xml
   check_golden check-several-trouble.txt
   check_err "profmem: error: nothing.xml: cannot be opened: No such file or directory"
   check 0 -L 'program heap.peak <= 2M' old.xml new.xml
}

@test "a folder of baselines has one for each report, by its name" {
   mkdir base
   cp "$fixtures/limits/old.xml" base/new.xml
   cp "$fixtures/limits/unlike.xml" base/
   check 1 -L 'program heap.peak +0' -b "$BATS_TEST_TMPDIR/base" new.xml unlike.xml
   grep -q "the baseline is 1,048,576 (1.00 MiB), the change +5,243 (+0.50%)" out
   grep -q "^  ok  *program heap.peak  1,048,576  <= 1,048,576 .* 1,048,576  *0$" out
   check 2 -L 'program heap.peak +0' -b "$BATS_TEST_TMPDIR/base" old.xml new.xml
   grep -q "base/old.xml: cannot be opened: No such file or directory" err
}

@test "a report on standard input" {
   status=0
   "$PROFMEM" check -L 'program heap.peak <= 2M' - <"$fixtures/limits/new.xml" >out || status=$?
   check_status 0
   grep -q "^standard input: 1 check, which holds$" out
}

# formats STATUS ARGS...: all of them say the same to programs that read them.
formats()
{
   local wanted=$1
   shift
   check "$wanted" "$@" -o junit="$BATS_TEST_TMPDIR/v.junit" \
      -o markdown="$BATS_TEST_TMPDIR/v.markdown" --output=github="$BATS_TEST_TMPDIR/v.github"
   mv out v.text
   check_err ""
   xmllint --noout --relaxng "$abs_top_srcdir/tests/cli/junit.rng" v.junit
   for format in junit markdown github; do
      "$reader" "$abs_top_srcdir/tests/cli/check_formats.py" "$format" "v.$format" v.text
      # On standard output it is the same.
      check "$wanted" -f "$format" "$@"
      cmp out "v.$format"
   done
}

@test "JUnit readers, a Markdown renderer and GitHub's runner read what the text says" {
   formats 0 -l hold.txt -b old.xml new.xml
   formats 1 -l fail.txt -b old.xml new.xml
   printf '* heap.peak <= 64\nprogram heap.peak <= 1 warn\n' >wild.txt
   formats 1 -l "$BATS_TEST_TMPDIR/wild.txt" errors.xml old.xml new.xml
}

@test "the same with names full of markup, line ends, escape sequences and commands" {
   printf '* heap.peak <= 70\n"two\\nlines\\tand\\ra tab" heap.peak = 0 warn\n' >a,b:c%.txt
   cp "$fixtures/limits/hostile.xml" .
   status=0
   formats 1 -l "$BATS_TEST_TMPDIR/a,b:c%.txt" hostile.xml
   [ "$(grep -c . v.text)" -gt 50 ]
   check_golden_as check-hostile.md v.markdown
}

# check_golden_as NAME FILE
check_golden_as()
{
   if [ -n "${PROFMEM_UPDATE_GOLDEN-}" ]; then
      sed "s|$BATS_TEST_TMPDIR/||g" "$2" >"$golden/$1"
   fi
   sed "s|$BATS_TEST_TMPDIR/||g" "$2" | diff -u "$golden/$1" - >&2 ||
      fail "$2 differs from golden/$1"
}

@test "a phase as a verdict names it is that phase in a file of limits" {
   # The first one tells of errors.
   while read -r wanted report; do
      check "$wanted" -L '* heap.peak >= 0 warn' -f junit "$report"
      "$reader" - >names.txt <<'END'
import junitparser
document = junitparser.JUnitXml.fromfile("out")
print("\n".join(case.name + " warn" for suite in document for case in suite
                if " heap.peak " in case.name))
END
      [ "$(wc -l <names.txt)" -ge 3 ]
      cp out all
      check "$wanted" -l "$BATS_TEST_TMPDIR/names.txt" -f junit "$report"
      # Each name found its phase, and no other one.
      diff <(grep '<testcase' all) <(grep '<testcase' out)
      if grep 'no such phase' out; then
         fail "a name is another one"
      fi
   done <<<"1 hostile.xml
0 ../good/good-hostile-names.xml"
   # Bare, it would be a pattern, a comment, an escape.
   for name in '*' 'a?' '#a' 'a"b' '\\' '\\ x' 'a\\nb c'; do
      python3 - "$name" <"$fixtures/limits/new.xml" >odd.xml 3<&0 <<'END'
import os, sys
from xml.sax.saxutils import quoteattr
print(os.fdopen(3).read().replace('name="pool"', "name=" + quoteattr(sys.argv[1])), end="")
END
      check 1 -L '* heap.peak <= 127' "$BATS_TEST_TMPDIR/odd.xml"
      sed -n 's/^--limit:1: FAIL: \(.*\) heap.peak is 128;.*/\1 heap.peak = 128/p' out >odd.txt
      [ "$(wc -l <odd.txt)" -eq 1 ]
      check 0 -l "$BATS_TEST_TMPDIR/odd.txt" "$BATS_TEST_TMPDIR/odd.xml"
      grep -q '1 check, which holds$' out || fail "$(cat odd.txt)"
   done
}

@test "differences of unlike runs stand at the top of each format" {
   check 0 -L 'program heap.peak +0' -b new.xml -u -f markdown unlike.xml
   check_golden check-unlike.md
   check 0 -L 'program heap.peak +0' -b new.xml -u -f github unlike.xml
   [ "$(head -n 3 out | grep -c '^::warning title=the runs are unlike::unlike.xml: ')" -eq 3 ]
   check 0 -L 'program heap.peak +0' -b new.xml -u -f junit unlike.xml
   xmllint --noout --relaxng "$abs_top_srcdir/tests/cli/junit.rng" out
   [ "$(xmllint --xpath 'string(//testsuite/*[1][self::system-out])' out)" = \
'The runs are unlike:
program: app in the baseline, tool here
argument 1: input.txt in the baseline, in<p>ut | `x` here
option --stacks: yes in the baseline, no here' ]
}

@test "a report that could not be checked is an error in each format" {
   check 2 -L 'program heap.peak <= 2M' -f junit old.xml nothing.xml
   xmllint --noout --relaxng "$abs_top_srcdir/tests/cli/junit.rng" out
   "$reader" - <<'END'
import junitparser
document = junitparser.JUnitXml.fromfile("out")
assert (document.tests, document.failures, document.errors) == (2, 0, 1)
found = [(case.classname, type(result).__name__, result.message)
         for suite in document for case in suite for result in case.result]
assert found == [("nothing.xml", "Error",
                  "nothing.xml: cannot be opened: No such file or directory")], found
END
   check 2 -L 'program heap.peak <= 2M' -f github nothing.xml
   check_out "::error title=not checked::nothing.xml: cannot be opened: No such file or directory"
   check 2 -L 'program heap.peak <= 2M' -f markdown nothing.xml
   check_out '### `nothing.xml`: not checked

- `nothing.xml: cannot be opened: No such file or directory`'
}

@test "output that cannot be written is 2, on standard output and in files" {
   check 2 -L 'program heap.peak <= 2M' -o junit=/dev/full new.xml
   check_err "profmem: error: /dev/full: cannot be written: No space left on device"
   grep -q "which holds" out
   check 2 -L 'program heap.peak <= 2M' -o junit=no/folder.xml new.xml
   check_err "profmem: error: no/folder.xml: cannot be written: No such file or directory"
   for format in text markdown junit github; do
      status=0
      "$PROFMEM" check -L 'program heap.peak <= 2M' -f $format "$fixtures/limits/new.xml" \
         >/dev/full 2>err || status=$?
      [ "$status" -eq 2 ]
      check_err "profmem: error: cannot write the output: No space left on device"
      status=0
      "$PROFMEM" check -L 'program heap.peak <= 2M' -f $format "$fixtures/limits/new.xml" \
         >&- 2>err || status=$?
      [ "$status" -eq 2 ]
   done
}

@test "a reader that leaves does not make a verdict of it" {
   (
      trap '' PIPE
      status=0
      # More than a pipe holds.
      seq 3000 | sed 's/.*/program heap.peak >= &/' >many.txt
      "$PROFMEM" check -l many.txt "$fixtures/limits/new.xml" 2>err || status=$?
      echo "$status" >status
   ) | head -n 1 >out
   check_out "$fixtures/limits/new.xml: 3000 checks, all hold"
   check_err ""
   [ "$(cat status)" -eq 2 ]
}

@test "--tighten writes the numbers that hold, keeps everything else, and never loosens" {
   cat >limits.txt <<'END'
# Reviewed numbers.
program       heap.peak            <= 1.5MiB  +5243   # two bounds
program       heap.exit            <= 64KiB           # becomes 0
program       heap.exit            = 0
program       heap.resized         >= -1k   <= -2     # both
*e*           heap.peak            <= 2k              # fails: stays
"parse file"  heap.peak            <= 64KiB	>=1     # an exact multiple
pool          heap.peak            <= 1M  warn
pool          heap.peak            <= 1   warn        # fails: stays

fresh         heap.peak            <= 64
END
   printf 'pool heap.peak <= 9k' >>limits.txt
   cat >expected.txt <<'END'
# Reviewed numbers.
program       heap.peak            <= 1053819 +5243   # two bounds
program       heap.exit            <= 0               # becomes 0
program       heap.exit            = 0
program       heap.resized         >= -202  <= -202   # both
*e*           heap.peak            <= 2k              # fails: stays
"parse file"  heap.peak            <= 3KiB	>=3072  # an exact multiple
pool          heap.peak            <= 128 warn
pool          heap.peak            <= 1   warn        # fails: stays

fresh         heap.peak            <= 64
END
   printf 'pool heap.peak <= 128' >>expected.txt
   chmod 640 limits.txt
   check 1 -t -l "$BATS_TEST_TMPDIR/limits.txt" -b old.xml new.xml
   grep -q "limits.txt: 8 numbers tightened$" err
   diff -u expected.txt limits.txt
   [ "$(stat -c %a limits.txt)" = 640 ]
   [ "$(ls)" = "err
expected.txt
limits.txt
out" ]
   # There is nothing more to gain, and the file is left alone.
   before=$(stat -c %i limits.txt)
   check 1 -t -l "$BATS_TEST_TMPDIR/limits.txt" -b old.xml new.xml
   grep -q "limits.txt: 0 numbers tightened$" err
   [ "$(stat -c %i limits.txt)" = "$before" ]
   diff -u expected.txt limits.txt
   # What was just written holds, and one less does not.
   sed -i '/stays/d' limits.txt
   check 0 -l "$BATS_TEST_TMPDIR/limits.txt" -b old.xml new.xml
}

@test "--tighten takes the largest of several phases and reports" {
   printf '* heap.peak <= 9M\nprogram heap.resized >= -9M\n' >limits.txt
   sed '/phase name="idle"/,/<\/phase>/d' "$fixtures/limits/new.xml" >new.xml
   sed '/phase name="idle"/,/<\/phase>/d' "$fixtures/limits/old.xml" >old.xml
   status=0
   "$PROFMEM" check --tighten -l limits.txt new.xml old.xml >out 2>err || status=$?
   check_status 0
   check_err "limits.txt: 2 numbers tightened"
   printf '* heap.peak <= 1053819\nprogram heap.resized >= -202\n' | diff - limits.txt
}

@test "--tighten: a file that is given twice is tightened once" {
   printf 'program heap.peak <= 9M\n' >limits.txt
   ln -s limits.txt link.txt
   check 0 -t -l "$BATS_TEST_TMPDIR/limits.txt" -l "$BATS_TEST_TMPDIR/link.txt" new.xml
   check_err "$BATS_TEST_TMPDIR/limits.txt: 1 number tightened"
   grep -q -x 'program heap.peak <= 1053819' limits.txt
}

# The limit is many times what it takes, and a small part of what their product would.
@test "many limits and many phases: work that does not grow with their product" {
   python3 - <<'END'
def report(name, phases):
    with open(name, 'w') as out:
        out.write('<profmem format="1"><producer name="profmem" version="0" valgrind="0" '
                  'platform="amd64-linux"/><run><command><arg>x</arg></command><executable '
                  'path="/x" size="1"/><objects/><options/><environment variables="0" '
                  'digest="none:00"/><fixed/><end kind="exit" status="0"/></run><coverage>'
                  '<allocation-functions/><not-measured/></coverage><phases>')
        for phase in phases:
            out.write(f'<phase name="{phase}" kind="request" instances="1" complete="yes">'
                      '<metric name="heap.peak" unit="bytes" value="64"/></phase>\n')
        out.write('</phases></profmem>')
names = [f'phase-{number}' for number in range(150000)]
report('many.xml', names)
report('renamed.xml', [f'Phase-{number}' for number in range(150000)])
with open('many.txt', 'w') as out:
    out.writelines(f'{name} heap.peak <= 1k\n' for name in names)
END
   ulimit -t 20
   "$PROFMEM" check -t -l many.txt many.xml >out 2>err
   check_err "many.txt: 150000 numbers tightened"
   [ "$(grep -c ' <= 64$' many.txt)" -eq 150000 ]
   "$PROFMEM" check -l many.txt renamed.xml >out 2>err && fail "phases are missing"
   [ "$(grep -c 'has no such phase; it has' out)" -ge 1 ]
   [ "$(grep -c 'has no such phase' out)" -eq 150000 ]
}

@test "a line full of mistakes: the first are told, the others counted" {
   { printf 'p heap.peak'; printf ' x%.0s' $(seq 400000); } >mistakes.txt
   (
      ulimit -t 10
      check 2 -l "$BATS_TEST_TMPDIR/mistakes.txt" new.xml
   )
   [ "$(wc -l <err)" -eq 101 ]
   sed -n 100p err | grep -q "mistakes.txt:1:211: expected a limit (.*), 'overlapping' or 'warn', not 'x'$"
   [ "$(tail -n 1 err)" = "profmem: error: 399900 more" ]
}

@test "--tighten changes nothing if a report could not be checked" {
   printf 'program heap.peak <= 9M\n' >limits.txt
   check 2 -t -l "$BATS_TEST_TMPDIR/limits.txt" new.xml nothing.xml
   grep -q "^no limit is tightened: a report could not be checked$" err
   grep -q -x 'program heap.peak <= 9M' limits.txt
}

@test "--tighten changes nothing after a run with errors, or one that crashed" {
   ended crashed.xml 'kind="signal" signal="11" name="SIGSEGV"'
   for report in errors.xml "$BATS_TEST_TMPDIR/crashed.xml"; do
      printf 'program heap.peak <= 9M\n' >limits.txt
      check 1 -t -l "$BATS_TEST_TMPDIR/limits.txt" old.xml "$report"
      check_err "no limit is tightened: a report tells of errors"
      grep -q -x 'program heap.peak <= 9M' limits.txt
   done
   check 0 -t -l "$BATS_TEST_TMPDIR/limits.txt" old.xml
   check_err "$BATS_TEST_TMPDIR/limits.txt: 1 number tightened"
}

@test "--tighten follows a link, and leaves what it cannot replace" {
   printf 'program heap.peak <= 9M\n' >real.txt
   ln -s real.txt link.txt
   check 0 -t -l "$BATS_TEST_TMPDIR/link.txt" new.xml
   [ -L link.txt ]
   grep -q -x 'program heap.peak <= 1053819' real.txt
   # A pipe has no content to replace.
   mkfifo pipe
   printf 'program heap.peak <= 9M\n' >pipe &
   check 2 -t -l "$BATS_TEST_TMPDIR/pipe" new.xml
   [ -p pipe ]
}
