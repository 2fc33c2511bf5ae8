# SPDX-License-Identifier: GPL-2.0-or-later
"""valgrind_programs.py: Valgrind's own test programs behave as they do without the tool.

    valgrind_programs.py SOURCE OUTPUT.md

SOURCE is Valgrind's source tree with its test programs built. Every program that a
.vgtest file names is run with that file's arguments, options of the core, environment
and input, under --tool=none and under profmem; what it writes to standard output and
error and its exit status must be the same, and the report valid. A program whose runs
under none differ from each other (addresses, process numbers, the time of day) is
compared by its status alone, or not at all if that differs too; the table says so.
"""

import os
import re
import shlex
import signal
import subprocess
import sys

FOLDERS = ('none/tests', 'none/tests/linux', 'none/tests/amd64', 'none/tests/amd64-linux',
           'memcheck/tests', 'massif/tests', 'dhat/tests')
LIMIT_S = 120
VALGRIND = os.environ.get('VALGRIND', 'valgrind')
TOOLS = os.environ['PROFMEM_VALGRIND_LIB']
PROFMEM = os.environ['PROFMEM']

# Options that belong to another tool than the one that runs.
OTHERS = re.compile(r'--(leak|show|undef|track|expensive|partial|freelist|malloc-fill|free-fill|'
                    r'xtree|keep-stacktraces|gen-supp|suppressions|xml|heap|stacks|depth|'
                    r'alloc-fn|ignore-fn|threshold|detailed|max-snap|time-unit|massif|peak|'
                    r'pages-as|dhat|mode|num-callers|errors-for-leak|ignore-range|'
                    r'error-|exit-on|default-supp|log-|time-stamp|workaround|unw|stats|'
                    r'progress|demangle|trace-flags|trace-notbelow|profile-flags|show-below|'
                    r'read-var-info|memcheck|verbose|show-error-list|core-redzone|redzone|'
                    r'vgdb|tool|trace-malloc)')

KINDS = ('same', 'not comparable', 'differs', 'not built here')

# Where the programs cannot give the same, and why.
EXCEPTED = {
    'none/tests/require-text-symbol-2':
        'Valgrind stops before the program starts, as the test wants',
}


def read_test(path):
    """What a .vgtest file says, by keyword; vgopts joined."""
    said = {}
    with open(path, encoding='latin-1') as file:
        for line in file:
            keyword, colon, rest = line.partition(':')
            if colon and re.fullmatch(r'[a-z_]+', keyword):
                said[keyword] = (said.get(keyword, '') + ' ' + rest.strip()).strip()
    return said


def core_options(said):
    return [o for o in shlex.split(said.get('vgopts', '')) if not OTHERS.match(o)
            and o not in ('-q', '-v', '-d')]


def environment(said):
    variables = {'PATH': os.environ['PATH'], 'VALGRIND_LIB': TOOLS, 'LC_ALL': 'C'}
    for setting in shlex.split(said.get('env', '')):
        name, _, value = setting.partition('=')
        variables[name] = value
    return variables


def scrubbed(text):
    """Without what Valgrind itself says, which names the process."""
    return b'\n'.join(line for line in text.split(b'\n')
                      if not re.match(rb'(==|--|\*\*)\d+(==|--|\*\*)', line))


def run(folder, said, tool, options):
    command = [VALGRIND, '--command-line-only=yes', '-q', f'--tool={tool}', '--vgdb=no',
               *options, *core_options(said), './' + said['prog'],
               *shlex.split(said.get('args', ''))]
    stdin = subprocess.DEVNULL
    if 'stdin' in said:
        stdin = open(os.path.join(folder, said['stdin']), 'rb')
    process = subprocess.Popen(command, cwd=folder, env=environment(said), stdin=stdin,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=LIMIT_S)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        status = 'no end'
    if 'cleanup' in said:
        subprocess.run(said['cleanup'], shell=True, cwd=folder, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
    return status, scrubbed(out), scrubbed(err)


def is_wanted(folder, said):
    """The file's own condition, as Valgrind's test driver takes it."""
    if 'prereq' not in said:
        return True
    return subprocess.run(said['prereq'], shell=True, cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False, timeout=LIMIT_S).returncode == 0


def compare(folder, said, report):
    """A verdict: '' is as it should be."""
    first, second = run(folder, said, 'none', []), run(folder, said, 'none', [])
    tool = run(folder, said, 'profmem', [f'--profmem-out-file={report}'])
    what = ''
    for part, name in enumerate(('status', 'standard output', 'standard error')):
        if first[part] != second[part]:
            what = what or f'{name} differs without the tool, too'
        elif tool[part] != first[part]:
            return f'DIFFERS: {name}' + (f' {tool[0]} for {first[0]}' if part == 0 else '')
    if first[0] == 'no end':
        return what or 'does not end under none'
    if not os.path.exists(report):
        return 'DIFFERS: no report'
    if subprocess.run([PROFMEM, 'validate', report], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return 'DIFFERS: the report is not valid'
    return what


def write_result(output, folders, rows):
    version = subprocess.run([VALGRIND, '--version'], stdout=subprocess.PIPE, text=True,
                             check=True).stdout.strip()
    with open(output, 'w', encoding='utf-8') as file:
        file.write('# Valgrind\'s own test programs under profmem\n\n'
                   f'The last result of `make valgrind-programs`, with {version}: each program\n'
                   'writes the same and ends the same as under `--tool=none`, and its report is\n'
                   'valid.\n\n'
                   f'| folder | {" | ".join(KINDS)} |\n| --- |{" ---: |" * len(KINDS)}\n')
        for name, totals in folders.items():
            file.write(f'| {name} | {" | ".join(str(totals[kind]) for kind in KINDS)} |\n')
        if rows:
            file.write('\n| program | why it is not counted as the same |\n| --- | --- |\n')
            file.writelines(f'| {test} | {verdict} |\n' for test, verdict in rows)


def main():
    source, output = sys.argv[1:3]
    wanted = sys.argv[3:]
    rows, folders = [], {}
    for name in FOLDERS:
        folder = os.path.join(source, name)
        totals = folders[name] = dict.fromkeys(KINDS, 0)
        for file in sorted(os.listdir(folder)):
            test = f'{name}/{file[:-len(".vgtest")]}'
            if not file.endswith('.vgtest') or (wanted and test not in wanted):
                continue
            said = read_test(os.path.join(folder, file))
            program = os.path.join(folder, said.get('prog', 'none is named'))
            if not os.access(program, os.X_OK) or not is_wanted(folder, said):
                totals['not built here'] += 1
                continue
            report = os.path.abspath('report.xml')
            if os.path.exists(report):
                os.unlink(report)
            verdict = EXCEPTED.get(test) or compare(folder, said, report)
            kind = ('same' if not verdict else
                    'differs' if verdict.startswith('DIFFERS') else 'not comparable')
            totals[kind] += 1
            if verdict:
                rows.append((test, verdict))
                print(f'{test}: {verdict}', flush=True)
    write_result(output, folders, rows)
    sums = {kind: sum(totals[kind] for totals in folders.values()) for kind in KINDS}
    print(', '.join(f'{count} {kind}' for kind, count in sums.items()))
    return sums['differs'] != 0


if __name__ == '__main__':
    sys.exit(main())
