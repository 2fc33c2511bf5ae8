# SPDX-License-Identifier: GPL-2.0-or-later
# tool.bash: what the tests of the Valgrind tool share, beside ../common.
#
#   load ../common
#   load tool

programs=$abs_top_builddir/tests/tool

# steps [-a FILE] PROGRAM ARGUMENTS...: the referee of what ran.
steps()
{
   if [ -z "${PM_EMULATOR-}" ]; then
      "$programs/step" "$@"
   else
      python3 -B "$abs_top_srcdir/tests/platforms/qemu_step.py" "$@"
   fi
}

# Callgrind loses the instructions of the process's last block: the end of the C library's
# _exit, at most so many.
case $PROFMEM_PLATFORM in
arm64*) lost_at_end=7 ;;
*) lost_at_end=3 ;;
esac

# metric REPORT NAME: its number for the whole process.
metric()
{
   "$PROFMEM" show --metric "$2" --phase program "$1"
}

# metric_or_0 REPORT NAME: 0 where it is unavailable because the machine has nothing like it.
metric_or_0()
{
   metric "$@" 2>reason || { grep -qF 'no rep instructions' reason && echo 0; }
}

# value FILE NAME: of a line NAME=VALUE that a program printed.
value()
{
   sed -n "s/^$2=//p" "$1"
}

# agree FILE REPORT [NAME...]: each metric that FILE has as NAME=VALUE, or those
# named, is in the report. All that differ are listed.
agree()
{
   local file=$1 report=$2 name expected reported wrong=0 names
   shift 2
   [ $# -gt 0 ] || mapfile -t names < <(sed -n 's/^\([a-z-]*\.[a-z-]*\)=.*/\1/p' "$file")
   [ $# -eq 0 ] || names=("$@")
   [ ${#names[@]} -gt 0 ] || fail "$file names no metric" || return
   for name in "${names[@]}"; do
      expected=$(value "$file" "$name")
      reported=$(metric "$report" "$name") || reported=unavailable
      if [ "$expected" != "$reported" ]; then
         echo "$name: expected $expected, reported $reported" >&2
         wrong=1
      fi
   done
   [ $wrong -eq 0 ]
}
