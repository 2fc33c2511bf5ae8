#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# refused.bats: what is no profmem report is 2 for every command, with file, line and
# reason, and nothing on stdout.

load cli

# Name, line (0: none), a part of the reason. libxml2's own words are not tested.
refused_fixtures()
{
   cat <<'END'
bad/bad-truncated.xml|16|not well-formed XML
bad/bad-truncated-in-attribute.xml|20|not well-formed XML
bad/bad-mismatched-tags.xml|14|not well-formed XML
bad/bad-two-roots.xml|28|not well-formed XML
bad/bad-empty.xml|1|not well-formed XML
bad/bad-blank.xml|2|not well-formed XML
bad/bad-not-xml.xml|1|not well-formed XML
bad/bad-foreign-massif.out|1|not well-formed XML
bad/bad-foreign-root.xml|2|not a profmem report: its root element is <valgrindoutput>
bad/bad-foreign-namespace.xml|2|not a profmem report: its root element is <profmem> of the namespace 'urn:example:other'
bad/bad-undeclared-prefix.xml|12|not well-formed XML
bad/bad-doctype.xml|2|a report has no document type (DOCTYPE)
bad/bad-doctype-external.xml|2|a report has no document type (DOCTYPE)
bad/bad-entity-bomb.xml|2|a report has no document type (DOCTYPE)
bad/bad-entity-bomb-in-attribute.xml|2|a report has no document type (DOCTYPE)
bad/bad-entity-external.xml|2|a report has no document type (DOCTYPE)
bad/bad-entity-parameter.xml|2|a report has no document type (DOCTYPE)
bad/bad-entity-undeclared.xml|6|not well-formed XML
bad/bad-control-character.xml|6|not well-formed XML
bad/bad-format-missing.xml|2|<profmem> lacks its attribute 'format'
bad/bad-format-zero.xml|2|attribute 'format' of <profmem> is not a number: '0'
bad/bad-format-word.xml|2|attribute 'format' of <profmem> is not a number: 'one'
bad/bad-value-past-64-bits.xml|22|attribute 'value' of <metric> is out of the range of 64 bits: '18446744073709551616'
bad/bad-value-far-past-64-bits.xml|22|attribute 'value' of <metric> is out of the range of 64 bits: '9999999999999999999999999999999999999999...'
bad/bad-value-negative.xml|22|attribute 'value' of <metric> is not a number: '-1'
bad/bad-value-plus.xml|22|attribute 'value' of <metric> is not a number: '+64'
bad/bad-value-leading-zero.xml|22|attribute 'value' of <metric> is not a number: '064'
bad/bad-value-hexadecimal.xml|22|attribute 'value' of <metric> is not a number: '0x40'
bad/bad-value-fraction.xml|22|attribute 'value' of <metric> is not a number: '64.0'
bad/bad-value-empty.xml|22|attribute 'value' of <metric> is not a number: ''
bad/bad-value-blank.xml|22|attribute 'value' of <metric> is not a number: ' 64'
bad/bad-signed-past-64-bits.xml|24|attribute 'value' of <metric> is out of the range of 64 bits: '9223372036854775808'
bad/bad-signed-below-64-bits.xml|24|attribute 'value' of <metric> is out of the range of 64 bits: '-9223372036854775809'
bad/bad-signed-minus-zero.xml|24|attribute 'value' of <metric> is not a number: '-0'
bad/bad-value-and-reason.xml|22|metric 'heap.peak' has both 'value' and 'unavailable'
bad/bad-value-nor-reason.xml|22|metric 'heap.peak' has neither 'value' nor 'unavailable'
bad/bad-min-without-max.xml|22|metric 'heap.peak' has only one of 'min' and 'max'
bad/bad-metric-without-name.xml|22|<metric> lacks its attribute 'name'
bad/bad-metric-twice.xml|22|metric 'heap.peak' appears twice in a phase
bad/bad-unknown-metric-twice.xml|23|metric 'heap.other' appears twice in a phase
bad/bad-phase-without-name.xml|20|<phase> lacks its attribute 'name'
bad/bad-phase-twice.xml|26|phase 'program' appears twice
bad/bad-instances-missing.xml|20|<phase> lacks its attribute 'instances'
bad/bad-complete-maybe.xml|20|attribute 'complete' of <phase> is neither 'yes' nor 'no'
bad/bad-unstable-without-difference.xml|22|<metric> lacks its attribute 'stable-difference'
bad/bad-status-missing.xml|13|<end> lacks its attribute 'status'
bad/bad-frame-inlined-maybe.xml|46|attribute 'inlined' of <frame> is neither 'yes' nor 'no'
bad/bad-frame-without-function.xml|50|<frame> lacks its attribute 'function'
bad/bad-frame-without-line.xml|47|<frame> lacks its attribute 'line'
bad/bad-function-listed-twice.xml|40|<function> with id 1 appears twice in a phase
bad/bad-function-missing.xml|40|no <function> has the id 0 of this row
bad/bad-function-named-twice.xml|55|<function> with id 1 appears twice
bad/bad-function-rep-iterations-word.xml|40|attribute 'rep-iterations' of <function> is not a number: 'many'
bad/bad-function-without-instructions.xml|40|<function> lacks its attribute 'instructions'
bad/bad-function-without-name.xml|55|<function> lacks its attribute 'name'
bad/bad-instance-metric-neither.xml|44|metric 'heap.peak' has neither 'value' nor 'unavailable'
bad/bad-instance-metric-twice.xml|45|metric 'heap.peak' appears twice in an instance
bad/bad-instance-without-number.xml|43|<instance> lacks its attribute 'number'
bad/bad-others-twice.xml|38|<others> appears twice in <sites> of a phase
bad/bad-others-without-number.xml|37|<others> lacks its attribute 'sites'
bad/bad-site-id-past-64-bits.xml|49|attribute 'id' of <site> is out of the range of 64 bits: '18446744073709551617'
bad/bad-site-listed-twice.xml|36|<site> with id 1 appears twice in a phase
bad/bad-site-missing.xml|36|no <site> has the id 3 of this row
bad/bad-site-named-twice.xml|49|<site> with id 1 appears twice
bad/bad-site-names-missing.xml|35|no <site> has the id 1 of this row
bad/bad-site-without-id.xml|36|<site> lacks its attribute 'id'
bad/bad-site-without-peak.xml|36|<site> lacks its attribute 'peak-blocks'
bad/bad-thread-without-number.xml|44|<thread> lacks its attribute 'number'
bad/bad-thread-without-traffic.xml|45|<thread> lacks its attribute 'traffic-bytes'
bad/bad-resize-origin-missing.xml|43|no <site> has the id 6 of this row
bad/bad-resize-site-missing.xml|43|no <site> has the id 0 of this row
bad/bad-resize-listed-twice.xml|43|<resize> of origin 1 and site 2 appears twice in a phase
bad/bad-resize-without-origin.xml|43|<resize> lacks its attribute 'origin'
bad/bad-resize-net-bytes-minus-zero.xml|43|attribute 'net-bytes' of <resize> is not a number: '-0'
bad/bad-resize-others-without-pairs.xml|44|<others> lacks its attribute 'pairs'
bad/bad-release-listed-twice.xml|48|<release> of origin 2 and site 3 appears twice in a phase
bad/bad-release-site-missing.xml|48|no <site> has the id 18446744073709551615 of this row
bad/bad-release-without-bytes.xml|48|<release> lacks its attribute 'bytes'
bad/bad-line-missing.xml|53|no <line> has the id 5 of this row
bad/bad-line-listed-twice.xml|53|<line> with id 1 appears twice in a phase
bad/bad-line-named-twice.xml|124|<line> with id 2 appears twice
bad/bad-line-without-number.xml|125|<line> lacks its attribute 'line'
bad/bad-line-without-function.xml|125|<line> lacks its attribute 'function'
bad/bad-instruction-missing.xml|48|no <instruction> has the id 7 of this row
bad/bad-instruction-listed-twice.xml|48|<instruction> with id 3 appears twice in a phase
bad/bad-instruction-named-twice.xml|73|<instruction> with id 4 appears twice
bad/bad-instruction-address.xml|72|address '0x040100b' is not 0x and a hexadecimal number
bad/bad-instruction-without-function.xml|72|<instruction> lacks its attribute 'function'
bad/bad-bucket-without-from.xml|62|<bucket> lacks its attribute 'from'
bad/bad-bucket-blocks-negative.xml|62|attribute 'blocks' of <bucket> is not a number: '-4'
bad/bad-timeline-twice.xml|99|<timeline> appears twice
bad/bad-timeline-without-interval.xml|91|<timeline> lacks its attribute 'interval-instructions'
bad/bad-point-without-last.xml|93|<point> lacks its attribute 'last-bytes'
unsupported/unsupported-format-2.xml|2|report format 2 is unsupported: this profmem reads format 1
unsupported/unsupported-format-2-of-other-elements.xml|2|report format 2 is unsupported: this profmem reads format 1
unsupported/unsupported-format-huge.xml|2|report format 340282366920938463463374607431768211456 is unsupported: this profmem reads format 1
END
}

