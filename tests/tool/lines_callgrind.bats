# SPDX-License-Identifier: GPL-2.0-or-later
# --lines=yes: every source line in every function against Callgrind: instructions, calls and
# classes. code/code_referee.py says how; what it excepts is the same as for functions.
load ../common
load tool
load distribution
load code/against_callgrind

setup_file()
{
   make_inputs
}

# lines_equal NAME MINIMUM: of lines that have a number. And the report's functions, which are
# counted by lines now.
lines_equal()
{
   run_both "$1" --lines=yes
   rows_equal lines "$2"
   rows_equal functions 50
   "$PROFMEM" validate report.xml
}

# functions_of XPATH: of the root's lines that have a file.
functions_of()
{
   xmllint --xpath "//profmem/lines/line$1[@file]" report.xml 2>xmllint.log |
      sed -n 's/.* function="\([^"]*\)".*/\1/p'
}

# line_with TEXT FILE: the number of the source line that has TEXT.
line_with()
{
   local number
   number=$(grep -nF -m 1 -- "$1" "$abs_top_srcdir/tests/tool/code/$2") || fail "no line has $1"
   echo "${number%%:*}"
}

@test "C, with libraries that come and go" {
   requires callgrind-calls
   lines_equal known 140
}

@test "C, not optimised" {
   requires callgrind-calls
   large
   lines_equal known_plain 180
}

@test "C++" {
   requires callgrind-calls
   lines_equal cxx 160
}

@test "C++, not optimised" {
   requires callgrind-calls
   large
   lines_equal cxx_plain 500
}

@test "C++ in a static program" {
   lines_equal cxx_static 160
}

@test "C in a static program of another libc" {
   lines_equal musl 200
}

@test "a program without debug information" {
   requires callgrind-calls
   large
   lines_equal bzip2 0
   [ -z "$(functions_of '[@object="bzip2"]')" ]
   "${PM_BINUTILS}strip" -g -o program "${program_cxx[0]}"
   program_stripped=("$PWD/program")
   lines_equal stripped 0
   [ -z "$(functions_of '[@object="program"]')" ]
}

@test "a line that is part of several functions is a row in each" {
   local line functions
   profmem_valgrind -q --lines=yes --report-limit=100000 --profmem-out-file=report.xml \
      "$known/known_lines" >/dev/null
   line=$(line_with 'return n * 17;' known_lines.c)
   functions=$(functions_of "[@file='known_lines.c' and @line=$line]" | sort | xargs)
   [ "$functions" = 'first main second' ] || fail "$functions"
}

@test "lines change nothing else in the report" {
   run_both cxx --lines=yes
   mv report.xml with.xml
   under cxx profmem "$steady:$known/where.so" --report-limit=100000 \
      --profmem-out-file="$PWD/report.xml" 2>objects
   local part
   for part in coverage phases/phase/metric phases/phase/sites phases/phase/functions \
      phases/phase/histograms sites functions; do
      diff <(xmllint --xpath "/profmem/$part" with.xml) \
         <(xmllint --xpath "/profmem/$part" report.xml)
   done
   [ "$(xmllint --xpath 'count(//lines)' report.xml)" -eq 1 ]
   xmllint --xpath 'string(/profmem/lines/@unavailable)' report.xml | grep -F -- --lines
}

# wrong NAME FROM TO: no to a report in which the first line's row that has FROM has TO.
wrong()
{
   awk -v from="$2" -v to="$3" '/<line id=/ && !done && sub(from, to) { done = 1 } { print }
      END { exit !done }' report.xml >wrong.xml
   refused lines wrong.xml "$1"
}

@test "one more or less of anything is seen" {
   requires callgrind-calls
   local class
   run_both known --lines=yes
   wrong 'instructions: reported' '<line id="[0-9]*" instructions="[0-9]*' '&1'
   wrong 'calls: reported' ' calls="[0-9]*' '&1'
   for class in load store branch call vector; do
      wrong "$class: reported" " $class=\"[0-9]*" '&1'
   done
   wrong 'reported 0' ' line="[0-9]*' '&1'
}
