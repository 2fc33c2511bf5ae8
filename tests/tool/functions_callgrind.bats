# SPDX-License-Identifier: GPL-2.0-or-later
# Every function of real programs against Callgrind: its instructions and rep-iterations, its
# calls, and its instructions of each class. code/code_referee.py says how, and what is
# excepted: two or three instructions with which the process ends, and nothing else.
load ../common
load tool
load distribution
load code/against_callgrind

setup_file()
{
   make_inputs
}

# functions_equal NAME MINIMUM
functions_equal()
{
   run_both "$1"
   rows_equal functions "$2"
}

@test "bzip2" {
   requires callgrind-calls
   large
   functions_equal bzip2 100
}

@test "xmllint" {
   requires callgrind-calls
   large
   functions_equal xmllint 250
}

@test "perl" {
   requires callgrind-calls
   large
   functions_equal perl 450
}

@test "sqlite3" {
   requires callgrind-calls
   large
   functions_equal sqlite3 600
}

@test "lua" {
   requires callgrind-calls
   large
   functions_equal lua 150
}

@test "python3" {
   requires callgrind-calls
   large
   functions_equal python3 500
}

@test "a Rust program" {
   requires rust
   functions_equal rust 120
}

@test "C, with libraries that come and go" {
   requires callgrind-calls
   functions_equal known 100
}

@test "C++" {
   requires callgrind-calls
   functions_equal cxx 120
}

@test "C++ without symbols" {
   requires callgrind-calls
   large
   "${PM_BINUTILS}strip" -o program "${program_cxx[0]}"
   program_stripped=("$PWD/program")
   functions_equal stripped 100
}

@test "C++ in a static program" {
   functions_equal cxx_static 150
}

@test "C in a static program of another libc" {
   functions_equal musl 80
}

# wrong NAME FROM TO: no to a report in which the first function's row that has FROM has TO.
wrong()
{
   awk -v from="$2" -v to="$3" '/<function id=/ && !done && sub(from, to) { done = 1 } { print }
      END { exit !done }' report.xml >wrong.xml
   refused functions wrong.xml "$1: reported"
}

@test "one more or less of anything is seen" {
   requires callgrind-calls
   local class
   run_both known
   wrong instructions '<function id="[0-9]*" instructions="[0-9]*' '&1'
   wrong calls ' calls="[0-9]*' '&1'
   for class in load store branch call vector; do
      wrong "$class" " $class=\"[0-9]*" '&1'
   done
   sed 's/name="leaf"/name="twig"/' report.xml >wrong.xml
   refused functions wrong.xml 'twig : no code that Callgrind saw'
}
