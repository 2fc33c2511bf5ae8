# SPDX-License-Identifier: GPL-2.0-or-later
# common.bash: what every .bats file loads:
#
#   load ../common
#
# make check gives the environment (tests/local.mk). Each test starts in an
# empty folder of its own that bats removes, so outputs need no unique names.

: "${abs_top_builddir:?run the tests with make check}"

setup()
{
   cd "$BATS_TEST_TMPDIR" || return
}

# ---- Where the tests run: natively, or where the tool was built for another machine whose
# programs an emulator runs. PM_EMULATOR is its command then, PM_ROOT the folder in which it
# finds the files of a distribution for that machine, before those of this machine;
# PM_BINUTILS stands before the names of binutils, and PM_CC compiles. All are empty or the
# usual ones natively. $VALGRIND starts Valgrind in either case.

# natively PROGRAM ARGUMENTS...: without Valgrind.
natively()
{
   # shellcheck disable=SC2086
   ${PM_EMULATOR-} "$@"
}

# lacking WHAT: why that cannot be had here; nothing if it can.
lacking()
{
   local here="$PROFMEM_PLATFORM ${PM_EMULATOR:+emulated} ${PM_RUSTC:-no-rust}"
   awk -F'\t' -v what="$1" -v here="$here" '
      $2 == what && index(" " here " ", " " $1 " ") { print $3; exit }' "$lacks"
}

# requires WHAT...: skips the rest of the test where it cannot be had.
requires()
{
   local what why
   for what; do
      cut -f2 "$lacks" | grep -qxF "$what" || fail "$lacks does not know '$what'" || return
      why=$(lacking "$what")
      [ -z "$why" ] || skip "$PROFMEM_PLATFORM: $why"
   done
}

# sized NUMBER [LEAST]: of operations, or of repetitions; less where everything is slow.
# PM_SIZE_PERCENT in the environment says how much.
sized()
{
   local number=$(($1 * ${PM_SIZE_PERCENT:-100} / 100))
   echo $((number > ${2:-1} ? number : ${2:-1}))
}

# large: skips the rest of the test where numbers of operations are reduced by more than half.
large()
{
   [ "${PM_SIZE_PERCENT:-100}" -ge 50 ] || skip "too large for PM_SIZE_PERCENT=$PM_SIZE_PERCENT"
}

# of_root PATH: where a file of the distribution that programs under Valgrind see is.
of_root()
{
   if [ -e "${PM_ROOT-}$1" ]; then echo "${PM_ROOT-}$1"; else echo "$1"; fi
}

# The mnemonic of a jump to a place that is known.
case $PROFMEM_PLATFORM in
arm64*) jump=b ;;
*) jump=jmp ;;
esac

lacks=$abs_top_srcdir/tests/platforms/lacks.txt

# ---- The tool

# Runs a program under the built tool, with no options but those given: what the
# machine or the user has in .valgrindrc or VALGRIND_OPTS must not decide a test.
profmem_valgrind()
{
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB "$VALGRIND" --command-line-only=yes --tool=profmem "$@"
}

# The one line that says why a test stopped, with what was seen.
fail()
{
   printf '%s\n' "$*" >&2
   return 1
}
