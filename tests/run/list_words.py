#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""list_words.py: random words, quoted by the rules of the list's description, and again.

    list_words.py SEED LIST WORDS

writes a LIST with a program of the name `words` that prints its arguments, a zero byte behind
each, and to WORDS what it is to print.
"""
import random
import sys

PLAIN = "abcXYZ019_-+=/.,:;*?$~!&|<>(){}[]'`^%@#\\é日\U0001f600"
SPECIAL = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(text, choose):
    out = []
    for character in text:
        if character in SPECIAL:
            out.append(SPECIAL[character])
        elif ord(character) > 127 and choose.random() < 0.3:
            out.append("\\u{%x}" % ord(character))
        else:
            out.append(character)
    return '"' + "".join(out) + '"'


def word(choose):
    """A word as it is written, and what it means: bare and quoted parts, side by side."""
    written, meaning = "", ""
    for _ in range(choose.randint(1, 4)):
        length = choose.randint(0, 6)
        if choose.random() < 0.5 and length:
            part = "".join(choose.choice(PLAIN) for _ in range(length))
            if not written and part[0] in "#'":
                part = "x" + part  # it would be a comment, or a mistake
            written += part
        else:
            part = "".join(choose.choice(PLAIN + ' \t\n\r"') for _ in range(length))
            written += quoted(part, choose)
        meaning += part
    return written or '""', meaning


def main():
    choose = random.Random(int(sys.argv[1]))
    words = [word(choose) for _ in range(300)]
    blanks = [choose.choice([" ", "  ", "\t", " \t "]) for _ in words]
    line = "words" + choose.choice([" ", "\t"]) + 'printf "%s\\\\0"'
    line += "".join(blank + written for blank, (written, _) in zip(blanks, words))
    with open(sys.argv[2], "w", encoding="utf-8", newline="") as out:
        out.write(choose.choice(["", "\ufeff"]) + "# a comment\n\n  \t\n" + line + "  # end"
                  + choose.choice(["", "\n", "\r\n"]))
    with open(sys.argv[3], "wb") as out:
        out.write(b"".join(meaning.encode() + b"\0" for _, meaning in words))


main()
