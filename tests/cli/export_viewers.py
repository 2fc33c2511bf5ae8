# SPDX-License-Identifier: GPL-2.0-or-later
"""export_viewers.py: does a picture say what the report says?

    export_viewers.py FORMAT REPORT...              every phase, every metric
    export_viewers.py FORMAT REPORT PHASE METRIC... these

Runs $PROFMEM export. Reads the report with ElementTree and the export by the format's own
description or reader. Every call stack and its number are compared from both sides, and the
sum with the metric. Where the report does not have the numbers, the export must say so.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections import Counter

# The list of a phase that splits a metric, and its attribute.
SPLITS = {
    'heap.peak': ('sites', 'peak-bytes'),
    'heap.peak-blocks': ('sites', 'peak-blocks'),
    'traffic.bytes': ('sites', 'traffic-bytes'),
    'traffic.blocks': ('sites', 'traffic-blocks'),
    'allocations.temporary': ('sites', 'temporary-blocks'),
    'heap.retained': ('sites', 'retained-bytes'),
    'reallocations.count': ('resizes', 'blocks'),
    'reallocations.bytes': ('resizes', 'bytes'),
    'deallocations.count': ('releases', 'blocks'),
    'deallocations.bytes': ('releases', 'bytes'),
    'instructions.total': ('functions', 'instructions'),
    'instructions.rep-iterations': ('functions', 'rep-iterations'),
    **{f'instructions.{kind}': ('functions', kind)
       for kind in ('vector', 'scalar-float', 'load', 'store', 'branch', 'call')},
}


SPLIT_BY_NONE = ['heap.exit', 'reallocations.net-bytes']


def fail(text):
    sys.exit(f'export_viewers.py: {text}')


def same(what, is_, should):
    if isinstance(is_, Counter) and isinstance(should, Counter):
        is_, should = is_ - should, should - is_
    if is_ != should or type(is_) is not type(should):
        fail(f'{what}: {is_!r}, not {should!r}')


def visible(text):
    """Nothing in it can end a line, move a cursor or turn the order of reading."""
    for character in text:
        if unicodedata.category(character) in ('Cc', 'Cf', 'Zl', 'Zp'):
            fail(f'{character!r} in {text!r}')


def plain(text):
    """The name that text made of it stands for, notations of the report's own included."""
    return re.sub(r'\\(?:([ntr])|x([0-9a-f]{2})|u\{([0-9a-f]+)\})',
                  lambda match: {'n': '\n', 't': '\t', 'r': '\r'}[match[1]] if match[1]
                  else chr(int(match[2] or match[3], 16)), text)


class Report:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.names = {tag: {one.get('id'): one for one in self.root.find(tag)
                            } if self.root.find(tag) is not None else {}
                      for tag in ('sites', 'functions', 'lines')}
        # With what their objects say.
        self.names['instructions'] = {
            one.get('id'): {'object': place.get('path', place.get('name')), **one.attrib}
            for place in self.root.iterfind('instructions/object') for one in place}

    def phase(self, name):
        for phase in self.root.find('phases'):
            if phase.get('name') == name:
                return phase
        return None

    def value(self, phase, metric):
        """None: there is none."""
        for one in phase.findall('metric'):
            if one.get('name') == metric and one.get('value') is not None:
                return int(one.get('value'))
        return None

    def stacks(self, phase_name, metric):
        """(frames, outermost first, number) each; None if the report does not have them.
        A frame is (function, object, file, line)."""
        phase = self.phase(phase_name)
        if phase is None or metric not in SPLITS or self.value(phase, metric) is None:
            return None
        tag, attribute = SPLITS[metric]
        if phase.find(tag) is None:
            return None
        stacks = []
        for row in phase.find(tag):
            number = int(row.get(attribute, '0'))
            if number > 0:
                stacks.append((self.frames(tag, row), number))
        same(f'sum of {metric}', sum(number for _, number in stacks), self.value(phase, metric))
        return stacks

    def frames(self, tag, row):
        if row.tag == 'others':
            return [('(others)', None, None, None)]
        if tag == 'functions':
            function = self.names['functions'][row.get('id')]
            thing = function.get('object')
            return [(thing or '???', thing, None, None),
                    (function.get('name') or '???', thing, None, None)]
        site = self.names['sites'][row.get('id' if tag == 'sites' else 'site')]
        frames = [(frame.get('function') or '???', frame.get('object'), frame.get('file'),
                   frame.get('line')) for frame in site]
        return frames[::-1] or [('???', None, None, None)]


