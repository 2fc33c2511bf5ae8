# SPDX-License-Identifier: GPL-2.0-or-later
"""spans.py REPORT: where instances lie among the instructions agrees with the timeline, which
is made of heap events alone: an instance's peak is among what was live where the report has
it, and nothing as large was live between the begin and there. Prints how many were compared.
"""
import sys
import xml.etree.ElementTree as ElementTree


def main(path):
    report = ElementTree.parse(path).getroot()
    timeline = report.find('timeline')
    width = int(timeline.get('interval-instructions'))
    most = [int(point.get('most-bytes')) for point in timeline]
    compared = 0
    for phase in report.find('phases'):
        for element in [phase, *phase.findall('instances/instance')]:
            if element.get('begin-instructions') is None:
                continue
            begin, peak, end = (int(element.get(name + '-instructions'))
                                for name in ('begin', 'peak', 'end'))
            value = {name: int(element.find(f"metric[@name='{name}']").get('value'))
                     for name in ('heap.entry', 'heap.peak', 'instructions.total')}
            at = f"{phase.get('name')} {element.get('number', '')}"
            assert end - begin == value['instructions.total'], at
            if value['heap.peak'] == value['heap.entry']:
                assert peak == begin, at
            else:
                # Behind the last event nothing changes, and there are no points.
                assert most[peak // width] >= value['heap.peak'], at
            first, last = begin // width + 1, peak // width
            assert all(live < value['heap.peak'] for live in most[first:last]), at
            compared += 1
    program = report.find("phases/phase[@name='program']")
    assert program.get('begin-instructions') == '0'
    print(compared)


main(sys.argv[1])
