#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# signals.bats: signals reach the program once, and what stops or ends one stops or ends
# the other.

load run

# counted WHOM SIGNAL: how many the program got of one sent to profmem alone, to its group, or to
# every process of its name, as by pkill.
counted()
{
   python3 - "$PROFMEM" "$probe" "$@" <<'END'
import os, signal, subprocess, sys
profmem, probe, whom, number = sys.argv[1:5]
child = subprocess.Popen([profmem, "run", "-q", "-o", "r.xml", *sys.argv[5:], "--", probe, "count",
                          number], stdout=subprocess.PIPE, start_new_session=True)
assert child.stdout.readline() == b"ready\n"
if whom == "name":
    for process in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            name = open(f"/proc/{process}/comm").read().strip()
            if name == "profmem" and os.getsid(process) == child.pid:
                os.kill(process, int(number))
        except OSError:  # it has ended
            pass
else:
    (os.killpg if whom == "group" else os.kill)(child.pid, int(number))
print(child.stdout.read().decode().strip())
sys.exit(child.wait())
END
}

@test "a signal sent to profmem, or to its whole group, reaches the program once" {
   local options
   for options in '' --host; do
      for number in 15 1 2 10 18; do
         [ "$(counted alone $number $options)" = 1 ] || fail "alone: $number $options"
         [ "$(counted group $number $options)" = 1 ] || fail "group: $number $options"
         [ "$(counted name $number $options)" = 1 ] || fail "by name: $number $options"
      done
   done
}

# No program that executes another one: Valgrind loses signals that come at that moment.
@test "a signal that ends the program ends profmem" {
   python3 - "$PROFMEM" "$probe" <<'END'
import os, signal, subprocess, sys
for number in signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1:
    child = subprocess.Popen([sys.argv[1], "run", "-q", "-o", "r.xml", "--", sys.argv[2],
                              "count", str(int(signal.SIGUSR2))], stdout=subprocess.PIPE)
    child.stdout.readline()
    child.send_signal(number)
    assert child.wait() == -number, child.returncode
    os.remove("r.xml")
END
   nothing_left
}

@test "Ctrl-C and Ctrl-\\ reach the program once, and end what does not handle them" {
   python3 "$abs_top_srcdir/tests/run/at_terminal.py" interrupt "$PROFMEM" "$probe"
}

@test "Ctrl-Z stops both, fg continues both, and a program may ignore it" {
   python3 "$abs_top_srcdir/tests/run/at_terminal.py" stop "$PROFMEM"
}

@test "a read in the background stops both" {
   python3 "$abs_top_srcdir/tests/run/at_terminal.py" background "$PROFMEM"
}

@test "a program that stops itself stops profmem; whoever continues or kills it, continues it" {
   python3 "$abs_top_srcdir/tests/run/at_terminal.py" stop_itself "$PROFMEM" "$probe"
}

@test "a terminal that hangs up tells the program, and the report is written" {
   python3 "$abs_top_srcdir/tests/run/at_terminal.py" hangup "$PROFMEM" "$probe"
}

@test "what the program left behind is waited for, and reports" {
   runs 3 -q -o r.xml --report-children=all -- sh -c '(sleep 1; echo late) & echo first; exit 3'
   printf 'first\nlate\n' | cmp - out
   "$PROFMEM" validate r.xml r.xml.1
   # Orphaned twice over, and in a session of its own.
   runs 0 -q -o s.xml -- sh -c 'setsid sh -c "(sleep 1; echo late) &" & wait; echo first'
   printf 'first\nlate\n' | cmp - out
   nothing_left
}

@test "the waiting is said, and a signal ends it" {
   python3 - "$PROFMEM" <<'END'
import signal, subprocess, sys
child = subprocess.Popen([sys.argv[1], "run", "-o", "r.xml", "--", "sh", "-c",
                          "sleep 100 >/dev/null 2>&1 & exit 4"], stderr=subprocess.PIPE)
assert b"waiting for processes" in child.stderr.readline()
child.send_signal(signal.SIGINT)
assert child.wait() == 4, child.returncode
END
   "$PROFMEM" validate r.xml
   nothing_left
}

# killed COMMAND...: the program, when COMMAND run ... is killed, does not go on.
killed()
{
   python3 - "$@" <<'END'
import os, subprocess, sys, time
def commands():
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            yield open(f"/proc/{process}/cmdline").read()
        except OSError:  # it has ended
            pass
seconds = f"{90000 + os.getpid() % 10000}.{os.getpid()}"  # no other test's
child = subprocess.Popen(sys.argv[1:] + ["run", "-q", "-o", "r.xml", "--", "sh", "-c",
                         f"echo ready; exec sleep {seconds}"], stdout=subprocess.PIPE)
child.stdout.readline()
child.kill()
child.wait()
for _ in range(100):
    if not any(seconds in command for command in commands()):
        sys.exit(0)
    time.sleep(0.1)
sys.exit("the program goes on")
END
}

@test "profmem killed: nothing of the program goes on" {
   has_rights || skip "needs the right to make namespaces"
   killed "$PROFMEM"
}

@test "profmem killed without a namespace: the program does not go on" {
   [ "$(id -u)" -eq 0 ] || skip "needs root, to drop its rights"
   killed setpriv --bounding-set=-all --inh-caps=-all "$PROFMEM"
}
