# SPDX-License-Identifier: GPL-2.0-or-later
# profmem export: what the formats' own readers find is what the report says.
load cli

formats=(json csv openmetrics bencher benchmark-action)
pictures=(folded speedscope callgrind massif dhat pprof) # of which viewers.bats has the rest

# agrees FORMAT REPORT: the export of that report.
agrees()
{
   "$PROFMEM" export --format "$1" "$2" >export 2>notes || fail "$1 of $2: $(cat notes)"
   /usr/bin/python3 "$abs_top_srcdir/tests/cli/export_referee.py" "$1" "$2" export ||
      fail "$1 of $2"
}

@test "every format of every good report, read by its own reader" {
   local format report
   for report in "$fixtures"/good/*.xml; do
      for format in "${formats[@]}"; do
         agrees "$format" "$report"
      done
   done
}

@test "of a report of the tool, with everything in it" {
   profmem_valgrind -q --lines=yes --free-stacks=yes --profmem-out-file=report.xml /bin/ls / >/dev/null
   local format
   for format in "${formats[@]}"; do
      agrees "$format" report.xml
   done
}

@test "of a report of profmem run, with digests of all that was read" {
   echo some >file
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$PROFMEM" run -q --input=file -o report.xml /bin/cat file >/dev/null
   xmllint --xpath '//run[loader-cache and inputs/input/@size = 5 and objects/object/@sha256]' \
      report.xml >/dev/null
   agrees json report.xml
}

@test "numbers up to 2^64 - 1 are exact" {
   sed 's/name="heap.peak" unit="bytes" value="64"/name="heap.peak" unit="bytes" value="18446744073709551615"/
        s/name="heap.resized" unit="bytes" value="0"/name="heap.resized" unit="bytes" value="-9223372036854775808"/' \
      "$fixtures/good/good-small.xml" >large.xml
   local format
   for format in "${formats[@]}"; do
      agrees "$format" large.xml
   done
   "$PROFMEM" export large.xml | grep -q '"text": "18446744073709551615"'
   "$PROFMEM" export -f csv large.xml | grep -qx 'program,heap.peak,bytes,18446744073709551615,,,,'
}

@test "unavailable is null with its reason, left out with a note, never 0" {
   sed 's/name="heap.peak" unit="bytes" value="64"/name="heap.peak" unit="bytes" unavailable="no, \&quot;none\&quot;"/' \
      "$fixtures/good/good-small.xml" >none.xml
   local format
   for format in "${formats[@]}"; do
      agrees "$format" none.xml
   done
   profmem export --format bencher "$PWD/none.xml"
   check_status 0
   check_err "no heap.peak of phase 'program': no, \"none\""
}

@test "phases and metrics that are asked for" {
   profmem export -f csv --phase quiet --metric outside.clock-reads --metric outside.pid-reads \
      good/good-outside.xml
   check_status 0
   check_out "phase,metric,unit,value,unavailable,min,max,stable
quiet,outside.clock-reads,calls,0,,,,
quiet,outside.pid-reads,calls,0,,,,"
   profmem export -f bencher -p quiet -m outside.clock-reads good/good-outside.xml
   [ "$(tr -d ' \n' <out)" = '{"quiet":{"outside.clock-reads":{"value":0}}}' ]
}

# What Bencher takes for the name of a benchmark has 1 to 1,024 bytes.
@test "bencher: phases whose names it refuses are left out and said" {
   local longest
   longest=$(printf 'ä%.0s' $(seq 512))
   {
      sed '/<\/phases>/,$d' "$fixtures/good/good-small.xml"
      for name in '' "$longest" "${longest}x"; do
         printf '<phase name="%s" kind="request" instances="1" complete="yes">' "$name"
         printf '<metric name="heap.peak" unit="bytes" value="1"/></phase>\n'
      done
      printf '</phases></profmem>\n'
   } >names.xml
   profmem export -f bencher "$PWD/names.xml"
   check_status 0
   python3 - "$longest" <<'END'
import json, sys
assert list(json.load(open('out', encoding='utf-8'))) == ['program', sys.argv[1]]
END
   [ "$(wc -l <err)" -eq 2 ]
   grep -qx "no phase '': it has no name" err
   grep -qx "no phase 'ä*\.\.\.ä*x': its name has more than 1,024 bytes" err
   # What other formats take, they get.
   for format in json csv openmetrics benchmark-action; do
      agrees $format names.xml
   done
}

@test "what is wrong is said" {
   profmem export --format jsn good/good-small.xml
   check_status 2
   grep -q "no 'jsn'; did you mean 'json'" err
   profmem export --metric heap.peek good/good-small.xml
   check_status 2
   grep -q "there is no 'heap.peek'; did you mean 'heap.peak'" err
   profmem export --phase programm good/good-small.xml
   check_status 1
   check_err "profmem: error: good/good-small.xml: has no phase 'programm'; did you mean 'program'?"
   profmem export good/good-small.xml good/good-hello.xml
   check_status 2
   profmem export missing.xml
   check_status 2
   profmem export -o /dev/full good/good-small.xml
   check_status 2
   check_err "profmem: error: /dev/full: cannot be written: No space left on device"
   profmem export -o "$PWD/absent/file" good/good-small.xml
   check_status 2
   check_err "profmem: error: $PWD/absent/file: cannot be written: No such file or directory"
}

@test "into a file, and to a stream that is full" {
   profmem export -f csv -o "$PWD/file" good/good-small.xml
   check_status 0
   [ ! -s out ]
   profmem export -f csv good/good-small.xml
   cmp out file
   status=0
   (cd "$fixtures" && "$PROFMEM" export good/good-small.xml >/dev/full) 2>err || status=$?
   [ $status -eq 2 ]
}

@test "every format is in the help, and every one in the help is a format" {
   profmem export --help
   local format
   local all=("${formats[@]}" "${pictures[@]}")
   for format in "${all[@]}"; do
      grep -q "^  $format " out
   done
   [ "$(sed -n '/Formats:/,/^An unavailable/p' out | grep -c '^  [a-z]')" -eq ${#all[@]} ]
}

@test "numbers that contradict each other are not exported" {
   local format
   for format in "${formats[@]}" "${pictures[@]}"; do
      profmem export --format "$format" bad/bad-identity-exit.xml
      check_status 2
      grep -q "^profmem: error: bad/bad-identity-exit.xml:40: phase 'program': heap.exit = " err
   done
}

# A name of OpenMetrics has fewer characters than a metric's in a report of a newer version, or
# of no version at all.
@test "openmetrics: what would be one name there, or break a line, is left out and said" {
   sed '/heap.resized/a\
<metric name="heap-peak" unit="bytes" value="65"/>\
<metric name="new.one" unit="a unit\&#10;profmem_forged 1" value="7"/>\
<metric name="new.two" value="8"/>' "$fixtures/good/good-small.xml" >clash.xml
   profmem export --format openmetrics "$PWD/clash.xml"
   check_status 0
   check_err "no heap-peak of phase 'program': the format writes its name like that of another metric"
   /usr/bin/python3 - out <<'END'
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
found = {sample.name: sample.value for family in text_string_to_metric_families(
    open(sys.argv[1], encoding='utf-8').read()) for sample in family.samples}
assert found == {'profmem_heap_entry_bytes': 0, 'profmem_heap_peak_bytes': 64,
                 'profmem_heap_exit_bytes': 16, 'profmem_heap_resized_bytes': 0,
                 'profmem_new_one_a_unit_profmem_forged_1': 7, 'profmem_new_two': 8}, found
END
}
