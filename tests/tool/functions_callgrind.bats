# SPDX-License-Identifier: GPL-2.0-or-later
# Every function of real programs against Callgrind: its instructions and rep-iterations, its
# calls, and its instructions of each class. code/functions_referee.py says how, and what is
# excepted: two or three instructions with which the process ends, and nothing else.
load ../common
load tool
load distribution

code=$abs_top_srcdir/tests/tool/code
program_known_calls=("$programs/code/known_calls" "$programs/code/known_plugin.so")
program_known_cxx=("$programs/code/known_calls_cxx")
program_known_cxx_static=("$programs/code/known_calls_cxx-static")
program_musl=("$programs/ledger-musl" 1000 1 1 locked)

setup_file()
{
   make_inputs
}

# run_both NAME: the program under both tools.
run_both()
{
   local preload=$steady:$programs/code/where.so
   under "$1" profmem "$preload" --report-limit=100000 --profmem-out-file="$PWD/report.xml" 2>objects
   under "$1" callgrind "$preload" --dump-instr=yes --skip-plt=no \
      --callgrind-out-file="$PWD/counts" 2>objects
   cmp profmem.out callgrind.out
}

# referee REPORT MINIMUM: at least so many functions must have been compared.
referee()
{
   python3 -B "$code/functions_referee.py" "$1" counts objects "$2" >verdict || fail "$(cat verdict)"
   echo "# $(tail -n 1 verdict)" >&3
}

# functions_equal NAME MINIMUM
functions_equal()
{
   run_both "$1"
   referee report.xml "$2"
}

# The object of a static program is where its file says, and nothing can be preloaded.
functions_equal_static()
{
   local -n words=program_$1
   run_both "$1"
   echo "object 0 $(realpath "${words[0]}")" >objects
   referee report.xml "$2"
}

# stripped NAME: program_stripped is that program without its symbols.
stripped()
{
   local -n words=program_$1
   strip -o program "${words[0]}"
   program_stripped=("$PWD/program" "${words[@]:1}")
}

@test "bzip2" {
   functions_equal bzip2 250
}

@test "xmllint" {
   functions_equal xmllint 400
}

@test "perl" {
   functions_equal perl 500
}

@test "sqlite3" {
   functions_equal sqlite3 700
}

@test "lua" {
   functions_equal lua 300
}

@test "python3" {
   functions_equal python3 600
}

@test "a Rust program" {
   functions_equal rust 250
}

@test "C, with libraries that come and go" {
   functions_equal known_calls 250
}

@test "C++" {
   functions_equal known_cxx 300
}

@test "C++ without symbols" {
   stripped known_cxx
   functions_equal stripped 250
}

@test "C++ in a static program" {
   functions_equal_static known_cxx_static 150
}

@test "C in a static program of another libc" {
   functions_equal_static musl 80
}

# wrong NAME FROM TO: the referee says no to a report in which the first function's row that has
# FROM has TO instead.
wrong()
{
   awk -v from="$2" -v to="$3" '/<function id=/ && !done && sub(from, to) { done = 1 } { print }
      END { exit !done }' report.xml >wrong.xml
   run python3 -B "$code/functions_referee.py" wrong.xml counts objects
   [ "$status" -eq 1 ] || fail "$1: $output"
   [[ $output == *"$1: reported"* ]] || fail "$1: $output"
}

@test "one more or less of anything is seen" {
   run_both known_calls
   # The largest function of all.
   local row='<function id="[0-9]*" instructions="[0-9]*'
   wrong instructions "$row" '&1'
   wrong calls ' calls="[0-9]*' '&1'
   for class in load store branch call vector; do
      wrong "$class" " $class=\"[0-9]*" '&1'
   done
   # What is known by another name.
   sed 's/name="leaf"/name="twig"/' report.xml >wrong.xml
   run python3 -B "$code/functions_referee.py" wrong.xml counts objects
   [[ $status -eq 1 && $output == *'twig: no function that Callgrind saw'* ]]
}
