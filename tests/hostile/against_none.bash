# SPDX-License-Identifier: GPL-2.0-or-later
# against_none.bash: what the tests of this folder share, beside ../common.
#
#   load ../common
#   load against_none
#
# PM_SIZE_PERCENT in the environment is how much of each program's operations is made.

hostile=$abs_top_builddir/tests/hostile

# as_under_none [OPTION...] -- PROGRAM ARGUMENTS...: the program prints the same on both
# streams and ends alike under Valgrind's tool that does nothing and under ours, which
# writes report.xml; OPTIONs are ours. ${core_options[@]}: options of Valgrind, for both.
# What Valgrind itself says in a run of its own number (==PID==) is the same, too. Both are
# plain commands in the same environment: what the shell says of their ends stays outside.
as_under_none()
{
   local options=() none=0 ours=0
   while [ "$1" != -- ]; do
      options+=("$1")
      shift
   done
   shift
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes -q \
      "${core_options[@]}" --tool=none "$@" \
      >none.out 2>none.err </dev/null || none=$?
   rm -f report.xml*
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes -q \
      "${core_options[@]}" --tool=profmem --profmem-out-file=report.xml "${options[@]}" "$@" \
      >ours.out 2>ours.err </dev/null || ours=$?
   sed -i 's/^\(==\|--\)[0-9]*\(==\|--\) /==PID== /' none.err ours.err
   [ "${valgrind_lines-}" != differ ] || sed -i '/^==PID==/d' none.err ours.err
   [ $ours -eq $none ] || fail "$*: status $ours, under none $none: $(tail -n 3 ours.err)"
   cmp none.out ours.out || fail "$*: other output than under none: $(head -c 300 ours.out)"
   cmp none.err ours.err || fail "$*: other errors than under none: $(diff none.err ours.err)"
   [ "$ours" -eq "${status_wanted-0}" ] || fail "$*: status $ours: $(tail -n 3 ours.err)"
}

# lesson [OPTION...] -- PROGRAM LESSON: as_under_none, and the report says what the
# program's ledger does, with the numbers of the same run.
lesson()
{
   as_under_none "$@" ledger
   python3 "$abs_top_srcdir/tests/phases/expect.py" report.xml ledger &&
      "$PROFMEM" validate report.xml
}

# noted NAME: a number that the program left in its ledger.
noted()
{
   sed -n "s/^$1=//p" ledger
}

# of_phase NAME METRIC [REPORT]: the number.
of_phase()
{
   "$PROFMEM" show --metric "$2" --phase "$1" "${3-report.xml}"
}
