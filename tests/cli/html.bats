#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# html.bats: the page of profmem html without scripts: what stands in it is what the report says.
# tests/html has what it does in a browser.

load cli

# page REPORT [BASELINE] [OPTION...]: written, and found to be what it should be. Leaves it in the
# file page. The options are --top=N, --phases=N and --allow-unlike.
page()
{
   local reports=() options=() allowed= words
   for words in "$@"; do
      case $words in
      --allow-unlike) allowed=$words ;;
      -*) options+=("$words") ;;
      *) reports+=("$words") ;;
      esac
   done
   # shellcheck disable=SC2086
   "$PROFMEM" html $allowed "${options[@]}" "${reports[@]}" >page 2>err || fail "$*: $(cat err)"
   check_err ""
   local expected=(--exported report.json)
   "$PROFMEM" export "${reports[0]}" >report.json
   if [ "${#reports[@]}" -gt 1 ]; then
      local top=10
      [[ "$*" =~ --top=([0-9]+) ]] && top=${BASH_REMATCH[1]}
      "$PROFMEM" export "${reports[1]}" >baseline.json
      "$PROFMEM" diff --allow-unlike --top="$top" "${reports[1]}" "${reports[0]}" >diff.txt ||
         [ $? -eq 1 ]
      expected+=(--exported-baseline baseline.json --diff diff.txt)
   fi
   /usr/bin/python3 "$abs_top_srcdir/tests/cli/html_referee.py" page "${reports[@]}" \
      "${options[@]}" "${expected[@]}" >wrong || fail "$*: $(cat wrong)"
}

