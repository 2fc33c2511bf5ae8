# SPDX-License-Identifier: GPL-2.0-or-later
# against_callgrind.bash: one program under both tools, and every row compared.
#
#   load code/against_callgrind     after ../common, tool and distribution

referee=$abs_top_srcdir/tests/tool/code/code_referee.py
known=$programs/code

# Our own programs, beside those of distribution.bash.
program_known=("$known/known_calls" "$known/known_plugin.so")
program_known_plain=("$known/known_calls-plain" "$known/known_plugin.so")
program_cxx=("$known/known_calls_cxx")
program_cxx_plain=("$known/known_calls_cxx-plain")
program_cxx_static=("$known/known_calls_cxx-static")
program_musl=("$programs/ledger-musl" 1000 1 1 locked)

# run_both NAME [OPTIONS...]: the program under both tools; options for profmem.
run_both()
{
   local preload=$steady:$known/where.so name=$1
   shift
   under "$name" profmem "$preload" --report-limit=100000 \
      --profmem-out-file="$PWD/report.xml" "$@" 2>objects
   under "$name" callgrind "$preload" --dump-instr=yes --skip-plt=no \
      --callgrind-out-file="$PWD/counts" 2>objects
   cmp profmem.out callgrind.out
   # A static program preloads nothing, and is where its file says.
   local -n words=program_$name
   [ -s objects ] || echo "object 0 $(realpath "${words[0]}")" >objects
}

# rows_equal KIND MINIMUM: functions or lines; at least so many were compared.
rows_equal()
{
   python3 -B "$referee" "$1" report.xml counts objects "$2" >verdict || fail "$(cat verdict)"
   echo "# $(tail -n 1 verdict)" >&3
}

# refused KIND REPORT TEXT: the referee says no, and why.
refused()
{
   run python3 -B "$referee" "$1" "$2" counts objects
   [ "$status" -eq 1 ] || fail "$status: $output"
   [[ $output == *"$3"* ]] || fail "no '$3': $output"
}
