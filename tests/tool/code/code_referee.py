#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""code_referee.py: do a report's functions, and lines, say what Callgrind counted?

   code_referee.py functions|lines REPORT CALLGRIND-FILE OBJECTS [MINIMUM]

Callgrind's cost of every single instruction (callgrind_file.py says what the file must
have) is summed by function, or by source line in a function, and each row of the report must
be equal in all it says:

   instructions      Callgrind's cost of its instructions, except that
   + rep-iterations  Callgrind counts n + 1 for a rep of n passes, and n for one that its
                     condition ended (repe, repne of cmps and scas)
   calls             Callgrind's cost of the function's first instruction
   vector ... call   Callgrind's cost of the instructions of that class, a rep counting once;
                     objdump's text says which those are

How often a rep was executed is how often the instruction behind it was, which always follows,
unless something jumps there: then it is at most that, and at least 1.

Functions are told apart by symbols, read here by nm: see object_code.py. Lines are those that
Callgrind has for each instruction; of an object that was unmapped before the end it has none,
and addr2line's are taken. Of a file's name the last part counts. OBJECTS has lines `object BASE
PATH` of where the program's objects were in memory under Callgrind.

Excepted: one row, the one in which the process ends, may have LOST_AT_END instructions more,
which Callgrind does not count; it may not know that row at all. Everything else that differs
is listed.
Exit: 0 all equal, 1 some differ; 2 fewer than MINIMUM rows were compared that have a name, or
a line.
"""
from collections import Counter, defaultdict
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

import callgrind_file
import object_code

LOST_AT_END = 7 if object_code.IS_ARM64 else 3
LISTED = 40 # differences, at most
RECURSION = re.compile(r"'\d+$")


class Expected:
    """What the report must say of one function."""

    def __init__(self):
        self.cost = 0               # Callgrind's
        self.calls = 0
        self.once = Counter()       # letter of class -> instructions that are no rep
        self.reps = []              # (classes, cost, fewest and most executions) of each rep
        self.has_condition = False  # some rep may end by its condition

    def add(self, address, cost, code, is_entry):
        self.cost += cost
        self.calls += cost if is_entry else 0
        if address not in code.classes:
            raise ValueError(f"objdump has no instruction at {address:#x}")
        if address not in code.repeated:
            self.once.update({letter: cost for letter in code.classes[address]})

    def add_rep(self, address, cost, code, cost_of_next):
        least = 1 if code.next[address] in code.targets else cost_of_next
        self.reps.append((code.classes[address], cost, least, cost_of_next))
        self.has_condition |= code.repeated[address]

    def bounds(self, letter):
        fewest = sum(least for classes, _, least, _ in self.reps if letter in classes)
        most = sum(most for classes, _, _, most in self.reps if letter in classes)
        return self.once[letter] + fewest, self.once[letter] + most

    def differences(self, row, lost):
        """(what, reported, expected) of all in which the report's row differs."""
        reps = sum(cost for _, cost, _, _ in self.reps)
        plain = self.cost - reps
        least = plain + sum(rep[2] for rep in self.reps)
        most = plain + sum(rep[3] for rep in self.reps)
        if not least <= row["instructions"] - lost <= most:
            yield "instructions", row["instructions"], span(least, most)
        with_passes = row["instructions"] + row["rep-iterations"] - lost
        if with_passes != self.cost and not (self.has_condition and with_passes > self.cost):
            yield "instructions + rep-iterations", with_passes, self.cost
        if row["calls"] != self.calls:
            yield "calls", row["calls"], self.calls
        for name, letter in object_code.CLASSES.items():
            fewest, greatest = self.bounds(letter)
            if not fewest <= row[name] <= greatest:
                yield name, row[name], span(fewest, greatest)


def span(least, most):
    return least if least == most else f"{least} to {most}"


def row_key(group, file, line):
    """A row of lines: the line in the function; without debug information, the function."""
    return group, os.path.basename(file) if line else None, line


def has_name(key):
    """Of a row of functions, or of lines?"""
    return key[2] != 0 if isinstance(key, tuple) else key != object_code.UNNAMED


class Object:
    """What the report must say of one object's code."""

    def __init__(self, path, costs, source):
        self.functions = object_code.Functions(path, costs)
        self.rows = defaultdict(Expected) # by group, or by line in a group
        code = object_code.Instructions(path, costs)
        for address, count in costs.items():
            group = self.functions.of_address[address]
            is_entry = group != object_code.UNNAMED and address in self.functions.entries
            row = self.rows[row_key(group, *source[address]) if source else group]
            row.add(address, count, code, is_entry)
            if address in code.repeated:
                row.add_rep(address, count, code, costs.get(code.next.get(address), 0))

    def key(self, name, source):
        """Of the report's row; None if the object has no such function."""
        group = self.functions.of_name(name)
        return row_key(group, *source) if source and group else group


