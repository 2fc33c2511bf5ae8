# SPDX-License-Identifier: GPL-2.0-or-later
# Functions of the distribution's own libraries as phases, with referees.
#
# Callgrind, that collects only inside the function: total + rep-iterations -
# rep-ended-by-condition - 4 * client-requests is its Ir, with nothing left over, since
# the process's last instructions are not in it. Its counts of calls are the instances,
# for functions that do not call themselves. The heap of a native run is told by a
# preloaded library that replaces the function and malloc (spy.c).
load ../common
load phases
programs=$abs_top_builddir/tests/tool
load ../tool/distribution

program_xz=(xz -T1 -c numbers)
program_collect=(/usr/bin/python3 -S -B collect.py)
program_collect_often=(/usr/bin/python3 -S -B collect_often.py)

setup_file()
{
   make_inputs
   cat >collect.py <<'END_OF_INPUT'
kept = []
for i in range(300):
   a = [i]
   a.append(a)
   kept.append({"n": [i] * 50})
END_OF_INPUT
   { cat collect.py; cat <<'END_OF_INPUT'; } >collect_often.py
import ctypes
for i in range(7):
   print(ctypes.pythonapi.PyGC_Collect())
END_OF_INPUT
}

# with_phase PROGRAM FUNCTION: report.xml
with_phase()
{
   under "$1" profmem "$steady" --profmem-out-file="$PWD/report.xml" --phase-fn="$2"
   "$PROFMEM" validate report.xml
}

instances()
{
   xmllint --xpath "string(//phase[@name='$1']/@instances)" report.xml
}

# calls_of FUNCTION FILE: all calls of it that Callgrind has seen.
calls_of()
{
   awk -v function_name="$1" '
      /^c?fn=/ {
         match($0, /\([0-9]+\)/)
         id = substr($0, RSTART, RLENGTH)
         if (RSTART + RLENGTH <= length($0))
            names[id] = substr($0, RSTART + RLENGTH + 1)
         called = /^cfn=/ ? names[id] : ""
      }
      /^calls=/ && called == function_name { split($0, parts, /[= ]/); calls += parts[2] }
      END { print calls + 0 }' "$2"
}

# agrees_with_callgrind PROGRAM FUNCTION
agrees_with_callgrind()
{
   local program=$1 function=$2 total iterations by_condition requests ir
   with_phase "$program" "$function"
   under "$program" callgrind "$steady" --callgrind-out-file="$PWD/inside" \
      --toggle-collect="$function"
   cmp profmem.out callgrind.out
   under "$program" callgrind "$steady" --callgrind-out-file="$PWD/all"
   ir=$(sed -n 's/^summary: //p' inside)
   total=$(of_phase "$function" instructions.total)
   iterations=$(of_phase_or_0 "$function" instructions.rep-iterations)
   by_condition=$(of_phase_or_0 "$function" instructions.rep-ended-by-condition)
   requests=$(of_phase "$function" instructions.client-requests)
   echo "total $total, rep-iterations $iterations, rep-ended-by-condition $by_condition," \
      "client-requests $requests, Ir $ir; instances $(instances "$function")," \
      "calls $(calls_of "$function" all)"
   [ "$ir" -gt 10000 ]
   [ $((total + iterations - by_condition - 4 * requests)) -eq "$ir" ]
   [ "$(instances "$function")" -eq "$(calls_of "$function" all)" ]
}

# agrees_with_spy PROGRAM FUNCTION, after with_phase
agrees_with_spy()
{
   local -n words=program_$1
   local here=$PWD command=("${words[@]}")
   command[0]=$(of_root "$(command -v "${command[0]}")")
   (
      cd "$BATS_FILE_TMPDIR/inputs"
      # shellcheck disable=SC2086
      in_fixed_environment SPY_FILE="$here/expected" LD_PRELOAD="$steady:$phases/spy.so" \
         ${PM_EMULATOR-} "${command[@]}" >"$here/native.out"
   )
   cmp profmem.out native.out
   cat expected
   [ "$(grep -c '' expected)" -ge 10 ]
   expect report.xml expected
}

@test "sqlite3_step of sqlite3" {
   large
   with_phase sqlite3 sqlite3_step
   agrees_with_spy sqlite3 sqlite3_step
   [ "$(of_phase sqlite3_step allocations.count)" -gt 1000 ]
   requires callgrind-calls
   agrees_with_callgrind sqlite3 sqlite3_step
}

@test "lzma_code of xz" {
   with_phase xz lzma_code
   agrees_with_spy xz lzma_code
   [ "$(of_phase lzma_code allocations.count)" -gt 0 ]
   requires callgrind-calls
   agrees_with_callgrind xz lzma_code
}

@test "xmlParseDocument of xmllint" {
   large
   requires callgrind-calls
   agrees_with_callgrind xmllint xmlParseDocument
   [ "$(of_phase xmlParseDocument allocations.count)" -gt 1000 ]
}

@test "PyGC_Collect of the distribution's python3" {
   large
   requires callgrind-calls
   agrees_with_callgrind collect PyGC_Collect
}

# Callgrind loses its way in libffi; the script counts by itself, and one call is
# Python's own, at its end.
@test "PyGC_Collect, called by the script" {
   large
   with_phase collect_often PyGC_Collect
   [ "$(instances PyGC_Collect)" -eq $(($(wc -l <profmem.out) + 1)) ]
   [ "$(instances PyGC_Collect)" -eq 8 ]
}
