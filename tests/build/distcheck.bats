# SPDX-License-Identifier: GPL-2.0-or-later
# The release is complete: automake's distcheck builds it out of a read-only
# source tree, runs the tests that need no long programs, installs, uninstalls.
load ../common

@test "make distcheck" {
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$abs_top_builddir" distcheck \
      distdir=distcheck.d TESTS="$PM_QUICK_TESTS" >log 2>&1 || fail "$(cat log)"
   # It ran the tests it was asked to run.
   for test in $PM_QUICK_TESTS; do
      grep -q "^PASS: $test" log || fail "$test did not run"
   done
}
