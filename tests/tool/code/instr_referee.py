#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""instr_referee.py: does a report say how often each instruction was executed?

   instr_referee.py steps REPORT STEPS PROGRAM
   instr_referee.py callgrind REPORT CALLGRIND-FILE OBJECTS [MINIMUM]

A report of --instr=yes, of a whole process. Each address that it has must be the begin of an
instruction in objdump's text of the object whose path stands there (or one that the processor
executed, in the middle of another), and be one row (or several,
of different lines), in a function of which nm has a symbol there.

steps: STEPS is what `step -a` wrote of a static program. Every address that the processor
executed must be there with its executions and iterations, in the classes that objdump's text
says, and no other one. What ran outside of the program's file is one number: the instructions
without an address.

callgrind: Callgrind's cost of each address (callgrind_file.py says what the file must have)
must be equal, except that Callgrind counts n + 1 for a rep of n passes, and n for one that its
condition ended; that it takes the five instructions of a client request for one; and that it
does not know LOST_AT_END executions at the end of the process.
All differences are listed. Exit: 0 all equal; 1 some differ; 2 fewer than MINIMUM addresses
were compared.
"""
from collections import Counter, defaultdict
import os
import sys
import xml.etree.ElementTree as ElementTree

import callgrind_file
import object_code

LOST_AT_END = 7 if object_code.IS_ARM64 else 3
LISTED = 40 # differences, at most


class Report:
    """The instructions of the whole process."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        phase = root.find("phases/phase[@name='program']")
        if phase.find("instructions/others") is not None:
            raise ValueError("the report does not list all instructions")
        self.metrics = {m.get("name"): int(m.get("value") or 0) for m in phase.iterfind("metric")}
        named = {}
        for place in root.iterfind("instructions/object"):
            file = object_code.of_root(place.get("path", place.get("name")))
            named.update({i.get("id"): (file, i) for i in place})
        self.placed = defaultdict(lambda: defaultdict(Counter)) # file -> address -> numbers
        self.functions = defaultdict(set) # (file, address) -> names
        self.elsewhere = Counter()        # the numbers of instructions without an address
        lines = set()
        for row in phase.iterfind("instructions/instruction"):
            file, of = named[row.get("id")]
            numbers = {key: int(value) for key, value in row.items() if key != "id"}
            if of.get("address") is None:
                self.elsewhere.update(numbers)
                continue
            address = int(of.get("address"), 16)
            line = file, address, of.get("function"), of.get("file"), of.get("line")
            if line in lines:
                raise ValueError(f"listed twice: {line}")
            lines.add(line)
            self.placed[file][address].update(numbers)
            self.functions[file, address].add(of.get("function"))


def check_place(file, address, code, functions, names, differ):
    """Is it where an instruction begins, and in that function?"""
    if address not in code.classes:
        differ.append(f"{file}: {address:#x}: no instruction begins there")
    group = functions.of_address[address]
    for name in names - {object_code.UNNAMED}:
        if functions.of_name(name) != group:
            differ.append(f"{file}: {address:#x}: reported in {name}, nm has {group}")


def check_steps(report, steps, program, differ):
    with open(steps, encoding="ascii") as lines:
        ran = {int(address, 16): (int(executions), int(iterations))
               for address, executions, iterations in map(str.split, lines)}
    program = object_code.of_root(os.path.realpath(program))
    rows = report.placed.pop(program, {})
    if report.placed:
        differ.append(f"instructions of {', '.join(report.placed)}")
    addresses = ran.keys() | rows.keys()
    code = object_code.Instructions(program, addresses)
    functions = object_code.Functions(program, addresses)
    # Valgrind reads no symbols of a program whose file has no writable data.
    has_names = any(names != {object_code.UNNAMED} for names in report.functions.values())
    outside = Counter()
    for address in sorted(addresses):
        executions, iterations = ran.get(address, (0, 0))
        if address not in code.classes and address not in rows:
            outside["instructions"] += executions
            outside["rep-iterations"] += iterations
            continue
        if address in ran and address not in code.classes:
            # The program jumps into the middle of what objdump takes for an instruction.
            code.classes[address] = None
        names = report.functions[program, address]
        check_place(program, address, code, functions, names, differ)
        is_entry = has_names and address in functions.entries
        expected = {"instructions": executions, "rep-iterations": iterations,
                    "calls": executions if is_entry else 0}
        classes = code.classes.get(address, "")
        for name, letter in object_code.CLASSES.items() if classes is not None else ():
            expected[name] = executions if letter in classes else 0
        for what, wants in expected.items():
            has = rows.get(address, Counter())[what]
            if has != wants:
                differ.append(f"{address:#x}: {what}: reported {has}, executed {wants}")
    for what in ("instructions", "rep-iterations"):
        if report.elsewhere[what] != outside[what]:
            differ.append(f"outside: {what}: reported {report.elsewhere[what]}, "
                          f"executed {outside[what]}")
    return len(addresses)


def check_callgrind(report, counts, where, differ):
    costs = defaultdict(Counter)
    cost, _ = callgrind_file.read(counts)
    for place, count in callgrind_file.placed(cost, callgrind_file.read_objects(where)):
        costs[place.object][place.address] += count
    lost, by_condition, parts, compared = 0, 0, 0, 0
    for file in sorted(costs.keys() | report.placed.keys()):
        rows, addresses = report.placed[file], costs[file].keys() | report.placed[file].keys()
        code = object_code.Instructions(file, addresses)
        functions = object_code.Functions(file, addresses)
        of_requests = code.behind_requests()
        for address in sorted(addresses):
            compared += 1
            check_place(file, address, code, functions, report.functions[file, address], differ)
            numbers, wants = rows.get(address, Counter()), costs[file][address]
            excess = numbers["instructions"] + numbers["rep-iterations"] - wants
            if excess > 0 and code.repeated.get(address):
                by_condition += excess
            elif wants == 0 and address in of_requests:
                parts += numbers["instructions"]
            elif excess == 1 and lost < LOST_AT_END:
                lost += 1
            elif excess:
                differ.append(f"{file}: {address:#x}: reported {wants + excess}, Callgrind {wants}")
    for what, has, wants in (
            ("reps ended by their condition", report.metrics["instructions.rep-ended-by-condition"],
             by_condition),
            ("further instructions of client requests",
             len(object_code.REQUEST) * report.metrics["instructions.client-requests"], parts)):
        if has != wants:
            differ.append(f"{what}: {has} in the whole process, {wants} at all addresses")
    if report.elsewhere["instructions"]:
        differ.append(f"{report.elsewhere['instructions']} instructions without an address")
    print(f"{compared} addresses, {sum(map(sum, map(Counter.values, costs.values())))} executions, "
          f"{lost} more at the end")
    return compared


def main():
    report = Report(sys.argv[2])
    check = {"steps": check_steps, "callgrind": check_callgrind}[sys.argv[1]]
    minimum = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    differ = []
    compared = check(report, sys.argv[3], sys.argv[4], differ)
    for line in differ[:LISTED]:
        print(line)
    print(f"{compared} addresses compared, {len(differ)} differences")
    return 1 if differ else 2 if compared < minimum else 0


sys.exit(main())
