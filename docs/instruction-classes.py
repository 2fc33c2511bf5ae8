#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""instruction-classes.py: prints docs/instruction-classes.md.

   instruction-classes.py TOP MIX_DECODE     (make update-instruction-classes)

TOP is the source tree, MIX_DECODE the program of tests/unit that prints the classes of
instructions as the core decides them. The definitions are those of pm_mix.h, word by word.
For x86 the core is asked for every opcode in each form that makes a difference, and objdump
for its name; neighbours of one kind share a row. For arm64 the rows are those of the core's
own table, whose comments name the instructions.
"""
import itertools
import os
import re
import subprocess
import sys
import tempfile

CLASSES = {"v": "vector", "f": "scalar-float", "l": "load", "s": "store", "b": "branch",
           "c": "call", "y": "syscall"}
NONE = frozenset()
SLOT = 16
FILL = b"\x66" * SLOT + b"\x90"
PREFIXES = {"none": b"", "66": b"\x66", "F3": b"\xf3", "F2": b"\xf2"}
VEX_PREFIX = {"none": 0, "66": 1, "F3": 2, "F2": 3}
MAPS = {"": b"", "0F": b"\x0f", "0F 38": b"\x0f\x38", "0F 3A": b"\x0f\x3a"}
VEX_MAP = {"0F": 1, "0F 38": 2, "0F 3A": 3}
NO_OPCODES = {"": [0x0f, 0x26, 0x2e, 0x36, 0x3e, 0x62, *range(0x64, 0x68), 0xf0, 0xf2, 0xf3],
              "0F": [0x38, 0x3a], "0F 38": [], "0F 3A": []}
ONLY_32 = [*range(0x40, 0x50), 0xc4, 0xc5]  # in 64 bits these are prefixes
MEMORY_ONLY = [0xc4, 0xc5]  # with registers these are prefixes in 32 bits, too
X87 = range(0xd8, 0xe0)
FORMS = ("unlike", "same", "memory")  # registers, one register twice, a register and memory
PREFIX_WORD = re.compile(r"(rep(n?[ze])?|lock|bnd|notrack|xacquire|xrelease|data(16|32)|"
                         r"addr(16|32)|[cdefgs]s|rex(\.W?R?X?B?)?|[{]vex3?[}]) ")


# --- Asking the core and objdump -------------------------------------------------------

class Codes:
    """Instructions to ask for, all at once, by any key."""

    def __init__(self, decode):
        self.decode = decode
        self.codes = {"x86-64": {}, "i386": {}}
        self.classes, self.names = {}, {}

    def add(self, key, code, machine="x86-64"):
        self.codes[machine][key] = code + FILL[len(code) - SLOT:]

    def ask(self):
        for machine, codes in self.codes.items():
            lines = "".join(f"\t{code.hex(' ')} \t\n" for code in codes.values())
            found = subprocess.run([self.decode, machine], input=lines, text=True, check=True,
                                   stdout=subprocess.PIPE).stdout.splitlines()
            for key, line in zip(codes, found, strict=True):
                self.classes[key] = frozenset(line.split("\t")[0]) - {"-"}
            keys = list(codes)
            for at, name in disassemble(machine, b"".join(codes.values())):
                self.names[keys[at]] = name


def disassemble(machine, code):
    """The place and the name of each instruction; of bytes that are none nothing."""
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        file.write(code)
        file.flush()
        architecture = "i386:x86-64" if machine == "x86-64" else machine
        listing = subprocess.run(
            ["objdump", "-D", "-b", "binary", "-m", architecture, "-M", "intel", "-w",
             "--no-show-raw-insn", file.name],
            text=True, check=True, stdout=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}).stdout
    for line in listing.splitlines():
        match = re.match(r" *([0-9a-f]+):\t(.*)", line)
        if not match or int(match[1], 16) % SLOT:
            continue
        text = match[2].strip() + " "
        while PREFIX_WORD.match(text):
            text = PREFIX_WORD.sub("", text, count=1)
        if text.strip() and "(bad)" not in text and not text.startswith("."):
            yield int(match[1], 16) // SLOT, text.split()[0].split("(")[0]


# --- x86 -------------------------------------------------------------------------------

def forms(reg):
    """ModRM with that reg field, by what its operand is."""
    return {"memory": bytes([reg << 3 | 4]), "unlike": bytes([0xc0 | reg << 3 | reg ^ 1]),
            "same": bytes([0xc0 | reg << 3 | reg])}


def opcodes(opcode_map):
    return (op for op in range(256) if op not in NO_OPCODES[opcode_map]
            and not (opcode_map == "" and op in X87))


def add_map(codes, opcode_map):
    for opcode, prefix, reg in itertools.product(opcodes(opcode_map), PREFIXES, range(8)):
        for form, modrm in forms(reg).items():
            if opcode_map == "" and opcode in MEMORY_ONLY and form != "memory":
                continue
            key = (opcode_map, opcode, prefix, reg, form)
            code = PREFIXES[prefix] + MAPS[opcode_map] + bytes([opcode]) + modrm
            if opcode_map != "" or opcode not in ONLY_32:
                codes.add(key, code)
            if opcode_map == "":
                codes.add(("32", *key), code, "i386")
            else:
                for wide, long in itertools.product((0, 0x80), (0, 4)):
                    vex = bytes([0xc4, 0xe0 | VEX_MAP[opcode_map],
                                 wide | 0x78 | long | VEX_PREFIX[prefix], opcode])
                    codes.add(("vex", wide, long, *key), vex + modrm)


def add_x87(codes):
    for opcode, modrm in itertools.product(X87, [*range(0, 0x40, 8), *range(0xc0, 0x100)]):
        low = 4 if modrm < 0xc0 else 0
        codes.add(("x87", opcode, modrm), bytes([opcode, modrm | low]))


def modes(key):
    """The key in the modes in which there is such an opcode, the wider one first."""
    if key[0] == "":
        return [("32", *key)] if key[1] in ONLY_32 else [key, ("32", *key)]
    return [key]


def cell(codes, key):
    """Classes with unlike registers, with one register twice, with memory."""
    result = set()
    for mode in modes(key):
        result.add(tuple(codes.classes.get(mode + (form,), NONE) for form in FORMS))
    assert len(result) == 1, key
    return result.pop()


def names_of(codes, key):
    """Those of the forms that are in a class: in 64 bits, else in 32, else as VEX encodes."""
    keys = [key + (form,) for form, classes in zip(FORMS, cell(codes, key)) if classes]
    found = [codes.names.get(key) for key in keys]
    if not any(found):
        found = [codes.names.get(("32", *key)) for key in keys]
    if not any(found):
        found = [codes.names.get(("vex", wide, long, *key))
                 for key in keys for wide in (0, 0x80) for long in (0, 4)]
    return [name for name in found if name]


def names_of_row(codes, opcode_map, opcode, prefixes, regs):
    """Without those that only add a prefix's width to another: pushw is push."""
    names = unique(name for prefix in prefixes for reg in regs
                   for name in names_of(codes, (opcode_map, opcode, prefix, reg)))
    if not names:
        raise SystemExit(f"objdump has no name for {opcode_map} {opcode:02x} {prefixes} {regs}")
    return [name for name in names if not (name.endswith("w") and name[:-1] in names)]