def with_object(frame):
    name, thing = frame[:2]
    return f'{name} [{thing}]' if name == '???' and thing is not None else name


def check_folded(report, path, phase, metrics):
    found = Counter()
    with open(path, encoding='utf-8', newline='') as file:
        text = file.read()
    same('end of the last line', text == '' or text.endswith('\n'), True)
    for line in text.split('\n')[:-1]:
        visible(line)
        stack, number = line.rsplit(' ', 1)
        found[tuple(plain(name) for name in stack.split(';')), int(number)] += 1
    same('stacks', found, Counter(
        (tuple(plain(with_object(frame)) for frame in frames), number)
        for frames, number in report.stacks(phase, metrics[0])))


def check_speedscope(report, path, phase, metrics):
    import jsonschema
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    if 'SPEEDSCOPE_SCHEMA' in os.environ:
        with open(os.environ['SPEEDSCOPE_SCHEMA'], encoding='utf-8') as file:
            jsonschema.validate(document, json.load(file))
    frames = [(frame['name'], frame.get('file')) for frame in document['shared']['frames']]
    same('names of profiles', [profile['name'] for profile in document['profiles']],
         [f'{phase} {metric}' for metric in metrics])
    # Those of one function are one, whatever their lines.
    same('frames', len(frames), len({frame[:3] for metric in metrics
                                     for stack, _ in report.stacks(phase, metric)
                                     for frame in stack}))
    for profile, metric in zip(document['profiles'], metrics):
        same('type', (profile['type'], profile['startValue']), ('sampled', 0))
        same('unit', profile['unit'],
             'bytes' if metric.endswith(('.bytes', 'heap.peak', 'retained')) else 'none')
        same('end', profile['endValue'], report.value(report.phase(phase), metric))
        same('sum', sum(profile['weights']), profile['endValue'])
        same('stacks',
             Counter((tuple(frames[frame] for frame in sample), weight)
                     for sample, weight in zip(profile['samples'], profile['weights'],
                                               strict=True)),
             Counter((tuple((name, file if file is not None else thing)
                            for name, thing, file, _ in stack), number)
                     for stack, number in report.stacks(phase, metric)))


# Events of the format callgrind, by attribute of a row.
EVENTS = {'instructions': 'Ir', 'calls': 'Entered', 'rep-iterations': 'Rep', 'vector': 'Vector',
          'scalar-float': 'Float', 'load': 'Load', 'store': 'Store', 'branch': 'Branch',
          'call': 'Call'}


def callgrind_rows(report, phase_name, metrics):
    """The events, and (object, function, file, address, line, numbers) each."""
    phase = report.phase(phase_name)
    by_metric = [SPLITS[metric][1] for metric in metrics or SPLITS
                 if SPLITS[metric][0] == 'functions' and report.value(phase, metric) is not None]
    attributes = [attribute for attribute in EVENTS
                  if attribute in by_metric or attribute == 'calls' and not metrics]
    tag = callgrind_list(phase)
    rows = Counter()
    for row in phase.find(tag):
        numbers = tuple(int(row.get(attribute, '0')) for attribute in attributes)
        if row.tag == 'others':
            place = (None, '(others)', None)
            position = 0, 0
        else:
            one = report.names[tag][row.get('id')]
            place = (one.get('object'), one.get('name' if tag == 'functions' else 'function'),
                     one.get('file'))
            position = int(one.get('address', '0'), 16), int(one.get('line', '0'))
        rows[tuple(plain(text or '???') for text in place) + (*position, numbers)] += 1
    return [EVENTS[attribute] for attribute in attributes], rows


def callgrind_list(phase):
    """The list that tells most."""
    return next((tag for tag in ('instructions', 'lines', 'functions')
                 if phase.find(tag) is not None), None)


def has_callgrind(report, phase_name, metrics):
    phase = report.phase(phase_name)
    return callgrind_list(phase) is not None and all(
        report.value(phase, metric) is not None and SPLITS.get(metric, [None])[0] == 'functions'
        for metric in metrics or ['instructions.total'])


def callgrind_sums(path):
    """What callgrind_annotate takes for the sums of each event."""
    text = subprocess.run(['callgrind_annotate', '--threshold=100', '--auto=no', path], check=True,
                          capture_output=True, encoding='utf-8')
    same('what callgrind_annotate warns of', text.stderr, '')
    totals = next(line for line in text.stdout.splitlines() if line.endswith('PROGRAM TOTALS'))
    return [int(number.replace(',', ''))
            for number in re.sub(r'\([^)]*\)', '', totals).split()[:-2]]


