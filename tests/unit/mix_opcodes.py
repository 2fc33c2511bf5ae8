#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mix_opcodes.py: every opcode of x86-64 once in each form that can make a difference.

   mix_opcodes.py >opcodes.bin
   objdump -D -b binary -m i386:x86-64 opcodes.bin | grep '^ *[0-9a-f]*0:'

All opcode maps, legacy and VEX, with each mandatory prefix; ModRM with memory and with
registers, the same one twice, too. An instruction has 16 bytes for itself and starts there,
so that what is no instruction leaves the next one alone: the rest is one long nop.
"""
import sys

SLOT = 16
FILL = b"\x66" * SLOT + b"\x90"
PREFIXES = (b"", b"\x66", b"\xf3", b"\xf2")
# The address has an index, as gathers want it: the fill is its SIB byte, too. Registers are
# pairs of unlike ones, and of one with itself.
MEMORY = [reg << 3 | 4 for reg in range(8)]
ALL_REGISTERS = list(range(0xc0, 0x100))
SOME_REGISTERS = [0xc0 | reg << 3 | rm for reg in range(8) for rm in (reg, reg ^ 1)]
IS_PREFIX = frozenset([0x0f, 0x26, 0x2e, 0x36, 0x3e, *range(0x40, 0x50), *range(0x62, 0x68),
                       0x8f, 0xc4, 0xc5, 0xf0, 0xf2, 0xf3]) - {0x63}


def legacy():
    for prefix in PREFIXES:
        for rex in (b"", b"\x48"):
            for opcode in range(256):
                for modrm in MEMORY + (SOME_REGISTERS if rex else ALL_REGISTERS):
                    if opcode not in IS_PREFIX:
                        yield prefix + rex + bytes([opcode, modrm])
                    if opcode not in (0x38, 0x3a):
                        yield prefix + rex + bytes([0x0f, opcode, modrm])
                for modrm in MEMORY + SOME_REGISTERS:
                    yield prefix + rex + bytes([0x0f, 0x38, opcode, modrm])
                    yield prefix + rex + bytes([0x0f, 0x3a, opcode, modrm])
    for modrm in MEMORY: # pop; its other forms are a prefix, of XOP
        yield bytes([0x8f, modrm])


def vex():
    """W, the second source, the length and the prefix in the last byte; no R, X, B."""
    for opcode_map in (1, 2, 3):
        for opcode in range(256):
            for low in range(8):
                for high in (0x00, 0x80):
                    # One source is xmm0, or all that there are (1111 stands for none).
                    for source in (0x78, 0x70):
                        for modrm in MEMORY + [0xc0, 0xc1, 0xc8, 0xc9, 0xd1, 0xda, 0xfe]:
                            yield bytes([0xc4, 0xe0 | opcode_map, high | source | low,
                                         opcode, modrm])


def main():
    for code in (*legacy(), *vex()):
        sys.stdout.buffer.write(code + FILL[len(code) - SLOT:])


main()
