# SPDX-License-Identifier: GPL-2.0-or-later
"""export_referee.py: does an export say what the report says?

    export_referee.py FORMAT REPORT EXPORT

Reads the report with ElementTree and the export with that format's own reader, and
compares them from both sides: nothing is missing, nothing is there besides.
"""

import csv
import json
import sys
import xml.etree.ElementTree as ElementTree

USUAL = {'heap.peak', 'heap.scratch-peak', 'heap.retained', 'allocations.count',
         'traffic.bytes', 'instructions.total'}
NAMES = {'sites': 'site', 'functions': 'function', 'lines': 'line',
         'instructions': 'instruction'}
LISTS = {'sites': 'site', 'resizes': 'resize', 'releases': 'release', 'functions': 'function',
         'lines': 'line', 'instructions': 'instruction', 'threads': 'thread'}


def fail(text):
    sys.exit(f'export_referee.py: {text}')


def same(what, is_, should):
    if is_ != should or type(is_) is not type(should):
        fail(f'{what}: {is_!r}, not {should!r}')


def metrics_of(element):
    return {metric.get('name'): metric for metric in element.findall('metric')}


def metric_rows(root):
    for phase in root.find('phases'):
        for metric in phase.findall('metric'):
            yield phase.get('name'), metric


def check_csv(root, path):
    with open(path, newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    expected = [{'phase': phase, **{key: metric.get(xml, '') for key, xml in (
        ('metric', 'name'), ('unit', 'unit'), ('value', 'value'),
        ('unavailable', 'unavailable'), ('min', 'min'), ('max', 'max'), ('stable', 'stable'))}}
                for phase, metric in metric_rows(root)]
    same('rows', rows, expected)


def check_openmetrics(root, path):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    with open(path, encoding='utf-8') as file:
        families = list(text_string_to_metric_families(file.read()))
    found, reasons = {}, {}
    for family in families:
        for sample in family.samples:
            if sample.name == 'profmem_unavailable_info':
                reasons[sample.labels['phase'], sample.labels['metric']] = sample.labels['reason']
            else:
                same(f'unit of {sample.name}', sample.name.endswith('_' + family.unit), True)
                found[sample.labels['phase'], sample.name] = sample.value
    for phase, metric in metric_rows(root):
        if metric.get('unavailable') is not None:
            same(metric.get('name'), reasons.pop((phase, metric.get('name')), None),
                 metric.get('unavailable'))
            continue
        name = 'profmem_' + metric.get('name').replace('.', '_').replace('-', '_')
        if not metric.get('name').endswith('-' + metric.get('unit')):
            name += '_' + metric.get('unit')
        same(name, float(found.pop((phase, name), 'nan')), float(metric.get('value')))
    same('what is there besides', (found, reasons), ({}, {}))


def chosen(root):
    return [(phase, metric) for phase, metric in metric_rows(root)
            if metric.get('name') in USUAL and metric.get('value') is not None]


def check_bencher(root, path):
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    expected = {phase.get('name'): {} for phase in root.find('phases')}
    for phase, metric in chosen(root):
        entry = {'value': int(metric.get('value'))}
        if metric.get('min') is not None:
            entry.update(lower_value=int(metric.get('min')), upper_value=int(metric.get('max')))
        expected[phase][metric.get('name')] = entry
    same('document', document, expected)


def check_benchmark_action(root, path):
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    same('document', document, [{'name': f'{phase} {metric.get("name")}',
                                 'unit': metric.get('unit'), 'value': int(metric.get('value'))}
                                for phase, metric in chosen(root)])


def number(text, owner, name):
    """What the export has for a number under that name; large ones also exact."""
    value = int(text)
    if abs(value) > 2 ** 53:
        owner.setdefault('exact', {})[name] = text
    return value


def json_metric(metric):
    entry = {'unit': metric.get('unit'), 'value': None}
    if metric.get('unavailable') is not None:
        entry['unavailable'] = metric.get('unavailable')
    else:
        entry.update(value=int(metric.get('value')), text=metric.get('value'))
    for bound in ('min', 'max'):
        if metric.get(bound) is not None:
            entry[bound] = number(metric.get(bound), entry, bound)
    if metric.get('stable') is not None:
        entry['stable'] = metric.get('stable') == 'yes'
    if metric.get('stable-difference') is not None:
        entry['stable-difference'] = number(metric.get('stable-difference'), entry,
                                            'stable-difference')
    return entry


OPTIONAL = ('rep-iterations', 'vector', 'scalar-float', 'load', 'store', 'branch', 'call')


def json_row(row, has_optional):
    entry = {}
    for name, text in row.attrib.items():
        entry[name] = number(text, entry, name)
    if has_optional:
        for name in OPTIONAL:
            entry.setdefault(name, 0)
        entry.setdefault('calls', 0)
    return entry


def json_list(phase, name):
    """None: the phase lists none."""
    element = phase.find(name)
    if element is None:
        return None
    has_optional = name in ('functions', 'lines', 'instructions')
    entry = {'rows': [json_row(row, has_optional) for row in element.findall(LISTS[name])]}
    if element.find('others') is not None:
        entry['others'] = json_row(element.find('others'), has_optional)
    return entry


def json_span(element):
    return {name: int(element.get(name))
            for name in ('begin-instructions', 'peak-instructions', 'end-instructions')
            if element.get(name) is not None}


def json_phase(phase):
    entry = {'name': phase.get('name'), 'kind': phase.get('kind'),
             'instances': int(phase.get('instances')), 'complete': phase.get('complete') == 'yes',
             'overlapping': phase.get('overlapping') == 'yes', **json_span(phase),
             'metrics': {name: json_metric(metric)
                         for name, metric in metrics_of(phase).items()}}
    if phase.get('parent') is not None:
        entry['parent'] = phase.get('parent')
    for name in LISTS:
        rows = json_list(phase, name)
        if rows is not None:
            entry[name] = rows
    histograms = phase.find('histograms')
    if histograms is not None:
        entry['histograms'] = {kind.tag: [json_row(bucket, False) for bucket in kind]
                               for kind in histograms}
    instances = phase.find('instances')
    if instances is not None and len(instances):
        entry['listed-instances'] = [
            {'number': int(one.get('number')), 'thread': int(one.get('thread', '0')),
             'complete': one.get('complete') == 'yes',
             **({'parent': one.get('parent')} if one.get('parent') is not None else {}),
             **json_span(one),
             'metrics': {name: json_metric(metric) for name, metric in metrics_of(one).items()}}
            for one in instances]
    return entry


def json_instructions(element):
    """Each with what its object says."""
    entries = []
    for place in element if element is not None else []:
        of = {'object': place.get('name'), **{key: place.get(key) for key in ('path', 'build-id')
                                              if place.get(key) is not None}}
        for one in place:
            entry = dict(of)
            for key, text in one.attrib.items():
                entry[key] = number(text, entry, key) if key in ('id', 'line') else text
            entries.append(entry)
    return entries


def json_names(root, name):
    element = root.find(name)
    if element is not None and element.get('unavailable') is not None:
        return {'unavailable': element.get('unavailable')}
    entries = []
    if name == 'instructions':
        return json_instructions(element)
    for one in element if element is not None else []:
        entry = {}
        for key, text in one.attrib.items():
            entry[key] = number(text, entry, key) if key in ('id', 'line', 'largest-bytes') else text
        if name == 'sites':
            entry['frames'] = [{**{key: int(text) if key == 'line' else text
                                   for key, text in frame.attrib.items() if key != 'inlined'},
                                'inlined': frame.get('inlined') == 'yes'} for frame in one]
        entries.append(entry)
    return entries


def json_attributes(element, numbers=()):
    """Everything that an element says in its attributes."""
    entry = {}
    for key, text in element.attrib.items():
        entry[key] = number(text, entry, key) if key in numbers else text
    return entry


def json_run(run):
    entry = {'command': [arg.text or '' for arg in run.find('command')]}
    for name, numbers in (('executable', ['size']), ('loader-cache', []),
                          ('environment', ['variables']), ('end', ['status', 'signal'])):
        if run.find(name) is not None:
            entry[name] = json_attributes(run.find(name), numbers)
    for name in ('inputs', 'objects', 'options', 'fixed'):
        element = run.find(name)
        entry[name] = [json_attributes(one, ['size'])
                       for one in (element if element is not None else [])]
    return entry


def json_coverage(coverage):
    return {name: [json_attributes(one, ['calls']) for one in coverage.find(name)]
            for name in ('allocation-functions', 'not-measured')
            if coverage.find(name) is not None}


def json_diagnostics(root):
    element = root.find('diagnostics')
    entries = []
    for one in element if element is not None else []:
        entry = {'count': 1, **json_attributes(one, ['count'])}
        if one.text:
            entry['text'] = one.text
        entries.append(entry)
    return entries


def check_json(root, path):
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    same('format', document['format'], 1)
    same('producer', document['producer'], json_attributes(root.find('producer')))
    same('run', document['run'], json_run(root.find('run')))
    same('coverage', document['coverage'], json_coverage(root.find('coverage')))
    same('phases', [phase['name'] for phase in document['phases']],
         [phase.get('name') for phase in root.find('phases')])
    for phase, entry in zip(root.find('phases'), document['phases']):
        expected = json_phase(phase)
        for key in expected.keys() | entry.keys():
            same(f'{key} of phase {phase.get("name")!r}', entry.get(key), expected.get(key))
    for name in NAMES:
        same(name, document[name], json_names(root, name))
    timeline = root.find('timeline')
    same('timeline', document.get('timeline'),
         None if timeline is None else
         {**json_attributes(timeline, ['interval-instructions']),
          'points': [json_row(point, False) for point in timeline]})
    same('diagnostics', document['diagnostics'], json_diagnostics(root))


CHECKS = {'json': check_json, 'csv': check_csv, 'openmetrics': check_openmetrics,
          'bencher': check_bencher, 'benchmark-action': check_benchmark_action}

CHECKS[sys.argv[1]](ElementTree.parse(sys.argv[2]).getroot(), sys.argv[3])
