# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_report.py: from runs to ratios, a table, and JSON.

A ratio is that of two runs of the same round, so that what slows the machine for
a while slows both. A program's ratio is the median over the rounds, a tool's the
geometric mean over the programs. Time is user plus system time of the process,
memory its largest resident size, Valgrind included.
"""

import collections
import math
import statistics

from bench_programs import OWN
from bench_tools import BASE, NATIVE

TIME, PEAK = 'time', 'peak'


def _of(run, what):
    return run['user_us'] + run['system_us'] if what == TIME else run['peak_kib']


def ratios(runs, base_runs, what):
    """The ratio in each round; a run that failed is None."""
    return [_of(run, what) / max(_of(base, what), 1) for run, base in zip(runs, base_runs) if run]


def summarize(results, tool_names):
    """results: {program: {tool: [run, ...]}}. What follows from it, by program and by
    tool; a tool that failed each time, on a program or on all, is not there."""
    programs = {}
    for program, by_tool in results.items():
        programs[program] = {
            tool: {what: {'median': statistics.median(r), 'least': min(r), 'greatest': max(r)}
                   for what in (TIME, PEAK)
                   for r in [ratios(by_tool[tool], by_tool[BASE], what)]}
            for tool in tool_names if any(by_tool[tool])}
    tools = {}
    for tool in tool_names:
        if not any(tool in by_tool for by_tool in programs.values()):
            continue
        tools[tool] = {}
        for what in (TIME, PEAK):
            medians = {p: by_tool[tool][what]['median'] for p, by_tool in programs.items()
                       if tool in by_tool}
            worst = max(medians, key=medians.get)
            tools[tool][what] = {
                'geometric_mean': math.exp(statistics.fmean(map(math.log, medians.values()))),
                'worst': medians[worst], 'worst_program': worst}
    return {'programs': programs, 'tools': tools}


def _row(cells):
    return '| ' + ' | '.join(cells) + ' |\n'


def _median_of_base(results, program, what):
    return statistics.median(_of(run, what) for run in results[program][BASE])


def _group_mean(summary, tool, what, programs):
    ratios_of = [summary['programs'][p][tool][what]['median'] for p in programs
                 if tool in summary['programs'][p]]
    return math.exp(statistics.fmean(map(math.log, ratios_of))) if ratios_of else None


# The project's own programs are extremes, each of one thing, and are few programs' like.
GROUPS = (('geometric mean of the distribution\'s', lambda program: program not in OWN),
          ('geometric mean of our extremes', lambda program: program in OWN))


def _group_rows(summary, shown, what):
    out = ''
    for label, holds in GROUPS:
        programs = [p for p in summary['programs'] if holds(p)]
        means = [_group_mean(summary, tool, what, programs) for tool in shown]
        if programs and len(programs) < len(summary['programs']):
            out += _row([label, ''] + ['failed' if m is None else f'{m:.2f}' for m in means])
    return out


def _ratio_table(results, summary, titles, what, base_title, base_text):
    shown = [tool for tool in titles if tool in summary['tools'] and tool not in (BASE, NATIVE)]
    out = _row(['program', base_title] + [titles[t] for t in shown])
    out += _row(['---'] + ['---:'] * (len(shown) + 1))
    for program in results:
        by_tool = summary['programs'][program]
        base = base_text(_median_of_base(results, program, what))
        out += _row([program.replace('_', ' '), base] +
                    [f"{by_tool[t][what]['median']:.2f}" if t in by_tool else 'failed'
                     for t in shown])
    out += _group_rows(summary, shown, what)
    for label, key in (('**geometric mean**', 'geometric_mean'), ('worst', 'worst')):
        out += _row([label, ''] + [f"{summary['tools'][t][what][key]:.2f}" for t in shown])
    return out


def _spread(summary):
    """How far the rounds differ: of each program's and tool's ratios, widest against median."""
    spreads = [(r['greatest'] - r['least']) / r['median']
               for by_tool in summary['programs'].values()
               for tool, by_what in by_tool.items() if tool != NATIVE
               for r in [by_what[TIME]]]
    return statistics.median(spreads), max(spreads)


def _of_rounds(rounds):
    return 'one round' if rounds == 1 else f'medians of {rounds} rounds'


def markdown(results, summary, titles, machine, rounds, failures):
    """titles: {tool: what the table calls it}, in order. failures: in words."""
    out = (f"{machine['processor']}, {machine['processors']} processors, "
           f"{machine['memory_mib']} MiB; {machine['system']}, Linux {machine['kernel']}; "
           f"Valgrind {machine['valgrind']}, profmem {machine['profmem']}. "
           f"Load average {machine['load_before']} before, {machine['load_after']} after.\n\n")
    out += f'User and system time, relative to `--tool=none`; {_of_rounds(rounds)}.\n\n'
    out += _ratio_table(results, summary, titles, TIME, 'none, s', lambda us: f'{us / 1e6:.2f}')
    tools = summary['tools']
    if {'full', 'callgrind', 'dhat'} <= tools.keys():
        pairs = [(p['callgrind'][TIME]['median'] + p['dhat'][TIME]['median']) /
                 p['full'][TIME]['median'] for p in summary['programs'].values()
                 if 'callgrind' in p and 'dhat' in p]
        mean = math.exp(statistics.fmean(map(math.log, pairs)))
        out += (f'\nA run under callgrind and one under dhat, together, cost {mean:.1f} times '
                'what one under profmem full does.\n')
    if rounds > 1:
        middle, widest = _spread(summary)
        out += (f'\nBetween rounds, the ratios of one program and tool differ by {middle:.0%} '
                f'(median), {widest:.0%} (widest).\n')
    if failures:
        counts = ', '.join(f'{words} ({n} of {rounds})'
                           for words, n in collections.Counter(failures).items())
        out += f'\nFailed and left out: {counts}.\n'
    out += '\nPeak resident memory, relative to `--tool=none`.\n\n'
    out += _ratio_table(results, summary, titles, PEAK, 'none, MiB',
                        lambda kib: f'{kib / 1024:.0f}')
    return out
