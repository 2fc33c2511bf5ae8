# SPDX-License-Identifier: GPL-2.0-or-later
"""compare_sites.py: the sites of a report against a program's own account of them.

    compare_sites.py REPORT ACCOUNT --sources=DIR [--others=GLOB...] [--releases]

ACCOUNT is what sites_ledger.h describes. For each phase in it, every line must be one
row of the report with the same numbers, and every row of the report one line, or else
be none of the program's: --others is a pattern for those, over the chain of its site, or
of the pair's origin, as "FUNCTION:OBJECT < ... < FUNCTION:OBJECT", the innermost first.
Releases are compared on demand only.

A frame "..." of the account stands for any number of frames of which none is a call that
the account would name; in other frames, * stands for anything. Several sites may differ
in what such a gap stands for; their sum is compared then.

What the account says of places is looked up in the sources first: each frame's line must
be one of a file in DIR that holds a word of sites_ledger.h (or what sites_rust.rs has
in its place), HERE or OBTAIN or the like.
"""

import argparse
import collections
import fnmatch
import itertools
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

COLUMNS = {
    'site': ('largest-bytes', 'peak-bytes', 'peak-blocks', 'traffic-bytes', 'traffic-blocks',
             'temporary-blocks', 'retained-bytes', 'retained-blocks'),
    'resize': ('blocks', 'bytes', 'net-bytes'),
    'release': ('blocks', 'bytes'),
}
WORDS = re.compile(r'\b(HERE|OBTAIN|RESIZE|GIVE_BACK|(here|library)!)')

Frame = collections.namedtuple('Frame', 'function file line object inlined')
ANY = '...'


def read_frames(fields):
    return tuple(Frame(*field.split('|')) for field in fields)


def read_account(path):
    """{(kind, phase): [(key, numbers), ...]}; the key of a site is its frames, that of a
    pair those of both sites."""
    rows = {}
    with open(path, encoding='utf-8') as file:
        for text in file:
            kind, phase, *rest = text.rstrip('\n').split('\t')
            columns = COLUMNS.get(kind)
            if columns is None:
                sys.exit(f'{path}: not a line of an account: {text}')
            numbers = dict(zip(columns, map(int, rest)))
            fields = rest[len(columns):]
            if kind == 'site':
                key = read_frames(fields)
            else:
                apart = fields.index('=>')
                key = (read_frames(fields[:apart]), read_frames(fields[apart + 1:]))
            rows.setdefault((kind, phase), []).append((key, numbers))
    if not rows:
        sys.exit(f'{path}: the account is empty')
    return rows


def read_chains(path, root):
    """{id: (frames, largest-bytes)}"""
    chains, known = {}, set()
    for site in root.find('sites'):
        frames = tuple(Frame(frame.get('function'), frame.get('file', ''),
                             frame.get('line', '0'), frame.get('object'),
                             frame.get('inlined', '')) for frame in site)
        if frames in known:
            sys.exit(f'{path}: two sites of the same frames: {show(frames)}')
        known.add(frames)
        chains[site.get('id')] = (frames, int(site.get('largest-bytes')))
    return chains


def read_report(path):
    """The same as read_account(), as {(kind, phase): {key: numbers}}."""
    root = ElementTree.parse(path).getroot()
    chains = read_chains(path, root)
    rows = {}
    for phase in root.find('phases'):
        for kind, columns in COLUMNS.items():
            keyed = rows.setdefault((kind, phase.get('name')), {})
            for row in phase.find(kind + 's') or ():
                if row.tag != kind:
                    sys.exit(f'{path}: {kind}s of {phase.get("name")} are left out')
                numbers = {name: int(row.get(name, -1)) for name in columns}
                if kind == 'site':
                    key, numbers['largest-bytes'] = chains[row.get('id')]
                else:
                    key = (chains[row.get('origin')][0], chains[row.get('site')][0])
                keyed[key] = numbers
    return rows


class Sources:
    """What the account may name."""

    def __init__(self, folder):
        self.lines = {}
        for name in os.listdir(folder):
            if name.endswith(('.c', '.cc', '.h', '.rs')):
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    self.lines[name] = file.read().splitlines()

    def is_call(self, frame):
        lines = self.lines.get(os.path.basename(frame.file), ())
        number = int(frame.line)
        return 0 < number <= len(lines) and bool(WORDS.search(lines[number - 1]))

    def check(self, frame):
        if frame.file not in ('', '*') and not self.is_call(frame):
            sys.exit(f'no call of the program\'s at {frame.file}:{frame.line}')


