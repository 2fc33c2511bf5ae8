# SPDX-License-Identifier: GPL-2.0-or-later
"""follow_document.py: does what a document tells its reader to do, and sees what it promises.

    follow_document.py DOCUMENT FOLDER           follow it in FOLDER; status 1: something differs
    follow_document.py --update DOCUMENT FOLDER  the same, and what differs is put into DOCUMENT
    follow_document.py --files DOCUMENT FOLDER   only create the files, as they are at the end
    follow_document.py --not-run DOCUMENT        print the lines of blocks that are not run

The question it answers: does somebody who types what stands in a Markdown document get what
stands in it? Every fenced block of a document is one of these, by its info string; another one
is a mistake:

    console          a line `$ COMMAND`, lines `> MORE` that continue it, and what it prints on
                     its standard output and error, in the order of its output; then the next
                     one. All commands of a document run in one shell, in its order. A command
                     that fails must be followed by `$ echo $?`.
    LANG file=NAME   a file that the reader creates, with this text, where the shell is then
    LANG part=NAME   lines that stand, one behind the other, in the file NAME
    sh not-run       commands that cannot run in a test; the test knows each of them

In what a command prints, `...` stands for what may differ: alone on a line for any number of
lines, inside of a line for any characters.
"""

import os
import re
import select
import subprocess
import sys
import textwrap

SECONDS = 120  # that a command may take

FENCE = re.compile(r"^```(.*)$")


class Mistake(Exception):
    """What is wrong with the document, or with what it promises."""


class Block:
    """A fenced block: its kind, the name that goes with it, the lines in it."""

    def __init__(self, info, first):
        self.first = first  # index of the line behind the opening fence
        self.lines = []
        words = info.split()
        if words == ["console"]:
            self.kind, self.name = "console", None
        elif words == ["sh", "not-run"]:
            self.kind, self.name = "not-run", None
        elif len(words) == 2 and re.fullmatch(r"(file|part)=\S+", words[1]):
            self.kind, self.name = words[1].split("=", 1)
        else:
            raise Mistake(f"line {first}: a block of an unknown kind: {info!r}")

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def blocks_of(lines):
    """The fenced blocks. Indented ones, which nothing checks, are a mistake."""
    blocks, block = [], None
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if block is None and fence:
            block = Block(fence[1], number)
        elif block is None and line.startswith("    "):
            raise Mistake(f"line {number}: an indented block, which is not checked")
        elif fence:
            blocks.append(block)
            block = None
        elif block is not None:
            block.lines.append(line)
    if block is not None:
        raise Mistake(f"line {block.first}: a block without an end")
    return blocks


class Step:
    """A command of a console block, and what it is to print."""

    def __init__(self, command, line):
        self.command, self.line, self.expected = command, line, []


def steps_of(block):
    steps = []
    for number, line in enumerate(block.lines, block.first + 1):
        if line.startswith("$ "):
            steps.append(Step(line[2:], number))
        elif not steps:
            raise Mistake(f"line {number}: there is no command before this")
        elif line.startswith("> ") and not steps[-1].expected:
            steps[-1].command += "\n" + line[2:]
        else:
            steps[-1].expected.append(line)
    if not steps:
        raise Mistake(f"line {block.first}: a console without a command")
    return steps


def matches(expected, printed):
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += "(?:.*\n)*"
        else:
            pattern += re.escape(line).replace(re.escape("..."), ".*") + "\n"
    return re.fullmatch(pattern, printed) is not None