def check_callgrind(report, path, phase, metrics):
    events, expected = callgrind_rows(report, phase, metrics)
    with_addresses = callgrind_list(report.phase(phase)) == 'instructions'
    sums = [sum(row[5][event] * count for row, count in expected.items())
            for event in range(len(events))]
    where, names, found, totals, seen = {}, {}, Counter(), {}, None
    with open(path, encoding='utf-8', newline='') as file:
        for line in file.read().split('\n'):
            visible(line)
            if match := re.match(r'(ob|fl|fi|fe|fn)=\((\d+)\)(?: (.+))?$', line):
                kind = 'fl' if match[1] in ('fi', 'fe') else match[1]
                if match[3] is not None:
                    names[kind, match[2]] = match[3]
                where[kind] = plain(names[kind, match[2]])
            elif match := re.match(r'(summary|totals): ([0-9 ]+)$', line):
                totals[match[1]] = [int(number) for number in match[2].split()]
            elif match := re.match(r'events: (.+)', line):
                seen = match[1].split()
            elif re.match(r'\d', line):
                numbers = line.split()
                address = int(numbers.pop(0), 16) if with_addresses else 0
                number, *costs = map(int, numbers)
                found[where['ob'], where['fn'], where['fl'], address, number, tuple(costs)] += 1
            else:
                same(line, bool(re.match(r'(# callgrind format|version: 1|creator: .*|cmd:.*'
                                         r'|desc: .*|event: .*|)$', line)
                                or line == ('positions: instr line' if with_addresses
                                            else 'positions: line')), True)
    same('events', seen, events)
    same('rows', found, expected)
    same('sums in the file', totals, {'summary': sums, 'totals': sums})
    # It takes sums of 0 for none, and its numbers are doubles.
    if any(sums) and max(sums) < 2 ** 53:
        same('sums of callgrind_annotate', callgrind_sums(path), sums)
    if 'Ir' in events:
        same('Ir', sums[events.index('Ir')],
             report.value(report.phase(phase), 'instructions.total'))


def place(frame):
    """A frame as massif's format has it."""
    name, thing, file, line = (plain(text) if text is not None else None for text in frame)
    if file is not None:
        return f'{name} ({file}:{line})'
    return name if thing is None else f'{name} (in {thing})'


def massif_tree(lines, depth=0):
    """Of the node in the next line, chains of places with their bytes; and its bytes."""
    line = next(lines)
    match = re.match(r'( *)n(\d+): (\d+) (.+)$', line)
    same(f'indentation of {line}', len(match[1]), depth)
    total, chains = 0, []
    for _ in range(int(match[2])):
        below, number = massif_tree(lines, depth + 1)
        total += number
        chains += [((plain(match[4]), *places), bytes_) for places, bytes_ in below]
    if match[2] == '0':
        chains = [((plain(match[4]),), int(match[3]))]
    else:
        same(f'sum below {line}', total, int(match[3]))
    return chains, int(match[3])


def ms_print(path):
    """The snapshots that ms_print finds, (time, bytes) each, and the number of the peak."""
    text = subprocess.run(['ms_print', '--threshold=0', path], check=True, capture_output=True,
                          encoding='utf-8', errors='surrogateescape')
    same('what ms_print warns of', text.stderr, '')
    peak = re.search(r'(\d+) \(peak\)', text.stdout)
    rows = re.findall(r'^ *(\d+) +([\d,]+) +([\d,]+) +([\d,]+) +0 +0$', text.stdout, re.M)
    for row in rows:
        same('useful heap', row[3], row[2])
    return [tuple(int(number.replace(',', '')) for number in row[1:3]) for row in rows], \
        peak and int(peak[1])


def has_massif(report, phase, metrics):
    return phase == 'program' and report.root.find('timeline') is not None \
        and report.value(report.phase(phase), 'heap.peak') is not None