def same_frame(wanted, frame):
    return all(a in ('*', b) for a, b in zip(wanted, frame))


def matches(wanted, frames, sources):
    """Does the chain of an account, which may have gaps, say these frames?"""
    if not wanted:
        return not frames
    if wanted[0].function == ANY:
        return matches(wanted[1:], frames, sources) or bool(
            frames and not sources.is_call(frames[0])
            and fnmatch.fnmatchcase(frames[0].object, wanted[0].object)
            and matches(wanted, frames[1:], sources))
    return bool(frames and same_frame(wanted[0], frames[0])
                and matches(wanted[1:], frames[1:], sources))


def show(frames):
    return ' < '.join(f'{f.function} ({f.file}:{f.line}, {f.object}'
                      f'{", inlined" if f.inlined else ""})' for f in frames)


def chains_of(kind, key):
    return (key,) if kind == 'site' else key


def show_key(kind, key):
    return ' => '.join(map(show, chains_of(kind, key)))


class Rows:
    """Rows of a kind that have not been found yet."""

    def __init__(self, kind, rows):
        self.kind = kind
        self.left = dict(rows)
        self.by_start = {}  # number of frames -> these -> keys

    def starting_as(self, chain):
        """Keys whose first chain has the frames before the first gap in this one."""
        count = sum(1 for _ in itertools.takewhile(lambda f: '*' not in f and f.function != ANY,
                                                   chain))
        if count not in self.by_start:
            index = self.by_start[count] = {}
            for key in self.left:
                index.setdefault(chains_of(self.kind, key)[0][:count], []).append(key)
        return self.by_start[count].get(chain[:count], ())

    def find(self, wanted, sources):
        if wanted in self.left:
            return [wanted]
        chains = chains_of(self.kind, wanted)
        return [key for key in self.starting_as(chains[0]) if key in self.left
                and all(matches(*pair, sources)
                        for pair in zip(chains, chains_of(self.kind, key)))]


def is_other(frames, others):
    chain = ' < '.join(f'{frame.function}:{frame.object}' for frame in frames)
    return any(fnmatch.fnmatchcase(chain, glob) for glob in others)


def compare_rows(kind, wanted, reported, sources, others):
    """The differences, as texts."""
    rows = Rows(kind, reported)
    for key, numbers in wanted:
        found = [rows.left.pop(one) for one in rows.find(key, sources)]
        if not found:
            yield f'not in the report: {show_key(kind, key)}'
        for name, number in numbers.items() if found else ():
            values = [row[name] for row in found]
            # The largest ones of several sites were not so at the same time.
            least = max(values) if name == 'largest-bytes' else sum(values)
            if not least <= number <= sum(values):
                yield f'{name}: {number} expected, {values} reported: {show_key(kind, key)}'
    for key in rows.left:
        if not is_other(chains_of(kind, key)[0], others):
            yield f'not in the account: {show_key(kind, key)}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('report')
    parser.add_argument('account')
    parser.add_argument('--sources', required=True)
    parser.add_argument('--others', action='append', default=[])
    parser.add_argument('--releases', action='store_true')
    args = parser.parse_args()

    sources = Sources(args.sources)
    account = read_account(args.account)
    report = read_report(args.report)
    for (kind, _), wanted in account.items():
        for key, _ in wanted:
            for frame in itertools.chain(*chains_of(kind, key)):
                sources.check(frame)
    differences = []
    phases = sorted({phase for _, phase in account})
    for kind in COLUMNS:
        if kind == 'release' and not args.releases:
            continue
        for phase in phases:
            differences += (f'{kind} in {phase}: {text}' for text in compare_rows(
                kind, account.get((kind, phase), ()), report.get((kind, phase), {}), sources,
                args.others))
    for text in differences[:20]:
        print(text, file=sys.stderr)
    if differences:
        print(f'{len(differences)} differences', file=sys.stderr)
    return 1 if differences else 0


sys.exit(main())
