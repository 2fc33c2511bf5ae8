#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# streams.bats: the program's descriptors, signal mask and terminal are the caller's.

load run

@test "descriptors are those of a native run, flags and all" {
   echo text >file
   native() { "$probe" descriptors; }
   under() { "$PROFMEM" run -q -o r.xml -- "$probe" descriptors; }
   with_files() { "$@" <file 2>>log 5<>file 7</dev/null 3>&- 100>plain; }
   with_files native >expected
   with_files under >seen
   # What bats holds open is the same for both.
   diff <(sed 's/ [^ ]*expected$/ out/' expected) <(sed 's/ [^ ]*seen$/ out/' seen)
   grep -q '^100 ' seen
   ! grep -q '^3 ' seen
}

@test "closed standard streams stay closed, and messages do not go elsewhere" {
   "$PROFMEM" run -q -o r.xml -- sh -c "exec $probe descriptors >seen" 0<&- 2>&-
   grep -q '^1 ' seen
   ! grep -q '^[02] ' seen || fail "a closed stream is open"
   "$PROFMEM" validate r.xml
   "$PROFMEM" run -o r.xml --phase-fn=never -- "$probe" descriptors 0<&- 2>&- | grep -q '^1 '
}

@test "standard input comes through, binary and large" {
   head -c 300000 /dev/urandom >random
   "$PROFMEM" run -q -o r.xml -- cat <random | cmp random -
   cat random | "$PROFMEM" run -q -o r.xml -- cat | cmp random -
}

@test "a file as standard output can be moved about in" {
   "$probe" seek >expected
   "$PROFMEM" run -q -o r.xml -- "$probe" seek >out
   cmp expected out
   grep -q -x 'one two four' out
   echo more >>expected
   "$PROFMEM" run -q -o r.xml -- echo more >>out
   cmp expected out
}

@test "a reader that is gone is a closed pipe for the program" {
   "$PROFMEM" run -q -o r.xml -- sh -c 'yes; echo "status $?" >&2' 2>err | head -n 1
   for _ in {1..50}; do [ -e r.xml ] && break; sleep 0.1; done
   grep -q "status 141" err
}

@test "blocked and ignored signals are those of a native run" {
   "$probe" signals >expected
   "$PROFMEM" run -q -o r.xml -- "$probe" signals | diff expected -
   (trap '' HUP USR2 PIPE; "$probe" signals) >expected
   (trap '' HUP USR2 PIPE; "$PROFMEM" run -q -o r.xml -- "$probe" signals) | diff expected -
   grep -q '^1 ignored' expected
   python3 - "$PROFMEM" "$probe" <<'END'
import signal, subprocess, sys
profmem, probe = sys.argv[1:]
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM})
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
native = subprocess.run([probe, "signals"], stdout=subprocess.PIPE).stdout
under = subprocess.run([profmem, "run", "-q", "-o", "r.xml", "--", probe, "signals"],
                       stdout=subprocess.PIPE).stdout
assert b"15 blocked" in native and b"17 ignored" in native and native == under, (native, under)
END
}

@test "a terminal: lines arrive while the program runs, and the last without a newline" {
   python3 "$abs_top_srcdir/tests/run/at_terminal.py" output "$PROFMEM"
}

@test "a terminal: which of several equal runs is under way" {
   python3 "$abs_top_srcdir/tests/run/at_terminal.py" progress "$PROFMEM"
}

@test "a terminal: a program that lasts is said to go on" {
   python3 "$abs_top_srcdir/tests/run/at_terminal.py" lasting "$PROFMEM"
}

@test "--tty: the program sees the terminal" {
   script -qec "$PROFMEM run -q -o r.xml --tty -- test -t 1" /dev/null </dev/null
   ! script -qec "$PROFMEM run -q -o r.xml -- test -t 1" /dev/null </dev/null ||
      fail "it sees the terminal without --tty"
   script -qec "TERM=vt100 $PROFMEM run -q -o r.xml --tty -- sh -c 'echo \$TERM'" /dev/null \
      </dev/null | grep -q vt100
}

@test "a megabyte through the terminal's pipe arrives whole" {
   seq 150000 >expected
   script -qec "$PROFMEM run -q -o r.xml -- seq 150000" /dev/null </dev/null | tr -d '\r' |
      cmp expected -
}
