# SPDX-License-Identifier: GPL-2.0-or-later
"""callgrind_file.py: what Callgrind counted, from the file that it writes.

Wants a file with costs by instruction (--dump-instr=yes) in which the stubs of the linkage
table are code like any other (--skip-plt=no). Costs are Callgrind's own, "self": what it puts
under calls= belongs to the callee and is left out; their sum must be the file's totals.

A row is a place: object, function, file, line, and address as the object numbers it (code
outside of its .text, such as the stubs, has no object "???" and an address in memory).
"""
from collections import Counter, namedtuple
import re

import object_code

Place = namedtuple("Place", "object function file line address")
Callee = namedtuple("Callee", "object function")

NUMBERED = re.compile(r"\((\d+)\)(?: (.*))?$")
SPECIFICATION = re.compile(r"(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn|calls)=(.*)$")
COST = re.compile(r"(\*|[+-]?\w+) (\*|[+-]?\d+) (\d+)$")
HEAD = re.compile(r"#|(version|creator|pid|cmd|part|desc|positions|events|summary): ?")


class Reader:
    def __init__(self):
        self.cost = Counter()  # Place -> instructions
        self.calls = Counter() # Callee -> calls of it
        self.totals = None
        self.names = {}
        self.object = self.function = self.file = None
        self.address = self.line = 0
        self.callee = None
        self.is_inclusive = False

    def name(self, kind, text):
        """A name is written once, with a number, and by that number afterwards."""
        number, name = NUMBERED.match(text).groups()
        if name is not None:
            self.names[kind, number] = name
        return self.names[kind, number]

    def specify(self, key, value):
        if key == "ob":
            self.object = self.name("ob", value)
        elif key in ("fl", "fi", "fe"):
            self.file = self.name("fl", value)
        elif key == "fn":
            self.function = self.name("fn", value)
        elif key == "cob":
            self.callee = Callee(self.name("ob", value), None)
        elif key in ("cfi", "cfl"):
            self.name("fl", value)
        elif key == "cfn":
            # Without a line of its own the callee's object is the caller's.
            of = self.callee.object if self.callee else self.object
            self.callee = Callee(of, self.name("fn", value))
        else:
            self.calls[self.callee] += int(value.split()[0])
            self.callee = None
            self.is_inclusive = True

    def count(self, address, line, cost):
        self.address = position(address, self.address)
        self.line = position(line, self.line)
        if not self.is_inclusive:
            place = Place(self.object, self.function, self.file, self.line, self.address)
            self.cost[place] += int(cost)
        self.is_inclusive = False

    def read_line(self, text):
        if found := COST.match(text):
            self.count(*found.groups())
        elif found := SPECIFICATION.match(text):
            self.specify(*found.groups())
        elif text.startswith("totals: "):
            self.totals = int(text.split()[1])
        elif text and not HEAD.match(text):
            raise ValueError(f"not understood: {text}")


def position(text, last):
    if text == "*":
        return last
    return int(text, 0) + (last if text[0] in "+-" else 0)


def read(path):
    """(cost, calls) of the file."""
    reader = Reader()
    with open(path, encoding="utf-8", errors="surrogateescape") as lines:
        for text in lines:
            reader.read_line(text.rstrip("\n"))
    if sum(reader.cost.values()) != reader.totals:
        raise ValueError(f"{path}: the costs' sum is not its totals")
    return reader.cost, reader.calls


def read_objects(path):
    """[(base, real path)] of the program's objects in memory, ascending."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        found = [line.split(None, 2)[1:] for line in lines if line.startswith("object ")]
    return sorted((int(base, 16), object_code.of_root(name.strip())) for base, name in found)


def placed(cost, objects):
    """Callgrind's costs, those of code outside of any .text by the object they are in."""
    for place, count in cost.items():
        if place.object == object_code.UNNAMED:
            base, path = max((o for o in objects if o[0] <= place.address),
                             default=(0, place.object))
            place = place._replace(object=path, address=place.address - base)
        yield place._replace(object=object_code.of_root(place.object)), count