@test "every good report, alone" {
   local report
   for report in "$fixtures"/good/*.xml; do
      page "$report"
   done
}

@test "a report of the tool, with everything in it" {
   profmem_valgrind -q --lines=yes --free-stacks=yes --profmem-out-file=report.xml \
      --phase-fn=qsort /bin/ls / >/dev/null
   page report.xml
   page report.xml --top=3
   page report.xml --top=0
}

@test "beside a baseline: old, new and change, and what diff says" {
   page "$fixtures/good/good-diff-new.xml" "$fixtures/good/good-diff-old.xml"
   page "$fixtures/good/good-diff-old.xml" "$fixtures/good/good-diff-new.xml"
   page "$fixtures/good/good-diff-new.xml" "$fixtures/good/good-diff-old.xml" --top=1
   page "$fixtures/good/good-shape.xml" "$fixtures/good/good-shape.xml"
   grep -q 'No number differs' page
}

@test "pairs of reports that are made up, beside each other" {
   /usr/bin/python3 "$abs_top_srcdir/tests/diff/random_reports.py" --write . --pairs 12
   local old count=0
   for old in old-*.xml; do
      page "new-${old#old-}" "$old" --top=4
      count=$((count + 1))
   done
   [ "$count" -eq 12 ]
}

@test "names are text, whatever they are" {
   /usr/bin/python3 - "$fixtures/good/good-lists.xml" <<'END'
import sys, xml.etree.ElementTree as ElementTree
NAMES = ['</script><script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<!-- <script>',
         ']]>', '"\'><b>', '&lt;b&gt;&amp;', '\u202egnp.exe', '\u05d0\u05d1\u05d2 (int)',
         'long' * 2500, '</style></title></details>', ' ', '\u2028\u2029', '\U0001f600\u0301',
         '{{page}}', 'javascript:alert(1)', "'-alert(1)-'", 'a\tb\nc', '\\x1b[31m', '\u200b']
PLACES = {'phase': ['name'], 'frame': ['function', 'file', 'object'], 'object': ['name'],
          'function': ['name', 'object'], 'line': ['function', 'object', 'file'],
          'executable': ['path'], 'option': ['name', 'value'], 'fix': ['name', 'value'],
          'diagnostic': ['text', 'code'], 'quantity': ['name', 'reason', 'instead'],
          'allocation-function': ['name', 'object', 'kind'], 'metric': ['unavailable']}
tree = ElementTree.parse(sys.argv[1])
root, count = tree.getroot(), 0
run = root.find('run')
for tag, item in (('options', 'option'), ('fixed', 'fix')):
    for number in range(3):
        ElementTree.SubElement(run.find(tag), item, name='n', value='v')
for name in NAMES:
    ElementTree.SubElement(run.find('command'), 'arg').text = name
    phase = ElementTree.SubElement(root.find('phases'), 'phase', name='more', kind='request',
                                   instances='0', complete='yes', parent='program')
    ElementTree.SubElement(phase, 'metric', name='heap.peak', unit='bytes', unavailable='never')
for element in root.iter():
    for attribute in PLACES.get(element.tag, []):
        if element.get(attribute) is not None and element.get(attribute) != 'program':
            element.set(attribute, NAMES[count % len(NAMES)] + ('' if element.tag != 'phase' else
                                                               str(count)))
            count += 1
assert count > 60, count
tree.write('hostile.xml', encoding='utf-8')
END
   page "$PWD/hostile.xml" --phases=100
   page "$PWD/hostile.xml" "$fixtures/good/good-lists.xml" --allow-unlike --phases=100
   [ "$(grep -c '<script' page)" -le 2 ]
}

@test "numbers up to 2^64 - 1 and below 0 are exact" {
   sed 's/name="heap.peak" unit="bytes" value="64"/name="heap.peak" unit="bytes" value="18446744073709551615"/
        s/name="heap.resized" unit="bytes" value="0"/name="heap.resized" unit="bytes" value="-9223372036854775808"/' \
      "$fixtures/good/good-small.xml" >large.xml
   page large.xml
   grep -q '18,446,744,073,709,551,615' page
   page large.xml "$fixtures/good/good-small.xml"
   grep -q -F -e '+18,446,744,073,709,551,551 (+16.00 EiB) +28,823,037,615,171,174,298%' page
}

# many PHASES SITES: a report of so many, each phase with ten rows of each list.
many()
{
   /usr/bin/python3 - "$@" <<'END'
import sys
phases, sites = map(int, sys.argv[1:])
print('''<?xml version="1.0" encoding="UTF-8"?>
<profmem format="1"><producer name="profmem" version="0" valgrind="3.19.0" platform="amd64-linux"/>
<run><command><arg>./many</arg></command><executable path="/many" size="1"/><objects/><options/>
<environment variables="0" digest="none:00"/><fixed/><end kind="exit" status="0"/></run>
<coverage><allocation-functions/><not-measured/></coverage><phases>''')
for p in range(phases):
    parent = '' if p == 0 else ' parent="%s"' % (f'p{p - 1}' if p % 10 > 1 else 'program')
    rows = [(p * 7 + i) % sites + 1 for i in range(10)]
    print(f'<phase name="{"program" if p == 0 else f"p{p}"}" kind="{"request" if p else "process"}" '
          f'instances="1" complete="yes"{parent}>'
          f'<metric name="heap.peak" unit="bytes" value="{10 * (p + 1)}"/>'
          f'<metric name="instructions.total" unit="instructions" value="{100 * (phases - p)}"/>'
          '<sites>' + ''.join(
              f'<site id="{s}" peak-bytes="{p + 1}" peak-blocks="1" traffic-bytes="0" '
              'traffic-blocks="0" temporary-blocks="0" retained-bytes="0" retained-blocks="0"/>'
              for s in rows) + '</sites></phase>')
print('</phases><sites>')
for s in range(1, sites + 1):
    print(f'<site id="{s}" largest-bytes="9">' + ''.join(
        f'<frame function="std::vector&lt;T{s % 97}&gt;::f{s}_{f}(int)" file="x.cc" line="{f + 1}" '
        'object="many"/>' for f in range(8)) + '</site>')
print('</sites><functions/><diagnostics/></profmem>')
END
}

@test "10,000 sites and 1,000 phases: what is shown without scripts is bounded" {
   many 1000 10000 >many.xml
   page "$PWD/many.xml"
   grep -q 'Of 1,000 phases these are 20' page
   # Without the data, which has it all.
   sed 's/<script type="application\/json".*//' page >without
   [ "$(stat -c %s without)" -lt 2000000 ] || fail "$(stat -c %s without) bytes"
   page "$PWD/many.xml" --phases=1 --top=1
   [ "$(grep -o '<details class="phase"' page | wc -l)" -eq 6 ]
}

