# SPDX-License-Identifier: GPL-2.0-or-later
"""page_referee.py: what the page must say, from the XML by other means than the page's.

    page_referee.py REPORT.xml >expected.json

Numbers are strings, since readers of JSON may hold them in doubles. For each phase, by name:

    metrics     name -> digits, or the reason why there are none
    memory      column -> {"total", "chains": {path: digits}}: what each call chain and each
                beginning of one adds up to; a path is functions and objects, the outermost first
    functions   column -> {"total", "objects": {name: digits}, "functions": {path: digits}}
    sites       [[text of each function, object and file of the chain], {column: digits}]
    histograms  kind -> {from: blocks};  threads: [{column: digits}]

and `timeline`: interval, points [[most, last]].
"""

import json
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict

MEMORY = ['peak-bytes', 'peak-blocks', 'traffic-bytes', 'traffic-blocks', 'temporary-blocks',
          'retained-bytes', 'retained-blocks']
INSTRUCTIONS = ['instructions', 'calls', 'rep-iterations', 'vector', 'scalar-float', 'load',
                'store', 'branch', 'call']


def texts(sums):
    return {key: str(value) for key, value in sums.items()}


def memory(phase, chains, column):
    sums, total = defaultdict(int), 0
    for row in phase.findall('sites/*'):
        value = int(row.get(column))
        total += value
        if row.tag != 'site':
            continue
        chain = chains[row.get('id')]
        for length in range(1, len(chain) + 1):
            sums['\n'.join(chain[:length])] += value
    return {'total': str(total), 'chains': texts(sums)}


def functions(phase, names, column):
    by_object, by_function, total = defaultdict(int), defaultdict(int), 0
    for row in phase.findall('functions/*'):
        value = int(row.get(column, '0'))
        total += value
        if row.tag == 'function':
            name, place = names[row.get('id')]
            by_object[place] += value
            by_function[place + '\n' + name] += value
    return {'total': str(total), 'objects': texts(by_object), 'functions': texts(by_function)}


def main():
    root = ElementTree.parse(sys.argv[1]).getroot()
    chains = {site.get('id'): [f"{frame.get('function')}\t{frame.get('object')}"
                               f"\t{frame.get('inlined', 'no')}"
                               for frame in reversed(site.findall('frame'))]
              for site in root.findall('sites/site')}
    texts_of = {site.get('id'): [text for frame in site.findall('frame')
                                 for text in (frame.get('function'), frame.get('object'),
                                              f"{frame.get('file')}:{frame.get('line')}"
                                              if frame.get('file') else '')]
                for site in root.findall('sites/site')}
    names = {f.get('id'): (f.get('name'), f.get('object'))
             for f in root.findall('functions/function')}
    phases = {}
    for phase in root.findall('phases/phase'):
        phases[phase.get('name')] = {
            'metrics': {m.get('name'): m.get('value', m.get('unavailable'))
                        for m in phase.findall('metric')},
            'memory': {column: memory(phase, chains, column) for column in MEMORY},
            'sites': [[texts_of[row.get('id')], {c: row.get(c) for c in MEMORY}]
                      for row in phase.findall('sites/site')],
            'functions': {column: functions(phase, names, column) for column in INSTRUCTIONS},
            'histograms': {kind: {b.get('from'): b.get('blocks')
                                  for b in phase.findall(f'histograms/{kind}/bucket')}
                           for kind in ('sizes', 'lifetimes')},
            'threads': [dict(row.attrib) for row in phase.findall('threads/*')]}
    timeline = root.find('timeline')
    json.dump({'phases': phases, 'timeline': timeline is not None and {
        'interval': timeline.get('interval-instructions'),
        'points': [[p.get('most-bytes'), p.get('last-bytes')] for p in timeline]}}, sys.stdout)


main()
