# SPDX-License-Identifier: GPL-2.0-or-later
# phases.bash: what the tests of phases share, beside ../common.
#
#   load ../common
#   load phases

phases=$abs_top_builddir/tests/phases

# expect REPORT FILE: the report says what FILE wants (expect.py), and nothing in it
# contradicts itself.
expect()
{
   python3 "$abs_top_srcdir/tests/phases/expect.py" "$1" "$2" && "$PROFMEM" validate "$1"
}

# measured [OPTION...] PROGRAM ARGUMENTS...: what it expects of its report.xml is
# there. Its status has to be $status_wanted (0).
measured()
{
   local status=0
   profmem_valgrind -q --profmem-out-file=report.xml "$@" >expected || status=$?
   [ $status -eq "${status_wanted-0}" ] || fail "$* ended with $status: $(tail -n 3 expected)"
   expect report.xml expected
}

# of_phase NAME METRIC [REPORT]: the number.
of_phase()
{
   "$PROFMEM" show --metric "$2" --phase "$1" "${3-report.xml}"
}

# of_phase_or_0 NAME METRIC: 0 where it is unavailable because the machine has nothing like it.
of_phase_or_0()
{
   of_phase "$@" 2>reason || { grep -qF 'no rep instructions' reason && echo 0; }
}
