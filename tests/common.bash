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
