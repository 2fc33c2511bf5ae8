#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""steps_referee.py: does a report say which instructions ran, and of which kinds?

   steps_referee.py functions|lines REPORT STEPS PROGRAM

STEPS is what `step -a` wrote of a static program: how often the processor executed each
instruction. objdump's text says which classes each is in, nm which function, and addr2line
which source line (object_code.py). The report must be equal: each metric of the mix over the
whole process, a rep once, and each row of its functions, or lines, in all its numbers. Valgrind
reads no symbols of a program whose file has no writable data: all of it is one row then.
Exit: 0 all equal; 1 some differ, all are listed; 2 some class had no instruction at all.
"""
from collections import Counter, defaultdict
import os
import sys
import xml.etree.ElementTree as ElementTree

import object_code


def read_steps(path):
    """{address: (executions, iterations)}"""
    with open(path, encoding="ascii") as lines:
        return {int(address, 16): (int(executions), int(iterations))
                for address, executions, iterations in map(str.split, lines)}


def expect(steps, program, with_lines):
    """{(function, line): numbers}, and the program's functions. Of lines the number counts:
    where one of a header follows one of the same number elsewhere, Valgrind takes both for one,
    and so does Callgrind."""
    functions = object_code.Functions(program, steps)
    code = object_code.Instructions(program, steps)
    source = object_code.source_lines(program, steps) if with_lines else {}
    rows = defaultdict(Counter)
    for address, (executions, iterations) in steps.items():
        _, line = source.get(address, (None, 0))
        row = rows[functions.of_address[address], line]
        row["instructions"] += executions
        row["rep-iterations"] += iterations
        row["calls"] += executions if address in functions.entries else 0
        for name, letter in object_code.CLASSES.items():
            row[name] += executions if letter in code.classes[address] else 0
    return rows, functions


def reported(phase, root, functions, with_lines):
    """{(function, line): numbers}; of another object's code, that object is in the name."""
    kinds, kind, name = ("lines", "line", "function") if with_lines else \
        ("functions", "function", "name")
    named = {e.get("id"): e for e in root.iterfind(f"{kinds}/{kind}")}
    rows = defaultdict(Counter)
    for row in phase.iterfind(f"{kinds}/{kind}"):
        of = named[row.get("id")]
        group = functions.of_name(of.get(name))
        if group is None or of.get("object") != functions.name:
            group = f"{of.get('object')}: {of.get(name)}"
        rows[group, int(of.get("line", 0))].update(
            {key: int(value) for key, value in row.items() if key != "id"})
    return rows


def main():
    with_lines = {"functions": False, "lines": True}[sys.argv[1]]
    report, steps, program = sys.argv[2:]
    expected, functions = expect(read_steps(steps), program, with_lines)
    root = ElementTree.parse(report).getroot()
    phase = root.find("phases/phase[@name='program']")
    rows = reported(phase, root, functions, with_lines)
    total = sum(expected.values(), Counter())
    unnamed = object_code.UNNAMED, 0
    if rows.keys() == {unnamed}:
        expected = {unnamed: total - Counter(calls=total["calls"])}
    differ = []
    for key in sorted(rows.keys() | expected.keys(), key=str):
        for what in ("instructions", "calls", "rep-iterations", *object_code.CLASSES):
            has, wants = rows[key][what], expected.get(key, Counter())[what]
            if has != wants:
                differ.append(f"{key}: {what}: reported {has}, executed {wants}")
    for what in object_code.CLASSES:
        value = phase.find(f"metric[@name='instructions.{what}']").get("value")
        if value != str(total[what]):
            differ.append(f"instructions.{what}: reported {value}, executed {total[what]}")
    print("\n".join(differ))
    print(f"{len(expected)} {sys.argv[1]}, {len(differ)} differences;",
          ", ".join(f"{what} {total[what]}" for what in ("instructions", *object_code.CLASSES)))
    return 1 if differ else 0 if all(total[what] for what in object_code.CLASSES) else 2


sys.exit(main())
