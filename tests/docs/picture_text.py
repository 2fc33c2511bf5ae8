# SPDX-License-Identifier: GPL-2.0-or-later
"""picture_text.py: the text in docs/pictures/show.svg, for comparison with that of another run.

    picture_text.py PICTURE

Everything but what depends on the build of the C library and of the compiler: how many
instructions were executed, and in which functions of the library. A digit of the former is
printed as 0, and of the functions those of the program itself, by name, with their calls.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def lines_of(path):
    return ["".join(text.itertext()) for text in ElementTree.parse(path).iter(SVG + "text")]


def zeros(text):
    return re.sub(r"\d", "0", text)


def main(path):
    functions = []
    for line in lines_of(path):
        if line.startswith("functions of phase split"):
            functions.append(zeros(line))
        elif functions:
            row = re.search(r"([\d,]+)  ([a-z]\w*) +sum\b", line)
            functions += [" ".join(row.groups())] if row else []
        else:
            line = re.sub(r"^( +split(?: +[\d,]+){5})( +[\d,]+ +[\d,]+)",
                          lambda row: row[1] + zeros(row[2]), line)
            print(re.sub(r"^( +(?:[\d.]+ KiB +){4})([\d.]+%)",
                         lambda row: row[1] + zeros(row[2]), line))
    print("\n".join(functions[:1] + sorted(functions[1:])))


if __name__ == "__main__":
    main(sys.argv[1])
