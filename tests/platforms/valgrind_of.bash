# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind_of.bash: the tool builds against the Valgrind of another suite of Debian's and
# passes the tool's tests there.
#
#   suite=NAME
#   . "$abs_top_srcdir/tests/platforms/valgrind_of.bash"

set -u
there="Valgrind of $suite"
. "$abs_top_srcdir/tests/platforms/tests_there.bash"
platform=$PLATFORMS_FOLDER/valgrind-$suite

begin_there get_there "$platform" --suite="$suite" valgrind
begin_there build_there "$platform"
there="Valgrind $(sed -n 's/^VG_VERSION = //p' "$platform/build/Makefile")"
tests_there "$platform/build" check-tool "$PM_TOOL_TESTS"
