#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kernel_referee.py: what must a report say of a function that is one loop?

   kernel_referee.py PROGRAM FUNCTION PASSES CALLS REPORT

From the disassembly of the function, which must be straight code but for one jump back, and
from how many passes through that loop each of its CALLS makes: every instruction of the loop
PASSES times a call, every other once. The report's row must say so. On standard output come the
rows of all functions, a line each, for a comparison with another build.
Exit: 0 as it must be, else 1.
"""
from collections import Counter
import re
import sys
import xml.etree.ElementTree as ElementTree

import object_code

JUMP = re.compile(r"(?:j\w+|b(?:\.\w\w)?|cbn?z\s+\w+,)\s+([0-9a-f]+)\b")


def code_of(program, function):
    """[(address, text, classes)] up to the return."""
    listing = object_code.output_of(*object_code.DISASSEMBLE, f"--disassemble={function}",
                                    program)
    found = filter(None, map(object_code.INSTRUCTION.match, listing.splitlines()))
    code = [(int(f[1], 16), f[3], object_code.judge(f[2], f[3])) for f in found]
    returns = [i for i, (_, text, _) in enumerate(code) if text.startswith("ret")]
    if len(returns) != 1:
        sys.exit(f"{function} has {len(returns)} returns")
    return code[:returns[0] + 1]


def loop_of(code):
    """The places of the loop's first and last instruction."""
    places = {address: i for i, (address, _, _) in enumerate(code)}
    jumps = [(places[int(jump[1], 16)], i) for i, (_, text, _) in enumerate(code)
             if (jump := JUMP.match(text))]
    if len(jumps) != 1 or jumps[0][0] > jumps[0][1]:
        sys.exit(f"it is not one loop: {code}")
    return jumps[0]


def main():
    program, function, passes, calls, report = sys.argv[1:]
    passes, calls = int(passes), int(calls)
    code = code_of(program, function)
    first, last = loop_of(code) if passes > 0 else (1, 0)
    expected = Counter(calls=calls)
    for i, (_, _, classes) in enumerate(code):
        times = calls * (passes if first <= i <= last else 1)
        expected["instructions"] += times
        for name, letter in object_code.CLASSES.items():
            expected[name] += times if letter in classes else 0

    root = ElementTree.parse(report).getroot()
    names = {f.get("id"): f.get("name") for f in root.iterfind("functions/function")}
    rows = {names[row.get("id")]: {key: int(value) for key, value in row.items() if key != "id"}
            for row in root.iterfind("phases/phase[@name='program']/functions/function")}
    for name in sorted(rows):
        print(name, *(f"{key}={value}" for key, value in rows[name].items()))
    if Counter(rows[function]) != +expected:
        print(f"{function}: reported {rows[function]}, must be {dict(+expected)}", file=sys.stderr)
        return 1
    return 0


sys.exit(main())