def check_massif(report, path, phase_name, _):
    phase, timeline = report.phase(phase_name), report.root.find('timeline')
    peak = report.value(phase, 'heap.peak')
    width = int(timeline.get('interval-instructions'))
    expected = [(n * width, int(point.get('most-bytes'))) for n, point in enumerate(timeline)]
    expected.append((report.value(phase, 'instructions.total'), report.value(phase, 'heap.exit')))
    with open(path, encoding='utf-8', newline='') as file:
        text = file.read().split('\n')
    lines, found, trees = iter(text), [], []
    for line in lines:
        visible(line)
        if line.startswith('time='):
            found.append((int(line[5:]), int(next(lines)[len('mem_heap_B='):])))
            same('other memory', (next(lines), next(lines)),
                 ('mem_heap_extra_B=0', 'mem_stacks_B=0'))
        elif line == 'heap_tree=peak':
            trees.append((found[-1][1], *massif_tree(lines)))
    same('snapshots', found, expected)
    same('the peak', [tree[0] for tree in trees], [peak])
    same('what the tree has', trees[0][2], peak)
    root = '(what the program requested)'
    stacks = report.stacks(phase_name, 'heap.peak')
    chains = Counter()
    for places, number in trees[0][1]:
        chains[tuple(one for one in places if one != '(no caller known)')] += number
    wanted = Counter()
    for frames, number in stacks or [([], peak)]:
        wanted[root, *(place(frame) for frame in frames[::-1])] += number
    same('chains of the tree', chains, wanted)
    if peak < 2 ** 53:
        snapshots, number = ms_print(path)
        same('snapshots of ms_print', snapshots, expected)
        same('the peak of ms_print', snapshots[number][1], peak)


DHAT = {'tb': ('traffic-bytes', 'traffic.bytes'), 'tbk': ('traffic-blocks', 'traffic.blocks'),
        'gb': ('peak-bytes', 'heap.peak'), 'gbk': ('peak-blocks', 'heap.peak-blocks'),
        'eb': ('retained-bytes', 'heap.retained'), 'ebk': ('retained-blocks', None)}


def has_dhat(report, phase_name, metrics):
    phase = report.phase(phase_name)
    return phase.find('sites') is not None and all(
        report.value(phase, metric) is not None
        for metric in ['instructions.total', *(metric for _, metric in DHAT.values() if metric)])


def dh_view(path):
    """The viewer's own tree; its numbers are doubles."""
    done = subprocess.run(['node', os.path.join(os.path.dirname(__file__), 'dhat_viewer.js'),
                           os.environ['DH_VIEW'], path], capture_output=True, encoding='utf-8',
                          check=False)
    same('what the viewer says', (done.returncode, done.stderr), (0, ''))
    return json.loads(done.stdout)


def dhat_text(frame):
    name, thing, file, line = frame
    return f'{name} ({file}:{line})' if file is not None else \
        name if thing is None else f'{name} (in {thing})'


def check_dhat(report, path, phase_name, _):
    phase = report.phase(phase_name)
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    expected, seen = {}, set()
    for row in phase.find('sites'):
        # Sites of one chain are a point. The viewer puts those that look alike on one line.
        chain = tuple(report.frames('sites', row)[::-1])
        sums = expected.setdefault(chain, Counter())
        for key, (attribute, _) in DHAT.items():
            sums[key] += int(row.get(attribute, '0'))
    points = Counter()
    for point in document['pps']:
        same('points of one chain', tuple(point['fs']) in seen, False)
        seen.add(tuple(point['fs']))
        largest = max((point['gb'], point['gbk']), (point['eb'], point['ebk']),
                      key=lambda pair: pair[0])
        same('maximum', (point['mb'], point['mbk']), largest)
        points[tuple(document['ftbl'][frame] for frame in point['fs']),
               tuple(point[key] for key in DHAT)] += 1
    same('points', points, Counter((tuple(map(dhat_text, chain)), tuple(sums[key] for key in DHAT))
                                   for chain, sums in expected.items()))
    for key, (_, metric) in DHAT.items():
        if metric:
            same(f'sum of {key}', sum(point[key] for point in document['pps']),
                 report.value(phase, metric))
    same('end', document['te'], report.value(phase, 'instructions.total'))
    timeline = report.root.find('timeline')
    peaks = [n for n, point in enumerate(timeline if timeline is not None else [])
             if point.get('most-bytes') == str(report.value(phase, 'heap.peak'))
             and phase_name == 'program']
    same('peak', document['tg'],
         peaks[0] * int(timeline.get('interval-instructions')) if peaks else None)
    if all(value < 2 ** 53 for sums in expected.values() for value in sums.values()):
        view = dh_view(path)
        sums = [sum(point[key] for point in document['pps']) for key in DHAT]
        same('sums of the viewer', view['sums'], sums)
        if document['pps']:
            same('points of the viewer',
                 Counter((tuple(frames[1:]), tuple(values)) for frames, values in view['leaves']),
                 points)
        same('totals on the page', f'Total:     {sums[0]:,} bytes' in view['page'], True)


