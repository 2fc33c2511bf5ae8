#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# words.bats: no output, no help and no document says anything about how long a program
# takes. Quantities are explained; latency is confirmed elsewhere, by other means.
#
# Not meant are fixed keywords of foreign formats, `lifetime`, the clocks that a program
# reads, an ordinal ("a second run"), and what the tool itself costs (bench/).

load cli

words='time|times|timed|timing|timings|speed|speeds|speedup|fast|faster|fastest|slow|slower|slowest|slowdown|quick|quicker|quickly|latency|latencies|duration|durations|elapsed|throughput|hot|hotter|hottest|milliseconds?|microseconds?|nanoseconds?|seconds|[0-9]+ ?second|[0-9]+ ?[mµn]s'

# Sentences that say what is not claimed, or what a clock option does.
denials='they are no statement on its latency|confirming-latency\.md|no address and no duration|seconds since 1970'

# check_words FILE: none of them is in it.
check_words()
{
   if sed -E "s/$denials//g" "$1" | grep -n -i -w -E "$words"; then
      fail "$1: a word that nothing says"
   fi
}

commands()
{
   "$PROFMEM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# What each command prints, for results and for mistakes; 1: there is no such row.
outputs()
{
   case $1 in
   run)
      "$PROFMEM" run
      "$PROFMEM" run --frob x
      "$PROFMEM" run ./no-such-program
      ;;
   show)
      for report in "$fixtures"/*/*.xml; do
         "$PROFMEM" show --lines --histograms --timeline "$report"
         "$PROFMEM" show --metrics "$report"
      done
      "$PROFMEM" show --metric heap.pek "$fixtures/good/good-hello.xml"
      ;;
   check)
      for format in text markdown junit github; do
         (cd "$fixtures/limits" &&
            "$PROFMEM" check -f $format -l hold.txt -l fail.txt -b old.xml new.xml errors.xml
            "$PROFMEM" check -f $format -l bad.txt new.xml
            "$PROFMEM" check -f $format -L '* heap.peak <= 1' hostile.xml unlike.xml
            "$PROFMEM" check -f $format -u -L '* heap.peak +1' -b new.xml unlike.xml
            "$PROFMEM" check -f $format -L '* heap.peak +1' -b new.xml unlike.xml)
      done
      "$PROFMEM" check
      ;;
   diff)
      for report in "$fixtures"/good/*.xml; do
         "$PROFMEM" diff "$fixtures/good/good-hello.xml" "$report"
         "$PROFMEM" diff "$report" "$fixtures/good/good-phases.xml"
      done
      (cd "$fixtures/limits" && "$PROFMEM" diff old.xml new.xml)
      ;;
   export)
      # Foreign formats have keywords of their own: only what is ours.
      for report in "$fixtures"/good/*.xml; do
         for format in json csv openmetrics bencher benchmark-action; do
            "$PROFMEM" export --format=$format "$report"
         done
      done
      "$PROFMEM" export
      ;;
   html)
      # With the scripts, which have words of their own; without their comments.
      for report in "$fixtures"/good/*.xml; do
         "$PROFMEM" html "$report"
         "$PROFMEM" html -u "$report" "$fixtures/good/good-phases.xml"
      done | perl -0pe 's{/\*.*?\*/}{}gs'
      "$PROFMEM" html
      ;;
   validate)
      for report in "$fixtures"/*/*.xml; do
         "$PROFMEM" validate "$report"
      done
      ;;
   help)
      "$PROFMEM" help
      "$PROFMEM" help metrics
      "$PROFMEM" help classes
      "$PROFMEM" help nothing
      ;;
   *)
      return 1
      ;;
   esac
   return 0
}

@test "the output and the help of every command" {
   [ "$(commands | wc -l)" -ge 5 ]
   for command in $(commands); do
      "$PROFMEM" help "$command" >help
      check_words help
      outputs "$command" >output 2>&1 || fail "$command has no row in words.bats"
      [ "$(wc -l <output)" -gt 3 ]
      check_words output
   done
}

@test "the tool's own help and its summary" {
   profmem_valgrind --help >help 2>&1
   sed -n '/^  user options for profmem/,/^  [a-z]* options for [^p]/p' help >own
   [ "$(wc -l <own)" -gt 20 ]
   check_words own
   profmem_valgrind --profmem-out-file=report.xml true >log 2>&1
   check_words log
   check_words report.xml
}

@test "the documents, the examples and what programs include" {
   cd "$abs_top_srcdir"
   found=0
   for document in README.md NEWS docs/*.md docs/ci/* docs/man/*.md docs/*.rng examples/* \
      examples/*/* \
      valgrind-tool/client/profmem.h valgrind-tool/core/pm_metrics.def; do
      [ -f "$document" ] || continue
      [ "$document" != docs/cost.md ] || continue # what the tool itself costs
      [ "$document" != docs/confirming-latency.md ] || continue # by other means than profmem
      check_words "$document"
      found=$((found + 1))
   done
   [ "$found" -ge 10 ]
}

@test "a word would be found" {
   printf 'it is faster\n' >sample
   if check_words sample 2>/dev/null; then
      fail "the word was not found"
   fi
   printf 'a second run, lifetimes, they are no statement on its latency\n' >sample
   check_words sample
}
