#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# validate.bats: what `profmem validate` finds. Reports that are none: refused.bats.

load cli

@test "good reports are valid" {
   cd "$fixtures"
   for report in good/*.xml; do
      profmem validate "$report"
      cd "$BATS_TEST_TMPDIR"
      check_status 0
      check_out "$report: valid"
      check_err ""
      cd "$fixtures"
   done
}

@test "xmllint agrees with the schema on good reports and on broken ones" {
   for report in "$fixtures"/good/*.xml "$fixtures"/bad/bad-identity-*.xml; do
      xmllint --nonet --noout --relaxng "$abs_top_srcdir/docs/profmem-report.rng" "$report"
   done
   for report in "$fixtures"/bad/bad-schema-*.xml; do
      run xmllint --nonet --noout --relaxng "$abs_top_srcdir/docs/profmem-report.rng" "$report"
      [ "$status" -ne 0 ] || fail "xmllint takes $report"
   done
}

# invalid FILE FIRST-LINE-OF-STDOUT
invalid()
{
   profmem validate "bad/bad-$1.xml"
   check_status 1
   check_err ""
   [ "$(head -n 1 out)" = "bad/bad-$1.xml:$2" ] || fail "$1: $(cat out)"
}

@test "a broken schema is 1 with line, element and what is wrong" {
   invalid schema-unit '22: breaks the schema at <metric name="heap.peak">: Element metric failed to validate attributes'
   invalid schema-unit-missing '22: breaks the schema at <metric name="heap.peak">: Element metric failed to validate attributes'
   invalid schema-unknown-metric '22: breaks the schema at <metric name="heap.summit">: Element metric failed to validate attributes'
   invalid schema-unknown-element '13: breaks the schema at <mended>: Did not expect element mended there'
   invalid schema-unknown-attribute '20: breaks the schema at <phase name="program">: Invalid attribute mood for element phase'
   invalid schema-order '9: breaks the schema at <options>: Did not expect element options there'
   invalid schema-no-phases '19: breaks the schema at <profmem>: it ends where a further element is due'
   invalid schema-no-arguments '6: breaks the schema at <command>: it ends where a further element is due'
   invalid schema-text '13: breaks the schema at <run>: text where there may be none'
   invalid schema-end-of-other-kind '13: breaks the schema at <end>: Element end failed to validate attributes'
   invalid schema-namespaced-element '12: breaks the schema at <fixed>: Did not expect element fixed there'
   invalid schema-namespaced-attribute '22: breaks the schema at <metric name="heap.peak">: Invalid attribute value for element metric'
   invalid schema-line-number-without-file "125: breaks the schema at <line>: Invalid attribute line for element line"
   invalid schema-lines-order "54: breaks the schema at <line>: Did not expect element line there"
   invalid schema-releases-net-bytes "47: breaks the schema at <release>: Invalid attribute net-bytes for element release"
}

@test "every report that breaks the schema is 1, and is shown all the same" {
   local count=0
   for report in "$fixtures"/bad/bad-schema-*.xml; do
      profmem validate "bad/${report##*/}"
      check_status 1
      grep -q "^bad/${report##*/}:[0-9]*: breaks the schema at <" out
      profmem show "bad/${report##*/}"
      check_status 0
      count=$((count + 1))
   done
   [ $count -ge 15 ]
}

@test "a broken identity is 1 with line, names and numbers" {
   invalid identity-exit "40: phase 'program': heap.exit = heap.entry + allocations.bytes + reallocations.net-bytes - deallocations.bytes does not hold: 1,025 is not 0 + 1,540 + 0 - 516 = 1,024"
   [ "$(wc -l <out)" -eq 2 ]
   invalid identity-peak-below-exit "38: phase 'program': heap.peak >= heap.exit does not hold: 1,000 is not >= 1,024"
   invalid identity-program-instructions "76: phase 'program': instructions.program = instructions.total - instructions.allocator does not hold: 122,257 is not 123,456 - 1,200 = 122,256"
   invalid identity-far-from-zero "40: phase 'program': heap.exit = heap.entry + allocations.bytes + reallocations.net-bytes - deallocations.bytes does not hold: 1,024 is not 0 + 18,446,744,073,709,551,615 + 9,223,372,036,854,775,807 - 516 = 27,670,116,110,564,326,906"
   invalid identity-range "22: phase 'program': heap.peak: its value is not its max"
}