def is_32_only(codes, key):
    return key[0] == "" and not any(codes.names.get(key + (form,)) for form in FORMS)


def unique(items):
    return list(dict.fromkeys(items))


def equal_groups(items, value):
    """Items of equal value that is not nothing, in the order of their first."""
    groups = {}
    for item in items:
        groups.setdefault(value(item), []).append(item)
    return [(group, found) for found, group in groups.items() if found != (NONE,) * len(found)]


def rows_of_opcode(codes, opcode_map, opcode):
    """Pairs of what may be shared with a neighbour, and names."""
    def all_cells(prefix):
        return tuple(cell(codes, (opcode_map, opcode, prefix, reg)) for reg in range(8))
    rows = []
    by_prefix = {}
    for prefix in PREFIXES:
        by_prefix.setdefault(all_cells(prefix), []).append(prefix)
    for cells, prefixes in by_prefix.items():
        for regs, found in equal_groups(range(8), lambda reg, cells=cells: cells[reg]):
            is_32 = all(is_32_only(codes, (opcode_map, opcode, prefix, reg))
                        for prefix in prefixes for reg in regs)
            kind = (tuple(prefixes), tuple(regs), found, "32 bits" if is_32 else "")
            rows.append((kind, names_of_row(codes, opcode_map, opcode, prefixes, regs)))
    return rows