# refused ARGS...: status 2, one line on stderr, nothing on stdout.
refused()
{
   profmem "$@"
   check_status 2
   check_out ""
   [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(cat err)"
}

@test "each refused fixture, by each command, with file, line and reason" {
   while IFS='|' read -r file line reason; do
      for command in "show" "validate" "show --metric heap.peak"; do
         # shellcheck disable=SC2086
         refused $command "$file"
         case $(cat err) in
         "profmem: error: $file:$line: $reason"*) ;;
         *) fail "$command $file: $(cat err)" ;;
         esac
      done
   done < <(refused_fixtures)
}

@test "each fixture is in a list" {
   (cd "$fixtures" && ls bad/* unsupported/*) | grep -v -e '^bad/bad-schema-' -e '^bad/bad-identity-' |
      sort >present
   refused_fixtures | cut -d '|' -f 1 | sort >listed
   diff present listed
}

@test "10,000 levels of elements" {
   { printf '<profmem format="1">\n'; printf '<a>\n%.0s' $(seq 10000); } >deep.xml
   refused show "$PWD/deep.xml"
   check_err "profmem: error: $PWD/deep.xml:65: elements are nested deeper than 64 levels"
   refused validate "$PWD/deep.xml"
   { printf '<profmem format="1">\n<run>'; printf '<a b="">\n%.0s' $(seq 10000); } >deep.xml
   refused show "$PWD/deep.xml"
}

# The limit is many times what it takes, and a small part of what comparing each with each would.
@test "very many attributes or namespaces of one element cost no more than their bytes" {
   while read -r what name; do
      { printf '<profmem format="1"><run'; seq -f " $what%.0f=\"x\"" 400000 | tr -d '\n'
        printf '/></profmem>'; } >crowd.xml
      (
         ulimit -t 5
         refused show "$PWD/crowd.xml"
         refused diff "$fixtures/good/good-small.xml" "$PWD/crowd.xml"
      )
      check_err "profmem: error: $PWD/crowd.xml:1: an element has more than 64 $name"
   done <<'END'
a attributes
xmlns:a namespaces
END
   # Not too many.
   sed "s|<executable |&$(seq -f ' a%.0f="x"' 60 | tr -d '\n') |" "$fixtures/good/good-small.xml" >some.xml
   profmem show --metric heap.peak "$PWD/some.xml"
   check_status 0
}

@test "bytes that are not UTF-8, and other encodings" {
   sed 's,\./small,\xff\xfe,' "$fixtures/good/good-small.xml" >bytes.xml
   refused show "$PWD/bytes.xml"
   grep -q 'bytes.xml:6: not well-formed XML' err
   sed 's,\./small,sm\xe4ll,; s/UTF-8/ISO-8859-1/' "$fixtures/good/good-small.xml" >latin.xml
   refused show "$PWD/latin.xml"
   head -c 4096 /dev/zero >zeros.xml
   refused validate "$PWD/zeros.xml"
}

@test "no network and no other file is touched" {
   command -v strace >/dev/null || skip "strace is not installed"
   for file in doctype-external entity-external entity-parameter; do
      strace -f -e trace=network,openat -o trace "$PROFMEM" validate \
         "$fixtures/bad/bad-$file.xml" 2>err || true
      grep -q "bad-$file.xml" trace
      if grep -E 'socket|connect|passwd|\.dtd' trace; then
         fail "$file: see above"
      fi
   done
}

@test "a folder, and a file that is not there" {
   refused show "$PWD"
   check_err "profmem: error: $PWD: cannot be read: Is a directory"
   refused validate "$PWD/nothing"
   check_err "profmem: error: $PWD/nothing: cannot be opened: No such file or directory"
}
