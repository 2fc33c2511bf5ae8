#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""calls_referee.py: do a report's functions say how often they were called?

   calls_referee.py REPORT CALLS [CALLGRIND-FILE]

CALLS is what the program says (known_calls.h). Lines of one object and name are added: to a
report they are one function. With CALLGRIND-FILE, Callgrind's counts of calls must be the
same for functions that are reached by calls alone.
Exit: 0 if all agree, else 1, with all that differ listed; 2 if CALLS has none.
"""
from collections import Counter
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

import callgrind_file

LINE = re.compile(r"(calls|entries|absent) (\d+) (\S+) (.+)$")


def known_calls(path):
    """{(object, name): calls}, and the functions of each kind of line."""
    counts, functions = Counter(), {"calls": set(), "entries": set(), "absent": set()}
    with open(path, encoding="utf-8") as lines:
        for found in filter(None, map(LINE.match, lines)):
            how, count, *function = found.groups()
            functions[how].add(tuple(function))
            if how != "absent":
                counts[tuple(function)] += int(count)
    return counts, functions


def reported_calls(path):
    root = ElementTree.parse(path).getroot()
    names = {f.get("id"): (f.get("object"), f.get("name"))
             for f in root.iterfind("functions/function")}
    rows = root.iterfind("phases/phase[@name='program']/functions/function")
    return {names[row.get("id")]: int(row.get("calls")) for row in rows}


def callgrind_calls(path):
    counts = Counter()
    for callee, count in callgrind_file.read(path)[1].items():
        name = re.sub(r"'\d+$", "", callee.function)
        counts[os.path.basename(callee.object), name] += count
    return counts


def main():
    counts, functions = known_calls(sys.argv[2])
    reported = reported_calls(sys.argv[1])
    differ = 0
    for function, count in counts.items():
        if reported.get(function) != count:
            differ += 1
            print(*function, f"called {count} times, reported {reported.get(function)}")
    for function in functions["absent"] & set(reported):
        differ += 1
        print(*function, "does not run, and is reported")
    if len(sys.argv) > 3:
        callgrind = callgrind_calls(sys.argv[3])
        for function in functions["calls"]:
            if callgrind[function] != counts[function]:
                differ += 1
                print(*function, f"called {counts[function]} times, "
                                 f"Callgrind {callgrind[function]}")
    print(f"{len(counts)} functions compared, {sum(counts.values())} calls; {differ} differences")
    return 1 if differ else 0 if counts else 2


sys.exit(main())
