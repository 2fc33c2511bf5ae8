# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind-sid.sh: the tool builds against the Valgrind of Debian's newest suite
# and passes the tool's tests there, each of which is reported as a test here.

set -u
. "$abs_top_srcdir/tests/platforms/platforms.bash"
platform=$PLATFORMS_FOLDER/valgrind-sid

if ! get_valgrind "$platform" --suite=sid; then
   echo "Bail out! apt could not fetch the package valgrind of suite sid"
   exit 1
fi
if [ -n "${PLATFORM_MISSING-}" ]; then
   echo "1..0 # SKIP $PLATFORM_MISSING"
   exit 0
fi
if ! build_for "$platform"; then
   echo "not ok 1 - builds"
   echo "1..1"
   exit 1
fi
version=$(sed -n 's/^VG_VERSION = //p' "$platform/build/Makefile")
echo "ok 1 - $version: builds"
points=1
failed=0

unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$platform/build" || exit
make check TESTS="$PM_TOOL_TESTS" >check.log 2>&1
status=$?

# automake's harness says RESULT: FILE NUMBER NAME for each test point.
while read -r result name; do
   points=$((points + 1))
   name="$version: ${name#tests/tool/}"
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
   find tests/tool -name '*.trs' -exec grep -l '^:global-test-result: [FE]' {} + |
      sed 's/trs$/log/' | xargs sed 's/^/# /'
fi
if [ $points -eq 1 ] || { [ $status -ne 0 ] && [ $failed -eq 0 ]; }; then
   points=$((points + 1))
   echo "not ok $points - $version: make check ran the tool's tests, its status was $status"
fi
echo "1..$points"
