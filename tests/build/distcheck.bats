# SPDX-License-Identifier: GPL-2.0-or-later
# The release is complete: it holds every file of the repository, and automake's
# distcheck builds it out of a read-only source tree, runs the tests that need no
# long programs, installs and uninstalls.
load ../common

plain_make()
{
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$abs_top_builddir" "$@"
}

@test "make distcheck" {
   plain_make distcheck distdir=distcheck.d TESTS="$PM_QUICK_TESTS" >log 2>&1 ||
      fail "$(grep -vE '^(PASS|libtool|rm|make)' log | tail -n 200)"
   # It ran the tests it was asked to run.
   [ -n "$PM_QUICK_TESTS" ]
   for test in $PM_QUICK_TESTS; do
      grep -q "^PASS: $test" log || fail "$test did not run"
   done
}

@test "every file of the repository is in the release" {
   [ -e "$abs_top_srcdir/.git" ] || skip "this is a release, not a repository"
   plain_make -s distdir distdir="$PWD/release" >&2
   chmod -R u+w release
   (cd release && find . -type f) | sed 's,^\./,,' | sort >packed
   # What is for the repository's own keeping.
   git -C "$abs_top_srcdir" -c safe.directory="$abs_top_srcdir" ls-files |
      grep -v -e '^\.gitignore$' -e '^\.ci/' | sort >tracked
   comm -23 tracked packed >forgotten
   cat forgotten
   [ ! -s forgotten ]
}
