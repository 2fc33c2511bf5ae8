# SPDX-License-Identifier: GPL-2.0-or-later
"""document_links.py: what a document refers to is there.

    document_links.py TOP OPTIONS DOCUMENT...

Of each Markdown document below TOP: every relative link leads to a file or folder, and to a
heading in it, if it names one; every option in inline code, `--like=this`, and every command,
`profmem like`, is in the file OPTIONS, which holds the help of all programs; with - for it these
are not looked at. Names what is not, with status 1.
"""

import os
import re
import sys


def prose_of(path):
    """Its text without fenced blocks."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"^```.*?^```$", "", file.read(), flags=re.M | re.S)


def anchors_of(path):
    """As GitHub makes them from headings; the second of a name ends in -1."""
    found = []
    for title in re.findall(r"^#+ +(.*)$", prose_of(path), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        again = sum(anchor == re.sub(r"-\d+$", "", other) for other in found)
        found.append(f"{anchor}-{again}" if again else anchor)
    return found


def broken_links(path):
    for link in re.findall(r"\]\(([^)\s]+)\)", prose_of(path)):
        if re.match(r"https?:", link):
            continue
        name, _, anchor = link.partition("#")
        target = os.path.join(os.path.dirname(path), name) if name else path
        if not os.path.exists(target):
            yield f"{link}: there is no such file"
        elif anchor and anchor not in anchors_of(target):
            yield f"{link}: there is no such heading"


def unknown_words(path, text):
    options = set(re.findall(r"--[a-z][a-z-]*", text))
    commands = set(re.findall(r"^Usage: profmem ([a-z]+)", text, re.M))
    for code in re.findall(r"`([^`]+)`", prose_of(path)):
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code):
            if option not in options:
                yield f"{option}: no program has this option"
        for command in re.findall(r"^profmem ([a-z]+)", code):
            if command not in commands:
                yield f"profmem {command}: there is no such command"


def main(top, options, *documents):
    known = None
    if options != "-":
        with open(options, encoding="utf-8") as file:
            known = file.read()
    wrong = 0
    for document in documents:
        path = os.path.join(top, document)
        for what in [*broken_links(path), *(unknown_words(path, known) if known else [])]:
            print(f"{document}: {what}")
            wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
