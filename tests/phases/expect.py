# SPDX-License-Identifier: GPL-2.0-or-later
# expect.py: does a report say what a program says that it must?
#
#    expect.py REPORT FILE [REPORT FILE]...
#
# FILE has a line for each thing expected: a phase, what of it, and the value, apart
# by tabs. Other lines are the program's other output. A tab, newline or return in a
# phase's name stands as its symbol: ␉, ␊, ␍. What:
#
#    heap.peak           the metric; a value "unavailable" wants it so
#    heap.peak:min       beside it, :max too
#    heap.peak#3         of the third instance
#    @instances          the phase's attribute; "absent" wants none
#    @parent#3           an attribute of its third instance
#    thread@instructions#3   an attribute of thread 3's row
#    instances-listed    how many instances stand there singly
#    !phase-left-by-jump how often that was noticed about the phase; of the whole run
#                        if the phase's name is "-"
#
# Whatever differs is listed; the status is then 1. A phase that is in the report
# without being in FILE is a difference too, and so is a diagnostic; `program` and
# notes that FILE does not mention are none.
import sys
import xml.etree.ElementTree as xml


def holder(phase, number):
    """The phase itself, or one of its instances."""
    if not number:
        return phase
    return phase.find(f"instances/instance[@number='{number}']")


def said(phase, what):
    what, _, number = what.partition("#")
    if what.startswith("thread@"):
        row = phase.find(f"threads/thread[@number='{number}']")
        return "no such row" if row is None else row.get(what[len("thread@"):], "absent")
    where = holder(phase, number)
    if where is None:
        return "no such instance"
    if what == "instances-listed":
        return str(len(where.findall("instances/instance")))
    if what.startswith("@"):
        return where.get(what[1:], "absent")
    name, _, beside = what.partition(":")
    metric = where.find(f"metric[@name='{name}']")
    if metric is None:
        return "no such metric"
    if metric.get("unavailable"):
        return "unavailable"
    return metric.get(beside or "value", "absent")


def compare(of_report, of_program):
    """Whether they agree; what differs is listed."""
    report = xml.parse(of_report).getroot()
    symbols = {9: "␉", 10: "␊", 13: "␍"}
    phases = {p.get("name").translate(symbols): p for p in report.iterfind("phases/phase")}
    noticed = {}
    for one in report.iterfind("diagnostics/diagnostic"):
        key = (one.get("phase", "-").translate(symbols), one.get("code"))
        noticed[key] = (one.get("count"), one.get("severity"))

    wrong, checked, named, mentioned = 0, 0, set(), set()
    with open(of_program, encoding="utf-8") as lines:
        for line in lines:
            parts = line.rstrip("\n").split("\t")
            if len(parts) != 3:
                continue
            name, what, expected = parts
            checked += 1
            if what.startswith("!"):
                mentioned.add((name, what[1:]))
                found = noticed.get((name, what[1:]), ("0", ""))[0]
            elif name in phases:
                named.add(name)
                found = said(phases[name], what)
            else:
                found = "no such phase"
            if found != expected:
                wrong += 1
                print(f"{name}: {what}: expected {expected}, reported {found}", file=sys.stderr)
    for name in sorted(phases.keys() - named - {"program"}):
        wrong += 1
        print(f"{name}: such a phase was not expected", file=sys.stderr)
    for key in sorted(noticed.keys() - mentioned):
        if noticed[key][1] != "note":
            wrong += 1
            print(f"{key[0]}: {key[1]} was not expected: {noticed[key][0]}", file=sys.stderr)
    if checked == 0:
        print(f"{of_program} expects nothing", file=sys.stderr)
    if wrong:
        print(f"{of_report} is not what {of_program} wants", file=sys.stderr)
    return wrong == 0 and checked > 0


def main():
    pairs = zip(sys.argv[1::2], sys.argv[2::2], strict=True)
    return 0 if all([compare(*pair) for pair in pairs]) else 1


sys.exit(main())
