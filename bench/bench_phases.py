# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_phases.py: what phases cost while a program is measured.

    bench_phases.py --valgrind=... --valgrind-lib=... --measure=... --program=... [--rounds=N]

Each case is a run of programs/phases.c under the tool. All cases take turns, round by
round, and a case's time (user plus system) is the least of its rounds: on a shared
machine others only ever add to it. From it goes the time of the same case with nothing
to do, the start. The table compares; it goes to standard output, with the bars that the
project holds itself to.
"""

import argparse
import os
import subprocess
import sys
import tempfile

MILLION = 1000000

# Name: the program's arguments, the tool's options.
CASES = {
    'start': (['bare', 0], []),
    'bare': (['bare', MILLION], []),
    'start, 1,000 before': (['pairs', 0, 1000], []),
    'pairs': (['pairs', MILLION, 0], []),
    'pairs, 1,000 before': (['pairs', MILLION, 1000], []),
    'pairs, 20,000 listed': (['pairs', 20000, 0], ['--phase-instances=1000000']),
    'pairs, 40,000 listed': (['pairs', 40000, 0], ['--phase-instances=1000000']),
    'heap, 1 open': (['heap', MILLION, 1], []),
    'heap, 4 open': (['heap', MILLION, 4], []),
    'heap, 1 open, lean': (['heap', MILLION, 1], ['--functions=no', '--stacks=no']),
    'heap, 4 open, lean': (['heap', MILLION, 4], ['--functions=no', '--stacks=no']),
    'calls, none a phase': (['calls', MILLION], []),
    'calls, each a phase': (['calls', MILLION], ['--phase-fn=called']),
}

# What is compared with what, each less its start; the bar; what it says.
RATIOS = (
    (('pairs', 'start'), ('bare', 'start'), 6,
     'a million begin and end pairs, to two million bare requests'),
    (('pairs, 1,000 before', 'start, 1,000 before'), ('pairs', 'start'), 1.1,
     'the same after a thousand phases have ended, to none before'),
    (('heap, 4 open', 'start'), ('heap, 1 open', 'start'), 1.5,
     'a million blocks obtained and given back with 4 phases open, to 1'),
    (('heap, 4 open, lean', 'start'), ('heap, 1 open, lean', 'start'), 1.5,
     'the same without call chains and functions'),
    (('pairs, 40,000 listed', 'start'), ('pairs, 20,000 listed', 'start'), 2.5,
     'instances listed singly, twice as many'),
    (('calls, each a phase', 'start'), ('pairs', 'start'), None,
     'a million calls of a function that is a phase, to begin and end pairs'),
)


def run(options, name, scratch):
    """User plus system time of one run, in microseconds."""
    arguments, extra = CASES[name]
    result = os.path.join(scratch, 'result')
    command = [options.measure, result, options.valgrind, '--command-line-only=yes',
               '--tool=profmem', '-q', '--profmem-out-file=' + os.path.join(scratch, 'report'),
               *extra, options.program, *map(str, arguments)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL,
                   env={**os.environ, 'VALGRIND_LIB': os.path.abspath(options.valgrind_lib)})
    with open(result, encoding='ascii') as file:
        user, system, _peak, _status = map(int, file.read().split())
    return user + system


def main():
    parser = argparse.ArgumentParser()
    for name in ('valgrind', 'valgrind-lib', 'measure', 'program'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--rounds', type=int, default=7)
    options = parser.parse_args()

    times = {name: [] for name in CASES}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.rounds):
            for name in CASES:
                times[name].append(run(options, name, scratch))
    least = {name: min(runs) for name, runs in times.items()}

    print(f'Least of {options.rounds} rounds, user plus system time.\n')
    print('| case | ms | over all rounds |\n|---|---:|---:|')
    for name, runs in times.items():
        print(f'| {name} | {least[name] / 1000:.0f} | to {max(runs) / 1000:.0f} |')
    print('\n| comparison, each less its start | ratio | bar |\n|---|---:|---:|')
    missed = 0
    for (over, over_start), (under, under_start), bar, text in RATIOS:
        ratio = (least[over] - least[over_start]) / (least[under] - least[under_start])
        missed += bar is not None and ratio > bar
        print(f'| {text} | {ratio:.2f} | {"" if bar is None else bar} |')
    if missed:
        print(f'bench: {missed} bars are missed', file=sys.stderr)
    return 1 if missed else 0


sys.exit(main())