def rows_of_map(codes, opcode_map):
    """Opcodes from first to last, and their rows; neighbours of one kind are together."""
    result = []
    for opcode in opcodes(opcode_map):
        rows = rows_of_opcode(codes, opcode_map, opcode)
        kinds = [kind for kind, _ in rows]
        if not rows:
            continue
        if len(rows) == 1 and result and result[-1][1] == opcode - 1 and result[-1][2] == kinds:
            result[-1][1] = opcode
            result[-1][3][0] = unique(result[-1][3][0] + rows[0][1])
        else:
            result.append([opcode, opcode, kinds, [names for _, names in rows]])
    return result


# --- Printing --------------------------------------------------------------------------

def words(classes):
    return ", ".join(CLASSES[c] for c in CLASSES if c in classes) or "none"


def ranges(numbers, form):
    parts, numbers = [], list(numbers)
    while numbers:
        first = last = numbers.pop(0)
        while numbers and numbers[0] == last + 1:
            last = numbers.pop(0)
        parts.append(form.format(first) + (f"-{form.format(last)}" if last > first else ""))
    return ",".join(parts)


def print_table(titles, rows):
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def always_and_memory(found):
    unlike, same, memory = found
    always = words(unlike)
    if same != unlike:
        always += f"; of one register: {words(same)}"
    more = memory - unlike
    assert unlike <= memory
    return always, words(more)


def print_map(codes, opcode_map, title):
    print(f"### {title}\n")
    rows = []
    for first, last, kinds, names in rows_of_map(codes, opcode_map):
        for (prefixes, regs, found, mode), row_names in zip(kinds, names, strict=True):
            opcode = f"{opcode_map} {ranges(range(first, last + 1), '{:02X}')}".strip()
            if len(regs) < 8:
                opcode += f" /{ranges(regs, '{}')}"
            prefix = "any" if len(prefixes) == len(PREFIXES) else " ".join(prefixes)
            rows.append([f"`{opcode}`", *([prefix] if opcode_map else [mode]),
                         ", ".join(row_names), *always_and_memory(found)])
    print_table(["opcode", "prefix" if opcode_map else "only in", "instructions", "always",
                 "with memory, also"], rows)


def print_x87(codes):
    print("### x87\n")
    rows = []
    for opcode in X87:
        for kind, modrms in (("memory", range(0, 0x40, 8)), ("register", range(0xc0, 0x100))):
            groups = {}
            for modrm in modrms:
                groups.setdefault(codes.classes[("x87", opcode, modrm)], []).append(modrm)
            for classes, group in groups.items():
                where = f"/{ranges([m >> 3 for m in group], '{}')}" if kind == "memory" \
                    else ranges(group, "{:02X}")
                names = unique(codes.names[key] for key in (("x87", opcode, m) for m in group)
                               if key in codes.names)
                if not names:
                    continue
                rows.append([f"`{opcode:02X} {where}`", kind, ", ".join(names), words(classes)])
    print_table(["opcode", "operand", "instructions", "classes"], rows)