@test "sites and functions that do not add up to their phase are 1" {
   invalid identity-sites-none "22: phase 'program': heap.peak = sum of peak-bytes over its sites does not hold: 64 is not 0"
   invalid identity-sites-others "22: phase 'program': heap.peak = sum of peak-bytes over its sites does not hold: 64 is not 18,446,744,073,709,551,679"
   invalid identity-sites-peak-blocks "23: phase 'program': heap.peak-blocks = sum of peak-blocks over its sites does not hold: 3 is not 4"
   invalid identity-sites-peak "22: phase 'program': heap.peak = sum of peak-bytes over its sites does not hold: 64 is not 63"
   invalid identity-sites-retained "25: phase 'program': heap.retained = sum of retained-bytes over its sites does not hold: 16 is not 0"
   invalid identity-sites-temporary "27: phase 'program': allocations.temporary = sum of temporary-blocks over its sites does not hold: 1 is not 2"
   invalid identity-sites-traffic-blocks "28: phase 'program': traffic.blocks = sum of traffic-blocks over its sites does not hold: 5 is not 6"
   invalid identity-sites-traffic-bytes "29: phase 'program': traffic.bytes = sum of traffic-bytes over its sites does not hold: 104 is not 80"
   invalid identity-functions-vector "32: phase 'program': instructions.vector = sum of vector over its functions does not hold: 64 is not 63"
   invalid identity-functions-call "33: phase 'program': instructions.call = sum of call over its functions does not hold: 4 is not 0"
   invalid identity-functions-instructions "30: phase 'program': instructions.total = sum of instructions over its functions does not hold: 1,000 is not 1,001"
   invalid identity-functions-others "30: phase 'program': instructions.total = sum of instructions over its functions does not hold: 1,000 is not 1,001"
   invalid identity-functions-rep-iterations "31: phase 'program': instructions.rep-iterations = sum of rep-iterations over its functions does not hold: 64 is not 0"
}

@test "threads that do not add up to their phase are 1" {
   invalid identity-threads-instructions "31: phase 'program': instructions.total = sum of instructions over its threads does not hold: 1,000 is not 999"
   invalid identity-threads-traffic-blocks "29: phase 'program': traffic.blocks = sum of traffic-blocks over its threads does not hold: 5 is not 6"
   invalid identity-threads-traffic-bytes "30: phase 'program': traffic.bytes = sum of traffic-bytes over its threads does not hold: 104 is not 105"
   invalid identity-threads-released "28: phase 'program': deallocations.count = sum of released-blocks over its threads does not hold: 4 is not 3"
   invalid identity-threads-order "45: phase 'program': thread 1 is listed out of order"
}

@test "pairs of sites that do not add up to their phase are 1" {
   invalid identity-resizes-count "30: phase 'program': reallocations.count = sum of blocks over its resizes does not hold: 6 is not 7"
   invalid identity-resizes-bytes "31: phase 'program': reallocations.bytes = sum of bytes over its resizes does not hold: 7,248 is not 7,247"
   invalid identity-resizes-net-bytes "32: phase 'program': reallocations.net-bytes = sum of net-bytes over its resizes does not hold: -96 is not 104"
   invalid identity-resizes-others "30: phase 'program': reallocations.count = sum of blocks over its resizes does not hold: 6 is not 5"
   invalid identity-releases-count "33: phase 'program': deallocations.count = sum of blocks over its releases does not hold: 5 is not 6"
   invalid identity-releases-bytes "34: phase 'program': deallocations.bytes = sum of bytes over its releases does not hold: 4,000 is not 4,001"
}

