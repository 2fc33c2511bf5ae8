#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# show.bats: what `profmem show` shows.

load cli

@test "a report as a table" {
   profmem show good/good-hello.xml
   check_status 0
   check_err ""
   check_golden show-hello.txt
}

@test "several phases: ranges, reasons, stability, the largest numbers" {
   profmem show good/good-phases.xml
   check_status 0
   check_err ""
   check_golden show-phases.txt
}

@test "an allocator that was not found is unavailable, never 0" {
   profmem show good/good-stripped.xml
   check_status 0
   check_golden show-stripped.txt
   if grep -E '^  (heap|allocations)\.[a-z-]+ +0' out; then
      fail "0 where nothing was measured"
   fi
}

@test "hostile names reach no terminal unescaped" {
   profmem show good/good-hostile-names.xml
   check_status 0
   check_golden show-hostile-names.txt
   # Oracle: Python's idea of what is printable.
   python3 - out <<'END'
import sys
text = open(sys.argv[1], 'rb').read().decode('utf-8')
assert all(c.isprintable() or c == '\n' for c in text), [c for c in text if not c.isprintable()]
assert not any(c in '\u202e\u2066\u200b\ufeff' for c in text)
END
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

@test "standard input is read as -" {
   "$PROFMEM" show --metric heap.peak - <"$fixtures/good/good-hello.xml" >out
   check_out 1540
   cat "$fixtures/good/good-hello.xml" | "$PROFMEM" show --metric heap.exit - >out
   check_out 1024
   cat "$fixtures/good/good-hello.xml" | "$PROFMEM" show --metric heap.exit /dev/stdin >out
   check_out 1024
}
