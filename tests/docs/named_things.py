# SPDX-License-Identifier: GPL-2.0-or-later
"""named_things.py: is there what documents name?

    named_things.py names SOURCE BUILD DOCUMENT...   files, functions, structs, modules, tests, targets
    named_things.py commits SOURCE DOCUMENT          what the commits of a table touched

A document names a file by its path in the tree, a function as `name()`, a struct as `struct name`, a
module as `pm_name` or `pmh_name`, a test as FILE: "NAME", a target as `make NAME`. Each must be in
the source (a file also in the build tree). Blocks of text and of commands are looked at, too.

In a table of commits the last cell of a row is a commit, and every path in backticks before it
must be one that it touched.

Each thing that is missing is a line; the status is then 1. The last line says how many were
looked for, so that a document in which nothing is found is noticed.
"""

import os
import re
import subprocess
import sys

FOLDERS = "valgrind-tool|reports|tests|docs|bench|packaging|debian|examples"
PATH = re.compile(rf"(?<![\w./-])((?:{FOLDERS})/[\w./-]*\w/?)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def sources(top):
    """All text in which functions, structs and modules are defined."""
    texts = []
    for folder in ("valgrind-tool", "reports"):
        for where, _, files in os.walk(os.path.join(top, folder)):
            texts += [read(os.path.join(where, f)) for f in sorted(files)
                      if f.endswith((".c", ".h", ".def"))]
    return "\n".join(texts)


class Findings:
    def __init__(self):
        self.looked_for, self.missing = 0, []

    def want(self, found, document, what):
        self.looked_for += 1
        if not found:
            self.missing.append(f"{document}: {what}")

    def report(self):
        for line in self.missing:
            print(line)
        print(f"{self.looked_for} looked for, {len(self.missing)} missing")
        return bool(self.missing)


# ---- Names

def want_paths(findings, source, build, document, text):
    for path in sorted(set(PATH.findall(text))):
        found = any(os.path.exists(os.path.join(top, path)) for top in (source, build))
        findings.want(found, document, f"no file {path}")


def want_code(findings, code, modules, document, text):
    for name in sorted(set(re.findall(r"`([a-z_0-9]+)\(\)`", text))):
        findings.want(re.search(rf"\b{name}\(", code), document, f"no function {name}()")
    for name in sorted(set(re.findall(r"`struct ([a-z]\w+)`", text))):
        findings.want(re.search(rf"\bstruct {name} \{{", code), document, f"no struct {name}")
    for name in sorted(set(re.findall(r"\b(pmh?_[a-z_0-9]*[a-z0-9])\b(?!\(\)|\.)", text))):
        findings.want(name in modules or re.search(rf"\b{name}\b", code), document,
                      f"no module {name}")


def want_tests(findings, source, document, text):
    for path, name in re.findall(r"(tests/[\w./-]+\.bats): \"([^\"]+)\"", text):
        path = os.path.join(source, path)
        found = os.path.exists(path) and f'@test "{name}" {{' in read(path)
        findings.want(found, document, f"no test {path}: {name}")


def want_targets(findings, build, document, text):
    makefile = read(os.path.join(build, "Makefile"))
    for name in sorted(set(re.findall(r"`make ([a-z-]+)", text))):
        findings.want(re.search(rf"^{name}:", makefile, re.MULTILINE), document,
                      f"no target {name}")


def names(source, build, *documents):
    findings, code = Findings(), sources(source)
    modules = {os.path.splitext(f)[0] for _, _, files in os.walk(os.path.join(source, "valgrind-tool"))
               for f in files}
    for document in documents:
        text = read(document)
        want_paths(findings, source, build, document, text)
        want_code(findings, code, modules, document, text)
        want_tests(findings, source, document, text)
        want_targets(findings, build, document, text)
    return findings.report()


# ---- Commits

def commits(source, document):
    findings = Findings()
    for line in read(document).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        commit = re.fullmatch(r"`([0-9a-f]{7,40})`", cells[-1].strip(" |"))
        if not line.startswith("| ") or not commit:
            continue
        shown = subprocess.run(["git", "-C", source, "show", "--format=", "--name-only", commit[1]],
                               capture_output=True, text=True, check=False)
        findings.want(shown.returncode == 0, document, f"no commit {commit[1]}")
        for path in re.findall(r"`([\w-]+(?:/[\w.-]+)+|NEWS)`", line):
            findings.want(path in shown.stdout.split(), document,
                          f"{commit[1]} did not touch {path}")
    return findings.report()


if __name__ == "__main__":
    sys.exit({"names": names, "commits": commits}[sys.argv[1]](*sys.argv[2:]))
