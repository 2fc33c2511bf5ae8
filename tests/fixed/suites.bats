# SPDX-License-Identifier: GPL-2.0-or-later
# Programs go on to work with a fixed processor, random numbers and clock: the tests of two
# packages of Debian that use threads, timeouts and random numbers, which pass natively.
load ../common

work=$abs_top_builddir/tests/fixed/work
fixes=(--fixed-random=yes --fixed-clock=yes --cpu=baseline)

# unpack PACKAGE: to $work/PACKAGE/root. Without archives to be reached its tests are
# skipped, except where everything must run.
unpack()
{
   mkdir -p "$work/$1"
   if ! "$abs_top_srcdir/tests/platforms/unpack_package.sh" "$1" "$work/$1" >apt.log 2>&1; then
      cat apt.log >&2
      [ -z "${CI-}" ] || return 1
      skip "apt could not fetch the package $1"
   fi
}

# fixed COMMAND...
fixed()
{
   profmem_valgrind -q --profmem-out-file=report.xml "${fixes[@]}" --stacks=no "$@"
}

@test "GLib: main loops, threads, conditions, timers, random numbers, children" {
   unpack libglib2.0-tests
   local tests=$work/libglib2.0-tests/root/usr/libexec/installed-tests/glib name
   for name in asyncqueue cancellable cond mainloop once pollable rand spawn-multithreaded task \
      thread thread-pool timer unix; do
      (cd "$tests" && "./$name") >native 2>&1 || fail "$name natively: $(cat native)"
      (cd "$tests" && fixed "./$name") >said 2>&1 || fail "$name: $(tail said)"
      # As many test points, and none but those that pass.
      [ "$(grep -c '^ok' said)" -eq "$(grep -c '^ok' native)" ] || fail "$name: $(tail said)"
      ! grep '^not ok' said || fail "$name"
   done
}

@test "Python: clocks, queues, threads, timeouts, random numbers, schedulers" {
   unpack libpython3.11-testsuite
   local own=/usr/lib/python3.11/test name
   # What the tests use is in another package, in a folder of the same name.
   mkdir test
   cp -r "$work/libpython3.11-testsuite/root$own/." test
   [ ! -d $own ] || cp -rn $own/. test
   for name in time queue random sched secrets uuid thread threading_local timeout; do
      PYTHONPATH=$PWD python3.11 -B -m unittest "test.test_$name" >native 2>&1 ||
         fail "$name natively: $(tail native)"
      PYTHONPATH=$PWD fixed "$(command -v python3.11)" -B -m unittest "test.test_$name" >said 2>&1 ||
         fail "$name: $(tail said)"
      [ "$(tail -1 said)" = "$(tail -1 native)" ] || fail "$name: $(tail -1 said)"
   done
}
