# SPDX-License-Identifier: GPL-2.0-or-later
"""html_referee.py PAGE REPORT [BASELINE] OPTIONS: is the page what the report says?

Reads the page with Python's parser of HTML and the reports with its parser of XML, and computes
what has to stand in each table itself: exact numbers, larger units, shares, which rows are shown
and what is left over, sums. The shape of the page, its policy and the digests in it are checked,
too; and its data and its explanation against what other commands wrote. Prints what is wrong.
"""

import argparse
import base64
import decimal
import hashlib
import html.parser
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

SECTIONS = 'head explanation phases timeline memory functions mix histograms threads coverage'
WITH_VIEW = 'phases timeline memory functions mix histograms threads'.split()
VOID = {'meta', 'link', 'br', 'img', 'input', 'hr', 'col', 'wbr', 'base', 'area', 'embed', 'source'}
ALLOWED = set('''html head meta title style body a header p h1 h2 h3 h4 nav ul li main section div
                 details summary dl dt dd bdi span code strong abbr table caption thead tbody tr th
                 td svg rect ol script'''.split())
MAIN = ['heap.entry', 'heap.peak', 'heap.exit', 'heap.scratch-peak', 'instructions.total',
        'instructions.allocator', 'traffic.bytes', 'traffic.blocks']
CLASSES = ['vector', 'scalar-float', 'load', 'store', 'branch', 'call']

problems = 0


def problem(text):
    global problems
    problems += 1
    if problems <= 20:
        print(text)


def equal(what, got, expected):
    if got != expected:
        problem(f'{what}: {repr(got)[:300]}, not {repr(expected)[:300]}')


# The page ------------------------------------------------------------------------------------

class Node:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children = []  # nodes and strings

    def all(self, tag=None, **wanted):
        for child in self.children:
            if isinstance(child, Node):
                if (tag is None or child.tag == tag) and all(
                        child.attributes.get(name.rstrip('_')) == value
                        for name, value in wanted.items()):
                    yield child
                yield from child.all(tag, **wanted)

    def one(self, tag=None, **wanted):
        found = list(self.all(tag, **wanted))
        if len(found) != 1:
            problem(f'{len(found)} elements {tag} {wanted}')
        return found[0] if found else Node(tag, [], None)

    def has_class(self, name):
        return name in self.attributes.get('class', '').split()

    def text(self, without=()):
        """What is read, blanks as they stand."""
        parts = []
        for child in self.children:
            if isinstance(child, str):
                parts.append(child)
            elif not any(child.has_class(name) for name in without):
                parts.append(child.text(without))
        return ''.join(parts)


