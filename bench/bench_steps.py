# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_steps.py: the instructions that the tool itself executes for a block that is obtained
and given back, by function.

    bench_steps.py --valgrind=... --valgrind-lib=... --steps=... --program=... --platform=...
                   [--pairs=N]

The program, programs/allocation_storm.c, does nothing else; steps.c executes the process
singly after a while, when everything is translated. Unlike a measurement on a shared machine
the numbers are the same each time, so that they tell what a change of the tool is worth
before a stopwatch does. They are no times: what waits for memory counts like what does not.
"""

import argparse
import bisect
import collections
import os
import subprocess
import sys

VARIANTS = {'lean': ['--functions=no', '--stacks=no'], 'full': []}
ENTRY = 'pmh_on_entry'  # called once for malloc and once for free
TRANSLATED = 'translated code'
PASSES = 20000
STEPS_OF_A_PAIR = 2500


def symbols(tool):
    """Names of the tool's functions by address, and where they end."""
    lines = subprocess.run(['nm', '--defined-only', tool], check=True, text=True,
                           capture_output=True).stdout.splitlines()
    words = [line.split() for line in lines]
    found = sorted((int(row[0], 16), row[2]) for row in words
                   if len(row) == 3 and row[1] in 'tTwW')
    return [address for address, _ in found], [name for _, name in found]


def count(options, variant, tool, pairs):
    """{function: instructions of a pair}, exact over the pairs that were seen."""
    addresses, names = symbols(tool)
    entry = addresses[names.index(ENTRY)]
    run = subprocess.run(
        [options.steps, f'{entry:x}', str(PASSES), str(pairs * STEPS_OF_A_PAIR), options.valgrind,
         '--command-line-only=yes', '-q', '--tool=profmem', '--profmem-out-file=/dev/null',
         *VARIANTS[variant], options.program, str(PASSES + 4 * pairs)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True,
        env={**os.environ, 'VALGRIND_LIB': os.path.abspath(options.valgrind_lib)})
    executed = [int(line, 16) for line in run.stdout.split()]
    # From one entry to another, of the same function: whole pairs.
    starts = [i for i, address in enumerate(executed) if address == entry]
    whole = (len(starts) - 1) // 2
    counts = collections.Counter()
    for address in executed[starts[0]:starts[2 * whole]]:
        at = bisect.bisect(addresses, address) - 1
        is_ours = at >= 0 and address < addresses[-1]
        counts[names[at].split('.')[0] if is_ours else TRANSLATED] += 1
    return {name: number / whole for name, number in counts.items()}


def main():
    parser = argparse.ArgumentParser()
    for name in ('valgrind', 'valgrind-lib', 'steps', 'program', 'platform'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--pairs', type=int, default=50)
    options = parser.parse_args()
    tool = os.path.join(options.valgrind_lib, 'profmem-' + options.platform)

    counts = {variant: count(options, variant, tool, options.pairs) for variant in VARIANTS}
    names = sorted({name for of in counts.values() for name in of},
                   key=lambda name: (-counts['full'].get(name, 0), name))
    print('| instructions of a pair | ' + ' | '.join(VARIANTS) + ' |')
    print('|---|' + '---:|' * len(VARIANTS))
    for name in [name for name in names if max(of.get(name, 0) for of in counts.values()) >= 1]:
        print(f'| {name} | ' + ' | '.join(f'{of.get(name, 0):.0f}' for of in counts.values())
              + ' |')
    print('| all | ' + ' | '.join(f'{sum(of.values()):.0f}' for of in counts.values()) + ' |')
    return 0


sys.exit(main())