@test "the phases that have tables: with the most instructions; those that changed most" {
   many 30 30 >many.xml
   page "$PWD/many.xml" --phases=2
   grep -q 'phase <bdi>program</bdi></h3>' page
   grep -q 'phase <bdi>p1</bdi></h3>' page
   ! grep -q 'phase <bdi>p2</bdi></h3>' page || fail "a third phase"
   sed '/name="p20"/s/"instructions" value="1000"/"instructions" value="9000"/' many.xml >new.xml
   ! cmp -s many.xml new.xml || fail "nothing was changed"
   page "$PWD/new.xml" "$PWD/many.xml" --phases=1
   [ "$(grep -o 'phase <bdi>[a-z0-9]*</bdi>' page | sort -u)" = 'phase <bdi>p20</bdi>' ]
}

@test "the same bytes each time, to a file and to a pipe" {
   "$PROFMEM" html "$fixtures/good/good-diff-new.xml" "$fixtures/good/good-diff-old.xml" >one
   "$PROFMEM" html -o two "$fixtures/good/good-diff-new.xml" - <"$fixtures/good/good-diff-old.xml"
   cmp one two
}

@test "nothing is opened but the reports and the page" {
   (cd / && strace -f -e trace=%file,%network -o "$BATS_TEST_TMPDIR/trace" "$PROFMEM" html \
      "$fixtures/good/good-small.xml" -o "$BATS_TEST_TMPDIR/page")
   sed -n 's/.*open[at]*(.*"\([^"]*\)".*= [0-9].*/\1/p' trace | grep -v '^/lib\|^/usr/lib\|^/etc/ld' \
      >opened || true
   grep -v -x -e "$fixtures/good/good-small.xml" -e '/proc/.*' -e '/dev/.*' -e '/usr/share/locale/.*' \
      opened >others || true
   # The page itself, under the name that it has while it is written.
   [ "$(grep -v "^$BATS_TEST_TMPDIR" others | wc -l)" -eq 0 ] || fail "$(cat others)"
   ! grep -q 'socket(\|connect(' trace
}

@test "wrong usage, unreadable reports and unlike runs are 2, and nothing is written" {
   local good=$fixtures/good/good-small.xml
   try()
   {
      local expected=$1
      shift
      rm -f page
      status=0
      "$PROFMEM" html "$@" >out 2>err || status=$?
      check_status 2
      check_out ""
      grep -q -F -e "$expected" err || fail "$(cat err)"
      [ ! -e page ]
   }
   try 'html takes a report and, perhaps, its baseline' -o page
   try 'html takes a report and, perhaps, its baseline' -o page "$good" "$good" "$good"
   try 'only one of both reports can be standard input' - -
   try "--top: 'x' is not a number" --top=x "$good"
   try "--phases: '-1' is not a number" --phases=-1 "$good"
   try '--allow-unlike is for a baseline, and there is none' --allow-unlike "$good"
   try 'cannot be opened' -o page nowhere.xml
   try 'cannot be opened' -o page "$good" nowhere.xml
   try '' -o page "$fixtures/bad/bad-truncated.xml"
   try '' -o page "$fixtures/bad/bad-identity-exit.xml"
   try '' -o page "$good" "$fixtures/bad/bad-identity-exit.xml"
   try 'the runs are unlike' -o page "$good" "$fixtures/good/good-diff-old.xml"
   cp "$good" mine.xml
   try "--output: 'mine.xml' is the report" -o mine.xml mine.xml
   try "--output: 'mine.xml' is the baseline" -o mine.xml "$good" mine.xml
   cmp "$good" mine.xml
   page "$good" "$fixtures/good/good-diff-old.xml" --allow-unlike
   grep -q 'the runs are unlike' page
}

@test "output that cannot be written is 2" {
   [ -w /dev/full ] || skip "there is no /dev/full"
   status=0
   "$PROFMEM" html "$fixtures/good/good-small.xml" >/dev/full 2>err || status=$?
   [ "$status" -eq 2 ]
   check_err "profmem: error: cannot write the output: No space left on device"
   status=0
   "$PROFMEM" html "$fixtures/good/good-small.xml" -o /dev/full 2>err || status=$?
   [ "$status" -eq 2 ]
   check_err "profmem: error: /dev/full: cannot be written: No space left on device"
   (
      trap '' PIPE
      status=0
      "$PROFMEM" html "$fixtures/good/good-small.xml" 2>err || status=$?
      echo "$status" >status
   ) | head -c 100 >out
   check_err ""
   [ "$(cat status)" -eq 2 ]
}
