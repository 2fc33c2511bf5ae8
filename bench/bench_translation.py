# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_translation.py: what translating a block of code costs.

    bench_translation.py --valgrind=... --valgrind-lib=... --measure=... --program=...
                         [--rounds=N]

The program, programs/large_code.c, executes 4,096 functions once or, with another argument,
not at all; the difference between both is translation, next to nothing else. How many blocks
and instructions were translated, Valgrind's own statistics say. All cases take turns, round by
round, and a case's time (user plus system) is the least of its rounds: on a shared machine
others only ever add to it. A block under --tool=none goes on behind jumps, so it is longer and
there are fewer; what tools are compared by is an instruction of the program.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

# What the table calls it: the tool and its options.
TOOLS = {
    'none': ['--tool=none'],
    'profmem lean': ['--tool=profmem', '--functions=no', '--stacks=no'],
    'profmem full': ['--tool=profmem'],
    'callgrind': ['--tool=callgrind'],
    'memcheck': ['--tool=memcheck'],
}
BASE = 'none'
OUTPUTS = {'profmem': '--profmem-out-file=', 'callgrind': '--callgrind-out-file='}
STATISTICS = re.compile(r'translate: +([\d,]+) guest insns, ([\d,]+) traces')


class Case:
    """A tool, and how often the functions are executed."""

    def __init__(self, options, tool, times, scratch):
        name = TOOLS[tool][0].removeprefix('--tool=')
        report = [OUTPUTS[name] + os.path.join(scratch, 'report')] if name in OUTPUTS else []
        self.command = [options.valgrind, '--command-line-only=yes', *TOOLS[tool], *report]
        self.program = [options.program, str(times)]
        self.measure = [options.measure, os.path.join(scratch, 'result')]
        self.environment = {**os.environ, 'VALGRIND_LIB': os.path.abspath(options.valgrind_lib)}
        self.least = None

    def start(self, words):
        return subprocess.run(words, check=True, stdin=subprocess.DEVNULL, env=self.environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True).stderr

    def time(self):
        """One run; its user plus system time in microseconds counts if it is the least."""
        self.start([*self.measure, *self.command, '-q', *self.program])
        with open(self.measure[1], encoding='ascii') as file:
            user, system, _peak, _status = map(int, file.read().split())
        if self.least is None or user + system < self.least:
            self.least = user + system

    def translated(self):
        """Instructions and blocks."""
        found = STATISTICS.search(self.start([*self.command, '--stats=yes', *self.program]))
        return tuple(int(number.replace(',', '')) for number in found.groups())


def main():
    parser = argparse.ArgumentParser()
    for name in ('valgrind', 'valgrind-lib', 'measure', 'program'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--rounds', type=int, default=9)
    options = parser.parse_args()

    rows = {}
    with tempfile.TemporaryDirectory() as scratch:
        cases = {tool: [Case(options, tool, times, scratch) for times in (0, 1)]
                 for tool in TOOLS}
        for _ in range(options.rounds):
            for pair in cases.values():
                for case in pair:
                    case.time()
        for tool, (idle, busy) in cases.items():
            before, after = idle.translated(), busy.translated()
            rows[tool] = (busy.least - idle.least, after[0] - before[0], after[1] - before[1])

    base_time, base_instructions, _blocks = rows[BASE]
    print(f'Least of {options.rounds} rounds, user plus system time.\n')
    print('| tool | blocks | microseconds a block | nanoseconds an instruction | to none |\n'
          '|---|---:|---:|---:|---:|')
    for tool, (time, instructions, blocks) in rows.items():
        print(f'| {tool} | {blocks:,} | {time / blocks:.1f} | {1000 * time / instructions:.0f} '
              f'| {time / instructions / (base_time / base_instructions):.2f} |')
    return 0


sys.exit(main())
