# SPDX-License-Identifier: GPL-2.0-or-later
"""at_terminal.py CASE PROFMEM [PROBE]: what a user at a terminal does, and what must come of
it. Each case is a function; profmem is the leader of the terminal's foreground group, as a
shell with job control makes it."""
import os
import pty
import signal
import sys
import time

PATIENCE_SECONDS = 60


class Job:
    """A command in a session of its own, at a terminal."""

    def __init__(self, *command):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            # The session's leader stays, as a shell does: stops of an orphaned group are ignored.
            job = os.fork()
            if job == 0:
                os.setpgid(0, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(0, os.getpid())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                os.execvp(command[0], command)
            self.serve(job)
        self.seen = b""

    def serve(self, job):
        """The shell's part: say what becomes of the job; continue it when asked."""
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGUSR1, lambda *_: self.put(job, True))
        signal.signal(signal.SIGUSR2, lambda *_: self.put(job, False))
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                os.write(1, b"[stopped %d]" % os.WSTOPSIG(status))
                continue
            word = b"signal %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else \
                b"exit %d" % os.WEXITSTATUS(status)
            os.write(1, b"[" + word + b"]")
            os._exit(0)

    @staticmethod
    def put(job, in_foreground):
        os.tcsetpgrp(0, job if in_foreground else os.getpgrp())
        os.killpg(job, signal.SIGCONT)

    def until(self, text):
        """Read until this was written."""
        end = time.time() + PATIENCE_SECONDS
        while text.encode() not in self.seen:
            assert time.time() < end, "%s was not seen, but %r" % (text, self.seen)
            try:
                self.seen += os.read(self.terminal, 4096)
            except OSError:
                raise AssertionError("%s was not seen, but %r" % (text, self.seen))

    def type(self, text):
        os.write(self.terminal, text)

    def resume(self):
        os.kill(self.process, signal.SIGUSR1)

    def resume_in_background(self):
        os.kill(self.process, signal.SIGUSR2)


def run(*rest):
    return Job(profmem, "run", "-q", "-o", "r.xml", "--", *rest)


def output():
    job = run("sh", "-c", "echo first; sleep 1; printf last; read line; printf \"got $line\"")
    job.until("first\r\nlast")
    job.type(b"typed\n")
    job.until("got typed[exit 0]")


def interrupt():
    job = run(probe, "count", str(int(signal.SIGINT)))
    job.until("ready")
    job.type(b"\x03")
    job.until("1\r\n[exit 0]")
    job = run("sleep", "50")
    time.sleep(2)
    job.type(b"\x03")
    job.until("[signal 2]")
    job = run(probe, "count", str(int(signal.SIGQUIT)))
    job.until("ready")
    job.type(b"\x1c")
    job.until("1\r\n[exit 0]")


def stop():
    job = run("sh", "-c", "echo ready; read line; echo \"got $line\"")
    job.until("ready")
    job.type(b"\x1a")
    job.until("[stopped %d]" % signal.SIGTSTP)
    job.resume()
    job.type(b"on\n")
    job.until("got on")
    job.until("[exit 0]")
    # What ignores the stop is not stopped, and nor is profmem.
    job = run("sh", "-c", "trap '' TSTP; echo ready; read line; echo \"got $line\"")
    job.until("ready")
    job.type(b"\x1a")
    time.sleep(1)
    job.type(b"on\n")
    job.until("got on")
    job.until("[exit 0]")
    assert b"stopped" not in job.seen, job.seen


def background():
    job = run("sh", "-c", "echo ready; sleep 1; read line; echo \"got $line\"")
    job.until("ready")
    job.type(b"\x1a")
    job.until("[stopped %d]" % signal.SIGTSTP)
    job.resume_in_background()
    job.until("[stopped %d]" % signal.SIGTTIN)
    job.resume()
    job.type(b"on\n")
    job.until("got on")
    job.until("[exit 0]")


def stop_itself():
    job = run(probe, "stop", str(int(signal.SIGSTOP)))
    job.until("[stopped %d]" % signal.SIGSTOP)
    job.resume()
    job.until("continued")
    job.until("[exit 0]")
    # Continued or killed by somebody else, while profmem is stopped with it.
    job = run("sh", "-c", "(sleep 1; kill -CONT $$) & kill -STOP $$; echo on")
    job.until("[stopped %d]" % signal.SIGSTOP)
    job.until("on")
    job.until("[exit 0]")
    job = run("sh", "-c", "(sleep 1; kill -KILL $$) & kill -STOP $$; echo on")
    job.until("[stopped %d]" % signal.SIGSTOP)
    job.until("[signal 9]")


def hangup():
    job = run("sh", "-c", "trap 'echo hung up >seen; exit 0' HUP; echo ready; "
              "while :; do sleep 0.1; done")
    job.until("ready")
    os.kill(job.process, signal.SIGKILL)
    os.close(job.terminal)
    end = time.time() + PATIENCE_SECONDS
    while not os.path.exists("r.xml"):
        assert time.time() < end, "there is no report"
        time.sleep(0.1)
    assert open("seen").read() == "hung up\n"


def progress():
    job = Job(profmem, "run", "--aa=3", "-o", "r.xml", "--", "echo", "printed")
    job.until("[exit 0]")
    assert job.seen.startswith(
        b"printed\r\nprofmem: equal run 2 of 3, whose output is not shown\r\n"
        b"profmem: equal run 3 of 3, whose output is not shown\r\n"), job.seen
    assert job.seen.count(b"printed") == 1, job.seen
    # Each run reads the terminal.
    job = Job(profmem, "run", "-q", "--aa", "-o", "r.xml", "--", "sh", "-c",
              "read line; echo $line >>typed; echo \"got $line\"")
    job.type(b"once\n")
    job.until("got once")
    job.type(b"again\n")
    job.until("[exit 0]")
    assert open("typed").read() == "once\nagain\n"


def lasting():
    """A program that is silent for long: that it goes on, where somebody waits to see it."""
    word = b"profmem: 'sleep' is still running\r\n"
    slept = ["--", "sleep", "12"]
    jobs = [Job(profmem, "run", *options, "-o", name, *slept)
            for name, options in (("a", []), ("b", ["-q"]), ("c", ["--tty"]))]
    jobs.append(Job("sh", "-c", "\"$@\" 2>elsewhere", "sh", profmem, "run", "-o", "d", *slept))
    for job in jobs:
        job.until("[exit 0]")
    assert [job.seen.count(word) for job in jobs] == [1, 0, 0, 0], [job.seen for job in jobs]
    assert b"still" not in open("elsewhere", "rb").read()


case, profmem = sys.argv[1:3]
probe = sys.argv[3] if len(sys.argv) > 3 else None
globals()[case]()