def arm64_rows(source):
    """Headings, and rows of the table `patterns`."""
    table = re.search(r"patterns\[\] = \{\n(.*?)\n\};", source, re.S)[1]
    letters = {"V": "v", "F": "f", "L": "l", "S": "s", "B": "b", "C": "c", "Y": "y"}
    for line in table.splitlines():
        heading = re.fullmatch(r" *\/\* (.*?)\.? \*\/", line)
        row = re.fullmatch(r" *\{(0x[0-9a-f]{8}), (0x[0-9a-f]{8}), ([A-Z|0]+)\},"
                           r"(?: *\/\* (.*) \*\/)?", line)
        if row:
            mask, value, classes = int(row[1], 16), int(row[2], 16), row[3].split("|")
            bits = "".join(("1" if value >> bit & 1 else "0") if mask >> bit & 1 else "x"
                           for bit in range(31, -1, -1))
            yield bits, frozenset(letters[c] for c in classes if c in letters), \
                "SAME" in classes, row[4] or ""
        elif heading:
            yield heading[1]
        elif line.strip():
            raise SystemExit(f"pm_mix_arm64.c: not understood: {line}")


def print_arm64(source):
    """A row without a name is like the one before it, or what its heading lists."""
    groups = []
    for row in arm64_rows(source):
        if isinstance(row, str):
            groups.append((row, []))
            continue
        bits, classes, is_same, names = row
        heading, rows = groups[-1]
        names = names or (rows[-1][1] if rows else heading.partition(": ")[2] or "all others")
        spaced = " ".join(bits[i:i + 8] for i in range(0, 32, 8))
        text = words(classes) + (", if both sources are one register" if is_same else "")
        rows.append([f"`{spaced}`", names, text])
    for heading, rows in groups:
        print(f"### {heading}\n")
        print_table(["bits", "instructions", "classes"], rows)


def definitions(header):
    text = header[header.index(" * Classes overlap"):header.index(" */\n#ifndef")]
    return re.sub(r"(?m)^ \* ?", "", text)


INTRODUCTION = """# The classes of instructions

What the metrics instructions.vector, instructions.scalar-float, instructions.load,
instructions.store, instructions.branch and instructions.call count, and the attributes of
functions and source lines that have the same names. syscalls.count is a count of calls to the
system, not of these instructions. `profmem help classes` prints the definitions:

```text
"""

TABLES = """```

The tables below are those by which the tool decides, with the names that GNU objdump gives to
the instructions. What is in none of them is in no class. This page is made by
`make update-instruction-classes`; a test fails when it says other than the tool does.

## x86: amd64-linux and x86-linux

An instruction is found by its map, which is what stands before the opcode (nothing, 0F, 0F 38
or 0F 3A), its mandatory prefix and the opcode itself, by `/0` to `/7` together with the reg
field of the byte behind it. VEX encodings are found in the same tables, by the map and the prefix
that they name. Other prefixes (rep, lock, segments, sizes, REX) change nothing. Columns: the
classes of the instruction whatever its operands are, and those that it has besides if the
operand that may be in memory is there. "Of one register" are instructions whose two sources are
the same register, which makes zero of it. Instructions of x87 have a table of their own.

"""


def main():
    top, decode = sys.argv[1:]
    with open(os.path.join(top, "valgrind-tool/core/pm_mix.h"), encoding="utf-8") as file:
        header = file.read()
    with open(os.path.join(top, "valgrind-tool/core/pm_mix_arm64.c"), encoding="utf-8") as file:
        arm64 = file.read()
    codes = Codes(decode)
    for opcode_map in MAPS:
        add_map(codes, opcode_map)
    add_x87(codes)
    for number in range(256):
        codes.add(("int", number), bytes([0xcd, number]))
    codes.ask()
    print(INTRODUCTION + definitions(header) + TABLES, end="")
    print_map(codes, "", "Opcodes of one byte")
    numbers = [n for n in range(256) if codes.classes[("int", n)]]
    print(f"And `CD {ranges(numbers, '{:02X}')}`, int 0x80: "
          f"{words(codes.classes[('int', 0x80)])}. Other numbers are in no class.\n")
    for opcode_map in VEX_MAP:
        print_map(codes, opcode_map, f"Opcodes behind {opcode_map}")
    print_x87(codes)
    print("## arm64: arm64-linux\n")
    print("The first row that fits the 32 bits of an instruction has its classes; an x stands for\n"
          "either bit.\n")
    print_arm64(arm64)


main()
