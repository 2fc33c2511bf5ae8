#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check_formats.py: what readers make of the verdicts of `profmem check`.

    check_formats.py junit|markdown|github VERDICT TEXT

VERDICT is a verdict in that format, TEXT the same one as text. JUnit's XML is read by
junitparser; Markdown is rendered by cmark-gfm, which is GitHub's, with raw HTML let
through, so that what was not escaped would be seen; workflow commands are read as GitHub's
runner reads them. Each must say what the text says: which reports, which of their checks
fail and warn, with the same sentences, and nothing else.
"""

import re
import subprocess
import sys
from html.parser import HTMLParser

import junitparser


def fail(message):
    sys.exit(f"check_formats.py: {message}")


def same(found, expected, what):
    if found != expected:
        fail(f"{what}: {found!r}, not {expected!r}")


def read_text(path):
    """The sentences of a text verdict: (place, word, sentence); the reports' headings."""
    messages, headings = [], []
    with open(path, encoding="utf-8", newline="\n") as text:
        for line in text.read().split("\n"):
            match = re.match(r"(\S+): (FAIL|warn): (.*)$", line)
            if match:
                messages.append(match.groups())
            match = re.match(r"(\S+?)(?:, baseline (\S+))?: (\d+) checks?, (.*)$", line)
            if match:
                headings.append(match.groups())
    if not headings:
        fail(f"{path} has no report")
    return headings, messages


def count(rest, word):
    match = re.search(rf"(\d+) {word}s?\b", rest)
    return int(match.group(1)) if match else 0


def junit(path, text):
    headings, messages = read_text(text)
    document = junitparser.JUnitXml.fromfile(path)
    suites = [suite for suite in document if not any(
        isinstance(result, junitparser.Error) for case in suite for result in case.result)]
    same([(suite.name, suite.tests, suite.failures) for suite in suites],
         [(name, int(tests), count(rest, "fail")) for name, _, tests, rest in headings],
         "suites")
    same([sum(1 for _ in suite) for suite in suites], [suite.tests for suite in suites],
         "test cases")
    found = []
    for suite in suites:
        for case in suite:
            same(case.classname, suite.name, "classname")
            for result in case.result:
                same(result.message, result.text, "the message as attribute and as text")
                found.append(("FAIL", result.message))
            if case.system_out:
                found.append(("warn", case.system_out.replace("warning: ", "", 1)))
    reports = {name for name, *_ in headings}
    same(found, [(word, sentence if place in reports else f"{place}: {sentence}")
                 for place, word, sentence in messages], "messages")


class Page(HTMLParser):
    """Elements, texts of table cells, items and headings of a rendered page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.cells, self.items, self.headings = set(), [], [], []
        self.into = None

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag in ("td", "li", "h3"):
            self.into = {"td": self.cells, "li": self.items, "h3": self.headings}[tag]
            self.into.append("")

    def handle_endtag(self, tag):
        if tag in ("td", "li", "h3"):
            self.into = None

    def handle_data(self, data):
        if self.into is not None:
            self.into[-1] += data


def markdown(path, text):
    headings, messages = read_text(text)
    html = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e",
                           "strikethrough", path], stdout=subprocess.PIPE, check=True).stdout
    page = Page()
    page.feed(html.decode("utf-8"))
    page.close()
    known = {"h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "ul", "li"}
    if page.tags - known:
        fail(f"elements that were not meant: {page.tags - known}")
    same(page.headings, [f"{name}: {tests} check{'' if tests == '1' else 's'}, {rest}"
                         for name, _, tests, rest in headings], "headings")
    same(page.items[-len(messages):] if messages else [],
         [f"{word} {place}: {sentence}" for place, word, sentence in messages], "items")
    # The table's rows, against those of the text, which are aligned with blanks.
    columns = 8
    rows = [page.cells[at:at + columns] for at in range(0, len(page.cells), columns)]
    with open(text, encoding="utf-8", newline="\n") as lines:
        expected = [line for line in lines.read().split("\n")
                    if re.match(r"  (ok|FAIL|warn)  ", line)]
    same(len(rows), len(expected), "rows")
    # What stands before a bar in a table is written out: see pr_markdown.c.
    expected = [re.sub(r"\\+(?=\|)", lambda match: r"\u{5c}" * len(match.group()), line)
                for line in expected]
    for row, line in zip(rows, expected):
        word, phase = row[:2]
        # How wide the words' column is depends on the words.
        # The sentences quote what means something else in a file of limits.
        quoted = '"' + re.sub(r'"|\\(?![ntr]|x[0-9a-f]{2}|u\{)', r"\\\g<0>", phase) + '"'
        if not line.startswith(tuple(f"  {shown}  {name} " for shown in (word, f"{word:4}")
                                     for name in (phase, quoted))):
            fail(f"row {row}, not {line!r}")
        rest = re.sub(r"[ ()]+", " ", " ".join(row[2:])).strip()
        wanted = re.sub(r"[ ()]+", " ", line).strip()
        rest = rest.replace("under 0.01%", "+<0.01%")
        if not wanted.endswith(rest):
            fail(f"row {rest!r}, not {wanted!r}")


def command(line):
    """A workflow command as the runner reads it: name, properties, message."""
    if not line.lstrip().startswith("::"):
        return None
    head, message = line.lstrip()[2:].split("::", 1)
    name, _, rest = head.partition(" ")
    properties = {}
    for item in rest.split(","):
        key, equals, value = item.partition("=")
        if equals:
            for form, meaning in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","),
                                  ("%25", "%")):
                value = value.replace(form, meaning)
            properties[key.strip()] = value
    for form, meaning in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        message = message.replace(form, meaning)
    return name, properties, message


def github(path, text):
    headings, messages = read_text(text)
    with open(path, encoding="utf-8", newline="\n") as verdict:
        lines = verdict.read().split("\n")
    same(lines.pop(), "", "the last line")
    commands = [command(line) for line in lines]
    if None in commands:
        fail("a line that is no command")
    found, reports = [], []
    for name, properties, message in commands:
        if name == "notice":
            same(properties, {"title": "profmem check"}, "properties")
            reports.append(message)
            continue
        if properties["title"] == "the runs are unlike":
            continue
        report, _, sentence = message.partition(": ")
        place = f"{properties['file']}:{properties['line']}" if "file" in properties else None
        same(set(properties) - {"file", "line"}, {"title"}, "properties")
        found.append((place or report, {"error": "FAIL", "warning": "warn"}[name], sentence))
    same(reports, [f"{name}: {tests} check{'' if tests == '1' else 's'}, {rest}"
                   for name, _, tests, rest in headings], "notices")
    same(found, messages, "annotations")


if __name__ == "__main__":
    {"junit": junit, "markdown": markdown, "github": github}[sys.argv[1]](*sys.argv[2:])
