#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""limits_model.py: every form of limit, against arithmetic without any limit of size.

    limits_model.py bounds PROFMEM FOLDER
    limits_model.py wildcards PROFMEM FOLDER
    limits_model.py grammar PROFMEM FOLDER

bounds: a report and a baseline with a phase for each case, and a limits file with a line
for each, so that one run of `profmem check` decides thousands; its JUnit output is held
against the model here: Python's integers and fractions, the meaning of each form written
down as it is documented. Values stand at each bound, one and two to either side, as far as
64 bits reach.

wildcards: random patterns over random names, against regular expressions.

grammar: random lines, correct ones with and without something changed in them, against the
grammar of docs/profmem-limits-format.md as a regular expression.

Prints the number of cases, or what differs, with status 1.
"""

import math
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from xml.sax.saxutils import quoteattr

UNSIGNED = (0, 2**64 - 1)
SIGNED = (-(2**63), 2**63 - 1)
METRICS = {"heap.peak": ("bytes", UNSIGNED), "instructions.total": ("instructions", UNSIGNED),
           "heap.resized": ("bytes", SIGNED)}
UNITS = {"": 1, "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20,
         "GiB": 2**30, "k": 10**3, "M": 10**6, "G": 10**9}
OF_BYTES = ("B", "kB", "MB", "GB", "KiB", "MiB", "GiB")

NUMBERS = ["0", "1", "2", "1000", "1023", "1024", "9007199254740993", "9223372036854775807",
           "9223372036854775808", "18446744073709551614", "18446744073709551615", "1KiB",
           "1.5KiB", "0.5MiB", "1.25MiB", "3GiB", "17179869183GiB", "1kB", "2.5MB", "1.001GB",
           "64B", "1k", "1.5k", "10M", "0.000001M", "7G", "18446744073.709551615G"]
SIGNED_NUMBERS = ["-1", "-24", "-1.5KiB", "-9223372036854775807", "-9223372036854775808"]
BASELINES = [0, 1, 2, 3, 7, 99, 100, 199, 200, 201, 1000, 2**32, 2**53 - 1, 2**53, 2**53 + 1,
             2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]
SIGNED_BASELINES = [-(2**63), -(2**63) + 1, -1000, -201, -200, -1, 0, 1, 200, 1000, 2**63 - 1]
AMOUNTS = ["0", "1", "1000", "64KiB", "1.5k", "18446744073709551615"]
PERCENTAGES = ["0%", "0.5%", "1%", "33.333333333%", "100%", "150%", "0.000000001%",
               "99.999999999%", "1000000000%"]


def number(text):
    digits, unit = re.fullmatch(r"(-?[0-9.]+)([A-Za-z]*)", text).groups()
    return Fraction(digits) * UNITS[unit]


def size(text, baseline):
    """What is added to the baseline."""
    if text.endswith("%"):
        return abs(baseline) * Fraction(text[:-1]) / 100
    return number(text)


def of_bytes(text):
    return any(text.endswith(unit) for unit in OF_BYTES)


HOLDS = {"<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "=": lambda a, b: a == b}


def forms(baseline):
    """Each form as text, its relation, and the number it is held against."""
    for text in NUMBERS + SIGNED_NUMBERS:
        for relation in HOLDS:
            yield f"{relation} {text}", relation, number(text)
            yield f"{relation}{text}", relation, number(text)
    for relation in HOLDS:
        yield f"{relation} baseline", relation, Fraction(baseline)
    for text in AMOUNTS + PERCENTAGES:
        step = size(text, baseline)
        yield f"+{text}", "<=", baseline + step
        for relation in ("<=", ">="):
            yield f"{relation} baseline+{text}", relation, baseline + step
            yield f"{relation} baseline-{text}", relation, baseline - step
    for percentage in PERCENTAGES:
        for amount in AMOUNTS:
            larger = max(size(percentage, baseline), size(amount, baseline))
            yield f"max(+{percentage}, +{amount})", "<=", baseline + larger
            yield f"max( +{amount},+{percentage} ,+0 )", "<=", baseline + larger


def cases():
    """(metric, limit's text, baseline, value, holds)"""
    for metric, (unit, (least, most)) in METRICS.items():
        baselines = SIGNED_BASELINES if least < 0 else BASELINES
        seen = set()
        for baseline in baselines:
            for text, relation, bound in forms(baseline):
                if of_bytes(text.rstrip(" )")) and unit != "bytes":
                    continue
                if unit != "bytes" and "KiB" in text:
                    continue
                is_absolute = "baseline" not in text and text[0] not in "+m"
                if is_absolute and not least <= bound <= most:
                    continue
                around = {math.floor(bound) - 1, math.floor(bound), math.ceil(bound),
                          math.ceil(bound) + 1, least, most}
                for value in sorted(around):
                    if not least <= value <= most:
                        continue
                    if is_absolute and (text, value) in seen:
                        continue
                    seen.add((text, value))
                    yield metric, text, baseline, value, HOLDS[relation](value, bound)


def report(phases):
    """phases: (name, metric, value)"""
    lines = ["""<profmem format="1">
<producer name="profmem" version="0" valgrind="0" platform="amd64-linux"/>
<run><command><arg>x</arg></command><executable path="/x" size="1"/><objects/><options/>
<environment variables="0" digest="none:00"/><fixed/><end kind="exit" status="0"/></run>
<coverage><allocation-functions/><not-measured/></coverage><phases>"""]
    for name, metric, value in phases:
        lines.append(f'<phase name={quoteattr(name)} kind="request" instances="1" '
                     f'complete="yes"><metric name="{metric}" unit="{METRICS[metric][0]}" '
                     f'value="{value}"/></phase>')
    lines.append("</phases></profmem>")
    return "\n".join(lines)


def check(profmem, folder, new, old, limits):
    """The test cases of the JUnit output, name to whether it passes."""
    for name, text in ("new.xml", new), ("old.xml", old), ("limits.txt", limits):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as out:
            out.write(text)
    run = subprocess.run([profmem, "check", "-l", f"{folder}/limits.txt", "-b",
                          f"{folder}/old.xml", "-f", "junit", f"{folder}/new.xml"],
                         stdout=subprocess.PIPE, check=False)
    root = ElementTree.fromstring(run.stdout)
    results = [(case.get("name"), case.find("failure") is None)
               for case in root.iter("testcase")]
    failing = sum(not passes for _, passes in results)
    assert run.returncode == (1 if failing else 0), run.returncode
    assert int(root.get("tests")) == len(results), "testsuites/@tests"
    assert int(root.get("failures")) == failing, "testsuites/@failures"
    return results


def wrong_bounds(profmem, folder, some_cases):
    named = [(f"p{i}", *case) for i, case in enumerate(some_cases)]
    results = check(profmem, folder,
                    report([(name, metric, value) for name, metric, _, _, value, _ in named]),
                    report([(name, metric, base) for name, metric, _, base, _, _ in named]),
                    "".join(f"{name} {metric} {text}\n"
                            for name, metric, text, _, _, _ in named))
    assert len(results) == len(named), "a result for each case"
    wrong = 0
    for (name, metric, text, base, value, holds), (found, passes) in zip(named, results):
        if found != f"{name} {metric} {text}" or passes != holds:
            wrong += 1
            print(f"{found}: baseline {base}, value {value}: {passes}, not {holds}")
    return wrong


def bounds(profmem, folder):
    all_cases = list(cases())
    at_once = 2000
    wrong = sum(wrong_bounds(profmem, folder, all_cases[at:at + at_once])
                for at in range(0, len(all_cases), at_once))
    held = sum(case[4] for case in all_cases)
    assert 0.2 < held / len(all_cases) < 0.8, "both answers are wanted often"
    print(f"{len(all_cases)} cases, {held} hold")
    return wrong


def spell(pattern, rng):
    """A pattern, a list of characters and of None (one) and ... (any), in the file's way."""
    text = ""
    for part in pattern:
        if part is None or part is ...:
            text += "?" if part is None else "*"
        elif part in ' "\\*?#' or rng.random() < 0.2:
            text += '"' + {'"': '\\"', "\\": "\\\\"}.get(part, part) + '"'
        else:
            text += part
    return text or '""'


def wildcards(profmem, folder):
    rng = random.Random(6)
    letters = 'ab*? "\\#ä漢'
    names = {""} | {"".join(rng.choices(letters, k=rng.randint(1, 7))) for _ in range(120)}
    names = sorted(names)
    patterns = []
    while len(patterns) < 600:
        pattern = rng.choices([None, ..., *letters], weights=[2, 3] + [1] * len(letters),
                              k=rng.randint(0, 6))
        if rng.random() < 0.2:
            pattern = list(rng.choice(names))
        patterns.append(pattern)
    found, several = 0, 0
    phases = report([(name, "heap.peak", number) for number, name in enumerate(names)])
    limits = "".join(f"{spell(pattern, rng)} heap.peak >= 0\n" for pattern in patterns)
    results = iter(check(profmem, folder, phases, phases, limits))
    for pattern in patterns:
        expression = "".join("." if part is None else ".*" if part is ... else re.escape(part)
                             for part in pattern)
        expected = [name for name in names if re.fullmatch(expression, name, re.DOTALL)]
        found += bool(expected)
        several += len(expected) > 1
        for name in expected:
            case, passes = next(results)
            # Quoted where it would mean something else in a file of limits.
            shown = name
            if not name or name[0] == "#" or re.search(r'[ "*?]', name):
                shown = '"' + re.sub(r'["\\]', r"\\\g<0>", name) + '"'
            if case != f"{shown} heap.peak >= 0" or not passes:
                print(f"{spell(pattern, rng)}: {case}, not {shown}")
                return 1
        if not expected:
            case, passes = next(results)
            if passes:
                print(f"{spell(pattern, rng)}: {case} passes, but no phase matches")
                return 1
    assert next(results, None) is None, "no further results"
    assert found > 100 and several > 50, "patterns find something"
    print(f"{len(patterns)} patterns, {found} find a phase, {several} find more than one")
    return 0


UNIT = "|".join(sorted(filter(None, UNITS), key=len, reverse=True))
DECIMAL = r"(?:0|[1-9][0-9]*)(?:\.[0-9]{1,9})?"
AMOUNT = f"{DECIMAL}(?:{UNIT})?"
SIZE = f"(?:{DECIMAL}%|{AMOUNT})"
BASELINE = r"baseline(?![ \t]*[+-])"
BOUND = (rf"(?:(?:<=|>=)[ \t]*(?:-?{AMOUNT}|baseline[+-]{SIZE}|{BASELINE})"
         rf"|=[ \t]*(?:-?{AMOUNT}|{BASELINE})|\+{SIZE}"
         rf"|max\([ \t]*\+{SIZE}[ \t]*(?:,[ \t]*\+{SIZE}[ \t]*)*\))")
LINE = re.compile(rf"p[ \t]+heap\.resized(?P<words>(?:[ \t]+(?:{BOUND}|overlapping|warn))+)"
                  r"[ \t]*(?:(?<=[ \t])#.*)?")
NUMBER = re.compile(rf"(?P<before>(?:<=|>=|=)[ \t]*-?)?(?<![\w.%])(?P<number>{DECIMAL})"
                    rf"(?P<unit>%|{UNIT})?(?=[ \t,)]|$)")


def fits(match):
    """A number of a line that the grammar takes: is it whole, and as large as one may be?"""
    value = Fraction(match["number"])
    if match["unit"] == "%":
        return value <= 10**9
    value *= UNITS[match["unit"] or ""]
    if match["before"]:
        value = -value if match["before"].endswith("-") else value
        return value.denominator == 1 and SIGNED[0] <= value <= SIGNED[1]
    return value.denominator == 1 and value <= UNSIGNED[1]


def is_limit(line):
    match = LINE.fullmatch(line)
    if not match:
        return False
    words = match["words"]
    return (re.search("[<=>+]", words) is not None and words.count("overlapping") <= 1
            and words.count("warn") <= 1 and all(map(fits, NUMBER.finditer(words))))


PIECES = ["<=", ">=", "=", "+", "-", "baseline", "max(", ")", ",", "%", "1", "0", "5", "1.5",
          "0.5", "10", "KiB", "B", "k", "MiB", "#", "overlapping", "warn", " ", " ", " ", "\t",
          "9223372036854775807", "18446744073709551615", "1000000000", "."]
WORDS = ["<= 1KiB", ">= -5", "= baseline", "+5%", "+64KiB", "max(+5%, +1k)", "max( +1 ,+2 )",
         "<= baseline-5%", ">=baseline+1.5k", "warn", "overlapping", "= 0", "<=5", "+0", "# c",
         "<= baseline"]


def random_line(rng):
    if rng.random() < 0.5:
        text = " ".join(rng.choices(WORDS, k=rng.randint(1, 4)))
    else:
        text = "".join(rng.choices(PIECES, k=rng.randint(1, 7)))
    if rng.random() < 0.5:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", rng.choice(PIECES)]) + text[at + rng.randint(0, 1):]
    return "p heap.resized " + text


def grammar(profmem, folder):
    rng = random.Random(7)
    lines = [random_line(rng) for _ in range(8000)]
    # No more than are told of in one go, so that none is only counted.
    at_once, wrong, correct = 25, 0, 0
    with open(f"{folder}/one.xml", "w", encoding="utf-8") as out:
        out.write(report([("p", "heap.resized", 1)]))
    for start in range(0, len(lines), at_once):
        some = lines[start:start + at_once]
        with open(f"{folder}/limits.txt", "w", encoding="utf-8") as out:
            out.write("\n".join(some))
        run = subprocess.run([profmem, "check", "-l", f"{folder}/limits.txt", "-b",
                              f"{folder}/one.xml", f"{folder}/one.xml"], encoding="utf-8",
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        mistaken = {int(line) for line in re.findall(r"limits\.txt:(\d+):\d+: ", run.stderr)}
        assert (run.returncode == 2) == bool(mistaken), run
        for number, line in enumerate(some, 1):
            correct += is_limit(line)
            if is_limit(line) == (number in mistaken):
                wrong += 1
                print(f"{line!r}: {'taken' if number not in mistaken else 'refused'}")
    assert 0.2 < correct / len(lines) < 0.8, "both answers are wanted often"
    print(f"{len(lines)} lines, {correct} are limits")
    return wrong


if __name__ == "__main__":
    sys.exit({"bounds": bounds, "wildcards": wildcards,
              "grammar": grammar}[sys.argv[1]](*sys.argv[2:]) > 0)
