# SPDX-License-Identifier: GPL-2.0-or-later
"""object_code.py: which functions an object file has, and which instructions.

By binutils and nothing else: nm says which symbols cover an address, c++filt their names in
C++ and Rust, addr2line the source lines, objdump the instructions; ../../unit/mix_referee.py
judges its text. Symbols are also taken from the object's file of debug information, where that
is installed.

Where the tests run for another machine, PM_BINUTILS stands before the names of those programs,
and PM_ROOT is the folder with the files of that machine.
"""
import bisect
from collections import defaultdict
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "unit"))
import mix_referee

UNNAMED = "???"

# The report's names of the classes, and mix_referee's letters.
CLASSES = {"vector": "v", "scalar-float": "f", "load": "l", "store": "s", "branch": "b",
           "call": "c"}

# Valgrind's name for what runs before main, which are these.
BELOW_MAIN = "(below main)"
BELOW_MAIN_NAMES = re.compile(r"(__libc_start_main|__libc_start_call_main|_start)$")

SYMBOL = re.compile(r"([0-9a-f]+) ([0-9a-f]+) [tTwWiu] (\S+)$")
INSTRUCTION = re.compile(r" *([0-9a-f]+):\t([0-9a-f ]+?) *\t(.*)$")
IS_ARM64 = os.environ["PROFMEM_PLATFORM"].startswith("arm64")
DISASSEMBLE = ("objdump", "-dw") if IS_ARM64 else ("objdump", "-dw", "-M", "intel")
SOURCE = re.compile(r"(.*):(\d+|\?)(?: \(discriminator \d+\))?$")
# What valgrind.h writes before the last instruction of a request.
REQUEST = ("93cc0d8c", "93cc358c", "93cccd8c", "93ccf58c") if IS_ARM64 else \
    ("48 c1 c7 03", "48 c1 c7 0d", "48 c1 c7 3d", "48 c1 c7 33")
GOES_TO = re.compile(r"(?:j\w+|loop\w*|call|bl?|b\.\w\w|(?:cb|tb)n?z\s.*,)\s+([0-9a-f]+)\b")


def judge(code, text):
    """The letters of an instruction's classes."""
    of_machine = mix_referee.arm64 if IS_ARM64 else mix_referee.x86
    return of_machine(code, " ".join(text.split()))


def of_root(path):
    """Where a file of the machine is."""
    there = os.environ.get("PM_ROOT", "") + path
    return os.path.realpath(there if os.path.exists(there) else path)


def output_of(command, *arguments, given=None):
    """Of one of binutils."""
    command = (os.environ.get("PM_BINUTILS", "") + command, *arguments)
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout


def debug_file(path):
    """Where the distribution puts the symbols that it took out of the object."""
    found = re.search(r"Build ID: (..)([0-9a-f]+)", output_of("readelf", "-n", path))
    return of_root(f"/usr/lib/debug/.build-id/{found[1]}/{found[2]}.debug") if found else ""


def without_version(name):
    return name.split("@")[0]


class Functions:
    """The functions of an object at some of its addresses.

    Several names may stand for one piece of code. Names that have an address in common are
    one group, and so are the places of one name: what two tools count under any name of a
    group is comparable. An address that no symbol covers belongs to the group UNNAMED.
    """

    def __init__(self, path, addresses):
        self.name = os.path.basename(path) # of the object
        symbols = self.symbols(path)
        self.entries = {address for address, _, _ in symbols} # where a symbol starts
        covering = covered(symbols, sorted(addresses))
        shown = demangle({name for names in covering.values() for name in names})
        self.names = Groups()
        self.of_address = {} # its group
        for names in covering.values():
            self.names.unite(shown[name] for name in names)
        for address in addresses:
            names = covering.get(address)
            self.of_address[address] = self.names.group(shown[min(names)]) if names else UNNAMED

    @staticmethod
    def symbols(path):
        found = set()
        for source in filter(os.path.exists, (path, debug_file(path))):
            for table in ((), ("--dynamic",)):
                for line in output_of("nm", "--defined-only", "-S", *table, source).splitlines():
                    if symbol := SYMBOL.match(line):
                        start, size, name = symbol.groups()
                        found.add((int(start, 16), int(size, 16), without_version(name)))
        return found

    def of_name(self, name):
        """The group that a tool means by that name; None if it is no name here."""
        return UNNAMED if name == UNNAMED else self.names.group(without_version(name))


class Groups:
    """Names of which some stand for the same."""

    def __init__(self):
        self.parent = {}

    def group(self, name):
        while (parent := self.parent.get(name)) not in (name, None):
            name = parent
        return parent

    def unite(self, names):
        names = sorted(names)
        if any(BELOW_MAIN_NAMES.match(name) for name in names):
            names.append(BELOW_MAIN)
        for name in names:
            self.parent.setdefault(name, name)
            self.parent[self.group(name)] = self.group(names[0])

    def of_several_names(self):
        members = defaultdict(list)
        for name in self.parent:
            members[self.group(name)].append(name)
        return {group: names for group, names in members.items() if len(names) > 1}


def covered(symbols, addresses):
    """address -> names of the symbols that cover it."""
    covering = defaultdict(set)
    for start, size, name in symbols:
        at = bisect.bisect_left(addresses, start)
        while at < len(addresses) and addresses[at] < start + size:
            covering[addresses[at]].add(name)
            at += 1
    return covering


def demangle(names):
    names = sorted(names)
    shown = output_of("c++filt", "-i", given="".join(name + "\n" for name in names))
    return dict(zip(names, shown.splitlines()))


def source_lines(path, addresses):
    """address -> (file, line) by addr2line; line 0 where the object says none."""
    addresses = sorted(addresses)
    lines = output_of("addr2line", "-e", path, given="".join(f"{a:x}\n" for a in addresses))
    found = (SOURCE.match(line) for line in lines.splitlines())
    return {address: (line[1], int(line[2].replace("?", "0")))
            for address, line in zip(addresses, found)}


class Instructions:
    """What objdump says of an object's instructions at some of its addresses."""

    def __init__(self, path, addresses):
        self.classes = {}    # address -> letters of mix_referee
        self.code = {}       # address -> bytes, as objdump writes them
        self.next = {}       # address -> that of the instruction after it
        self.repeated = {}   # address of a rep -> can its condition end it?
        self.targets = set() # where some jump or call of the object goes
        addresses = set(addresses)
        waiting = None
        for line in output_of(*DISASSEMBLE, path).splitlines():
            found = INSTRUCTION.match(line)
            if not found:
                continue
            address, code, text = int(found[1], 16), found[2], found[3]
            if waiting is not None:
                self.next[waiting] = address
                waiting = None
            if goes := GOES_TO.match(text):
                self.targets.add(int(goes[1], 16))
            if address in addresses:
                self.classes[address] = judge(code, text)
                self.code[address] = code
                if self.classes[address] is None:
                    raise ValueError(f"{path}: executed, and not judged: {line}")
                waiting = address
                if re.match(r"rep(n?[ze])? (?!ret)", text):
                    self.repeated[address] = bool(re.search(r"(cmps|scas)", text))

    def behind_requests(self):
        """The addresses of the four instructions behind the first one of a client request."""
        behind = set()
        for address in self.code:
            parts = [address]
            while parts[-1] in self.next and len(parts) <= len(REQUEST):
                parts.append(self.next[parts[-1]])
            if tuple(self.code.get(part) for part in parts[:len(REQUEST)]) == REQUEST:
                behind.update(parts[1:])
        return behind
