# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_large.py: what a large report costs the program that reads it.

A valid report of at least so many megabytes is made up: phases with full lists of sites,
pairs of them, functions, lines and instances, histograms, call chains of C++ names, a
timeline of as many points as there can be. Each command then reads it once per
round; shown are the median user time and the largest memory, also as a multiple of the
file. `diff` reads it and another of the same size, in which every tenth function has another
name, every tenth row executed more, and all source lines moved. The bars: `show` and `diff`
at most 2 seconds for 100 MB and 4 times the file.
"""

import argparse
import os
import statistics
import subprocess
import tempfile

SITES, FUNCTIONS, FRAMES, LINES, POINTS = 20000, 30000, 12, 60000, 100000
ROWS, INSTANCES = 1000, 100
COMMANDS = (['show'], ['show', '--lines', '--histograms', '--timeline'], ['show', '--metrics'],
            ['show', '--metric', 'heap.peak'], ['validate'], ['diff'])

HEAD = '''<?xml version="1.0" encoding="UTF-8"?>
<profmem format="1">
  <producer name="profmem" version="0" valgrind="3.19.0" platform="amd64-linux"/>
  <run>
    <command><arg>./large</arg></command>
    <executable path="/large" size="1"/>
    <objects/><options/><environment variables="0" digest="none:00"/><fixed/>
    <end kind="exit" status="0"/>
  </run>
  <coverage><allocation-functions/><not-measured/></coverage>
  <phases>
'''


def executed(row, is_changed):
    """Instructions of a row in an instance."""
    return 12345 + (100 if is_changed and row % 10 == 0 else 0)


def metrics(indent, several, is_changed):
    """Of an instance, or of a phase with INSTANCES equal ones."""
    def line(name, unit, value, factor=1):
        span = f' min="{value}" max="{value}"' if several else ''
        total = value * (factor if several else 1)
        return f'{indent}<metric name="{name}" unit="{unit}" value="{total}"{span}/>\n'
    return (line('heap.entry', 'bytes', 0) + line('heap.peak', 'bytes', ROWS * 1000)
            + line('heap.peak-blocks', 'blocks', ROWS * 10) + line('heap.exit', 'bytes', 0)
            + line('allocations.count', 'blocks', ROWS * 7, INSTANCES)
            + line('allocations.bytes', 'bytes', ROWS * 700, INSTANCES)
            + line('reallocations.count', 'blocks', ROWS * 3, INSTANCES)
            + line('reallocations.bytes', 'bytes', ROWS * 300, INSTANCES)
            + line('reallocations.net-bytes', 'bytes', ROWS * -10, INSTANCES)
            + line('deallocations.count', 'blocks', ROWS * 7, INSTANCES)
            + line('deallocations.bytes', 'bytes', ROWS * 690, INSTANCES)
            + line('traffic.blocks', 'blocks', ROWS * 10, INSTANCES)
            + line('traffic.bytes', 'bytes', ROWS * 1000, INSTANCES)
            + line('instructions.total', 'instructions',
                   sum(executed(row, is_changed) for row in range(ROWS)), INSTANCES))


def write_pairs(out, number, factor):
    def pair(row):
        return f'origin="{(number * 7 + row * 13) % SITES + 1}" site="{row * 3 + 1}"'
    out.write('<resizes>\n')
    for row in range(ROWS):
        out.write(f'  <resize {pair(row)} blocks="{3 * factor}" bytes="{300 * factor}" '
                  f'net-bytes="{-10 * factor}"/>\n')
    out.write('</resizes>\n<releases>\n')
    for row in range(ROWS):
        out.write(f'  <release {pair(row)} blocks="{7 * factor}" bytes="{690 * factor}"/>\n')
    out.write('</releases>\n')


def write_histograms(out, factor):
    """Half of the blocks of 64 to 127 bytes, half of 128 to 255: 1000 bytes are 10 blocks."""
    out.write('<histograms><sizes>\n')
    for start in (64, 128):
        out.write(f'  <bucket from="{start}" blocks="{ROWS * 5 * factor}"/>\n')
    out.write(f'</sizes><lifetimes><bucket from="4096" blocks="{ROWS * 7 * factor}"/>'
              '</lifetimes></histograms>\n')


def write_timeline(out):
    """Of the phase program, the only one with a single instance."""
    out.write(f'<timeline interval-instructions="{ROWS * 12345 // POINTS}">\n')
    for point in range(POINTS - 1):
        last = point * 7919 % (ROWS * 500)
        out.write(f'  <point most-bytes="{last + ROWS * 500}" last-bytes="{last}"/>\n')
    out.write(f'  <point most-bytes="{ROWS * 1000}" last-bytes="0"/>\n</timeline>\n')


def write_phase(out, number, is_changed):
    several = number > 0
    factor = INSTANCES if several else 1
    out.write(f'<phase name="{f"phase {number}" if several else "program"}" '
              f'kind="{"request" if several else "process"}" instances="{factor}" complete="yes">\n')
    out.write(metrics('  ', several, is_changed))
    out.write('<sites>\n')
    for row in range(ROWS):
        out.write(f'  <site id="{(number * 7 + row * 13) % SITES + 1}" peak-bytes="1000" '
                  f'peak-blocks="10" traffic-bytes="{1000 * factor}" traffic-blocks="{10 * factor}" '
                  'temporary-blocks="0" retained-bytes="0" retained-blocks="0"/>\n')
    out.write('</sites>\n')
    write_pairs(out, number, factor)
    out.write('<functions>\n')
    for row in range(ROWS):
        out.write(f'  <function id="{(number * 11 + row * 17) % FUNCTIONS + 1}" '
                  f'instructions="{executed(row, is_changed) * factor}" calls="{row}"/>\n')
    out.write('</functions>\n<lines>\n')
    for row in range(ROWS):
        out.write(f'  <line id="{(number * 13 + row * 19) % LINES + 1}" '
                  f'instructions="{executed(row, is_changed) * factor}" calls="0"/>\n')
    out.write('</lines>\n')
    write_histograms(out, factor)
    if several:
        one_instance = metrics('    ', False, is_changed)
        out.write('<instances>\n')
        for instance in range(INSTANCES):
            out.write(f'  <instance number="{instance + 1}" thread="1" complete="yes">\n'
                      f'{one_instance}  </instance>\n')
        out.write('</instances>\n')
    out.write('</phase>\n')


def write_names(out, is_changed):
    names = [f'std::vector&lt;ns::Type{i}&gt;::'
             f'{"routine" if is_changed and i % 10 == 0 else "method"}_{i}'
             '(unsigned long, char const*)' for i in range(FUNCTIONS)]
    first_line = 3 if is_changed else 1
    out.write('</phases>\n')
    write_timeline(out)
    out.write('<sites>\n')
    for site in range(SITES):
        out.write(f'<site id="{site + 1}" largest-bytes="{site}">\n')
        for frame in range(FRAMES):
            i = (site * 31 + frame * 977) % FUNCTIONS
            out.write(f'  <frame function="{names[i]}" file="file{i % 500}.cc" '
                      f'line="{i % 3000 + first_line}" object="libsomething{i % 7}.so"/>\n')
        out.write('</site>\n')
    out.write('</sites>\n<functions>\n')
    for i, name in enumerate(names):
        out.write(f'  <function id="{i + 1}" name="{name}" object="libsomething{i % 7}.so"/>\n')
    out.write('</functions>\n<lines>\n')
    for i in range(LINES):
        out.write(f'  <line id="{i + 1}" function="{names[i % FUNCTIONS]}" '
                  f'object="libsomething{i % 7}.so" file="file{i % 500}.cc" '
                  f'line="{i % 3000 + first_line}"/>\n')
    out.write('</lines>\n</profmem>\n')


def write_report(path, megabytes, is_changed):
    with open(path, 'w', encoding='utf-8') as out:
        out.write(HEAD)
        number = 0
        while out.tell() < (megabytes - 55) * 1000000 or number < 2:
            write_phase(out, number, is_changed)
            number += 1
        write_names(out, is_changed)


def run(command):
    """User seconds and peak bytes of one run, which must give an answer."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        raise SystemExit(f'{command}: status {child.returncode}')
    return usage.ru_utime, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--profmem', required=True)
    parser.add_argument('--megabytes', type=int, default=100)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'large.xml')
        write_report(path, options.megabytes, False)
        changed_path = os.path.join(folder, 'changed.xml')
        write_report(changed_path, options.megabytes, True)
        size = os.path.getsize(path)
        print(f'a report of {size:,} bytes, {options.rounds} rounds\n')
        print(f'{"command":<38}{"user s":>8}{"memory MB":>11}{"x file":>8}')
        for command in COMMANDS:
            paths = [path, changed_path] if command == ['diff'] else [path]
            runs = [run([options.profmem, *command, *paths]) for _ in range(options.rounds)]
            seconds = statistics.median(user for user, _ in runs)
            peak = max(peak for _, peak in runs)
            print(f'{" ".join(command):<38}{seconds:>8.2f}{peak / 1e6:>11.0f}{peak / size:>8.2f}')


main()
