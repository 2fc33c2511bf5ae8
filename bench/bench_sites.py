# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_sites.py: what a heap event costs when many call chains allocate.

    bench_sites.py --valgrind=... --valgrind-lib=... --measure=... --program=... \\
       --compare=... --sources=... [--rounds=N]

Runs of programs/sawtooth.c. First its own account of 100,000 sites is compared with the
report. Then the cost of an event: user time of a run of many teeth, less that of one of
fewer, by their number. What grows with the sites but not with the events (a chain's first
unwinding, its names, its rows in the report) is in both and falls out; it is shown apart.
All runs take turns, round by round, and a run's time is the least of its rounds: on a
shared machine others only ever add to it. The tables go to standard output, with the bars
that the project holds itself to.
"""

import argparse
import os
import subprocess
import sys
import tempfile

SITES = (1000, 10000, 100000)
EVENTS_OF_TOOTH = 2

PROFMEM = ('profmem', '--profmem-out-file={out}/report.xml')
DHAT = ('dhat', '--dhat-out-file={out}/dhat')

# Name: the tool, the program's mode, the teeth of both runs, what the table calls it.
CASES = {
    'none': (('none',), 'teeth', (200000, 1200000), 'none'),
    'profmem': (PROFMEM, 'teeth', (200000, 1200000), 'profmem'),
    'none near': (('none',), 'near', (200000, 1200000), 'none, near'),
    'profmem near': (PROFMEM, 'near', (200000, 1200000), 'profmem, near'),
    'none flat': (('none',), 'flat', (200000, 1200000), 'none, flat'),
    'profmem flat': (PROFMEM, 'flat', (200000, 1200000), 'profmem, flat'),
    'no stacks': (PROFMEM + ('--stacks=no',), 'teeth', (200000, 1200000), 'profmem --stacks=no'),
    'dhat': (DHAT, 'teeth', (100, 600), 'dhat'),
}

# A case less another one, the most sites to the fewest; the bar; what it says.
RATIOS = (
    ('profmem near', 'none near', 1.3, 'profmem over none, the same sites for a while'),
    ('profmem', 'none', 2, 'profmem over none, sites at random'),
    ('profmem flat', 'none flat', None, 'the same without new maxima'),
    ('no stacks', 'none', None, 'the same without sites'),
    ('dhat', 'none', None, 'dhat over none'),
)


class Runs:
    def __init__(self, options, scratch):
        self.options = options
        self.scratch = scratch
        self.environment = {**os.environ, 'VALGRIND_LIB': os.path.abspath(options.valgrind_lib)}

    def valgrind(self, tool, arguments, prefix=(), **more):
        name, *extra = (word.format(out=self.scratch) for word in tool)
        command = [*prefix, self.options.valgrind, '--command-line-only=yes', '-q',
                   '--tool=' + name, *extra, self.options.program, *map(str, arguments)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, env=self.environment,
                       stderr=subprocess.DEVNULL if name == 'dhat' else None, **more)

    def cost(self, tool, arguments):
        """User time in microseconds, largest resident size in KiB."""
        result = os.path.join(self.scratch, 'result')
        self.valgrind(tool, arguments, prefix=(self.options.measure, result))
        with open(result, encoding='ascii') as file:
            user, _system, peak, _status = map(int, file.read().split())
        return user, peak

    def compare_numbers(self, sites, teeth):
        account = os.path.join(self.scratch, 'account')
        with open(account, 'wb') as out:
            self.valgrind(PROFMEM + ('--report-limit=1000000',), (sites, teeth, 'account'),
                          stdout=out)
        subprocess.run([sys.executable, '-B', self.options.compare,
                        os.path.join(self.scratch, 'report.xml'), account,
                        '--sources=' + self.options.sources], check=True)


def measure(runs, rounds):
    """{(case, sites, teeth): (user time in microseconds, peak in KiB)}, the least."""
    costs = {}
    for _ in range(rounds):
        for name, (tool, mode, teeth, _) in CASES.items():
            for sites in SITES:
                for count in teeth:
                    costs.setdefault((name, sites, count), []).append(
                        runs.cost(tool, (sites, count, mode)))
    return {key: tuple(map(min, zip(*all_costs))) for key, all_costs in costs.items()}


def of_event(costs, name, sites):
    """Nanoseconds."""
    few, many = CASES[name][2]
    difference = costs[name, sites, many][0] - costs[name, sites, few][0]
    return difference * 1000 / ((many - few) * EVENTS_OF_TOOTH)


def of_site(costs, what):
    """What a site costs once."""
    few = CASES['profmem'][2][0]
    difference = costs['profmem', SITES[-1], few][what] - costs['profmem', SITES[0], few][what]
    return difference / (SITES[-1] - SITES[0])


def report(costs, rounds):
    """Prints the tables. How many bars are missed."""
    print(f'Nanoseconds of user time for a heap event, least of {rounds} rounds.\n')
    print('| case | ' + ' | '.join(f'{sites:,} sites' for sites in SITES) + ' |')
    print('|---|' + '---:|' * len(SITES))
    for name, (_, _, _, title) in CASES.items():
        print(f'| {title} | ' + ' | '.join(f'{of_event(costs, name, n):,.0f}' for n in SITES)
              + ' |')
    print(f'\nOnce for a site, in three phases: {of_site(costs, 0):.1f} microseconds, '
          f'{of_site(costs, 1) * 1024:.0f} bytes.')
    print(f'\n| {SITES[-1]:,} sites to {SITES[0]:,} | ratio | bar |\n|---|---:|---:|')
    missed = 0
    for name, base, bar, text in RATIOS:
        few, many = (of_event(costs, name, n) - of_event(costs, base, n)
                     for n in (SITES[0], SITES[-1]))
        ratio = many / few
        missed += bar is not None and ratio > bar
        print(f'| {text} | {ratio:.2f} | {"" if bar is None else bar} |')
    return missed


def main():
    parser = argparse.ArgumentParser()
    for name in ('valgrind', 'valgrind-lib', 'measure', 'program', 'compare', 'sources'):
        parser.add_argument('--' + name, required=True)
    parser.add_argument('--rounds', type=int, default=5)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        runs = Runs(options, scratch)
        try:
            runs.compare_numbers(SITES[-1], 200000)
        except subprocess.CalledProcessError:
            print('bench: the numbers of the sites are wrong', file=sys.stderr)
            return 1
        print(f'The numbers of {SITES[-1]:,} sites in three phases are the program\'s own.\n')
        missed = report(measure(runs, options.rounds), options.rounds)
    if missed:
        print(f'bench: {missed} bars are missed', file=sys.stderr)
    return 1 if missed else 0


sys.exit(main())
