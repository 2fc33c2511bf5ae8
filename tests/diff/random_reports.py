# SPDX-License-Identifier: GPL-2.0-or-later
"""random_reports.py: the parts that `profmem diff` shows add up to every change.

Pairs of valid reports are made up, the second a changed copy of the first: other numbers,
rows that come, go and are renamed, objects of another version, other lines, other ids, rows
that are only summed up. What `profmem diff --all` prints is compared with what this script
finds in the XML, by its own means:

  - the metrics that differ are shown, and no others, with both values and the change
  - in each section (by site, function, object, ...) the changes add up to the metric's
  - a part that is not guessed has the change of its rows, added up by name
  - a function that sites are summed up by is the sum of its sites
  - with OLD and NEW swapped the same parts appear with the opposite signs
"""

import argparse
import os
import random
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict

# Lists of a phase: the row's element, what `others` counts, and each column's metric.
LISTS = {
    'sites': ('site', 'sites', {
        'peak-bytes': 'heap.peak', 'peak-blocks': 'heap.peak-blocks',
        'traffic-bytes': 'traffic.bytes', 'traffic-blocks': 'traffic.blocks',
        'temporary-blocks': 'allocations.temporary', 'retained-bytes': 'heap.retained',
        'retained-blocks': None}),
    'resizes': ('resize', 'pairs', {
        'blocks': 'reallocations.count', 'bytes': 'reallocations.bytes',
        'net-bytes': 'reallocations.net-bytes'}),
    'releases': ('release', 'pairs', {
        'blocks': 'deallocations.count', 'bytes': 'deallocations.bytes'}),
    'functions': ('function', 'functions', {
        'instructions': 'instructions.total', 'calls': None,
        'rep-iterations': 'instructions.rep-iterations', 'vector': 'instructions.vector',
        'scalar-float': 'instructions.scalar-float', 'load': 'instructions.load',
        'store': 'instructions.store', 'branch': 'instructions.branch',
        'call': 'instructions.call'}),
}
# Derived from functions: each executed its instructions in three lines.
LISTS['lines'] = ('line', 'lines', LISTS['functions'][2])
MADE_UP = [name for name in LISTS if name != 'lines']
UNITS = {'heap.peak-blocks': 'blocks', 'heap.peak': 'bytes', 'heap.retained': 'bytes',
         'allocations.temporary': 'blocks', 'traffic.blocks': 'blocks', 'traffic.bytes': 'bytes',
         'reallocations.count': 'blocks', 'reallocations.bytes': 'bytes',
         'reallocations.net-bytes': 'bytes', 'deallocations.count': 'blocks',
         'deallocations.bytes': 'bytes', 'instructions.rep-iterations': 'iterations'}
ORDER = ['heap.peak', 'heap.peak-blocks', 'heap.retained', 'allocations.temporary',
         'reallocations.count', 'reallocations.bytes', 'reallocations.net-bytes',
         'deallocations.count', 'deallocations.bytes', 'traffic.blocks', 'traffic.bytes',
         'instructions.total', 'instructions.rep-iterations', 'instructions.vector',
         'instructions.scalar-float', 'instructions.load', 'instructions.store',
         'instructions.branch', 'instructions.call']
OBJECTS = ['app', 'libone.so.1.2', 'libtwo-3.4.so', 'libc.so.6']


# Making up reports ----------------------------------------------------------------------

def number(rng, column):
    sizes = [0, rng.randrange(1, 10), rng.randrange(1000), rng.randrange(10 ** 6)]
    if rng.random() < 0.02:
        sizes = [2 ** 56 + rng.randrange(1000)]
    value = rng.choice(sizes)
    return -value if column == 'net-bytes' and rng.random() < 0.5 else value


class Model:
    """Names and, for each phase and list, rows by what they are of."""

    def __init__(self, rng):
        names = [f'f{i}' for i in range(rng.randrange(2, 12))]
        self.functions = [(name, rng.choice(OBJECTS)) for name in names]
        # Sites may differ by lines alone.
        self.sites = []
        for _ in range(rng.randrange(1, 12)):
            frames = [self.functions[rng.randrange(len(names))]
                      for _ in range(rng.randrange(1, 5))]
            self.sites.append(tuple((*frame, rng.randrange(1, 99)) for frame in frames))
        self.sites = list(dict.fromkeys(self.sites))
        self.phases = {}
        for phase in ['program'] + [f'p{i}' for i in range(rng.randrange(3))]:
            self.phases[phase] = {name: self.some_rows(rng, name) for name in MADE_UP}
        self.lines = {function: sorted(rng.sample(range(1, 99), 3))
                      for function in self.functions}

    def key(self, rng, name):
        if name == 'functions':
            return rng.choice(self.functions)
        if name == 'sites':
            return rng.choice(self.sites)
        return rng.choice(self.sites), rng.choice(self.sites)

    def some_rows(self, rng, name):
        columns = LISTS[name][2]
        return {self.key(rng, name): {c: number(rng, c) for c in columns}
                for _ in range(rng.randrange(1, 10))}


