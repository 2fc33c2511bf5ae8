# SPDX-License-Identifier: GPL-2.0-or-later
"""differing_functions.py A B: functions whose instructions differ between two reports of one
program: a line each, name and difference."""
import sys
import xml.etree.ElementTree as tree


def instructions(path):
    root = tree.parse(path).getroot()
    names = {}
    for function in root.find("functions"):
        names[function.get("id")] = (function.get("name"), function.get("object"))
    counts = {}
    phase = root.find("phases/phase[@name='program']")
    for row in phase.find("functions"):
        name = names[row.get("id")] if row.tag == "function" else ("others", "")
        counts[name] = counts.get(name, 0) + int(row.get("instructions"))
    return counts


first = instructions(sys.argv[1])
second = instructions(sys.argv[2])
for name in sorted(first.keys() | second.keys()):
    difference = second.get(name, 0) - first.get(name, 0)
    if difference:
        print(name[0], abs(difference))
