# SPDX-License-Identifier: GPL-2.0-or-later
"""page_reports.py: a report that is made up, for the tests of the page.

    page_reports.py [--sites N] [--phases N] [--seed N] [--changed N] [--renamed]
                    [--names FILE] [--huge] >report.xml

The same arguments give the same report; it is valid by `profmem validate`. --changed: other
numbers of the same call chains and functions. --renamed: one function has another name. --names:
names of phases, functions, objects and files are taken from FILE, a line each, which may have
\\n. --huge: numbers beyond 2^53, which doubles cannot hold.
"""

import argparse
import random
from xml.sax.saxutils import quoteattr

OBJECTS = ['app', 'libone.so.1', 'libtwo.so.2', 'libc.so.6']
CLASSES = ['vector', 'scalar-float', 'load', 'store', 'branch', 'call']
SITE_COLUMNS = ['peak-bytes', 'peak-blocks', 'traffic-bytes', 'traffic-blocks',
                'temporary-blocks', 'retained-bytes', 'retained-blocks']
SITE_METRICS = {'heap.peak': ('peak-bytes', 'bytes'), 'heap.peak-blocks': ('peak-blocks', 'blocks'),
                'heap.retained': ('retained-bytes', 'bytes'),
                'allocations.temporary': ('temporary-blocks', 'blocks'),
                'traffic.blocks': ('traffic-blocks', 'blocks'),
                'traffic.bytes': ('traffic-bytes', 'bytes')}
LISTED = 1000 # rows of a phase besides program


def element(name, attributes, inside=None):
    text = ''.join(f' {key}={quoteattr(str(value))}' for key, value in attributes.items()
                   if value is not None)
    if inside is None:
        return f'<{name}{text}/>\n'
    return f'<{name}{text}>\n{inside}</{name}>\n'


def metric(name, unit, value, spread=None):
    limits = {'min': spread[0], 'max': spread[1]} if spread else {}
    return element('metric', {'name': name, 'unit': unit, 'value': value, **limits})