def changed(rng, model):
    """A copy with some differences; now and then with none."""
    copy = Model.__new__(Model)
    rename = dict(zip(model.functions, model.functions))
    if rng.random() < 0.3:
        old = rng.choice(model.functions)
        rename[old] = (old[0] + rng.choice(['', '(int)', '.constprop.0', '_x']),
                       rng.choice([old[1], *OBJECTS]))
    if rng.random() < 0.2:
        rename = {old: (name, object_.replace('.1.2', '.1.3'))
                  for old, (name, object_) in rename.items()}
    shift = rng.choice([0, 0, 1])

    def site(frames):
        return tuple((*rename[frame[:2]], frame[2] + shift) for frame in frames)

    def key(name, old):
        if name == 'functions':
            return rename[old]
        return site(old) if name == 'sites' else (site(old[0]), site(old[1]))

    copy.functions = list(dict.fromkeys(rename[function] for function in model.functions))
    step = rng.choice([0, 0, 1, 2])
    copy.lines = {rename[function]: [lines[0], lines[1] + step, lines[2] + 2 * step]
                  for function, lines in model.lines.items()}
    copy.sites = list(dict.fromkeys(site(frames) for frames in model.sites))
    keeps = rng.random() < 0.1
    copy.phases = {}
    for phase, lists in model.phases.items():
        copy.phases[phase] = {}
        for name, rows in lists.items():
            new = {key(name, old): dict(row) for old, row in rows.items()}
            for row in list(new) if not keeps else []:
                if rng.random() < 0.2:
                    new[row] = {c: number(rng, c) for c in new[row]}
                if rng.random() < 0.1:
                    del new[row]
            if not keeps and rng.random() < 0.3:
                new[copy.key(rng, name)] = {c: number(rng, c) for c in LISTS[name][2]}
            copy.phases[phase][name] = new
    if not keeps and rng.random() < 0.1:
        copy.phases['another'] = {name: copy.some_rows(rng, name) for name in MADE_UP}
    return copy


