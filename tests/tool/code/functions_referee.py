#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""functions_referee.py: do a report's functions say what Callgrind counted?

   functions_referee.py REPORT CALLGRIND-FILE OBJECTS [MINIMUM]

Callgrind's cost of every single instruction (callgrind_file.py says what the file must
have) is summed by function, and each function of the report must be equal in all it says:

   instructions      Callgrind's cost of its instructions, except that
   + rep-iterations  Callgrind counts n + 1 for a rep of n passes, and n for one that its
                     condition ended (repe, repne of cmps and scas)
   calls             Callgrind's cost of its first instruction
   vector ... call   Callgrind's cost of the instructions of that class, a rep counting once;
                     objdump's text says which those are

How often a rep was executed is how often the instruction behind it was, which always follows,
unless something jumps there: then it is at most that, and at least 1.

Functions are told apart by symbols, read here by nm: see object_code.py. OBJECTS has lines
`object BASE PATH` of where the program's objects were in memory under Callgrind.

Excepted: one function, the one in which the process ends, may have up to three instructions
more, which Callgrind does not count; it may not know that function at all. Everything else
that differs is listed.
Exit: 0 all equal, 1 some differ; 2 fewer than MINIMUM functions were compared.
"""
from collections import Counter, defaultdict
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

import callgrind_file
import object_code

CLASSES = {"vector": "v", "scalar-float": "f", "load": "l", "store": "s", "branch": "b", "call": "c"}
LOST_AT_END = 3
LISTED = 40 # differences, at most
RECURSION = re.compile(r"'\d+$")


def read_objects(path):
    """[(base, real path)] of the program's objects in memory, ascending."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        found = [line.split(None, 2)[1:] for line in lines if line.startswith("object ")]
    return sorted((int(base, 16), os.path.realpath(name.strip())) for base, name in found)


def placed(cost, objects):
    """Callgrind's costs, those of code outside of any .text by the object they are in."""
    for place, count in cost.items():
        if place.object == object_code.UNNAMED:
            base, path = max((o for o in objects if o[0] <= place.address),
                             default=(0, place.object))
            place = place._replace(object=path, address=place.address - base)
        yield place._replace(object=os.path.realpath(place.object)), count


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
        for name, letter in CLASSES.items():
            fewest, greatest = self.bounds(letter)
            if not fewest <= row[name] <= greatest:
                yield name, row[name], span(fewest, greatest)


def span(least, most):
    return least if least == most else f"{least} to {most}"


def expect(cost):
    """{object: (functions, {group: Expected})}, and the cost that Callgrind puts down to
    another function than the symbols do: it follows calls, and stays in the function that
    jumped when a jump goes into the middle of another one."""
    by_object, by_name = defaultdict(Counter), defaultdict(Counter)
    for place, count in cost:
        by_object[place.object][place.address] += count
        by_name[place.object][RECURSION.sub("", place.function), place.address] += count
    expected, elsewhere = {}, Counter()
    for path, costs in by_object.items():
        functions = object_code.Functions(path, costs)
        code = object_code.Instructions(path, costs)
        rows = defaultdict(Expected)
        for address, count in costs.items():
            group = functions.of_address[address]
            is_entry = group != object_code.UNNAMED and address in functions.entries
            rows[group].add(address, count, code, is_entry)
            if address in code.repeated:
                rows[group].add_rep(address, count, code, costs.get(code.next.get(address), 0))
        expected[path] = functions, rows
        for (name, address), count in by_name[path].items():
            group = functions.of_address[address]
            if functions.of_name(name) != group and \
                    not (group == object_code.UNNAMED and name.startswith("0x")):
                elsewhere[os.path.basename(path), name, group] += count
    return expected, elsewhere


def reported(path):
    """{(object, name): row} of the whole process, and its metrics."""
    root = ElementTree.parse(path).getroot()
    names = {f.get("id"): (f.get("object"), f.get("name")) for f in root.iterfind("functions/function")}
    phase = root.find("phases/phase[@name='program']")
    if phase.find("functions/others") is not None:
        raise ValueError("the report does not list all functions")
    rows = {}
    for row in phase.iterfind("functions/function"):
        rows[names[row.get("id")]] = Counter({key: int(value) for key, value in row.items() if key != "id"})
    metrics = {m.get("name"): m.get("value") for m in phase.iterfind("metric")}
    return rows, metrics


class Comparison:
    def __init__(self, expected, rows):
        self.differ = []
        self.compared = self.lost = self.ended_by_condition = 0
        known = {os.path.basename(path): entry for path, entry in expected.items()}
        summed = defaultdict(Counter)
        for (name_of_object, name), row in rows.items():
            functions, _ = known.get(name_of_object, (None, None))
            group = functions and functions.of_name(name)
            if group is not None:
                summed[name_of_object, group].update(row)
            elif functions and self.lost == 0 and row["instructions"] <= LOST_AT_END:
                self.lost = row["instructions"]
            else:
                self.differ.append(f"{name_of_object}: {name}: no function that Callgrind saw")
        for name_of_object, (_, groups) in known.items():
            for group, expect_of in groups.items():
                self.compare(name_of_object, group, expect_of, summed[name_of_object, group])

    def compare(self, name_of_object, group, expect_of, row):
        lost = 0
        excess = row["instructions"] + row["rep-iterations"] - expect_of.cost
        if 0 < excess <= LOST_AT_END and self.lost == 0 and not expect_of.has_condition:
            self.lost = lost = excess
        elif expect_of.has_condition:
            self.ended_by_condition += excess
        self.compared += 1
        for what, has, wants in expect_of.differences(row, lost):
            self.differ.append(f"{name_of_object}: {group}: {what}: reported {has}, expected {wants}")


def main():
    report, callgrind, objects = sys.argv[1:4]
    minimum = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    cost, _ = callgrind_file.read(callgrind)
    rows, metrics = reported(report)
    expected, elsewhere = expect(placed(cost, read_objects(objects)))
    result = Comparison(expected, rows)
    by_condition = int(metrics["instructions.rep-ended-by-condition"])
    if result.ended_by_condition != by_condition:
        result.differ.append(f"reps ended by their condition: {by_condition} in the whole process, "
                             f"{result.ended_by_condition} by function")
    for line in result.differ[:LISTED]:
        print(line)
    several = [names for functions, _ in expected.values()
               for names in functions.names.of_several_names().values()]
    unnamed = sum(rows[object_code.UNNAMED].cost for _, rows in expected.values()
                  if object_code.UNNAMED in rows)
    for names in sorted(several, key=len)[-3:]:
        print("one function:", *names[:8], "..." if len(names) > 8 else "")
    for (name_of_object, name, group), count in elsewhere.most_common(5):
        print(f"Callgrind has {count} of {name_of_object}: {group} in {name}")
    print(f"{result.compared} functions compared, {len(several)} of them known by several names; "
          f"{len(result.differ)} differences; of {sum(cost.values())} instructions {unnamed} in "
          f"code without a name, {sum(elsewhere.values())} that Callgrind has in a function that "
          f"jumped there, {result.lost} more at the end; {by_condition} reps ended by condition")
    return 1 if result.differ else 2 if result.compared < minimum else 0


sys.exit(main())
