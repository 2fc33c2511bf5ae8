#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""instruction_classes.py: does the document of the classes say what the core does?

   instruction_classes.py DOCUMENT MIX_DECODE

Reads the tables of docs/instruction-classes.md as a person would: an instruction has the
classes of the row that it is in, and none if there is no such row. Then the core is asked for
every opcode with each prefix, reg field, kind of operand and mode, legacy and VEX, and for
random instructions of arm64 of each row and of none. All that differ are listed.
Exit: 0 if all agree, 1 if some differ, 2 if there was too little to compare.
"""
import random
import re
import subprocess
import sys

LETTERS = {"vector": "v", "scalar-float": "f", "load": "l", "store": "s", "branch": "b",
           "call": "c", "syscall": "y"}
PREFIXES = {"none": "", "66": "66", "F3": "f3", "F2": "f2"}
MAPS = {"": "", "0F": "0f", "0F 38": "0f 38", "0F 3A": "0f 3a"}
NOT_OPCODES = {0x0f, 0x26, 0x2e, 0x36, 0x3e, 0x62, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3}
REX, VEX, X87 = range(0x40, 0x50), (0xc4, 0xc5), range(0xd8, 0xe0)
ENOUGH = 150000


def classes(text):
    return frozenset() if text == "none" else frozenset(LETTERS[word] for word in text.split(", "))


def numbers(text, base):
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first, base), int(last or first, base) + 1)
    return found


class Document:
    """What the rows say."""

    def __init__(self, text):
        self.x86 = {}    # (map, opcode, prefix, reg): always, of one register, with memory
        self.x87 = {}    # (opcode, ModRM): classes
        self.arm64 = []  # fits(word), classes; in order
        self.int = {}    # number: classes
        for line in text.splitlines():
            self.read(line)

    def read(self, line):
        interrupt = re.match(r"And `CD ([0-9A-F,-]+)`, .*: ([a-z, -]+)\.", line)
        if interrupt:
            for number in numbers(interrupt[1], 16):
                self.int[number] = classes(interrupt[2])
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| `"):
            return
        if len(cells) == 5:
            self.read_x86(*cells)
        elif len(cells) == 4:
            self.read_x87(*cells)
        else:
            self.read_arm64(*cells)

    def read_x86(self, where, prefix, _, always, more):
        opcode_map, opcodes, regs = re.fullmatch(
            r"`(0F 3[8A]|0F)? ?([0-9A-F,-]+)(?: /([0-7,-]+))?`", where).groups()
        wanted = ["none"] if opcode_map is None else \
            PREFIXES if prefix == "any" else prefix.split()
        always, _, same = always.partition("; of one register: ")
        for opcode in numbers(opcodes, 16):
            for one_prefix in wanted:
                for reg in numbers(regs or "0-7", 10):
                    key = (opcode_map or "", opcode, one_prefix, reg)
                    assert key not in self.x86, key
                    self.x86[key] = (classes(always), classes(same or always),
                                     classes(always) | classes(more))

    def read_x87(self, where, operand, _, found):
        opcode, modrms = re.fullmatch(r"`(D[89A-F]) /?([0-9A-F,-]+)`", where).groups()
        for number in numbers(modrms, 10 if operand == "memory" else 16):
            modrm = number << 3 if operand == "memory" else number
            self.x87[int(opcode, 16), modrm] = classes(found)

    def read_arm64(self, bits, _, found):
        bits = bits.strip("`").replace(" ", "")
        found, condition, _ = found.partition(", if both sources are one register")
        mask = int(bits.translate(str.maketrans("01x", "110")), 2)
        value = int(bits.replace("x", "0"), 2)
        self.arm64.append((mask, value, bool(condition), classes(found)))

    def of_x86(self, opcode_map, opcode, prefix, modrm):
        found = self.x86.get((opcode_map, opcode, prefix, modrm >> 3 & 7))
        if not found:
            return frozenset()
        kind = 2 if modrm < 0xc0 else 1 if modrm >> 3 & 7 == modrm & 7 else 0
        return found[kind]

    def of_x87(self, opcode, modrm):
        return self.x87.get((opcode, modrm if modrm >= 0xc0 else modrm & 0x38), frozenset())

    def of_arm64(self, word):
        for mask, value, is_same, found in self.arm64:
            if word & mask == value and (not is_same or word >> 5 & 31 == word >> 16 & 31):
                return found
        return frozenset()


# --- What to ask -----------------------------------------------------------------------

def modrms():
    """Each reg with two kinds of address, with another register and with itself."""
    for reg in range(8):
        yield from (reg << 3, 0x80 | reg << 3 | 5, 0xc0 | reg << 3 | (reg + 3) % 8,
                    0xc0 | reg << 3 | reg)


def one_byte(document, is_64):
    """Prefixes change nothing here, REX among them."""
    for opcode in sorted(set(range(256)) - NOT_OPCODES - set(X87) - {0xcd}):
        if is_64 and (opcode in REX or opcode in VEX):
            continue
        for modrm in modrms():
            if opcode in VEX and modrm >= 0xc0:
                continue
            for prefix in ("", "66 ", "f3 ", "f2 ", "f0 ", "64 ", *(("48 ",) if is_64 else ())):
                yield (f"{prefix}{opcode:02x} {modrm:02x} 00 00 00",
                       document.of_x86("", opcode, "none", modrm))
    for opcode in X87:
        for modrm in range(256):
            yield f"{opcode:02x} {modrm:02x} 00", document.of_x87(opcode, modrm)
    for number in range(256):
        yield f"cd {number:02x}", document.int.get(number, frozenset())


def with_map(document):
    for at, (opcode_map, escape) in enumerate(MAPS.items()):
        for opcode in range(256) if at else ():
            if opcode_map == "0F" and opcode in (0x38, 0x3a):
                continue
            for p, (prefix, byte) in enumerate(PREFIXES.items()):
                for modrm in modrms():
                    found = document.of_x86(opcode_map, opcode, prefix, modrm)
                    tail = f"{opcode:02x} {modrm:02x} 00 00 00 00 00"
                    yield f"{byte} {escape} {tail}".strip(), found
                    # The second source is the register that the last three bits name.
                    same = modrm >= 0xc0 and (modrm >> 3 & 7) == (modrm & 7)
                    source = modrm & 7 if same else (modrm + 1) % 8
                    last = (~source & 15) << 3 | p
                    yield f"c4 {0xe0 | at:02x} {last:02x} {tail}", found


def arm64(document):
    randomness = random.Random(1)
    for mask, value, is_same, _ in document.arm64:
        for _ in range(300):
            word = randomness.getrandbits(32) & ~mask | value
            if is_same:
                word = word & ~(31 << 16) | (word >> 5 & 31) << 16
            yield f"{word:08x}", document.of_arm64(word)
    for _ in range(50000):
        word = randomness.getrandbits(32)
        yield f"{word:08x}", document.of_arm64(word)


def main():
    path, decode = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        document = Document(file.read())
    compared = different = 0
    for machine, questions in (("x86-64", [*one_byte(document, True), *with_map(document)]),
                               ("i386", [*one_byte(document, False)]),
                               ("arm64", [*arm64(document)])):
        lines = "".join(f"\t{code} \t\n" for code, _ in questions)
        answers = subprocess.run([decode, machine], input=lines, text=True, check=True,
                                 stdout=subprocess.PIPE).stdout.splitlines()
        for (code, expected), answer in zip(questions, answers, strict=True):
            found = frozenset(answer.split("\t")[0]) - {"-"}
            compared += 1
            if found != expected:
                different += 1
                if different <= 20:
                    print(f"{machine} {code}: core {''.join(sorted(found)) or '-'}, "
                          f"document {''.join(sorted(expected)) or '-'}")
    print(f"{compared} compared, {different} differ")
    if compared < ENOUGH or not document.x87 or len(document.arm64) < 50:
        sys.exit(2)
    sys.exit(different > 0)


main()