def read_profile(path):
    """By the message that pprof publishes; protoc is told where it is by $PROFILE_PROTO."""
    proto = os.environ['PROFILE_PROTO']
    if not os.path.exists('profile_pb2.py'):
        subprocess.run(['protoc', '--proto_path', os.path.dirname(proto), '--python_out=.',
                        proto], check=True)
    sys.path.insert(0, '.')
    import profile_pb2
    profile = profile_pb2.Profile()
    with gzip.open(path) as file:
        profile.ParseFromString(file.read())
    size = profile.ByteSize()
    profile.DiscardUnknownFields()
    same('bytes in fields that are known', profile.ByteSize(), size)
    return profile


def by_id(items):
    found = {item.id: item for item in items}
    same('unique numbers, none 0', (len(found), 0 in found), (len(items), False))
    return found


def check_pprof(report, path, phase, metrics):
    with open(path, 'rb') as file:
        same('head of gzip, without time and name', file.read(8), b'\x1f\x8b\x08' + bytes(5))
    profile = read_profile(path)
    text = profile.string_table
    same('first string', text[0], '')
    mappings, functions, locations = map(by_id, (profile.mapping, profile.function,
                                                 profile.location))
    same('types', [(text[one.type], text[one.unit]) for one in profile.sample_type],
         [(metric, next(one.get('unit') for one in report.phase(phase).findall('metric')
                        if one.get('name') == metric)) for metric in metrics])
    same('default', text[profile.default_sample_type], metrics[0])
    same('phase', [text[comment] for comment in profile.comment], [phase])
    same('times', (profile.time_nanos, profile.duration_nanos), (0, 0))

    def frame(number):
        location = locations[number]
        (line,) = location.line
        function = functions[line.function_id]
        thing = text[mappings[location.mapping_id].filename] if location.mapping_id else None
        same('name of the system', function.system_name, function.name)
        same('address', location.address, 0)
        return (text[function.name], thing, text[function.filename], line.line)

    for index, metric in enumerate(metrics):
        found = Counter((tuple(frame(number) for number in sample.location_id),
                         sample.value[index])
                        for sample in profile.sample if sample.value[index])
        same('stacks', found, Counter(
            (tuple((name, thing, file or '', int(line or 0)) for name, thing, file, line
                   in frames[::-1]), number) for frames, number in report.stacks(phase, metric)))
        same('sum', sum(sample.value[index] for sample in profile.sample),
             report.value(report.phase(phase), metric))
    same('numbers of a sample', {len(sample.value) for sample in profile.sample} <= {len(metrics)},
         True)


def has_pprof(report, phase, metrics):
    return has_stacks(report, phase, metrics) and all(
        report.value(report.phase(phase), metric) < 2 ** 63 for metric in metrics or ['heap.peak'])


def has_stacks(report, phase, metrics):
    return all(report.stacks(phase, metric) is not None
               for metric in metrics or ['heap.peak'])


CHECKS = {'folded': (has_stacks, check_folded), 'speedscope': (has_stacks, check_speedscope),
          'callgrind': (has_callgrind, check_callgrind), 'massif': (has_massif, check_massif),
          'dhat': (has_dhat, check_dhat), 'pprof': (has_pprof, check_pprof)}
HAVE_THEIR_OWN = ('massif', 'dhat') # metrics


def check(kind, path, phase, metrics):
    report = Report(path)
    has_all = CHECKS[kind][0](report, phase, metrics)
    command = [os.environ['PROFMEM'], 'export', '--format', kind, '--output', 'export',
               '--phase', phase, *(word for metric in metrics for word in ('--metric', metric)),
               path]
    if os.path.exists('export'):
        os.remove('export')
    done = subprocess.run(command, capture_output=True, check=False)
    same(f'status of {command}', done.returncode, 0 if has_all else 1)
    same('is there a reason', done.stderr != b'', not has_all)
    same('is it written', os.path.exists('export'), has_all)
    if has_all:
        usual = [] if kind == 'callgrind' else ['heap.peak']
        CHECKS[kind][1](report, 'export', phase, metrics or usual)


def main(kind, *arguments):
    if os.path.exists(arguments[-1]):
        for path in arguments:
            for phase in Report(path).root.find('phases'):
                check(kind, path, phase.get('name'), [])
                for metric in [] if kind in HAVE_THEIR_OWN else [*SPLITS, *SPLIT_BY_NONE]:
                    check(kind, path, phase.get('name'), [metric])
    else:
        path, phase, *metrics = arguments
        check(kind, path, phase, metrics)


main(*sys.argv[1:])
