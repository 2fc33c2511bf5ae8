# SPDX-License-Identifier: GPL-2.0-or-later
# ./setup, in a release that was just unpacked, in a folder with a blank in its name: the two
# commands of the README do all there is to do, say what they did, and keep the program's exit
# status.
load ../common
bats_require_minimum_version 1.5.0

setup_file()
{
   cd "$BATS_FILE_TMPDIR"
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
      make -s -C "$abs_top_builddir" distdir distdir="$PWD/release" >&2
   chmod -R u+w release
   # As after git clone: nothing generated.
   rm -rf release/configure release/Makefile.in release/build-aux release/aclocal.m4
   mv release 'the release'
   in_release run true >&2
}

in_release()
{
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u VALGRIND -u CI -u SETUP_CONFIGURE \
      "$BATS_FILE_TMPDIR/the release/setup" "$@"
}

# stub NAME LINES...: a command that comes before the real one in PATH.
stub()
{
   mkdir -p stubs
   printf '%s\n' '#!/bin/sh' "${@:2}" >"stubs/$1"
   chmod +x "stubs/$1"
   [[ $PATH == "$PWD/stubs:"* ]] || PATH=$PWD/stubs:$PATH
}

@test "run without a program runs the example and says how to look at its report" {
   in_release run >stdout 2>stderr
   cat stderr
   [ "$(cat stdout)" = '500 records, the first in order is "number 0"' ]
   grep -qi peak stderr
   [ -s "$(sed -n 's/^setup: the report is \(.*\); look at it with$/\1/p' stderr)" ]
   sh -c "$(sed -n 's/^setup:  *\(.* show .*\)$/\1/p' stderr)" >shown
   # The peak that the summary on the log names.
   local peak
   peak=$(sed -n 's/.*heap at peak *\([0-9,]*\) bytes/\1/p' stderr)
   [ -n "$peak" ]
   grep -qF "$peak" shown || fail "$(cat shown)"
}

@test "run keeps the program's exit status, its input and its arguments" {
   run in_release run sh -c 'exit 7'
   [ "$status" -eq 7 ]
   run in_release run sh -c 'kill -SEGV $$'
   [ "$status" -eq 139 ]
   run -127 in_release run ./absent
   [[ $output == *"there is no report"* ]]
   [ "$(echo 'from stdin' | in_release run cat 2>/dev/null)" = 'from stdin' ]
   [ "$(in_release run printf '<%s>' 'two words' '' '*' 2>/dev/null)" = '<two words><><*>' ]
}

@test "run does nothing but run when everything is built" {
   in_release run true 2>stderr
   ! grep -E 'generating|configuring|compiling|installing' stderr
}

@test "a changed source is compiled, changed options are configured" {
   touch "$BATS_FILE_TMPDIR/the release/examples/hello-heap.c"
   in_release run true 2>stderr
   grep -q '^setup: compiling' stderr
   if grep -E 'generating|configuring' stderr; then fail 'it did more than compile'; fi
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL SETUP_CONFIGURE=--enable-werror \
      "$BATS_FILE_TMPDIR/the release/setup" run true 2>stderr
   grep -q '^setup: configuring' stderr
   grep -q '^PM_WARNINGS = .*-Werror' "$BATS_FILE_TMPDIR/the release/build/Makefile"
}

@test "without root missing packages are named, and nothing else happens" {
   stub dpkg-query 'echo "installed make"' 'exit 1'
   stub id 'echo 1000'
   stub apt-get 'touch apt-was-called'
   run in_release run true
   [ "$status" -eq 125 ]
   [[ $output == "setup: packages are missing; as root: apt-get install "* ]]
   # make is installed, autoconf is here as a command, headers are neither.
   [[ " $output " == *" libxml2-dev "* ]]
   [[ " $output " != *" make "* ]]
   [[ " $output " != *" autoconf "* ]]
   [[ " $output " != *" libcmocka-dev "* ]]
   run in_release check
   [ "$status" -eq 125 ]
   [[ " $output " == *" libcmocka-dev "* ]]
   [ ! -e apt-was-called ]
}

@test "as root missing packages are installed, and a failure of apt-get is told" {
   stub dpkg-query 'exit 1'
   stub id 'echo 0'
   stub apt-get "echo \"\$*\" >>$PWD/apt-calls"
   in_release run true 2>stderr
   grep -q '^setup: installing .*libxml2-dev' stderr
   [ "$(wc -l <apt-calls)" -eq 2 ]
   sed -n 1p apt-calls | grep -q ' update$'
   sed -n 2p apt-calls | grep -q ' install .*libxml2-dev'

   stub apt-get 'echo "E: no such luck"' 'exit 100'
   run in_release run true
   [ "$status" -eq 125 ]
   [[ $output == *"E: no such luck"*"could not install"* ]]
}

# check_says MAKE-STATUS COUNTS LAST-LINE STATUS: make stands in for a run of the
# tests; COUNTS, if any, are those that automake's harness leaves.
check_says()
{
   printf '# %s\n' $2 | sed 's/=/: /' >counts
   stub make "case \" \$* \" in *' check '*) ;; *) exit 0 ;; esac" \
      "[ -z '$2' ] || cp '$PWD/counts' '$BATS_FILE_TMPDIR/the release/build/test-suite.log'" \
      "exit $1"
   run in_release check
   [ "${lines[-1]}" = "$3" ] || fail "$output"
   [ "$status" -eq "$4" ]
}

@test "check ends with the counts of this run, and fails when a test did" {
   stub dpkg-query 'for package; do echo "installed $package"; done'
   check_says 0 'TOTAL=6 PASS=4 SKIP=2 XFAIL=0 FAIL=0 XPASS=0 ERROR=0' \
      '4 passed, 0 failed, 2 skipped' 0
   check_says 2 'TOTAL=6 PASS=2 SKIP=1 XFAIL=0 FAIL=2 XPASS=0 ERROR=1' \
      '2 passed, 3 failed, 1 skipped' 1
   # Counts of an earlier run are not this run's.
   check_says 2 '' '0 passed, 1 failed, 0 skipped' 1
   # No test, or a make that failed after good tests, is no success.
   check_says 0 'TOTAL=0 PASS=0 SKIP=0 XFAIL=0 FAIL=0 XPASS=0 ERROR=0' \
      '0 passed, 1 failed, 0 skipped' 1
   check_says 2 'TOTAL=1 PASS=1 SKIP=0 XFAIL=0 FAIL=0 XPASS=0 ERROR=0' \
      '1 passed, 1 failed, 0 skipped' 1
}

@test "what cannot be compiled is told, and check counts it as failed" {
   stub dpkg-query 'for package; do echo "installed $package"; done'
   local source="$BATS_FILE_TMPDIR/the release/examples/hello-heap.c"
   cp -p "$source" kept.c
   echo '#error broken on purpose' >>"$source"
   run in_release check
   [ "$status" -eq 1 ]
   [[ $output == *"broken on purpose"* ]]
   [ "${lines[-1]}" = '0 passed, 1 failed, 0 skipped' ]
   run in_release run true
   [ "$status" -eq 125 ]
   cp kept.c "$source"
   in_release run true
}

@test "wrong usage is told" {
   for arguments in '' 'walk' 'check twice' 'packages of-what'; do
      # shellcheck disable=SC2086
      run in_release $arguments
      [ "$status" -eq 125 ]
      [[ $output == usage:* ]]
   done
   run in_release --help
   [ "$status" -eq 0 ]
   [[ $output == usage:* ]]
}
