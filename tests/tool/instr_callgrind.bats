# SPDX-License-Identifier: GPL-2.0-or-later
# --instr=yes: how often each instruction was executed, in programs with libraries and in static
# ones, against what Callgrind's --dump-instr=yes has at the same address of the same file.
# code/instr_referee.py says how, and what is excepted.
load ../common
load tool
load distribution
load code/against_callgrind

setup_file()
{
   make_inputs
}

judged()
{
   python3 -B "$abs_top_srcdir/tests/tool/code/instr_referee.py" callgrind "$1" counts objects \
      "${2-1}"
}

# instrs_equal NAME MINIMUM: that many addresses at least; and they add up.
instrs_equal()
{
   run_both "$1" --instr=yes
   judged report.xml "$2" >verdict || fail "$1: $(cat verdict)"
   echo "# $(tail -n 1 verdict)" >&3
   "$PROFMEM" validate report.xml
}

@test "C, with libraries that come and go" {
   requires callgrind-calls
   instrs_equal known 9000
   # A file that is mapped several times, at one place or at several, is one object.
   [ "$(xmllint --xpath 'count(//profmem/instructions/object[@name="known_plugin.so"])' \
      report.xml)" -eq 1 ]
}

@test "C++" {
   requires callgrind-calls
   instrs_equal cxx 12000
}

@test "C++ in a static program" {
   instrs_equal cxx_static 5000
}

@test "C in a static program of another libc" {
   instrs_equal musl 900
}

@test "a program without debug information" {
   requires callgrind-calls
   large
   instrs_equal bzip2 9000
   "${PM_BINUTILS}strip" -g -o program "${program_cxx[0]}"
   program_stripped=("$PWD/program")
   instrs_equal stripped 12000
}

@test "a reader of the export has the same addresses" {
   run_both known --instr=yes
   "$PROFMEM" export --format callgrind --metric instructions.total report.xml >export
   grep -qx 'positions: instr line' export
   # Callgrind's own reader, and what the report has; the file's path is what is disassembled.
   callgrind_annotate --threshold=100 export >annotated
   grep -q "$(metric report.xml instructions.total |
      sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta') (100.0%)  PROGRAM TOTALS" annotated
   /usr/bin/python3 - report.xml export "$abs_top_srcdir/tests/tool/code" <<'END'
import collections, re, sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
named = {i.get('id'): (o.get('path', o.get('name')), i.get('address', '0x0'))
         for o in root.iterfind('instructions/object') for i in o}
reported, exported = collections.Counter(), collections.Counter()
for row in root.find("phases/phase[@name='program']/instructions"):
    reported[named[row.get('id')]] += int(row.get('instructions'))
for line in open(sys.argv[2], encoding='utf-8'):
    if found := re.match(r'ob=\(\d+\) (.*)$', line):
        path = found[1]
    elif found := re.match(r'(0x[0-9a-f]+) \d+ (\d+)$', line):
        exported[path, found[1]] += int(found[2])
assert reported == exported and len(exported) > 9000, (len(reported), len(exported))
END
}

@test "the same bytes in every run, and the same addresses wherever a library is mapped" {
   under known profmem "$steady:$known/where.so" --instr=yes --profmem-out-file="$PWD/report.xml" \
      2>objects
   mv report.xml first.xml
   under known profmem "$steady:$known/where.so" --instr=yes --profmem-out-file="$PWD/report.xml" \
      2>objects
   cmp first.xml report.xml
   # Another library before it puts libc elsewhere, and makes it execute hardly anything else.
   local report object
   profmem_valgrind -q --instr=yes --profmem-out-file=here.xml "$known/known_lines" >/dev/null
   LD_PRELOAD=$steady profmem_valgrind -q --instr=yes --profmem-out-file=there.xml \
      "$known/known_lines" >/dev/null
   for report in here there; do
      for object in known_lines libc.so.6; do
         xmllint --xpath "//profmem/instructions/object[@name='$object']/instruction/@address" \
            $report.xml | sort >$report.$object
      done
   done
   cmp here.known_lines there.known_lines
   [ "$(wc -l <here.known_lines)" -gt 50 ]
   [ "$(wc -l <here.libc.so.6)" -gt 1000 ]
   [ "$(comm -23 here.libc.so.6 there.libc.so.6 | wc -l)" -lt 100 ]
}

@test "instructions change nothing else in the report" {
   run_both cxx --instr=yes
   mv report.xml with.xml
   under cxx profmem "$steady:$known/where.so" --report-limit=100000 \
      --profmem-out-file="$PWD/report.xml" 2>objects
   local part
   for part in coverage phases/phase/metric phases/phase/sites phases/phase/functions \
      phases/phase/histograms sites functions lines timeline; do
      diff <(xmllint --xpath "/profmem/$part" with.xml) \
         <(xmllint --xpath "/profmem/$part" report.xml)
   done
   [ "$(xmllint --xpath 'count(//instructions)' report.xml)" -eq 1 ]
   xmllint --xpath 'string(/profmem/instructions/@unavailable)' report.xml | grep -F -- --instr
}

@test "a list that is cut short adds up" {
   profmem_valgrind -q --instr=yes --instr-limit=10 --profmem-out-file=report.xml \
      "$known/known_lines" >/dev/null
   [ "$(xmllint --xpath 'count(//phase/instructions/instruction)' report.xml)" -eq 10 ]
   "$PROFMEM" validate report.xml
   "$PROFMEM" export --format callgrind report.xml | grep -q '^fn=([0-9]*) (others)$'
}

@test "one more or less at any address is seen, by the referee and by validate" {
   run_both musl --instr=yes
   judged report.xml 900
   awk '/<instruction id=/ && sub(/ instructions="[0-9]*/, "&1") { print; done = 1; next }
      { print } END { exit !done }' report.xml >wrong.xml
   run judged wrong.xml
   [[ $status -eq 1 && $output == *': reported '*', Callgrind '* ]] || fail "$output"
   # A count that goes from one function to another keeps the phase's sum.
   /usr/bin/python3 - report.xml >wrong.xml <<'END'
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
named = {i.get('id'): i.get('function') for o in root.iterfind('instructions/object') for i in o}
rows = root.find("phases/phase/instructions")
one = rows[0]
other = next(row for row in rows if named[row.get('id')] != named[one.get('id')])
for row, more in (one, 1), (other, -1):
    row.set('instructions', str(int(row.get('instructions')) + more))
sys.stdout.write(tree.tostring(root, encoding='unicode'))
END
   run "$PROFMEM" validate wrong.xml
   [[ $status -eq 1 && $output == *'over its instructions does not hold'* ]] || fail "$output"
}

@test "options that contradict each other are refused" {
   run profmem_valgrind -q --instr=yes --functions=no --profmem-out-file=report.xml /bin/true
   [[ $status -eq 1 && $output == *'--instr=yes needs --functions=yes'* ]]
}
