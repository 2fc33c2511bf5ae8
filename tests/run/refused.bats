#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# refused.bats: what the system refuses is not fixed, everything else works, and the report
# says so.

load run

# as_stranger COMMAND...: as a user without any right, if this one can become that.
as_stranger()
{
   if [ "$(id -u)" -eq 0 ]; then
      setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"
   else
      "$@"
   fi
}

# A folder that a stranger may write to, if he can read the build tree at all.
stranger_folder()
{
   as_stranger test -x "$PROFMEM" -a -r "$PROFMEM_VALGRIND_LIB/profmem-$PROFMEM_PLATFORM" ||
      skip "another user cannot read the build tree"
   folder=$(mktemp -d /tmp/sXXXXXX)
   chmod 777 "$folder"
   export TMPDIR=$folder # the tests' own is not open to him
   cd "$folder" || return
}

@test "root with all rights: first-in first-out, one processor, process numbers of its own" {
   has_rights || skip "needs the rights to make namespaces and to use real-time policies"
   runs 0 -q -o r.xml -- "$probe" numbers
   [ "$(cat out)" = "process 2 parent 1 processors 1 policy 1" ]
   [ "$(fix r.xml scheduling)" = fifo ]
   [ "$(fix r.xml processors)" = 1 ]
   [ "$(fix r.xml process-numbers)" = namespace ]
   runs 0 -q -o r.xml -- sh -c 'set -- /proc/[0-9]*; echo $#'
   [ "$(cat out)" = 2 ]
   mount >mounts
   runs 0 -q -o r.xml -- true
   mount | cmp mounts -
}

@test "root without rights: batch, and the numbers are the system's" {
   [ "$(id -u)" -eq 0 ] || skip "needs root, to drop its rights"
   without_rights "$PROFMEM" run -q -o r.xml -- "$probe" numbers >out
   grep -q -x 'process [0-9]* parent [0-9]* processors 1 policy 3' out
   ! grep -q '^process 2 ' out || fail "process numbers were fixed"
   [ "$(fix r.xml scheduling)" = "batch: fifo is refused: Operation not permitted" ]
   [ "$(fix r.xml process-numbers)" = "no: Operation not permitted" ]
   [ "$(fix r.xml processors)" = 1 ]
   "$PROFMEM" validate r.xml
}

@test "a limit on real-time programs: batch, and nothing is killed by it" {
   has_rights || skip "needs the right to use real-time policies"
   prlimit --rttime=1000:1000 "$PROFMEM" run -q -o r.xml -- "$probe" numbers >out
   grep -q ' policy 3$' out
   [ "$(fix r.xml scheduling)" = "batch: fifo is refused: Operation not permitted" ]
}

@test "/proc cannot be mounted: no namespace, and the program runs all the same" {
   has_rights || skip "needs the right to make namespaces"
   cat >masked.sh <<'END'
mount -t tmpfs tmpfs /proc/scsi 2>/dev/null || mount -t tmpfs tmpfs /proc/tty
exec unshare -U -r "$@"
END
   unshare -m sh masked.sh "$PROFMEM" run -q -o r.xml -- echo done >out
   [ "$(cat out)" = done ]
   case $(fix r.xml process-numbers) in no:*) ;; *) fail "$(fix r.xml process-numbers)" ;; esac
}

@test "a stranger: the same, with statuses, signals and children" {
   stranger_folder
   as_stranger "$PROFMEM" run -q -o r.xml -- sh -c 'id -u; exit 3' >out || [ $? -eq 3 ]
   grep -q "<end kind=\"exit\" status=\"3\"/>" r.xml
   [ "$(id -u)" -ne 0 ] || [ "$(cat out)" = 65534 ]
   as_stranger "$PROFMEM" run -q --report-children=all -o c.xml -- \
      sh -c '(sleep 1; echo late) & echo first' >out
   printf 'first\nlate\n' | cmp - out
   [ -e c.xml.1 ]
   "$PROFMEM" validate r.xml c.xml c.xml.1
   as_stranger "$PROFMEM" run -q -o a.xml -- "$probe" environment >a
   as_stranger "$PROFMEM" run -q -o b.xml -- "$probe" environment >b
   cmp a b
   cmp a.xml b.xml
   rm -r "$folder"
}

@test "a stranger's files keep their owners, unless a user namespace is asked for" {
   stranger_folder
   as_stranger "$PROFMEM" run -q -o r.xml -- stat -c %u / >out
   [ "$(cat out)" = "$(stat -c %u /)" ]
   as_stranger unshare -U -p -f -m true 2>/dev/null || skip "no user namespace can be made here"
   touch mine
   chown 65534 mine 2>/dev/null || :
   as_stranger "$PROFMEM" run -q -o r.xml --user-namespace -- sh -c 'echo $$; stat -c %u mine' >out
   [ "$(cat out)" = "2
$(stat -c %u mine)" ]
   [ "$(fix r.xml process-numbers)" = namespace ]
   rm -r "$folder"
}

@test "one processor of several that may be used, and only of those" {
   [ "$(nproc)" -ge 2 ] || skip "there is one processor"
   local last
   last=$(taskset -cp $$ | sed 's/.*[-,: ]//')
   runs 0 -q -o a.xml -- "$probe" numbers
   taskset -c "$last" "$PROFMEM" run -q -o b.xml -- sh -c "grep Cpus_allowed_list /proc/self/status"
   taskset -c "$last" "$PROFMEM" run -q -o b.xml -- "$probe" numbers >b
   cmp out b
   cmp a.xml b.xml
}

@test "--scheduling: batch and host, as the report says" {
   runs 0 -q -o r.xml --scheduling=batch -- "$probe" numbers
   grep -q 'processors 1 policy 3' out
   [ "$(fix r.xml scheduling)" = batch ]
   [ "$(fix r.xml processors)" = 1 ]
   "$probe" numbers | sed 's/.*processors/processors/' >native
   runs 0 -q -o r.xml --scheduling=host -- "$probe" numbers
   sed 's/.*processors/processors/' out | cmp native -
   [ "$(fix r.xml scheduling)" = "no: --scheduling=host" ]
   runs 0 -q -o r.xml --host -- "$probe" numbers
   sed 's/.*processors/processors/' out | cmp native -
   runs 125 --scheduling=fast -o r.xml -- true
   says "--scheduling: 'fast' is not fifo, batch or host"
}
