#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""arm64_full.py: what a run of all tests of the tool on arm64 said, as a page of docs/.

   arm64_full.py LACKS <RESULTS >PAGE

RESULTS are the lines of arm64.sh: TAP, each point `arm64: FILE NUMBER NAME`. LACKS is lacks.txt.
Exit: 0, or 1 if a test has failed.
"""
from collections import Counter, defaultdict
import re
import sys

POINT = re.compile(r"(ok|not ok) \d+ - arm64: (\S+) (?:\d+ )?(.*?)(?: # SKIP (.*))?$")


def main():
    counts, skipped, failed = defaultdict(Counter), defaultdict(Counter), []
    for line in sys.stdin:
        found = POINT.match(line.rstrip("\n"))
        if not found or found[2] == "builds":
            continue
        result, file, name, why = found.groups()
        if result == "not ok":
            counts[file]["failed"] += 1
            failed.append(f"{file}: {name}")
        elif why is not None:
            counts[file]["skipped"] += 1
            skipped[why.split(": ", 1)[-1]][file] += 1
        else:
            counts[file]["passed"] += 1
    total = sum(counts.values(), Counter())
    print("# The tests of the tool on arm64\n")
    print("The last result of `make arm64-full`: the tests of the tool and of its core on arm64,")
    print("with Debian's package of Valgrind for it, under qemu's user emulation, with all their")
    print("numbers of operations. `./setup check` runs the same tests with fewer.\n")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped.\n")
    print("| tests | passed | failed | skipped |\n| --- | ---: | ---: | ---: |")
    for file in sorted(counts):
        print(f"| {file} | {counts[file]['passed']} | {counts[file]['failed']} "
              f"| {counts[file]['skipped']} |")
    if failed:
        print("\nFailed:\n")
        print("\n".join(f"- {name}" for name in failed))
    print("\n## What is not tested there, and why\n")
    print("| why | tests |\n| --- | --- |")
    for why in sorted(skipped):
        print(f"| {why} | {', '.join(sorted(skipped[why]))} |")
    print("\n`tests/platforms/lacks.txt` is the table of reasons. In place of single-stepping, the")
    print("emulator executes instructions singly and logs their addresses:")
    print("`tests/platforms/qemu_step.py`.")
    with open(sys.argv[1], encoding="utf-8") as table:
        known = {line.rstrip("\n").split("\t")[2] for line in table if "\t" in line}
    for why in skipped.keys() - known:
        print(f"arm64_full.py: not in {sys.argv[1]}: {why}", file=sys.stderr)
    return 1 if failed or not total["passed"] else 0


sys.exit(main())
