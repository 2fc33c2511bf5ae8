# SPDX-License-Identifier: GPL-2.0-or-later
# tests_there.bash: the tests of the Valgrind tool in another build, for another Valgrind or
# another machine, each of which is reported as a test here.
#
#   there=NAME
#   . "$abs_top_srcdir/tests/platforms/tests_there.bash"
#   begin_there COMMAND...          as often as needed
#   tests_there BUILD TARGET TESTS
#
# What is fetched and built stays in the build tree and is taken up again by the next run;
# make clean removes it.

PLATFORMS_FOLDER=$abs_top_builddir/tests/platforms/work

# begin_there COMMAND...: get or build something. Where it fails, so does a test.
begin_there()
{
   if ! "$@"; then
      echo "not ok 1 - $there: $*"
      echo "1..1"
      exit 1
   fi
}

# get_there FOLDER OPTIONS... PACKAGE...: unpacked to FOLDER/root. Where no archive can be
# reached all is skipped, except where everything must run.
get_there()
{
   local folder=$1
   shift
   mkdir -p "$folder"
   if ! "$abs_top_srcdir/tests/platforms/unpack_package.sh" "$@" "$folder" \
      >"$folder/apt.log" 2>&1; then
      cat "$folder/apt.log" >&2
      [ -z "${CI-}" ] || return 1
      echo "1..0 # SKIP apt could not fetch $*"
      exit 0
   fi
}

# build_there FOLDER CONFIGURE-OPTIONS...: a second build tree, FOLDER/build, of the tool for
# the Valgrind in FOLDER/root, whose reports the profmem of this tree reads.
build_there()
{
   local folder=$1
   shift
   mkdir -p "$folder/build"
   if ! (
      cd "$folder/build" || exit
      unset MAKEFLAGS MFLAGS MAKELEVEL VALGRIND VALGRIND_TOOLS_DIR
      [ -f Makefile ] || "$abs_top_srcdir/configure" --with-valgrind="$folder/root" \
         --disable-reports PROFMEM="$PROFMEM" "$@"
      make all
   ) >"$folder/build.log" 2>&1; then
      cat "$folder/build.log" >&2
      return 1
   fi
}

# tests_there BUILD TARGET TESTS: make check, or check-tool, in that build tree.
tests_there()
{
   local build=$1 target=$2 tests=$3 points=1 failed=0 status=0 result name
   cd "$build" || exit
   echo "ok 1 - $there: builds"
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make "$target" TESTS="$tests" >check.log 2>&1 ||
      status=$?

   # automake's harness says RESULT: FILE NUMBER NAME for each test point.
   while read -r result name; do
      points=$((points + 1))
      name="$there: ${name#tests/}"
      case $result in
      PASS: | XFAIL:) echo "ok $points - $name" ;;
      SKIP:) echo "ok $points - ${name%% # SKIP*} # SKIP ${name##*# SKIP}" ;;
      *)
         echo "not ok $points - $name"
         failed=1
         ;;
      esac
   done < <(grep -E '^(PASS|FAIL|XPASS|XFAIL|SKIP|ERROR): ' check.log)
   if [ $status -ne 0 ]; then
      sed 's/^/# /' check.log
      find tests -name '*.trs' -exec grep -l '^:global-test-result: [FE]' {} + |
         sed 's/trs$/log/' | xargs sed 's/^/# /'
   fi
   if [ $points -eq 1 ] || { [ $status -ne 0 ] && [ $failed -eq 0 ]; }; then
      points=$((points + 1))
      echo "not ok $points - $there: make $target ran the tests, its status was $status"
   fi
   echo "1..$points"
}