def lines_of(model, rows):
    """Thirds of each function's row, the remainder with the last."""
    lines = {}
    for function, row in rows.items():
        for part, number_ in enumerate(model.lines[function]):
            lines[(*function, number_)] = {
                c: v - 2 * (v // 3) if part == 2 else v // 3 for c, v in row.items()}
    return lines


def xml_of(rng, model):
    """Ids and the order of rows are of no account; the last rows are only summed up."""
    ids = {'functions': dict(zip(model.functions, rng.sample(range(1, 999), 99))),
           'sites': dict(zip(model.sites, rng.sample(range(1, 999), 99)))}
    lines = [(*function, number_) for function in model.functions
             for number_ in model.lines[function]]
    ids['lines'] = dict(zip(lines, rng.sample(range(1, 999), 99)))
    out = ['<profmem format="1"><producer name="profmem" version="0" valgrind="0" '
           'platform="amd64-linux"/><run><command><arg>x</arg></command>'
           '<executable path="/x" size="1"/><objects/><options/>'
           '<environment variables="0" digest="none:00"/><fixed/><end kind="exit" status="0"/>'
           '</run><coverage><allocation-functions/><not-measured/></coverage><phases>']
    for phase, lists in model.phases.items():
        kind = 'process' if phase == 'program' else 'request'
        parent = '' if phase == 'program' else ' parent="program"'
        out.append(f'<phase name="{phase}" kind="{kind}" instances="1" complete="yes"{parent}>')
        totals = Counter({metric: 0 for metric in ORDER})
        parts = []
        for name, (element, others, columns) in LISTS.items():
            rows = list((lines_of(model, lists['functions']) if name == 'lines'
                         else lists[name]).items())
            rng.shuffle(rows)
            listed = len(rows) if rng.random() < 0.7 else rng.randrange(len(rows) + 1)
            parts.append(f'<{name}>')
            for what, row in rows[:listed]:
                if name in ids:
                    id_ = f'id="{ids[name][what]}"'
                else:
                    id_ = f'origin="{ids["sites"][what[0]]}" site="{ids["sites"][what[1]]}"'
                values = ' '.join(f'{c}="{v}"' for c, v in row.items())
                parts.append(f'<{element} {id_} {values}/>')
            if listed < len(rows):
                values = ' '.join(f'{c}="{sum(row[c] for _, row in rows[listed:])}"'
                                  for c in columns)
                parts.append(f'<others {others}="{len(rows) - listed}" {values}/>')
            parts.append(f'</{name}>')
            for _, row in rows:
                for column, value in row.items():
                    if columns[column] and name != 'lines':
                        totals[columns[column]] += value
        out += [f'<metric name="{m}" unit="{UNITS.get(m, "instructions")}" value="{totals[m]}"/>'
                for m in ORDER]
        out += parts + ['</phase>']
    out.append('</phases><sites>')
    for frames, id_ in ids['sites'].items():
        out.append(f'<site id="{id_}" largest-bytes="0">')
        out += [f'<frame function="{f}" file="{f}.c" line="{line}" object="{o}"/>'
                for f, o, line in frames]
        out.append('</site>')
    out.append('</sites><functions>')
    out += [f'<function id="{id_}" name="{f}" object="{o}"/>'
            for (f, o), id_ in ids['functions'].items()]
    out.append('</functions><lines>')
    out += [f'<line id="{id_}" function="{f}" object="{o}" file="{f}.c" line="{line}"/>'
            for (f, o, line), id_ in ids['lines'].items()]
    out.append('</lines></profmem>\n')
    return '\n'.join(out)


# The referee ----------------------------------------------------------------------------

def read(path):
    """Metrics by phase, and rows by phase, list and name, added up by name."""
    root = ElementTree.parse(path).getroot()
    names = {'functions': {f.get('id'): f'{f.get("name")} in {f.get("object")}'
                           for f in root.find('functions')},
             'sites': {s.get('id'): tuple((f.get('function'), f.get('object')) for f in s)
                       for s in root.find('sites')}}
    metrics, rows = {}, defaultdict(Counter)
    for phase in root.find('phases'):
        metrics[phase.get('name')] = {m.get('name'): int(m.get('value'))
                                      for m in phase.findall('metric')}
        for name in names:
            element, _, columns = LISTS[name]
            for row in phase.find(name).findall(element):
                for column, metric in columns.items():
                    if metric:
                        key = (phase.get('name'), metric, names[name][row.get('id')])
                        rows[key][0] += int(row.get(column))
    return metrics, {key: value[0] for key, value in rows.items()}


METRIC = re.compile(r'  (\S+) +([+-]?[\d,]+)(?: +(?:[+-]<?[\d,.]+%|new|moved))? +(-?[\d,]+)  ->'
                    r' +(-?[\d,]+)  [a-z]+')
PART = re.compile(r' {4,}([+-]?[\d,]+)  ([a-z]+) *(~?) +(.*)')


def integer(text):
    return int(text.replace(',', ''))


def parse(text):
    """{phase: {metric: (old, new, change, {kind: [(change, is guessed, what)]})}}"""
    phases, metrics, sections = {}, None, None
    for line in text.splitlines():
        if line.startswith('phase '):
            metrics = phases.setdefault(re.match(r'phase ([^,:]+)', line).group(1), {})
        elif match := METRIC.fullmatch(re.sub(r' \(.*\)$', '', line)):
            sections = defaultdict(list)
            name, change, old, new = match.groups()
            metrics[name] = (integer(old), integer(new), integer(change), sections)
        elif match := PART.fullmatch(line):
            change, kind, guessed, what = match.groups()
            sections[kind].append((integer(change), bool(guessed), what))
        else:
            assert not line or re.match(r'  \d+ instance', line), line
    return phases


def diff(profmem, old, new, option='--all'):
    result = subprocess.run([profmem, 'diff', option, old, new], capture_output=True, text=True,
                            check=False)
    assert result.returncode in (0, 1) and not result.stderr, result
    assert (result.returncode == 0) == (result.stdout == ''), result
    return parse(result.stdout)


def kinds_of(metric):
    return [name for name, (_, _, columns) in LISTS.items() if metric in columns.values()]


def is_by_function(metric):
    return metric in LISTS['functions'][2].values()


def innermost(chain):
    """'f1 in app', of 'f1 <- f2 (f1.c:7 in app)'."""
    match = re.match(r'(\S+) .*?\((?:\S+ )?in (\S+)\)', chain)
    return match and ' in '.join(match.groups())


def check_sums(phase, metric, change, sections):
    for kind, parts in sections.items():
        assert sum(part[0] for part in parts) == change, (phase, metric, kind, parts)
        assert not any(part[2].startswith('unexplained') for part in parts), (phase, metric, parts)


def check_parts(phase, metric, change, sections, olds, news):
    check_sums(phase, metric, change, sections)
    for name in kinds_of(metric):
        assert change == 0 or LISTS[name][0] in sections, (phase, metric, sections)
    for kind in ('site', 'function'):
        for part, is_guessed, what in sections[kind]:
            if is_guessed or re.match(r'\d+ more|those that|unexplained', what):
                continue
            if kind == 'site':
                chain = tuple(what[:what.index(' (')].split(' <- '))
                match = [value_of for key in {*olds, *news}
                         if key[:2] == (phase, metric)
                         and tuple(frame[0] for frame in key[2]) == chain
                         for value_of in [news.get(key, 0) - olds.get(key, 0)]]
                assert part in match, (phase, metric, what, part, match)
            elif is_by_function(metric):
                key = (phase, metric, re.sub(r'  .*', '', what))
                assert part == news.get(key, 0) - olds.get(key, 0), (key, part)
            else:
                sites = [site for site, _, chain in sections['site'] if innermost(chain) ==
                         re.sub(r'  .*', '', what)]
                assert part == sum(sites), (phase, metric, what, part, sites)


def check(profmem, old_path, new_path):
    (old_metrics, olds), (new_metrics, news) = read(old_path), read(new_path)
    shown, back = diff(profmem, old_path, new_path), diff(profmem, new_path, old_path)
    for phase in {*old_metrics, *new_metrics}:
        if phase not in old_metrics or phase not in new_metrics:
            assert shown[phase] == {} and back[phase] == {}, phase
            continue
        found, opposite = shown.get(phase, {}), back.get(phase, {})
        assert set(found) == set(opposite), (phase, set(found) ^ set(opposite))
        for metric in ORDER:
            old, new = old_metrics[phase][metric], new_metrics[phase][metric]
            if metric not in found:
                assert old == new, (phase, metric, old, new)
                continue
            assert found[metric][:3] == (old, new, new - old), (phase, metric, found[metric])
            sections = found[metric][3]
            check_parts(phase, metric, new - old, sections, olds, news)
            for kind in {*sections, *opposite[metric][3]}:
                if kind == 'function' and not is_by_function(metric):
                    continue  # sites go by the names of the new report
                here = sorted(part[0] for part in sections[kind])
                there = sorted(-part[0] for part in opposite[metric][3][kind])
                assert here == there, (phase, metric, kind, here, there)
    for phase, metrics in diff(profmem, old_path, new_path, '--top=1').items():
        for metric, (_, _, change, sections) in metrics.items():
            check_sums(phase, metric, change, sections)
    return sum(len(metrics) for metrics in shown.values())


def write_pair(seed, old_path, new_path):
    rng = random.Random(seed)
    model = Model(rng)
    for path, report in ((old_path, model), (new_path, changed(rng, model))):
        with open(path, 'w', encoding='utf-8') as out:
            out.write(xml_of(rng, report))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--profmem')
    parser.add_argument('--pairs', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--write', metavar='FOLDER',
                        help='only leave the reports there, as old-SEED.xml and new-SEED.xml')
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.pairs)
    if options.write:
        for seed in seeds:
            write_pair(seed, *(os.path.join(options.write, f'{side}-{seed}.xml')
                               for side in ('old', 'new')))
        return
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        old_path, new_path = os.path.join(folder, 'old.xml'), os.path.join(folder, 'new.xml')
        for seed in seeds:
            write_pair(seed, old_path, new_path)
            for path in (old_path, new_path):
                subprocess.run([options.profmem, 'validate', path], check=True,
                               stdout=subprocess.DEVNULL)
            try:
                differing += check(options.profmem, old_path, new_path)
            except AssertionError as error:
                raise SystemExit(f'seed {seed}: {error}') from error
    print(f'{options.pairs} pairs, {differing} metrics that differ')
    assert differing > options.pairs


main()