@test "source lines that do not add up to their phase are 1" {
   invalid identity-lines-instructions "37: phase 'program': instructions.total = sum of instructions over its lines does not hold: 40,000 is not 40,001"
   invalid identity-lines-rep-iterations "38: phase 'program': instructions.rep-iterations = sum of rep-iterations over its lines does not hold: 64 is not 0"
   invalid identity-lines-vector "39: phase 'program': instructions.vector = sum of vector over its lines does not hold: 900 is not 899"
   invalid identity-lines-others "37: phase 'program': instructions.total = sum of instructions over its lines does not hold: 40,000 is not 39,001"
}

@test "instructions that do not add up to their phase, or to their functions, are 1" {
   invalid identity-instructions-total "32: phase 'program': instructions.total = sum of instructions over its instructions does not hold: 1,000 is not 1,001"
   invalid identity-instructions-rep-iterations "33: phase 'program': instructions.rep-iterations = sum of rep-iterations over its instructions does not hold: 64 is not 0"
   invalid identity-instructions-function "42: phase 'program': function 'grow' of small: instructions = sum of instructions over its instructions does not hold: 100 is not 99"
   invalid identity-instructions-calls "41: phase 'program': function 'main' of small: calls = sum of calls over its instructions does not hold: 3 is not 2"
   invalid identity-instructions-no-function "42: phase 'program': function 'grow' of small: instructions = sum of instructions over its instructions does not hold: 100 is not 99"
   grep -q "50: phase 'program': function 'nobody' of small: instructions = sum of instructions over its instructions does not hold: 0 is not 1" out
}

@test "functions or instructions that are not all listed do not disagree" {
   # The first function goes to the others.
   sed -e 's,^ *<function id="1" instructions.*,,' \
      -e 's,^      </functions>,<others functions="1" instructions="900" calls="3" call="4"/>&,' \
      "$fixtures/good/good-instructions.xml" >functions.xml
   # So does an instruction.
   sed -e 's,^ *<instruction id="3" instructions.*,,' \
      -e 's,^      </instructions>,<others rows="1" instructions="893"/>&,' \
      "$fixtures/good/good-instructions.xml" >instructions.xml
   local report
   for report in functions instructions; do
      profmem validate "$PWD/$report.xml"
      check_status 0
   done
}

@test "histograms that disagree with their phase are 1" {
   invalid identity-sizes-blocks "59: phase 'program': sum of blocks over its sizes = allocations.count + reallocations.count does not hold: 15 is not 14"
   invalid identity-sizes-zeros "59: phase 'program': blocks from 0 over its sizes >= allocations.zero-size does not hold: 0 is not >= 1"
   invalid identity-sizes-too-large "59: phase 'program': sum of from x blocks over its sizes <= traffic.bytes does not hold: 15,112 is not <= 12,448"
   invalid identity-sizes-too-small "59: phase 'program': sum of (2 x from - 1) x blocks over its sizes >= traffic.bytes does not hold: 11,779 is not >= 12,448"
   invalid identity-sizes-no-power "63: phase 'program': the bucket of its sizes from 513 is neither from 0 nor from a power of two"
   invalid identity-sizes-order "63: phase 'program': the bucket of its sizes from 4 is listed out of order"
   invalid identity-sizes-twice "64: phase 'program': the bucket of its sizes from 512 is listed out of order"
   invalid identity-lifetimes-deallocations "67: phase 'program': sum of blocks over its lifetimes <= deallocations.count does not hold: 6 is not <= 5"
   invalid identity-lifetimes-allocations "67: phase 'program': sum of blocks over its lifetimes <= allocations.count does not hold: 5 is not <= 4"
   invalid identity-lifetimes-temporary "67: phase 'program': sum of blocks over its lifetimes >= allocations.temporary does not hold: 5 is not >= 6"
   invalid identity-lifetimes-retained "26: phase 'program': allocations.count = sum of blocks over its lifetimes + sum of retained-blocks over its sites does not hold: 8 is not 5 + 4"
}

