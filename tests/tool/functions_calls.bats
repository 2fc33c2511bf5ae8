# SPDX-License-Identifier: GPL-2.0-or-later
# How often each function was called: by programs that know, and by Callgrind's own counts of
# calls, for functions that are reached by calls alone.
load ../common
load tool

code=$abs_top_srcdir/tests/tool/code/calls_referee.py
known=$programs/code

# called MINIMUM COMMAND...: the program's own numbers; at least so many functions.
called()
{
   local minimum=$1
   shift
   profmem_valgrind -q --report-limit=100000 --profmem-out-file=report.xml "$@" >calls
   python3 -B "$code" report.xml calls >verdict || fail "$(cat verdict)"
   [ "$(sed -n '$s/ .*//p' verdict)" -ge "$minimum" ] || fail "$(cat verdict)"
}

# as_callgrind COMMAND...: and Callgrind's.
as_callgrind()
{
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes -q --tool=callgrind \
      --dump-instr=yes --skip-plt=no --callgrind-out-file=counts "$@" >callgrind-calls
   cmp calls callgrind-calls
   python3 -B "$code" report.xml calls counts >verdict || fail "$(cat verdict)"
}

# The cases are there: the compiler has not made others of them.
has_jump()
{
   "${PM_BINUTILS}objdump" -d --no-show-raw-insn "$known/known_calls" |
      awk -v from="<$1>:" -v to="<$2>" -v jump="$jump" '/>:$/ { inside = $2 == from }
         inside && $2 == jump && $NF == to { found = 1 } END { exit !found }'
}

@test "C: pointers, tables, recursion, jumps, libraries" {
   has_jump ends_in_call at_the_end
   called 25 "$known/known_calls" "$known/known_plugin.so"
   requires callgrind-calls
   as_callgrind "$known/known_calls" "$known/known_plugin.so"
}

@test "C: signals and threads" {
   called 27 "$known/known_calls" "$known/known_plugin.so" all
}

@test "C: not optimised" {
   called 25 "$known/known_calls-plain" "$known/known_plugin.so"
   requires callgrind-calls
   as_callgrind "$known/known_calls-plain" "$known/known_plugin.so"
}

@test "C++: templates, virtual functions, lambdas, exceptions" {
   called 16 "$known/known_calls_cxx"
   requires callgrind-calls
   as_callgrind "$known/known_calls_cxx"
}

@test "C++: not optimised" {
   called 16 "$known/known_calls_cxx-plain"
   requires callgrind-calls
   as_callgrind "$known/known_calls_cxx-plain"
}

@test "one call more or less is seen" {
   called 16 "$known/known_calls_cxx"
   sed 's/^calls 12 \(.*twice\)/calls 13 \1/' calls >wrong
   run cmp -s calls wrong
   [ "$status" -eq 1 ]
   run python3 -B "$code" report.xml wrong
   [[ $status -eq 1 && $output == *'called 13 times, reported 12'* ]]
}
