# SPDX-License-Identifier: GPL-2.0-or-later
"""bench.py: what measuring costs, with this tool and with others.

Runs programs under tools, interleaved and repeated, and writes results.md and
results.json into the output folder; the table also goes to standard output. Each
round runs every program under every tool, one after the other, in an order that
rotates from round to round. A program's standard output must be the same under
every tool: a run that fails early is no run, and ends the bench. Another tool's
failure is that tool's: the table says so, and the rest goes on.
"""

import argparse
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys

import bench_programs
import bench_report
import bench_tools


class Trouble(Exception):
    """Something that the user must know and that ends the bench."""


class FailedRun(Exception):
    """A run that is none."""


def say(text):
    print('bench: ' + text, file=sys.stderr, flush=True)


def chosen(text, default, known, what):
    words = text.split() or ['default']
    if words == ['default']:
        return default
    if words == ['all']:
        return known
    for word in words:
        if word not in known:
            raise Trouble(f'no {what} {word}; there are: {" ".join(known)}')
    return tuple(words)


def first_line_with(path, start, otherwise):
    try:
        with open(path, encoding='utf-8') as file:
            for line in file:
                if line.startswith(start):
                    return line[len(start):].strip(' \t\n:="')
    except OSError:
        pass
    return otherwise


def load_average():
    return f'{os.getloadavg()[0]:.2f}'


def describe_machine(valgrind, version):
    text = subprocess.run([valgrind, '--version'], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    memory = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES')
    return {
        'processor': first_line_with('/proc/cpuinfo', 'model name', platform.machine()),
        'processors': os.cpu_count(),
        'memory_mib': memory // (1 << 20),
        'system': first_line_with('/etc/os-release', 'PRETTY_NAME', platform.system()),
        'kernel': platform.release(),
        'valgrind': text.removeprefix('valgrind-'),
        'profmem': version,
        'load_before': load_average(),
    }


class Bench:
    def __init__(self, args, programs, tools):
        self.programs = programs
        self.tools = tools
        self.measure = os.path.abspath(args.measure)
        self.inputs = os.path.join(args.output, 'inputs')
        self.scratch = os.path.join(args.output, 'scratch')
        self.environment = bench_tools.environment(os.path.abspath(args.valgrind_lib))
        self.outputs = {}  # program -> digest of its standard output
        self.failures = []  # what went wrong under other tools

    def prepare(self):
        for folder in (self.inputs, self.scratch):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        bench_programs.make_inputs(self.inputs, self.environment)

    def run(self, program, tool):
        """One run; {'user_us': ..., 'system_us': ..., 'peak_kib': ...}."""
        result = os.path.join(self.scratch, 'result')
        output = os.path.join(self.scratch, 'stdout')
        errors = os.path.join(self.scratch, 'stderr')
        with open(output, 'wb') as out, open(errors, 'wb') as err:
            status = subprocess.run(
                [self.measure, result, *tool.command, *program.command], cwd=self.inputs,
                env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                check=False).returncode
        if status != 0:
            with open(errors, encoding='utf-8', errors='replace') as file:
                sys.stderr.write(file.read())
            raise FailedRun(f'{program.name} under {tool.name} ended with {status}')
        if tool.keeps_output:
            self.check_output(program, tool, output)
        with open(result, encoding='ascii') as file:
            user, system, peak, _ = map(int, file.read().split())
        return {'user_us': user, 'system_us': system, 'peak_kib': peak}

    def check_output(self, program, tool, path):
        with open(path, 'rb') as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        if self.outputs.setdefault(program.name, digest) != digest:
            raise FailedRun(f'{program.name} has other output under {tool.name} than before')

    def try_run(self, program, tool):
        """The same; None: another tool has failed."""
        try:
            return self.run(program, tool)
        except FailedRun as failure:
            if tool.is_needed:
                raise Trouble(str(failure)) from failure
            say(str(failure))
            self.failures.append(str(failure))
            return None

    def run_all(self, rounds):
        """{program: {tool: [run, ...]}}, after one run of each program that only
        reads its files into memory."""
        results = {p.name: {t.name: [] for t in self.tools} for p in self.programs}
        native = bench_tools.make_tools((bench_tools.NATIVE,), None, None)[0][0]
        for program in self.programs:
            self.try_run(program, native)
        for number in range(rounds):
            first = number % len(self.tools)
            order = self.tools[first:] + self.tools[:first]
            for program in self.programs:
                say(f'round {number + 1} of {rounds}: {program.name}')
                for tool in order:
                    results[program.name][tool.name].append(self.try_run(program, tool))
        return results


def parse(words):
    parser = argparse.ArgumentParser(prog='bench.py', description=__doc__.splitlines()[0])
    for name in ('valgrind', 'valgrind-lib', 'measure', 'own-programs', 'output',
                 'profmem-version'):
        parser.add_argument('--' + name, required=True)
    for name in ('programs', 'tools'):
        parser.add_argument('--' + name, default='', help='names; "all"; default: some')
    parser.add_argument('--rounds', type=int, default=3)
    args = parser.parse_args(words)
    if args.rounds < 1:
        parser.error('there must be a round')
    args.output = os.path.abspath(args.output)
    return args


def bench(args):
    program_names = chosen(args.programs, bench_programs.DEFAULT, bench_programs.NAMES, 'program')
    tool_names = chosen(args.tools, bench_tools.DEFAULT, bench_tools.NAMES, 'tool')
    if bench_tools.BASE not in tool_names:
        tool_names = (bench_tools.BASE, *tool_names)
    programs, skipped = bench_programs.find_programs(program_names,
                                                     os.path.abspath(args.own_programs))
    tools, tools_skipped = bench_tools.make_tools(tool_names, args.valgrind,
                                                  os.path.join(args.output, 'scratch'))
    skipped.update(tools_skipped)
    for name, reason in skipped.items():
        say(f'without {name}: {reason}')
    if not programs:
        raise Trouble('no program to run')

    work = Bench(args, programs, tools)
    machine = describe_machine(args.valgrind, args.profmem_version)
    work.prepare()
    results = work.run_all(args.rounds)
    machine['load_after'] = load_average()

    titles = {tool.name: tool.title for tool in tools}
    summary = bench_report.summarize(results, titles)
    table = bench_report.markdown(results, summary, titles, machine, args.rounds, work.failures)
    with open(os.path.join(args.output, 'results.md'), 'w', encoding='utf-8') as file:
        file.write(table)
    with open(os.path.join(args.output, 'results.json'), 'w', encoding='utf-8') as file:
        json.dump({'machine': machine, 'rounds': args.rounds,
                   'commands': {p.name: p.command for p in programs},
                   'tools': {t.name: t.command for t in tools},
                   'skipped': skipped, 'failures': work.failures,
                   'runs': results, 'ratios': summary}, file, indent=1)
        file.write('\n')
    print(table, end='')


def main():
    try:
        bench(parse(sys.argv[1:]))
    except Trouble as trouble:
        say(str(trouble))
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == '__main__':
    sys.exit(main())
