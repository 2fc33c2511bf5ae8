# SPDX-License-Identifier: GPL-2.0-or-later
# Children, images and where they report: nothing disturbed, nothing lost.
load ../common
load tool

processes=$programs/processes

# end REPORT: how it says that the process ended.
end()
{
   xmllint --xpath 'string(//run/end/@kind)' "$1"
}

@test "a traced image in another folder reports beside its parent" {
   mkdir reports elsewhere
   profmem_valgrind -q --trace-children=yes --profmem-out-file=reports/r.xml \
      sh -c 'cd elsewhere; /bin/echo y; exec /bin/echo z' >out
   printf 'y\nz\n' | diff - out
   [ "$(ls reports)" = "$(printf 'r.xml\nr.xml.1.1\nr.xml.2')" ] || fail "$(ls reports)"
   [ -z "$(ls elsewhere)" ]
   [ "$(end reports/r.xml)" = exec ]
   "$PROFMEM" validate reports/*
}

@test "a traced image whose report cannot be written runs all the same" {
   profmem_valgrind -q --trace-children=yes sh -c 'cd /proc; /bin/echo child; echo "status $?"' >out
   printf 'child\nstatus 0\n' | diff - out
}

@test "children of a run that reports to a device are silent" {
   profmem_valgrind -q --trace-children=yes --profmem-out-file=/dev/null \
      sh -c 'x=$(echo hi); /bin/echo $x; echo $?' >out 2>err
   printf 'hi\n0\n' | diff - out
   [ ! -s err ] || fail "$(cat err)"
}

@test "--report-children=no: the first process alone" {
   profmem_valgrind -q --trace-children=yes --report-children=no --profmem-out-file=r.xml \
      sh -c '/bin/echo a; exec /bin/echo b' >out
   [ "$(ls r.xml*)" = r.xml ] || fail "$(ls)"
}

@test "exec by a descriptor is an exec" {
   requires foreign-exec
   profmem_valgrind -q --profmem-out-file=r.xml "$processes" fexecve /bin/echo
   [ "$(end r.xml)" = exec ]
   [ "$(metric r.xml allocations.bytes)" = 4242 ]
   profmem_valgrind -q --trace-children=yes --profmem-out-file=t.xml "$processes" fexecve /bin/echo
   [ "$(end t.xml)" = exec ]
   [ "$(end t.xml.1)" = exit ]
}

@test "%% is no process number" {
   profmem_valgrind -q --profmem-out-file=r%%p.xml "$processes" fork
   [ "$(metric r%p.xml allocations.bytes)" = 100 ]
   [ "$(metric r%p.xml.1 allocations.bytes)" = 7 ]
}

@test "a limit on the size of files kills nobody" {
   echo hi >noexec
   (
      ulimit -f 1
      profmem_valgrind -q --profmem-out-file=r.xml "$processes" exec ./noexec 2>err ||
         echo $? >status
   )
   [ "$(cat status)" = 3 ] || fail "$(cat status)"
   grep -q 'exec: Permission denied' err
   grep -q "cannot write the report '.*r.xml': File too large; there is no report" err
   [ ! -e r.xml ]
}

@test "an exec that fails writes no second report to where it cannot be taken back" {
   echo hi >noexec
   profmem_valgrind -q --profmem-out-file=/dev/stdout "$processes" exec ./noexec 2>err >out || true
   [ "$(grep -c '<profmem' out)" = 1 ]
   xmllint --noout out
}

@test "a regular file below /dev is one" {
   local report=/dev/shm/profmem-test.$$.xml
   echo old >"$report"
   profmem_valgrind -q --profmem-out-file="$report" true
   "$PROFMEM" validate "$report"
   rm "$report"
}

@test "symbolic links in a circle are an error, and stay" {
   ln -s b a
   ln -s a b
   local status=0
   profmem_valgrind -q --profmem-out-file=a true 2>err || status=$?
   [ $status -eq 1 ]
   grep -q "cannot write the report '.*a': Too many levels of symbolic links" err
   [ -L a ] && [ -L b ]
}

@test "the longest names that there are" {
   local name
   name=$(printf '%0251d.xml' 0)
   profmem_valgrind -q --profmem-out-file="$name" true
   "$PROFMEM" validate "$name"
   local status=0
   profmem_valgrind -q --profmem-out-file="x$name" true 2>err || status=$?
   [ -e "x$name" ] && fail "such a name cannot be"
   grep -q 'report' err
}

@test "a library that was written anew is read anew" {
   local known=$programs/plug-known.so unknown=$programs/plug-unknown.so
   profmem_valgrind -q --profmem-out-file=1.xml "$processes" reload "$known" "$unknown"
   profmem_valgrind -q --profmem-out-file=2.xml "$processes" reload "$unknown" "$known"
   profmem_valgrind -q --profmem-out-file=3.xml "$processes" reload "$known" "$known"
   local calls='string(//allocation-function[@name="mi_malloc"]/@calls)'
   [ "$(xmllint --xpath "$calls" 1.xml)" = 1 ]
   [ "$(xmllint --xpath "$calls" 2.xml)" = 1 ]
   [ "$(xmllint --xpath "$calls" 3.xml)" = 2 ]
}

@test "a number that is none, or too large" {
   local value
   for value in '' x 12x 99999999999999999999; do
      local status=0
      profmem_valgrind --phase-instances=$value true 2>err || status=$?
      [ $status -ne 0 ] || fail "$value"
      grep -q 'takes NUMBER' err
   done
   # The points of a timeline are joined in pairs when it is full.
   for value in 1 1000001; do
      local status=0
      profmem_valgrind --timeline-points=$value true 2>err || status=$?
      [ $status -ne 0 ] || fail "$value"
   done
   profmem_valgrind -q --timeline-points=2 --profmem-out-file=report.xml true
   [ "$(xmllint --xpath 'count(//timeline/point)' report.xml)" -le 2 ]
}