class Reader(html.parser.HTMLParser):
    """A tree of elements; every one but the void ones has its end tag."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Node('', [], None)

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if tag not in ALLOWED:
            problem(f'element {tag}')
        if len(names) != len(set(names)):
            problem(f'{tag}: an attribute twice')
        for name, value in attributes:
            if name == 'style' or name.startswith('on') or name in ('src', 'srcdoc', 'action'):
                problem(f'{tag} has {name}')
            if name in ('href', 'xlink:href') and not value.startswith('#'):
                problem(f'{tag} leads to {value!r}')
        node = Node(tag, attributes, self.at)
        self.at.children.append(node)
        if tag not in VOID:
            self.at = node

    def handle_endtag(self, tag):
        if self.at.tag != tag:
            problem(f'</{tag}> ends {self.at.tag}')
        self.at = self.at.parent or self.at

    def handle_data(self, data):
        self.at.children.append(data)

    def handle_comment(self, data):
        problem(f'comment {data[:40]!r}')

    handle_pi = unknown_decl = handle_comment


def read_page(path):
    with open(path, 'rb') as file:
        raw = file.read()
    reader = Reader()
    reader.feed(raw.decode('utf-8', 'strict'))
    reader.close()
    equal('elements without an end', reader.at, reader.root)
    return reader.root


# The frame -----------------------------------------------------------------------------------

def check_frame(root, has_baseline):
    metas = {node.attributes.get('http-equiv', node.attributes.get('name')): node.attributes
             for node in root.all('meta')}
    policy = metas['Content-Security-Policy']['content']
    style, script = root.one('style').text(), root.one('script', type=None).text()
    expected = ("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; "
                "form-action 'none'" % (digest(script), digest(style)))
    equal('policy', policy, expected)
    # It holds for what comes behind it.
    before = [node.tag for node in root.one('head').children if isinstance(node, Node)]
    if 'script' in before or before.index('style') < 2:
        problem('something comes before the policy')
    for text, what in ((style, 'style'), (script, 'script')):
        if re.search(r'https?:|@import|url\((?!#)', text.replace('http://www.w3.org/2000/svg', '')):
            problem(f'{what} names an address')
    ids = [node.attributes['id'] for node in root.all() if 'id' in node.attributes]
    equal('ids', len(ids), len(set(ids)))
    for link in root.all('a'):
        if link.attributes['href'][1:] not in ids:
            problem(f'a link leads nowhere: {link.attributes["href"]}')
    wanted = [name for name in SECTIONS.split() if has_baseline or name != 'explanation']
    main = root.one('main')
    equal('sections', [node.attributes['id'] for node in main.children if isinstance(node, Node)],
          wanted)
    equal('links', [node.attributes['href'] for node in root.one('nav').all('a')],
          ['#' + name for name in wanted])
    for name in WITH_VIEW:
        section = root.one('section', id=name)
        view = section.one('div', class_='view')
        equal(f'view of {name}', (view.attributes['data-view'], 'hidden' in view.attributes,
                                  view.children), (name, True, []))
        details = section.one('details', class_='tables')
        equal(f'{name} is open', 'open' in details.attributes, True)
    level = 1
    for node in root.all():
        if re.fullmatch('h[1-6]', node.tag):
            if int(node.tag[1]) > level + 1:
                problem(f'heading {node.text()!r} skips a level')
            level = int(node.tag[1])
    for table in root.all('table'):
        if not table.one('caption').text().strip():
            problem('a table without a caption')
        for cell in table.all('th'):
            if cell.attributes.get('scope') not in ('row', 'col'):
                problem('a heading cell without a scope')
        widths = {sum(isinstance(cell, Node) for cell in row.children) for row in table.all('tr')}
        if len(widths) != 1:
            problem(f'table {table.one("caption").text()!r} has rows of {widths} cells')


def digest(text):
    return 'sha256-' + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


# Numbers and names, as they have to be shown ---------------------------------------------------

def exact(number):
    return f'{number:,}'


def scaled(number):
    """In units of 1024, two decimals, half up; nothing below 1 KiB."""
    size, unit = decimal.Decimal(abs(number)), -1
    with decimal.localcontext() as context:
        context.prec = 60
        while True:
            size_rounded = size.quantize(decimal.Decimal('0.01'), decimal.ROUND_HALF_UP)
            if (size if unit < 0 else size_rounded) < 1024 or unit == 5:
                break
            size /= 1024
            unit += 1
    if unit < 0:
        return ''
    units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']
    return f'{"-" if number < 0 else ""}{size_rounded} {units[unit]}'


def share(part, whole):
    if part <= 0 or whole < part:
        return ''
    thousandths = (part * 1000 + whole // 2) // whole
    return '<0.1%' if thousandths == 0 else f'{thousandths // 10}.{thousandths % 10}%'


def signed(number):
    return f'{number:+,}' if number else '0'


HIDDEN = [(0x80, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160),
          (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E),
          (0x2060, 0x206F), (0x3164, 0x3164), (0xE000, 0xF8FF), (0xFDD0, 0xFDEF),
          (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
          (0xFFFE, 0xFFFF), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0x10FFFF)]


def shown(name):
    """A name with what cannot be seen written out; blanks at its ends are not compared."""
    def spell(character):
        named = {'\n': '\\n', '\t': '\\t', '\r': '\\r'}.get(character)
        if named:
            return named
        code = ord(character)
        if code < 0x20 or code == 0x7F:
            return f'\\x{code:02x}'
        if any(first <= code <= last for first, last in HIDDEN):
            return f'\\u{{{code:x}}}'
        return character
    return ''.join(map(spell, name)).strip()


def unquoted(text):
    """A name of nothing that can be seen stands in quotes."""
    return re.sub(r"^' *'$", '', text.strip()).strip()


# Tables ----------------------------------------------------------------------------------------

class Cell:
    SECONDS = ('second', 'share', 'old', 'change', 'mark', 'flag', 'guess', 'chain')

    def __init__(self, node):
        self.node = node
        self.main = unquoted(node.text(self.SECONDS))

    def part(self, name):
        found = [node for node in self.node.all('span') if node.has_class(name)]
        return found[0].text().strip() if found else ''

    @property
    def name(self):
        chain = list(self.node.all('details'))
        return chain[0].one('summary').text() if chain else self.main

    @property
    def frames(self):
        return [[frame.one('span', class_='place') and next(frame.all('bdi')).text(),
                 frame.one('span', class_='place').text().strip()]
                for frame in self.node.all('li')]

    @property
    def bar(self):
        rects = list(self.node.all('rect'))
        return int(rects[0].attributes['width']) if rects else None


def tables_of(node):
    """{caption: rows of cells}, without the row of titles; titles as the first row."""
    tables = {}
    for table in node.all('table'):
        caption = table.one('caption').text().strip()
        rows = [[Cell(cell) for cell in row.children if isinstance(cell, Node)]
                for row in table.all('tr')]
        tables.setdefault(caption, rows)
    return tables


def find_table(tables, start):
    for caption, rows in tables.items():
        if caption == start or caption.startswith(start + ','):
            return rows
    return None


def phases_of(section):
    """{name: the element}, of those that have tables."""
    found = {}
    for details in section.all('details', class_='phase'):
        found[unquoted(details.one('h3').text().removeprefix('phase '))] = details
    return found


# The report ------------------------------------------------------------------------------------

class Report:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.phases = {phase.get('name'): phase for phase in self.root.find('phases')}
        self.names = {kind: {item.get('id'): item for item in self.root.findall(f'{kind}/*')}
                      for kind in ('sites', 'functions', 'lines')}


def metrics_of(element):
    return {metric.get('name'): metric for metric in element.findall('metric')}


def value_of(metric):
    return None if metric is None or metric.get('value') is None else int(metric.get('value'))


def check_number(what, cell, number, is_bytes):
    equal(what, cell.main, exact(number))
    if is_bytes:
        equal(what + ' in larger units', cell.part('second'), scaled(number))


def check_change(what, cell, old, new):
    """Of numbers; more or less is told by a sign."""
    change = cell.part('change')
    equal(what + ', change', re.split(r'[ (]', change)[0], signed(new - old))
    classes = [node.attributes['class'].split()[1] for node in cell.node.all('span')
               if node.has_class('change')]
    equal(what + ', direction', classes,
          ['more' if new > old else 'less' if new < old else 'same'])


def check_metric_cell(what, cell, metric, olds, name):
    number, unit = value_of(metric), '' if metric is None else metric.get('unit')
    if number is None:
        equal(what, re.fullmatch(r'\[\d+\]|\[\.\.\.\]', cell.part('mark')) is not None, True)
        equal(what, cell.main, '')
    else:
        check_number(what, cell, number, unit == 'bytes')
    if olds is None:
        equal(what + ', before', cell.part('old'), '')
        return
    old = value_of(olds.get(name))
    if old is not None and old == number:
        equal(what + ', before', (cell.part('old'), cell.part('change')), ('', 'unchanged'))
        return
    if old is not None:
        equal(what + ', before', cell.part('old'), 'was ' + exact(old))
    else:
        equal(what + ', before', bool(re.fullmatch(r'was \[.*\]', cell.part('old'))), True)
    if old is not None and number is not None:
        check_change(what, cell, old, number)


def check_notes(section, report):
    """Every reason stands somewhere."""
    text = section.text()
    for phase in report.phases.values():
        for metric in phase.findall('metric'):
            reason = metric.get('unavailable')
            if reason and shown(reason) not in text and len(report.phases) < 20:
                problem(f'no reason {reason!r}')


def check_tree(root, report, old):
    section = root.one('section', id='phases')
    rows = find_table(tables_of(section), 'phases')[1:]
    equal('phases of the tree', sorted(row[0].main for row in rows[:len(report.phases)]),
          sorted(shown(name) for name in report.phases))
    by_name = {shown(name): phase for name, phase in report.phases.items()}
    for row in rows[:len(report.phases)]:
        phase = by_name[row[0].main]
        metrics = metrics_of(phase)
        before = old and old.phases.get(phase.get('name'))
        equal(f'instances of {row[0].main}', row[1].main, exact(int(phase.get('instances'))))
        equal('new', 'new' in row[0].part('flag'), bool(old) and before is None)
        for name, cell in zip(MAIN, row[2:]):
            check_metric_cell(f'{row[0].main} {name}', cell, metrics.get(name),
                              None if before is None else metrics_of(before), name)
        total, allocator = (value_of(metrics.get(f'instructions.{part}'))
                            for part in ('total', 'allocator'))
        if total is not None and allocator is not None:
            equal('share of the allocator', row[7].part('share'), share(allocator, total))
    gone = [name for name in (old.phases if old else []) if name not in report.phases]
    equal('phases gone', sorted(row[0].main for row in rows[len(report.phases):]),
          sorted(map(shown, gone)))
    for name, details in phases_of(section).items():
        phase = next(phase for phase in report.phases.values() if shown(phase.get('name')) == name)
        check_metrics(f'phase {name}', details, phase, old and old.phases.get(phase.get('name')))
    check_notes(section, report)


def check_metrics(what, details, phase, before):
    tables = tables_of(details)
    rows, metrics = find_table(tables, 'metrics')[1:], metrics_of(phase)
    titles = [cell.main for cell in find_table(tables, 'metrics')[0]]
    equal(what, [row[0].main for row in rows], list(map(shown, metrics)))
    for row, (name, metric) in zip(rows, metrics.items()):
        check_metric_cell(f'{what} {name}', row[1], metric,
                          None if before is None else metrics_of(before), name)
        equal(f'{what} {name}', row[2].main, metric.get('unit'))
        for limit in ('min', 'max'):
            if metric.get(limit) is not None:
                check_number(f'{what} {name} {limit}', row[titles.index(limit)],
                             int(metric.get(limit)), metric.get('unit') == 'bytes')
        if metric.get('stable') == 'no':
            equal(f'{what} {name}', row[titles.index('in another run')].main,
                  'differs by ' + exact(int(metric.get('stable-difference'))))


# Lists -------------------------------------------------------------------------------------------

LISTS = [  # section, caption, element, column that rows are sorted by, columns beside it
    ('memory', 'live at the peak', 'sites', 'peak-bytes', ['peak-blocks']),
    ('memory', 'obtained or resized (traffic)', 'sites', 'traffic-bytes', ['traffic-blocks']),
    ('memory', 'obtained inside and live at the end (retained)', 'sites', 'retained-bytes',
     ['retained-blocks']),
    ('memory', 'temporary', 'sites', 'temporary-blocks', []),
    ('memory', 'resizes, by their new sizes', 'resizes', 'bytes', ['blocks', 'net-bytes']),
    ('memory', 'given back', 'releases', 'bytes', ['blocks']),
    ('functions', 'functions, by what they executed themselves', 'functions', 'instructions',
     ['calls', 'rep-iterations']),
    ('functions', 'source lines, by what was executed in them', 'lines', 'instructions',
     ['rep-iterations']),
    ('mix', 'functions, by what they executed themselves', 'functions', 'instructions', CLASSES),
    ('threads', 'threads, by what they executed', 'threads', 'instructions',
     ['traffic-blocks', 'traffic-bytes', 'released-blocks', 'foreign-blocks']),
]
NAMES = {'sites': 1, 'resizes': 1, 'releases': 1, 'functions': 2, 'lines': 3, 'threads': 1}


def is_bytes(column):
    return column.endswith('bytes')


def check_frames(what, cell, report, ids):
    """All frames of these sites; those that look the same, one behind the other, stand once."""
    expected = []
    for site in ids:
        last = None
        for frame in report.names['sites'][site].findall('frame'):
            place = f"in {shown(frame.get('object'))}"
            if frame.get('file') is not None:
                place = f"{shown(frame.get('file'))}:{frame.get('line')} {place}"
            if frame.get('inlined') == 'yes':
                place += ', inlined'
            entry = [shown(frame.get('function')), place]
            if entry == last:
                expected[-1][2] += 1
            else:
                expected.append(entry + [1])
            last = entry
    got = [[name, re.sub(r', [\d,]+ frames$', '', place)] for name, place in cell.frames]
    equal(what + ', frames', got, [entry[:2] for entry in expected])
    # What is shown of them first: the names of some, and the place of the first of these.
    if expected and not any(cell.name.strip().startswith(name)
                            and f"({place.removesuffix(', inlined')})" in cell.name
                            for name, place, _ in expected):
        problem(f'{what}: {cell.name!r}')


def check_names(what, cells, kind, row, report):
    if kind == 'sites':
        check_frames(what, cells[0], report, [row.get('id')])
    elif kind in ('resizes', 'releases'):
        both = [row.get('origin'), row.get('site')]
        check_frames(what, cells[0], report, both[:1] if both[0] == both[1] else both)
    elif kind == 'functions':
        function = report.names['functions'][row.get('id')]
        equal(what, [cell.main for cell in cells],
              [shown(function.get('name')), shown(function.get('object'))])
    elif kind == 'lines':
        line = report.names['lines'][row.get('id')]
        place = '???' if line.get('file') is None else f"{line.get('file')}:{line.get('line')}"
        equal(what, [cell.main for cell in cells],
              [shown(place), shown(line.get('function')), shown(line.get('object'))])
    else:
        equal(what, cells[0].main, row.get('number'))


def check_list(what, rows, kind, key, further, listed, report, top):
    row_elements = [row for row in listed if row.tag != 'others']
    columns = [key] + further
    value = lambda element, column: int(element.get(column, 0))
    chosen = sorted((row for row in row_elements if value(row, key)),
                    key=lambda row: -value(row, key))[:top]
    whole = sum(value(row, key) for row in listed)
    names = NAMES[kind]
    body = rows[1:]
    check = [*zip(body, chosen)]
    others = sum(int(row.get('pairs' if kind in ('resizes', 'releases') else kind, 0))
                 for row in listed if row.tag == 'others') + len(row_elements) - len(chosen)
    equal(f'{what}, rows', len(body), len(chosen) + bool(others) + 1)
    for number, (cells, row) in enumerate(check):
        check_names(f'{what} {number}', cells[:names], kind, row, report)
        check_values(f'{what} {number}', cells[names:], columns,
                     [value(row, column) for column in columns], whole)
    totals = [sum(value(row, column) for row in listed) for column in columns]
    if others:
        left = [total - sum(value(row, column) for row in chosen)
                for total, column in zip(totals, columns)]
        equal(what, re.fullmatch(r'([\d,]+) other \w+', body[-2][0].main)[1], exact(others))
        check_values(f'{what}, others', body[-2][names:], columns, left, whole)
    equal(what, body[-1][0].main, 'all')
    check_values(f'{what}, all', body[-1][names:], columns, totals, 0)


def check_values(what, cells, columns, values, whole):
    check_number(what, cells[0], values[0], is_bytes(columns[0]))
    equal(what + ', share', cells[1].part('share'), share(values[0], whole))
    bar = max(1, (values[0] * 1000 + whole // 2) // whole) if 0 < values[0] <= whole else None
    equal(what + ', bar', cells[1].bar, bar)
    for cell, column, number in zip(cells[2:], columns[1:], values[1:]):
        check_number(f'{what} {column}', cell, number, is_bytes(column))


def check_changes(what, rows, kind, key, olds, news, top):
    """Every column adds up, and the totals are the lists'."""
    total = [sum(int(row.get(key, 0)) for row in listed) for listed in (olds, news)]
    names, body = NAMES[kind], rows[1:]
    sums, shown_parts = [0, 0, 0], 0
    for cells in body[:-1]:
        change = parse_change(cells[names + 2])
        sums[2] += change
        texts = [cell.main for cell in cells[names:names + 2]]
        equal(f'{what}, new', bool(re.search(r'\bnew$', cells[names + 2].part('change'))),
              texts[0] == 'new' or (texts[0] == '0' and change != 0))
        for side, text in enumerate(texts):
            if text not in ('new', 'gone', 'not listed'):
                sums[side] += int(text.replace(',', ''))
                equal(what, cells[names + side].part('second'),
                      scaled(int(text.replace(',', ''))) if is_bytes(key) else '')
        if 'rest' not in cells[0].node.parent.attributes.get('class', ''):
            shown_parts += 1
    equal(f'{what}, sums', sums, total + [total[1] - total[0]])
    equal(f'{what}, all', [cell.main for cell in body[-1][names:names + 2]],
          list(map(exact, total)))
    equal(f'{what}, change of all', parse_change(body[-1][names + 2]), total[1] - total[0])
    if shown_parts > top:
        problem(f'{what}: {shown_parts} rows')
    sizes = [abs(parse_change(cells[names + 2])) for cells in body[:shown_parts]]
    equal(f'{what}, order', sizes, sorted(sizes, reverse=True))


