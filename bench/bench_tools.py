# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_tools.py: the tools that are compared, and how each is started.

One row per tool. Every tool has its own defaults, as a user meets them, but for
where it writes; the two rows of profmem are the two ends of its options.
"""

import os
import shutil

NATIVE = 'native'
BASE = 'none'  # what every other tool is compared with


def _valgrind(tool, *options):
    return ['{valgrind}', '-q', '--command-line-only=yes', '--tool=' + tool, *options]


# Name, what the table calls it, command line up to the program.
_ROWS = (
    (NATIVE, 'native', []),
    (BASE, 'none', _valgrind('none')),
    ('lean', 'profmem lean', _valgrind('profmem', '--functions=no', '--stacks=no',
                                       '--profmem-out-file={out}/profmem.xml')),
    ('full', 'profmem full', _valgrind('profmem', '--profmem-out-file={out}/profmem.xml')),
    ('callgrind', 'callgrind', _valgrind('callgrind', '--callgrind-out-file={out}/callgrind')),
    ('cachegrind', 'cachegrind',
     _valgrind('cachegrind', '--cachegrind-out-file={out}/cachegrind')),
    ('dhat', 'dhat', _valgrind('dhat', '--dhat-out-file={out}/dhat')),
    ('massif', 'massif', _valgrind('massif', '--massif-out-file={out}/massif')),
    ('memcheck', 'memcheck', _valgrind('memcheck')),
    ('heaptrack', 'heaptrack', ['{heaptrack}', '-o', '{out}/heaptrack']),
)

NAMES = tuple(name for name, _, _ in _ROWS)
DEFAULT = (NATIVE, BASE, 'lean', 'full', 'callgrind', 'dhat', 'massif')


class Tool:
    def __init__(self, name, title, command):
        self.name = name
        self.title = title
        self.command = command
        # Without these there is nothing to compare with or nothing to compare.
        self.is_needed = name in (NATIVE, BASE, 'lean', 'full')
        # heaptrack tells its user on standard output where its data is.
        self.keeps_output = name != 'heaptrack'


def make_tools(names, valgrind, out):
    """The named tools, and for each of them that is not installed the reason."""
    tools, skipped = [], {}
    for name, title, command in _ROWS:
        if name not in names:
            continue
        heaptrack = shutil.which('heaptrack')
        if name == 'heaptrack' and not heaptrack:
            skipped[name] = 'not installed (Debian: heaptrack)'
            continue
        words = [w.format(valgrind=valgrind, heaptrack=heaptrack, out=out) for w in command]
        tools.append(Tool(name, title, words))
    return tools, skipped


def environment(valgrind_lib):
    """The same for every run; nothing of the user's gets in."""
    return {
        'PATH': os.environ.get('PATH', '/usr/bin:/bin'),
        'VALGRIND_LIB': valgrind_lib,
        'LC_ALL': 'C',
        'TZ': 'UTC',
        'HOME': '/nonexistent',
        'PYTHONHASHSEED': '0',
        'PERL_HASH_SEED': '0',
        'GIT_CONFIG_NOSYSTEM': '1',
        'GIT_PAGER': 'cat',
    }