@test "a timeline that disagrees with the phase program is 1" {
   invalid identity-timeline-last "93: timeline: last-bytes <= most-bytes does not hold: 101 is not <= 100"
   invalid identity-timeline-before "96: timeline: most-bytes >= last-bytes of the point before does not hold: 2,127 is not >= 2,128"
   invalid identity-timeline-peak "91: timeline: largest most-bytes = heap.peak of program does not hold: 5,199 is not 5,200"
   invalid identity-timeline-exit "91: timeline: last-bytes of the last point = heap.exit of program does not hold: 1,105 is not 1,104"
   invalid identity-timeline-length "91: timeline: begin of the last interval <= instructions.total of program does not hold: 40,005 is not <= 40,000"
   invalid identity-timeline-no-interval "91: timeline: interval-instructions >= 1 does not hold: 0 is not >= 1"
}

# Variants of the report with every number of its pairs, lines and histograms one larger.
one_larger()
{
   python3 - "$fixtures/good/good-shape.xml" <<'END'
import re, sys
text = open(sys.argv[1], encoding='utf-8').read()
start, end = text.index('<resizes>'), text.index('</histograms>')
count = 0
for found in re.finditer(r' (blocks|bytes|net-bytes|instructions|rep-iterations|vector)="(-?\d+)"', text):
    if start < found.start() < end:
        larger = f' {found[1]}="{int(found[2]) + 1}"'
        with open(f'larger-{count}.xml', 'w', encoding='utf-8') as out:
            out.write(text[:found.start()] + larger + text[found.end():])
        count += 1
print(count)
END
}

@test "each number of pairs, lines and histograms counts" {
   [ "$(one_larger)" -ge 30 ]
   for report in larger-*.xml; do
      profmem validate "$PWD/$report"
      check_status 1
      grep -q 'does not hold' out || fail "$report: $(cat out)"
   done
}

@test "pairs, histograms and the timeline say nothing of what is unavailable" {
   for metric in heap.peak heap.exit allocations.count allocations.zero-size \
      allocations.temporary reallocations.count reallocations.bytes reallocations.net-bytes \
      deallocations.count deallocations.bytes traffic.bytes instructions.total \
      instructions.rep-iterations instructions.vector; do
      sed "s/\(name=\"$metric\" unit=\"[a-z]*\"\) value=\"[-0-9]*\"/\1 unavailable=\"why\"/" \
         "$fixtures/good/good-shape.xml" >unavailable.xml
      grep -q unavailable unavailable.xml
      profmem validate "$PWD/unavailable.xml"
      check_status 0
   done
}

@test "instances that disagree among themselves or with their phase are 1" {
   invalid identity-instance-exit "56: phase 'step', instance 2: heap.exit = heap.entry + allocations.bytes + reallocations.net-bytes - deallocations.bytes does not hold: 24 is not 16 + 64 + 8 - 65 = 23"
   invalid identity-instance-peak "41: phase 'step', instance 1: heap.peak >= heap.exit does not hold: 15 is not >= 16"
   invalid identity-instances-at-peak "29: phase 'step': heap.peak-blocks: its value at the peak is 4, but that of its instances is 5"
   invalid identity-instances-first "27: phase 'step': heap.entry: its first value is 8, but that of its instances is 0"
   invalid identity-instances-last "30: phase 'step': heap.exit: its value is that of none of its instances"
   invalid identity-instances-listed-above-max "31: phase 'step': heap.growth: its max is 60, but that of its instances is 64"
   invalid identity-instances-listed-below-min "27: phase 'step': heap.entry: its min is 8, but that of its instances is 0"
   invalid identity-instances-max "36: phase 'step': instructions.total: its max is 2,400, but that of its instances is 2,000"
   invalid identity-instances-maximum "28: phase 'step': heap.peak: its maximum is 81, but that of its instances is 80"
   invalid identity-instances-min "36: phase 'step': instructions.total: its min is 400, but that of its instances is 500"
   invalid identity-instances-more-than-there-are "33: phase 'step': allocations.bytes: its value is no sum over its instances"
   invalid identity-instances-number-zero "39: phase 'step': instance 0 is listed out of order"
   invalid identity-instances-order "52: phase 'step': instance 1 is listed out of order"
   invalid identity-instances-signed-sum "32: phase 'step': heap.resized: its sum is -8, but that of its instances is -16"
   invalid identity-instances-sum "33: phase 'step': allocations.bytes: its sum is 233, but that of its instances is 232"
   invalid identity-span-length "62: phase 'step', instance 2: instructions.total is not end-instructions less begin-instructions"
   invalid identity-span-peak "49: phase 'step', instance 1: instructions.total has its peak-instructions outside of begin- and end-instructions"
}