def expect(cost, with_lines):
    """{base name: Object}, and the cost that Callgrind puts down to another function than the
    symbols do: it follows calls, and stays in the function that jumped when a jump goes into
    the middle of another one."""
    by_object, by_name = defaultdict(Counter), defaultdict(Counter)
    sources = defaultdict(dict)
    for place, count in cost:
        by_object[place.object][place.address] += count
        by_name[place.object][RECURSION.sub("", place.function), place.address] += count
        sources[place.object][place.address] = place.file, place.line
    objects, elsewhere = {}, Counter()
    for path, costs in by_object.items():
        source = sources[path] if with_lines else None
        if source and not any(line for _, line in source.values()):
            source = object_code.source_lines(path, costs)
        known = Object(path, costs, source)
        objects[os.path.basename(path)] = known
        for (name, address), count in by_name[path].items():
            group = known.functions.of_address[address]
            if known.functions.of_name(name) != group and \
                    not (group == object_code.UNNAMED and name.startswith("0x")):
                elsewhere[os.path.basename(path), name, group] += count
    return objects, elsewhere


def reported(path, with_lines):
    """[(object, function, (file, line) or None, numbers)] of the whole process, and its
    metrics."""
    root = ElementTree.parse(path).getroot()
    kinds, kind = ("lines", "line") if with_lines else ("functions", "function")
    name_of = "function" if with_lines else "name"
    phase = root.find("phases/phase[@name='program']")
    if phase.find(f"{kinds}/others") is not None:
        raise ValueError(f"the report does not list all {kinds}")
    names = {e.get("id"): e for e in root.iterfind(f"{kinds}/{kind}")}
    rows = []
    for row in phase.iterfind(f"{kinds}/{kind}"):
        named = names[row.get("id")]
        source = (named.get("file", ""), int(named.get("line", 0))) if with_lines else None
        numbers = Counter({key: int(value) for key, value in row.items() if key != "id"})
        rows.append((named.get("object"), named.get(name_of), source, numbers))
    metrics = {m.get("name"): m.get("value") for m in phase.iterfind("metric")}
    return rows, metrics


class Comparison:
    def __init__(self, objects, rows):
        self.differ = []
        self.compared = self.lost = self.ended_by_condition = 0
        summed = defaultdict(Counter)
        for name_of_object, name, source, numbers in rows:
            known = objects.get(name_of_object)
            key = known and known.key(name, source)
            if key in (known.rows if known else {}):
                summed[name_of_object, key].update(numbers)
            elif known and self.lost == 0 and numbers["instructions"] <= LOST_AT_END:
                self.lost = numbers["instructions"]
            else:
                self.differ.append(f"{name_of_object}: {name} {source or ''}: "
                                   "no code that Callgrind saw")
        for name_of_object, known in objects.items():
            for key, expected in known.rows.items():
                self.compare(name_of_object, key, expected, summed[name_of_object, key])

    def compare(self, name_of_object, key, expected, row):
        lost = 0
        excess = row["instructions"] + row["rep-iterations"] - expected.cost
        if 0 < excess <= LOST_AT_END and self.lost == 0 and not expected.has_condition:
            self.lost = lost = excess
        elif expected.has_condition:
            self.ended_by_condition += excess
        self.compared += has_name(key)
        for what, has, wants in expected.differences(row, lost):
            self.differ.append(f"{name_of_object}: {key}: {what}: reported {has}, expected {wants}")


def main():
    with_lines = {"functions": False, "lines": True}[sys.argv[1]]
    report, callgrind, where = sys.argv[2:5]
    minimum = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    cost, _ = callgrind_file.read(callgrind)
    rows, metrics = reported(report, with_lines)
    where = callgrind_file.read_objects(where)
    objects, elsewhere = expect(callgrind_file.placed(cost, where), with_lines)
    result = Comparison(objects, rows)
    by_condition = int(metrics["instructions.rep-ended-by-condition"] or 0)
    if result.ended_by_condition != by_condition:
        result.differ.append(f"reps ended by their condition: {by_condition} in the whole process, "
                             f"{result.ended_by_condition} in all rows")
    for line in result.differ[:LISTED]:
        print(line)
    several = [names for known in objects.values()
               for names in known.functions.names.of_several_names().values()]
    for names in sorted(several, key=len)[-3:]:
        print("one function:", *names[:8], "..." if len(names) > 8 else "")
    for (name_of_object, name, group), count in elsewhere.most_common(5):
        print(f"Callgrind has {count} of {name_of_object}: {group} in {name}")
    without = sum(row.cost for known in objects.values() for key, row in known.rows.items()
                  if not has_name(key))
    print(f"{result.compared} {sys.argv[1]} compared, {len(several)} functions known by several "
          f"names; {len(result.differ)} differences; of {sum(cost.values())} instructions "
          f"{without} in code without a {'line' if with_lines else 'name'}, "
          f"{sum(elsewhere.values())} that Callgrind has in a function that jumped there, "
          f"{result.lost} more at the end; {by_condition} reps ended by condition")
    return 1 if result.differ else 2 if result.compared < minimum else 0


sys.exit(main())
