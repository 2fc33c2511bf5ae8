#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""copyright_agrees.py: compares debian/copyright with the licences that files name themselves.

   copyright_agrees.py SOURCES

Prints how many files there are of each licence, or those whose own line says another one than
debian/copyright does, or whom it forgets. Exit: 1 for such.
"""
from collections import Counter
from pathlib import Path
import re
import sys

from debian.copyright import Copyright

NAMES = {"GPL-2.0-or-later": "GPL-2+", "BSD-2-Clause": "BSD-2-Clause"}
OWN_LINE = re.compile(rb"SPDX-License-Identifier: ([\w.+-]+)")
# What is made in the source tree, distcheck's builds too, and is no part of a release.
MADE = {".git", "autom4te.cache", "target", "__pycache__"}
BUILDS = {"build", "_build", "_inst"}


def main():
    top = Path(sys.argv[1])
    with open(top / "debian/copyright", encoding="utf-8") as file:
        said = Copyright(file)
    counts, wrong = Counter(), []
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top)
        if MADE & set(name.parts) or name.parts[0] in BUILDS or not path.is_file():
            continue
        # In the first lines, where a comment can be.
        own = OWN_LINE.search(b"\n".join(path.read_bytes().split(b"\n")[:4]))
        paragraph = said.find_files_paragraph(str(name))
        if paragraph is None:
            wrong.append(f"{name}: not in debian/copyright")
        elif own:
            licence = own[1].decode()
            counts[licence] += 1
            if paragraph.license.synopsis != NAMES.get(licence):
                wrong.append(f"{name}: {licence}, but {paragraph.license.synopsis} there")
    if wrong:
        print("\n".join(wrong))
        return 1
    for licence, count in sorted(counts.items()):
        print(licence, count)
    return 0


sys.exit(main())