@test "every report with a broken identity is tested above" {
   for report in "$fixtures"/bad/bad-identity-*.xml; do
      name=${report##*/bad-}
      grep -q "^   invalid ${name%.xml} " "$BATS_TEST_FILENAME" || fail "$report"
   done
}

@test "of several reports each has its line, and the worst decides" {
   profmem validate good/good-hello.xml good/good-small.xml
   check_status 0
   check_out "good/good-hello.xml: valid
good/good-small.xml: valid"
   profmem validate good/good-hello.xml bad/bad-identity-range.xml good/good-small.xml
   check_status 1
   check_out "good/good-hello.xml: valid
bad/bad-identity-range.xml:22: phase 'program': heap.peak: its value is not its max
good/good-small.xml: valid"
   profmem validate bad/bad-empty.xml bad/bad-identity-range.xml good/good-small.xml
   check_status 2
   [ "$(wc -l <out)" -eq 2 ]
   [ "$(wc -l <err)" -eq 1 ]
}

@test "no more violations are listed than anybody reads" {
   {
      sed '/<phase /,$d' "$fixtures/good/good-small.xml"
      for i in $(seq 150); do
         printf '<phase name="p%d" kind="request" instances="1" complete="yes">\n' "$i"
         printf '<metric name="heap.entry" unit="bytes" value="2"/>\n'
         printf '<metric name="heap.peak" unit="bytes" value="1"/>\n</phase>\n'
      done
      printf '</phases></profmem>\n'
   } >many.xml
   profmem validate "$PWD/many.xml"
   check_status 1
   [ "$(wc -l <out)" -eq 101 ]
   [ "$(tail -n 1 out)" = "50 more" ]
}

@test "the installed schema is the one built in" {
   # A word that only the file has would make this fail.
   sed 's/<value>monitor</<value>onlooker</' "$abs_top_srcdir/docs/profmem-report.rng" >other.rng
   sed 's/kind="process"/kind="monitor"/' "$fixtures/good/good-small.xml" >monitor.xml
   profmem validate "$PWD/monitor.xml"
   check_status 0
   run xmllint --noout --relaxng other.rng monitor.xml
   [ "$status" -ne 0 ]
   grep -aqF '<value>monitor</value>' "$PROFMEM"
}

@test "standard input is validated as -" {
   "$PROFMEM" validate - <"$fixtures/good/good-hello.xml" >out
   check_out "standard input: valid"
}

# Phases with their lists, then the sites and functions that these name.
large_report()
{
   sed '/<\/phases>/,$d' "$fixtures/good/good-small.xml"
   awk 'BEGIN {
      for (p = 0; p < 1000; p++) {
         printf "<phase name=\"p%d\" kind=\"request\" instances=\"1\" complete=\"yes\">\n", p
         print "<metric name=\"heap.entry\" unit=\"bytes\" value=\"0\"/>"
         print "<metric name=\"heap.peak\" unit=\"bytes\" value=\"90\"/>"
         print "<metric name=\"instructions.total\" unit=\"instructions\" value=\"900\"/>"
         print "<sites>"
         for (s = 1; s <= 90; s++)
            printf "<site id=\"%d\" peak-bytes=\"1\" peak-blocks=\"1\" traffic-bytes=\"1\" traffic-blocks=\"1\" temporary-blocks=\"0\" retained-bytes=\"0\" retained-blocks=\"0\"/>\n", p + s
         print "</sites>\n<functions>"
         for (f = 1; f <= 90; f++)
            printf "<function id=\"%d\" instructions=\"10\" calls=\"1\"/>\n", p + f
         print "</functions>\n</phase>"
      }
      print "</phases>\n<sites>"
      for (s = 1; s < 50000; s++) {
         printf "<site id=\"%d\" largest-bytes=\"1\">", s
         for (f = 0; f < 3; f++)
            printf "<frame function=\"f%d\" file=\"f.c\" line=\"%d\" object=\"app\"/>", s + f, s
         print "</site>"
      }
      print "</sites>\n<functions>"
      for (f = 1; f < 50000; f++)
         printf "<function id=\"%d\" name=\"f%d\" object=\"app\"/>\n", f, f
      print "</functions>\n</profmem>"
   }'
}