def parse_change(cell):
    return int(re.split(r'[ (]', cell.part('change'))[0].replace(',', ''))


def check_lists(root, report, old, top):
    for section, caption, kind, key, further in LISTS:
        for name, details in phases_of(root.one('section', id=section)).items():
            phase = next(phase for phase in report.phases.values()
                         if shown(phase.get('name')) == name)
            what = f'{section} of {name}, {caption}'
            rows = find_table(tables_of(details), caption)
            text = ' '.join(node.text() for node in details.all('p', class_='nothing'))
            before = old and old.phases.get(phase.get('name'))
            olds = before.find(kind) if before is not None else None
            listed = phase.find(kind)
            sums = [sum(int(row.get(key, 0)) for row in side) for side in (olds, listed)
                    if side is not None]
            if rows is None:
                optional = kind in ('resizes', 'releases', 'lines') and listed is None
                if olds is not None:
                    if f'{caption}: no change, {exact(sums[-1])} in all' not in text:
                        problem(f'{what}: {text!r}')
                elif listed is not None:
                    equal(what, (sums, f'{caption}: none' in text), ([0], True))
                elif not optional and not re.search(
                        re.escape(caption) + ': (unavailable: .|not in the report)', text):
                    problem(f'{what}: {text!r}')
            elif olds is not None:
                check_changes(what, rows, kind, key, olds, [] if listed is None else listed, top)
            else:
                check_list(what, rows, kind, key, further, listed, report, top)


