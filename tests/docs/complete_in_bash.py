# SPDX-License-Identifier: GPL-2.0-or-later
"""complete_in_bash.py: types into a bash, with the key Tab, and prints what was run.

    complete_in_bash.py COMPLETION LINE...

Every LINE is typed into an interactive bash on a terminal of its own that has loaded
bash-completion and the file COMPLETION; <Tab> in it is the key. Printed is, a line for each, what
the program `profmem` found as its arguments, in brackets, when the line was entered. The program
is a stand-in, before the real one in PATH, that says so; it hands questions for completions on to
$PROFMEM.
"""

import os
import pty
import re
import select
import sys

SECONDS = 20  # that bash may take to answer

STAND_IN = """#!/bin/bash
if [ "$1" = --complete ]; then exec "$PROFMEM" "$@"; fi
printf 'ARGUMENTS:'
for argument; do printf '[%s]' "$argument"; done
printf ':END\\n'
"""


class Bash:
    def __init__(self, completion):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="dumb", PS1="", INPUTRC="/dev/null", COMPLETION=completion)
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.type("bind 'set enable-bracketed-paste off'; bind 'set bell-style none'\n"
                  "PS1= PS2= PROMPT_COMMAND=\n"
                  ". /usr/share/bash-completion/bash_completion; . \"$COMPLETION\"\n"
                  "echo rea''dy\n", r"\nready\r?\n")

    def type(self, text, answer):
        """The match of `answer` in what is shown then."""
        os.write(self.terminal, text.encode())
        shown = ""
        while not (match := re.search(answer, shown)):
            if not select.select([self.terminal], [], [], SECONDS)[0]:
                sys.exit(f"no answer to {text!r}; shown: {shown!r}")
            shown += os.read(self.terminal, 65536).decode("utf-8", "replace")
        return match


def main(completion, lines):
    os.makedirs("stand-in", exist_ok=True)
    with open("stand-in/profmem", "w", encoding="utf-8") as file:
        file.write(STAND_IN)
    os.chmod("stand-in/profmem", 0o755)
    os.environ["PATH"] = os.path.abspath("stand-in") + ":" + os.environ["PATH"]
    bash = Bash(completion)
    for line in lines:
        print(bash.type(line.replace("<Tab>", "\t") + "\n", "ARGUMENTS:(.*):END\r?\n")[1])
    os.write(bash.terminal, b"exit\n")
    os.waitpid(bash.process, 0)


main(sys.argv[1], sys.argv[2:])
