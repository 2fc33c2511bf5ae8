# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_scale.py: what very large programs take of the tool's memory.

    bench_scale.py --valgrind=... --valgrind-lib=... --measure=... --program=... \\
       --expect=... --cc=... [--instructions=N]

Runs of programs/scale.c, and of a program with very many functions that is generated here.
Each is made once with little and once with much, under profmem and under none: the memory
of one thing is the difference of the largest resident sizes, less that under none, by the
number of things. All numbers that a program knows are compared with the report. The table
goes to standard output, with the bars that the project holds itself to.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

BLOCKS = ('--alloc-fn=malloc:take', '--alloc-fn=free:put')
FUNCTIONS = 100000
GIB = 16

# What; the mode, little and much of it; options; the most bytes for one; what is counted.
CASES = (
    ('a live block', 'blocks', 1000, 10000000, BLOCKS + ('--stacks=no',), 64),
    ('a live block, call chains taken', 'blocks', 1000, 10000000, BLOCKS, 64),
    ('an instance of a phase', 'instances', 1000, 1000000, BLOCKS, 1),
    ('an instance that is listed singly', 'instances', 1000, 100000,
     BLOCKS + ('--phase-instances=1000000',), None),
    ('a GiB of reserved addresses', 'range', 1, GIB, BLOCKS, 4096),
)


class Wrong(Exception):
    """The report is not what the program knows."""


class Runs:
    def __init__(self, options, scratch):
        self.options = options
        self.scratch = scratch
        self.environment = {**os.environ, 'VALGRIND_LIB': os.path.abspath(options.valgrind_lib)}

    def path(self, name):
        return os.path.join(self.scratch, name)

    def peak(self, tool, *command):
        """Largest resident size in bytes; what the program prints is in `expected`."""
        result = self.path('result')
        with open(self.path('expected'), 'wb') as out:
            subprocess.run((self.options.measure, result, self.options.valgrind,
                            '--command-line-only=yes', '-q', *tool, *map(str, command)),
                           check=True, stdin=subprocess.DEVNULL, stdout=out, env=self.environment)
        with open(result, encoding='ascii') as file:
            return int(file.read().split()[2]) * 1024

    def profmem(self, options, *command):
        """The same under profmem; the report agrees."""
        peak = self.peak(('--tool=profmem', '--profmem-out-file=' + self.path('report.xml'),
                          *options), *command)
        if os.path.getsize(self.path('expected')) and subprocess.run(
                (sys.executable, '-B', self.options.expect, self.path('report.xml'),
                 self.path('expected')), check=False).returncode:
            raise Wrong(' '.join(map(str, command)))
        return peak

    def of_one(self, options, few, many, little, much):
        """Bytes of the tool's memory for one of them; few and many are commands."""
        ours = -self.profmem(options, *few)
        ours += self.profmem(options, *many)
        none = self.peak(('--tool=none',), *many) - self.peak(('--tool=none',), *few)
        return (ours - none) / (much - little)

    def make_functions(self, count):
        """A program of so many functions, each called once by main."""
        source, program = self.path('functions.c'), self.path('functions')
        with open(source, 'w', encoding='ascii') as file:
            file.write('#include <unistd.h>\nint f(int); __asm__(".text\\n"\n')
            # Neither instruction looks at what the other left: any machine has them.
            for i in range(count):
                file.write(f'"f_{i}: .type f_{i}, %function; nop; ret; .size f_{i}, .-f_{i}\\n"\n')
            file.write(');\n')
            for i in range(count):
                file.write(f'void f_{i}(void);\n')
            file.write('int main(void)\n{\n')
            for i in range(count):
                file.write(f'   f_{i}();\n')
            file.write('   _exit(0);\n}\n')
        subprocess.run((self.options.cc, '-O0', '-o', program, source), check=True)
        return program

    def report(self):
        return xml.parse(self.path('report.xml')).getroot()


def ranges(runs):
    """The loader has mapped something before."""
    numbers = {m.get('name'): int(m.get('value')) for m in
               runs.report().iterfind("phases/phase[@name='range']/metric[@value]")}
    if numbers['mapped.peak'] - numbers['mapped.entry'] != GIB << 30:
        raise Wrong(f'a range of {GIB} GiB: {numbers["mapped.peak"]:,}')


def functions(runs):
    """Bytes for a function. Each is in the report, with one call and two instructions."""
    few = runs.path('few')
    os.rename(runs.make_functions(100), few)
    many = runs.make_functions(FUNCTIONS)
    options = ('--report-limit=1000000',)
    bytes_of_one = runs.of_one(options, (few,), (many,), 100, FUNCTIONS)
    runs.profmem(options, many)
    report = runs.report()
    names = {f.get('id'): f.get('name') for f in report.iterfind('functions/function')}
    rows = report.findall("phases/phase[@name='program']/functions/function")
    seen = {names[row.get('id')]: (row.get('calls'), row.get('instructions')) for row in rows}
    for i in range(FUNCTIONS):
        if seen.get(f'f_{i}') != ('1', '2'):
            raise Wrong(f'function f_{i}: {seen.get(f"f_{i}")}')
    return bytes_of_one


def long_run(runs, instructions):
    """So many instructions, counted one by one."""
    runs.profmem((), runs.options.program, 'steps', instructions // 100)
    total = {phase.get('name'): int(phase.find("metric[@name='instructions.total']").get('value'))
             for phase in runs.report().iterfind('phases/phase')}
    counted = total['many'] - total['one']
    if counted != instructions:
        raise Wrong(f'{counted:,} instructions, not {instructions:,}')


def table(runs):
    print('| what | bytes of memory | bar |\n|---|---:|---:|')
    missed = 0
    for title, mode, little, much, options, bar in CASES:
        program = runs.options.program
        size = runs.of_one(options, (program, mode, little), (program, mode, much), little, much)
        if mode == 'range':
            ranges(runs)
        missed += bar is not None and size > bar
        print(f'| {title} ({much:,}) | {size:,.1f} | {"" if bar is None else bar} |', flush=True)
    print(f'| a function ({FUNCTIONS:,}) | {functions(runs):,.1f} |  |')
    return missed


def main():
    parser = argparse.ArgumentParser()
    for name in ('valgrind', 'valgrind-lib', 'measure', 'program', 'expect', 'cc'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--instructions', type=int, default=100000000000)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        runs = Runs(options, scratch)
        try:
            missed = table(runs)
            long_run(runs, options.instructions)
        except Wrong as wrong:
            print(f'bench: wrong: {wrong}', file=sys.stderr)
            return 1
    print(f'\n{options.instructions:,} instructions of a loop are counted one by one.')
    if missed:
        print(f'bench: {missed} bars are missed', file=sys.stderr)
    return 1 if missed else 0


sys.exit(main())
