#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""qemu_step.py: how many instructions does an arm64 program retire? The emulator says.

   qemu_step.py [-a FILE] PROGRAM [ARGUMENTS...]

What tests/tool/step.c is natively, where there is no ptrace: the same arguments, the same
lines. It shares no code and no idea with the tool. qemu executes one instruction at a time and
logs the address of each before it does, and a line for each signal that it delivers. (-d exec
names a block, and -one-insn-per-tb makes each block one instruction.) An instruction that a signal
of the processor's own came from (its si_code is positive) has not retired; but a jump that
leads to where nothing can be fetched has.

One thread, without a change of its own code at an address that it has run before: what is at an
address is read from the program's file. PM_EMULATOR is the emulator.
"""
from collections import Counter
import os
import re
import signal
import subprocess
import sys
import threading

EXECUTED = re.compile(rb"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]{16})/")
SIGNAL = re.compile(rb"--- (SIG\w+) .*si_code=(-?\d+)(?:, si_addr=(?:0x)?([0-9a-f]+|NULL))?")

# ror of x12 by 3, 13, 51 and 61, which changes nothing, and orr of x10 with itself.
REQUEST = [0x93CC0D8C, 0x93CC358C, 0x93CCCD8C, 0x93CCF58C, 0xAA0A014A]
SYSTEM_CALL = 0xD4000001
# br, blr and ret of a register.
JUMP, JUMP_MASK = 0xD61F0000, 0xFF9FFC1F


class Code:
    """The instructions of a static program."""

    def __init__(self, path):
        listing = subprocess.run([os.environ["PM_BINUTILS"] + "objdump", "-d", path],
                                 stdout=subprocess.PIPE, text=True, check=True).stdout
        self.words = {int(found[1], 16): int(found[2], 16) for found in
                      re.finditer(r"^ *([0-9a-f]+):\t([0-9a-f]{8}) ", listing, re.MULTILINE)}

    def at(self, address):
        return self.words.get(address, 0)

    def is_request(self, last):
        return [self.at(last + 4 * i) for i in range(-4, 1)] == REQUEST


def follow(log, code):
    """address -> how often the instruction there has retired."""
    steps = Counter()
    last = None
    for line in log:
        if executed := EXECUTED.match(line):
            last = int(executed[1], 16)
            steps[last] += 1
        elif (arrived := SIGNAL.match(line)) and int(arrived[2]) > 0:
            is_jump = code.at(last) & JUMP_MASK == JUMP
            if not is_jump:
                steps[last] -= 1
    return +steps


def main():
    arguments = sys.argv[1:]
    path = None
    if arguments[0] == "-a":
        path, arguments = arguments[1], arguments[2:]
    code = Code(arguments[0])
    reading, writing = os.pipe()
    # Written to by its number, so that the program's own descriptors are what they are.
    emulator = [*os.environ["PM_EMULATOR"].split(), "-one-insn-per-tb", "-d", "exec,nochain,strace",
                "-D", f"/proc/{os.getpid()}/fd/{writing}"]
    program = subprocess.Popen(emulator + arguments)
    # A writer of our own until the program has ended: the log is not at its end before.
    threading.Thread(target=lambda: (program.wait(), os.close(writing))).start()
    with open(reading, "rb") as log:
        steps = follow(log, code)
    if path is not None:
        with open(path, "w", encoding="ascii") as places:
            places.writelines(f"{address:x} {count} 0\n"
                              for address, count in sorted(steps.items()))
    print(f"instructions.total={sum(steps.values())}")
    print("instructions.client-requests="
          f"{sum(n for a, n in steps.items() if code.is_request(a))}")
    print(f"syscalls.count={sum(n for a, n in steps.items() if code.at(a) == SYSTEM_CALL)}")
    status = program.returncode
    print(f"end=signal {-status}" if status < 0 else f"end=exit {status}")


main()