# Mix, shape, coverage ---------------------------------------------------------------------------

def check_mix(root, report, old):
    section = root.one('section', id='mix')
    rows = find_table(tables_of(section), 'classes of instructions')[1:]
    equal('phases of the mix', [row[0].main for row in rows],
          list(phases_of(section)))
    for row in rows:
        phase = next(phase for phase in report.phases.values()
                     if shown(phase.get('name')) == row[0].main)
        metrics = metrics_of(phase)
        before = old and old.phases.get(phase.get('name'))
        total = value_of(metrics.get('instructions.total'))
        for name, cell in zip(['total'] + CLASSES, row[1:]):
            full = f'instructions.{name}'
            olds = None if not old else {} if before is None else metrics_of(before)
            check_metric_cell(f'mix of {row[0].main}, {name}', cell, metrics.get(full), olds, full)
            number = value_of(metrics.get(full))
            if name != 'total' and number is not None and total:
                equal(f'mix, share of {name}', cell.part('share'), share(number, total))


def buckets_of(phase, kind):
    histogram = None if phase is None else phase.find(f'histograms/{kind}')
    return None if histogram is None else {
        int(bucket.get('from')): int(bucket.get('blocks')) for bucket in histogram}


def check_histograms(root, report, old):
    for name, details in phases_of(root.one('section', id='histograms')).items():
        phase = next(phase for phase in report.phases.values()
                     if shown(phase.get('name')) == name)
        for kind in ('sizes', 'lifetimes'):
            news = buckets_of(phase, kind)
            olds = buckets_of(old and old.phases.get(phase.get('name')), kind)
            rows = find_table(tables_of(details), kind)
            what = f'{kind} of {name}'
            if rows is None:
                equal(what, bool(news or olds), False)
                continue
            every = sorted(set(news) | set(olds or {}))
            equal(what, [[cell.main for cell in row[:2]] for row in rows[1:]],
                  [[exact(first), exact(max(0, 2 * first - 1))] for first in every])
            for first, row in zip(every, rows[1:]):
                if olds is None:
                    check_number(what, row[2], news[first], False)
                    equal(what, row[3].part('share'), share(news[first], sum(news.values())))
                    equal(what, row[3].bar, max(1, (news[first] * 1000 + max(news.values()) // 2)
                                                // max(news.values())) if news[first] else None)
                else:
                    before, now = olds.get(first, 0), news.get(first, 0)
                    check_number(what, row[2], before, False)
                    check_number(what, row[3], now, False)
                    check_change(what, row[4], before, now)


def check_timeline(root, report, old):
    tables = tables_of(root.one('section', id='timeline'))
    wanted = [('live bytes, now' if old else 'live bytes', report)]
    if old:
        wanted.append(('live bytes, before', old))
    for caption, one in wanted:
        timeline = one.root.find('timeline')
        points = [] if timeline is None else timeline.findall('point')
        rows = find_table(tables, caption)
        if not points:
            equal(caption, rows, None)
            continue
        step = -(-len(points) // 20)
        width = int(timeline.get('interval-instructions'))
        highest = max(int(point.get('most-bytes')) for point in points)
        groups = [points[i:i + step] for i in range(0, len(points), step)]
        equal(caption, len(rows) - 1, len(groups))
        for number, (group, row) in enumerate(zip(groups, rows[1:])):
            most = max(int(point.get('most-bytes')) for point in group)
            check_number(caption, row[0], number * step * width, False)
            check_number(caption, row[1], most, True)
            check_number(caption, row[3], int(group[-1].get('last-bytes')), True)
            equal(caption, row[2].bar, max(1, (most * 1000 + highest // 2) // highest)
                  if most else None)


def check_coverage(root, report):
    section = root.one('section', id='coverage')
    tables = tables_of(section)
    functions = report.root.findall('coverage/allocation-functions/*')
    rows = find_table(tables, 'allocation functions found') or [[]]
    equal('allocation functions', [[cell.main for cell in row] for row in rows[1:]],
          [[shown(function.get('name')), shown(function.get('object')),
            shown(function.get('kind')), exact(int(function.get('calls')))]
           for function in functions])
    rows = find_table(tables, 'not measured') or [[]]
    equal('not measured', [[cell.main for cell in row] for row in rows[1:]],
          [[shown(quantity.get('name')), shown(quantity.get('reason')),
            shown(quantity.get('instead', ''))]
           for quantity in report.root.findall('coverage/not-measured/*')])


def check_head(root, report, old):
    section = root.one('section', id='head')
    if 'no statement on its latency' not in ' '.join(section.text().split()):
        problem('the page does not say what its numbers do not')
    found = [node.attributes.get('class') for node in section.all('li')]
    severities = [node.get('severity') for node in report.root.findall('diagnostics/*')]
    order = {'error': 0, 'warning': 1}
    equal('diagnostics', [name for name in found if name in order],
          sorted((name for name in severities if name in order), key=order.get))
    text = section.text()
    for diagnostic in report.root.findall('diagnostics/*'):
        for part in ('code', 'text', 'phase'):
            if shown(diagnostic.get(part) or '') not in text:
                problem(f'no {part} of a diagnostic')
    rows = find_table(tables_of(section), 'held fixed for the run') or [[]]
    equal('fixed', [[cell.main for cell in row] for row in rows[1:]],
          [[shown(fix.get('name')), shown(fix.get('value', ''))]
           for fix in report.root.findall('run/fixed/*')])
    rows = find_table(tables_of(section), 'objects of the run') or [[]]
    equal('objects', [[cell.main for cell in row[:2]] for row in rows[1:]],
          [[shown(item.get('name')), shown(item.get('build-id', ''))]
           for item in report.root.findall('run/objects/*')])
    for one in (report, old) if old else (report,):
        executable = one.root.find('run/executable')
        if executable is not None and shown(executable.get('path')) not in text:
            problem('no executable')


# The data, the explanation -----------------------------------------------------------------------

def check_difference(difference, report, old):
    """What is the same in both, of which each stands once."""
    sides = [list(old.phases), list(report.phases)]
    equal('pairs of phases', {tuple(None if index is None else sides[side][index]
                                    for side, index in enumerate(pair))
                              for pair in difference['phases']},
          {(name if name in old.phases else None, name if name in report.phases else None)
           for name in sides[0] + sides[1]})
    for kind in ('sites', 'functions'):
        for side, one in enumerate((old, report)):
            equal(f'ids of {kind}', sorted(str(pair[side]) for pair in difference[kind]
                                           if pair[side] is not None), sorted(one.names[kind]))
        units = {}
        for *ids, is_guessed, unit in difference[kind]:
            names = [told(one.names[kind][str(number)])
                     for one, number in zip((old, report), ids) if number is not None]
            units.setdefault(unit, []).append((names, is_guessed))
        by_name = {}
        for unit, pairs in units.items():
            names = {name for pair, _ in pairs for name in pair}
            equal(f'{kind} of unit {unit} are guessed', {guessed for _, guessed in pairs},
                  {len(names) > 1})
            for name in names:
                if by_name.setdefault(name, unit) != unit:
                    problem(f'{kind} {name} are in two units')


def told(element):
    """By what sites and functions are the same: functions and objects, no lines."""
    frames = element.findall('frame') or [element]
    return tuple((frame.get('function', frame.get('name')), frame.get('object'))
                 for frame in frames)


def one_line(*parts):
    return ' '.join(' '.join(parts).replace("'\\''", '').replace("'", '').split())


def lines_of_page(root):
    """What the section says, as profmem diff would."""
    for phase in root.one('section', id='explanation').all():
        if phase.tag == 'h3':
            yield one_line(phase.text())
        elif phase.tag == 'div' and phase.has_class('changed'):
            yield from lines_of_metric(phase)
        elif phase.tag == 'p' and phase.text().startswith('Not listed in'):
            side = 'old' if 'baseline' in phase.text() else 'new'
            names = ' '.join(name.text() for name in phase.all('bdi'))
            yield one_line(f'not listed in the {side} report: {names}')


def lines_of_metric(metric):
    heading, values = metric.one('h4'), next(metric.all('p')).text()
    values, _, ranges = values.replace('\u2192', '->').partition('; of single instances: ')
    change = one_line(heading.text(without=['nothing']))
    larger = re.search(r' \(([^)]*)\)', change)
    change = re.sub(r' \([^)]*\)', '', change)
    values = re.sub(r'unavailable \(.*?\)', 'unavailable', values)
    yield one_line(change, values, f'({larger[1]})' if larger else '')
    if ranges:
        yield one_line('of single instances:', ranges)
    for row in metric.all('tr'):
        cells = [cell for cell in row.children if isinstance(cell, Node)]
        if cells[0].tag == 'td':
            yield one_line(*(cell.text() for cell in cells[:2]),
                           *(cell.text().replace('~', '~ ', 1) if list(cell.all('abbr'))
                             else cell.text() for cell in cells[2:]))


def lines_of_diff(path):
    """The same of the text, without what the page shows in other sections: buckets, numbers of
    phases that only one report has; notes, whose texts the page has in their places."""
    is_bucket, in_phases = False, False
    with open(path, encoding='utf-8') as file:
        for line in file:
            in_phases = in_phases or line.startswith('phase ')
            is_bucket = bool(re.match(r'  (sizes|lifetimes), ', line)) \
                or (is_bucket and line.startswith('    '))
            if in_phases and not is_bucket and line.strip() \
                    and not re.match(r'  (\[\d+\]|[\d,]+ instances?(,|$))', line):
                yield one_line(re.sub(r'unavailable \[\d+\]', 'unavailable', line))


def check_explanation(root, path):
    page, diff = list(lines_of_page(root)), list(lines_of_diff(path))
    equal('lines of the explanation', len(page), len(diff))
    for got, expected in zip(page, diff):
        equal('explanation', got, expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('page')
    parser.add_argument('report')
    parser.add_argument('baseline', nargs='?')
    parser.add_argument('--top', type=int, default=10)
    parser.add_argument('--phases', type=int, default=20)
    parser.add_argument('--exported', help='the report as JSON')
    parser.add_argument('--exported-baseline')
    parser.add_argument('--diff', help='what profmem diff says')
    arguments = parser.parse_args()
    root = read_page(arguments.page)
    report = Report(arguments.report)
    old = Report(arguments.baseline) if arguments.baseline else None
    check_frame(root, old is not None)
    tables = min(arguments.phases, len(report.phases))
    for section in ('phases', 'memory', 'functions', 'mix', 'histograms', 'threads'):
        equal(f'phases with tables in {section}',
              len(phases_of(root.one('section', id=section))), tables)
    check_head(root, report, old)
    check_tree(root, report, old)
    check_lists(root, report, old, arguments.top)
    check_mix(root, report, old)
    check_histograms(root, report, old)
    check_timeline(root, report, old)
    check_coverage(root, report)
    data = json.loads(root.one('script', id='profmem-data').text())
    equal('data', list(data), ['report', 'baseline', 'difference'])
    for name, path in (('report', arguments.exported), ('baseline', arguments.exported_baseline)):
        if path:
            with open(path, encoding='utf-8') as file:
                equal(f'data of the {name}', data[name] == json.load(file), True)
    equal('data of the baseline', data['baseline'] is None, old is None)
    equal('data of the difference', data['difference'] is None, old is None)
    if old:
        check_difference(data['difference'], report, old)
    if arguments.diff:
        check_explanation(root, arguments.diff)
    sys.exit(1 if problems else 0)


main()