# As much as possible of nothing: elements that are shorter than what is kept of them.
hollow_report()
{
   sed '/<\/phases>/,$d' "$fixtures/good/good-small.xml"
   awk 'BEGIN {
      for (p = 0; p < 500000; p++)
         printf "<phase name=\"%d\" kind=\"request\" instances=\"0\" complete=\"yes\"><sites/></phase>\n", p
      print "</phases>\n<sites>"
      for (s = 0; s < 250000; s++)
         printf "<site id=\"%d\" largest-bytes=\"0\"><frame function=\"f\" object=\"o\"/></site>\n", s
      print "</sites>\n</profmem>"
   }'
}

# The same of other elements, a little more than a power of two of them, for which arrays grow.
hollow_lists()
{
   sed '/<\/phases>/,$d' "$fixtures/good/good-small.xml"
   awk -v kind="$1" -v count=1060000 'BEGIN {
      open = "<phase name=\"x\" kind=\"request\" instances=\"0\" complete=\"yes\">"
      if (kind == "lines") {
         print "</phases>\n<lines>"
         for (i = 0; i < count; i++)
            printf "<line id=\"%d\" function=\"f\" object=\"o\"/>\n", i
         print "</lines></profmem>"
      } else if (kind == "points") {
         print "</phases>\n<timeline interval-instructions=\"1\">"
         for (i = 0; i < count; i++)
            print "<point most-bytes=\"0\" last-bytes=\"0\"/>"
         print "</timeline></profmem>"
      } else if (kind == "buckets") {
         print open "<histograms><sizes>"
         for (i = 0; i < count; i++)
            print "<bucket from=\"0\" blocks=\"0\"/>"
         print "</sizes></histograms></phase></phases></profmem>"
      } else if (kind == "releases") {
         print open "<releases>"
         for (i = 0; i < count; i++)
            printf "<release origin=\"%d\" site=\"%d\" blocks=\"0\" bytes=\"0\"/>\n", int(i / 1100), i % 1100
         print "</releases></phase></phases>\n<sites>"
         for (i = 0; i < 1100; i++)
            printf "<site id=\"%d\" largest-bytes=\"0\"/>\n", i
         print "</sites></profmem>"
      } else {
         for (i = 0; i < count / 2; i++)
            printf "<phase name=\"%d\" kind=\"request\" instances=\"0\" complete=\"yes\"><sites/><resizes/><releases/><functions/><lines/><histograms><sizes/><lifetimes/></histograms><threads/></phase>\n", i
         print "</phases></profmem>"
      }
   }'
}

@test "hollow lists are read in memory of no more than four of their size" {
   for kind in lines points buckets releases phases; do
      hollow_lists $kind >hollow.xml
      bytes=$(stat -c %s hollow.xml)
      [ "$bytes" -gt 30000000 ]
      (ulimit -v $((bytes * 4 / 1024)) && profmem show -m heap.peak "$PWD/hollow.xml" &&
         check_status 0) || fail "$kind"
   done
}

@test "a report of hollow elements is read in memory of no more than four of its size" {
   hollow_report >hollow.xml
   bytes=$(stat -c %s hollow.xml)
   [ "$bytes" -gt 20000000 ]
   (ulimit -v $((bytes * 4 / 1024)) && profmem show -m heap.peak "$PWD/hollow.xml" && check_status 0)
}

@test "a large report is read in memory of no more than four of its size" {
   large_report >large.xml
   bytes=$(stat -c %s large.xml)
   [ "$bytes" -gt 20000000 ]
   # Address space, of which some is libraries.
   (ulimit -v $((bytes * 4 / 1024)) && profmem validate "$PWD/large.xml" && check_status 0)
   (ulimit -v $((bytes * 4 / 1024)) && profmem show "$PWD/large.xml" && check_status 0)
}