class Maker:
    def __init__(self, options):
        self.rng = random.Random(options.seed)
        self.options = options
        self.names = None
        if options.names:
            with open(options.names, encoding='utf-8') as lines:
                self.names = [line.rstrip('\n').replace('\\n', '\n') for line in lines]
        count = max(12, options.sites // 8)
        self.functions = [{'id': n + 1, 'name': self.name(n, f'work_{n}'),
                           'object': self.name(n, OBJECTS[n * n % len(OBJECTS)])}
                          for n in range(count)]
        self.sites = [self.chain() for _ in range(options.sites)]
        self.rng = random.Random(f'{options.seed} {options.changed}')
        if options.renamed:
            self.functions[1]['name'] += '_renamed'

    def name(self, place, otherwise):
        return self.names[place % len(self.names)] if self.names else otherwise

    def chain(self):
        """Functions, the outermost first; chains share their beginnings."""
        chain = [0]
        while len(chain) < 2 or (len(chain) < 12 and self.rng.random() < 0.75):
            step = self.rng.randrange(1, 4)
            chain.append((chain[-1] * 3 + step) % len(self.functions))
        return chain

    def frames(self, chain):
        out = []
        for depth, place in reversed(list(enumerate(chain))):
            function = self.functions[place]
            where = {'file': self.name(place, f'part{place % 7}.c'),
                     'line': place + depth + 1} if place % 5 else {}
            out.append(element('frame', {
                'function': function['name'], **where, 'object': function['object'],
                'inlined': 'yes' if depth and place % 4 == 3 else None}))
        return ''.join(out)

    def site_row(self):
        rng, scale = self.rng, 2 ** 33 if self.options.huge else 1
        size = rng.choice([0, 1, 3, 8, 24, 100, 4096]) * scale + (scale > 1)
        blocks = int(rng.paretovariate(0.7)) % 5000 + 1
        live, kept = rng.randrange(blocks + 1), rng.randrange(blocks + 1)
        return {'peak-bytes': live * size, 'peak-blocks': live, 'traffic-bytes': blocks * size,
                'traffic-blocks': blocks, 'temporary-blocks': rng.randrange(blocks - kept + 1),
                'retained-bytes': kept * size, 'retained-blocks': kept}, size

    def function_row(self, kind):
        rng = self.rng
        executed = int(rng.paretovariate(0.6)) % 10 ** 4 * (9000 if kind == 'process' else 90) + 1
        if self.options.huge:
            executed += 2 ** 54 + 1
        return {'instructions': executed, 'calls': rng.randrange(1, 100),
                **{name: executed * rng.randrange(100) // 300 for name in CLASSES}}

    def phase(self, name, kind, parent, limit, instances=1):
        rng = self.rng
        rows, sizes, lifetimes = [], {}, {}
        for place in range(len(self.sites)):
            if kind != 'process' and rng.random() > 40 / len(self.sites):
                continue
            row, size = self.site_row()
            rows.append((place + 1, row))
            bucket = 1 << (size.bit_length() - 1) if size else 0
            sizes[bucket] = sizes.get(bucket, 0) + row['traffic-blocks']
            ended = row['traffic-blocks'] - row['retained-blocks']
            lifetime = 1 << rng.randrange(4, 20)
            if ended:
                lifetimes[lifetime] = lifetimes.get(lifetime, 0) + ended
        sums = {c: sum(row[c] for _, row in rows) for c in SITE_COLUMNS}
        rows.sort(key=lambda item: -item[1]['peak-bytes'])
        functions = [(f['id'], self.function_row(kind)) for f in self.functions
                     if kind == 'process' or rng.random() < 30 / len(self.functions)]
        functions.sort(key=lambda item: -item[1]['instructions'])
        total = {c: sum(row[c] for _, row in functions) for c in ['instructions', *CLASSES]}
        exit_bytes = sums['peak-bytes'] // 3

        def spread(value):
            return (0, value) if instances > 1 else None

        out = [metric('heap.entry', 'bytes', 0, (0, 0) if instances > 1 else None)]
        for named, (column, unit) in SITE_METRICS.items():
            out.append(metric(named, unit, sums[column], spread(sums[column])))
        out.append(metric('heap.exit', 'bytes', exit_bytes,
                          (exit_bytes, exit_bytes) if instances > 1 else None))
        out.append(metric('instructions.total', 'instructions', total['instructions'],
                          spread(total['instructions'])))
        if instances == 1:
            out += [metric('instructions.' + name, 'instructions', total[name])
                    for name in CLASSES]
        out.append(element('sites', {}, self.rows('site', 'sites', rows, limit)))
        out.append(element('functions', {}, self.rows('function', 'functions', functions, limit)))
        out.append(element('histograms', {}, ''.join(
            element(kind, {}, ''.join(element('bucket', {'from': start, 'blocks': buckets[start]})
                                      for start in sorted(buckets)))
            for kind, buckets in (('sizes', sizes), ('lifetimes', lifetimes)))))
        out.append(element('threads', {}, self.threads(sums, total['instructions'])))
        if instances > 1:
            out.append(element('instances', {}, element('instance', {
                'number': 1, 'thread': 1, 'complete': 'yes', 'parent': 'program'},
                metric('heap.peak', 'bytes', sums['peak-bytes']))))
        self.peak, self.exit, self.total = sums['peak-bytes'], exit_bytes, total['instructions']
        return element('phase', {'name': name, 'kind': kind, 'instances': instances,
                                 'complete': 'yes', 'parent': parent}, ''.join(out))

    def rows(self, row, others, rows, limit):
        listed = ''.join(element(row, {'id': number, **columns})
                         for number, columns in rows[:limit])
        rest = rows[limit:]
        if not rest:
            return listed
        return listed + element('others', {others: len(rest), **{
            column: sum(columns[column] for _, columns in rest) for column in rest[0][1]}})

    def threads(self, sums, instructions):
        out = []
        for number in (1, 2, 5):
            part = (lambda all_: all_ // 4 if number > 1 else all_ - 2 * (all_ // 4))
            out.append(element('thread', {
                'number': number, 'instructions': part(instructions),
                'traffic-blocks': part(sums['traffic-blocks']),
                'traffic-bytes': part(sums['traffic-bytes']),
                'released-blocks': 10 * number, 'foreign-blocks': number}))
        return ''.join(out)

    def timeline(self, peak, exit_bytes, total):
        points = 1000 if total >= 1000 else 10
        interval = max(1, total // points)
        top, out, last = self.rng.randrange(points - 1), [], 0
        for place in range(points):
            most = peak if place == top else max(last, self.rng.randrange(peak // 2 + 1))
            last = exit_bytes if place == points - 1 else self.rng.randrange(most + 1)
            out.append(element('point', {'most-bytes': max(most, last), 'last-bytes': last}))
        return element('timeline', {'interval-instructions': interval}, ''.join(out))

    def report(self):
        options = self.options
        phases = [self.phase('program', 'process', None, max(options.sites, LISTED))]
        timeline = self.timeline(self.peak, self.exit, self.total)
        parents = ['program']
        for n in range(1, options.phases):
            name = f'{n}: ' + self.names[n % len(self.names)] if self.names else f'phase {n}'
            phases.append(self.phase(name, 'request', self.rng.choice(parents[-8:]), LISTED // 50,
                                     instances=4 if n == 2 else 1))
            parents.append(name)
        names = [element('sites', {}, ''.join(
                    element('site', {'id': n + 1, 'largest-bytes': 2 ** 62}, self.frames(chain))
                    for n, chain in enumerate(self.sites))),
                 element('functions', {}, ''.join(element('function', f) for f in self.functions))]
        return element('profmem', {'format': 1}, ''.join([
            element('producer', {'name': 'profmem', 'version': '0.1.0', 'valgrind': '3.19.0',
                                 'platform': 'amd64-linux'}),
            element('run', {}, element('command', {}, '<arg>made-up</arg>\n') +
                    element('executable', {'path': '/made-up', 'size': 4096}) +
                    '<objects/><options/>\n' +
                    element('environment', {'variables': 1, 'digest': 'fnv1a64:00ab34cd12ef5678'}) +
                    '<fixed/>\n' + element('end', {'kind': 'exit', 'status': 0})),
            '<coverage><allocation-functions/><not-measured/></coverage>\n',
            element('phases', {}, ''.join(phases)), timeline, *names]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sites', type=int, default=40)
    parser.add_argument('--phases', type=int, default=3)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--changed', type=int, default=0)
    parser.add_argument('--renamed', action='store_true')
    parser.add_argument('--names')
    parser.add_argument('--huge', action='store_true')
    print('<?xml version="1.0" encoding="UTF-8"?>')
    print(Maker(parser.parse_args()).report(), end='')


main()