class Shell:
    """One bash for a whole document; commands come through a descriptor of their own, so that
    a program's standard input is empty."""

    LOOP = """
        while IFS= read -r -d '' command <&COMMANDS; do
           (exit "${status-0}")
           eval "$command" COMMANDS<&- STATUSES>&-
           status=$?
           echo "$status" >&STATUSES
        done"""

    def __init__(self, folder):
        commands, self.commands = os.pipe()
        self.statuses, statuses = os.pipe()
        self.output, output = os.pipe()
        loop = self.LOOP.replace("COMMANDS", str(commands)).replace("STATUSES", str(statuses))
        self.process = subprocess.Popen(
            ["bash", "--norc", "-c", loop], cwd=folder,
            stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            pass_fds=(commands, statuses), start_new_session=True)
        for end in (commands, statuses, output):
            os.close(end)

    def run(self, command):
        """The status, and what was printed. What a command in the background prints later
        belongs to a later one."""
        os.write(self.commands, command.encode() + b"\0")
        printed = b""
        open_ends = {self.output, self.statuses}
        while True:
            ready, _, _ = select.select(open_ends, [], [], SECONDS)
            if not ready:
                raise Mistake(f"no end of: {command}")
            if self.output in ready:
                piece = os.read(self.output, 65536)
                printed += piece
                if not piece:
                    open_ends.remove(self.output)
            else:
                said = os.read(self.statuses, 16)
                if not said:
                    raise Mistake(f"the shell has ended in: {command}")
                return int(said), printed.decode("utf-8", "replace")

    def folder(self):
        """Where the reader is now."""
        return os.readlink(f"/proc/{self.process.pid}/cwd")

    def end(self):
        os.close(self.commands)
        self.process.wait()


def not_ended(printed):
    """A last line without its end is shown as a terminal shows it."""
    return printed if not printed or printed.endswith("\n") else printed + "\n"


def console(shell, block, update):
    """The lines of the block as they should be, and what differs."""
    lines, differences, failed = [], [], None
    for step in steps_of(block):
        if failed and step.command != "echo $?":
            differences.append(failed)
        status, printed = shell.run(step.command)
        printed = not_ended(printed)
        failed = status and f"line {step.line}: status {status} of: {step.command}\n{printed}"
        lines += ["$ " + step.command.replace("\n", "\n> ")]
        if matches(step.expected, printed):
            lines += step.expected
            continue
        lines += printed.splitlines()
        if not update:
            differences.append(f"line {step.line}: $ {step.command}\n" +
                               f"--- the document\n{chr(10).join(step.expected)}\n" +
                               f"--- printed\n{printed}")
    if failed:
        differences.append(failed)
    return lines, differences


def is_part(block, path):
    """Its lines stand in the file, perhaps further to the right."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    wanted = textwrap.dedent(block.text())
    return any(textwrap.dedent("".join(line + "\n" for line in lines[n:n + len(block.lines)])) ==
               wanted for n in range(len(lines)))


def create(block, folder):
    path = os.path.join(folder, block.name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(block.text())


def follow(document, folder, update):
    with open(document, encoding="utf-8") as file:
        lines = file.read().splitlines()
    shell, differences, commands, changes = Shell(folder), [], 0, []
    try:
        for block in blocks_of(lines):
            if block.kind == "file":
                create(block, shell.folder())
            elif block.kind == "part" and not is_part(block, os.path.join(folder, block.name)):
                differences.append(f"line {block.first}: this is not a part of {block.name}")
            elif block.kind == "console":
                should, differ = console(shell, block, update)
                differences += differ
                changes.append((block, should))
                commands += len(steps_of(block))
    finally:
        shell.end()
    for block, should in reversed(changes):
        lines[block.first:block.first + len(block.lines)] = should
    if update:
        with open(document, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))
    for difference in differences:
        print(f"{document}: {difference}")
    print(f"{commands} commands, {len(differences)} differ")
    return bool(differences)


def main(arguments):
    options = [one for one in arguments if one.startswith("--")]
    places = [one for one in arguments if not one.startswith("--")]
    with open(places[0], encoding="utf-8") as file:
        blocks = blocks_of(file.read().splitlines())
    if options == ["--not-run"]:
        print("".join(block.text() for block in blocks if block.kind == "not-run"), end="")
    elif options == ["--files"]:
        for block in blocks:
            if block.kind == "file":
                create(block, places[1])
    else:
        return follow(places[0], places[1], options == ["--update"])
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Mistake as mistake:
        sys.exit(f"{sys.argv[-1]}: {mistake}")
