# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_programs.py: the programs that are run, and their inputs.

Programs of the distribution are run as they are installed; those in programs/
are the project's own, each an extreme of something. Inputs are generated, the
same bytes everywhere: the generator's sequence is part of Python's promises
(random.Random(n).random()), and of the rest only arithmetic is used. The one
exception is what cc1plus compiles: mostly headers of the installed C++ library.

A program runs for about half a second under --tool=none: long against the start
of Valgrind, short enough for many runs.
"""

import os
import random
import shutil
import subprocess

_OWN = ('allocation_storm', 'live_blocks', 'deep_stacks', 'many_sites', 'floating_point',
        'short_functions', 'large_code')

# Name, package, command; the first word is looked up in PATH.
_DISTRIBUTION = (
    ('bzip2', 'bzip2', ['bzip2', '-c', 'text-1000k']),
    ('xz', 'xz-utils', ['xz', '-T1', '-c', 'text-400k']),
    ('gzip', 'gzip', ['gzip', '-9', '-n', '-c', 'text-2000k']),
    ('perl', 'perl', ['perl', 'words.pl', 'text-1000k']),
    ('python3', 'python3', ['python3', '-S', '-B', 'words.py', 'text-400k']),
    ('sqlite3', 'sqlite3', ['sqlite3', '-init', '/dev/null', ':memory:', '.read table.sql']),
    ('lua', 'lua5.4', ['lua5.4', 'sieve.lua']),
    ('jq', 'jq', ['jq', '-c', 'group_by(.class)|map({c: .[0].class, n: length})', 'list.json']),
    ('git', 'git', ['git', '-C', 'repository', 'log', '-p', '--stat']),
    ('xmllint', 'libxml2-utils', ['xmllint', '--xpath', 'count(//item[@class="c3"]/name)',
                                  'list.xml']),
    ('cc1', 'gcc', ['cc1', '-quiet', '-O1', '-frandom-seed=1', 'functions.c', '-o', '/dev/null']),
    ('cc1plus', 'g++', ['cc1plus', '-quiet', '-fpreprocessed', '-O0', '-frandom-seed=1',
                        'containers.ii', '-o', '/dev/null']),
)

NAMES = tuple(row[0] for row in _DISTRIBUTION) + _OWN
DEFAULT = ('bzip2', 'perl', 'python3', 'git', 'cc1', 'allocation_storm')


class Program:
    def __init__(self, name, command):
        self.name = name
        self.command = command  # the first word is a path


def _compiler_part(name):
    """gcc keeps its compilers proper out of PATH."""
    driver = shutil.which('gcc')
    if not driver:
        return None
    path = subprocess.run([driver, '-print-prog-name=' + name], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    return path if os.path.isabs(path) else None


def _find(word):
    """The first file of that name in PATH that is a program itself: scripts that
    start one (pyenv's, for instance) would be what is measured."""
    if word in ('cc1', 'cc1plus'):
        return _compiler_part(word)
    for folder in os.get_exec_path():
        path = os.path.join(folder, word)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            with open(path, 'rb') as file:
                if file.read(4) == b'\x7fELF':
                    return path
    return None


def find_programs(names, own_folder):
    """The named programs, and for each of them that is not installed the reason."""
    programs, skipped = [], {}
    for name, package, command in _DISTRIBUTION:
        if name not in names:
            continue
        path = _find(command[0])
        if path:
            programs.append(Program(name, [path, *command[1:]]))
        else:
            skipped[name] = f'not installed (Debian: {package})'
    for name in _OWN:
        if name in names:
            programs.append(Program(name, [os.path.join(own_folder, name)]))
    return programs, skipped


# ---- Inputs.

def _write(folder, name, text):
    with open(os.path.join(folder, name), 'w', encoding='ascii') as file:
        file.write(text)


def _text(size, seed):
    """Lines of words, common ones more often than rare ones."""
    rng = random.Random(seed)
    words = [''.join(chr(97 + int(rng.random() * 26)) for _ in range(2 + n % 9))
             for n in range(3000)]
    lines, length = [], 0
    while length < size:
        line = ' '.join(words[int(len(words) * rng.random() ** 3)] for _ in range(11))
        lines.append(line)
        length += len(line) + 1
    return '\n'.join(lines)[:size - 1] + '\n'


def _table_sql():
    return '''create table t(a integer primary key, b text, c integer);
with recursive n(x) as (values(1) union all select x + 1 from n where x < 10000)
   insert into t select x, 'text ' || (x * 7919 % 10007), x * 31 % 997 from n;
create index i on t(b);
select c % 50, count(*), sum(a), max(b) from t group by 1 order by 2 desc, 1;
select count(*) from t x join t y on x.b = y.b where x.a < y.a + 5;
delete from t where a % 3 = 0;
select count(*), sum(c) from t;
'''


def _list_xml():
    items = ''.join(f'<item id="i{i}" class="c{i % 7}"><name>n{i}</name><v>{i * i}</v></item>\n'
                    for i in range(9000))
    return f'<list>\n{items}</list>\n'


def _list_json():
    items = ',\n'.join(f'{{"id": {i}, "class": "c{i % 7}", "name": "n{i}", "v": [{i}, {i * i}]}}'
                       for i in range(5000))
    return f'[\n{items}\n]\n'


_WORDS_PL = '''my (%count, %by_length);
while (<>) { $count{$_}++ for split }
push @{$by_length{length $_}}, $_ for sort keys %count;
printf "%d %d\\n", $_, scalar @{$by_length{$_}} for sort { $a <=> $b } keys %by_length;
my $text = join " ", sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
$text =~ s/([aeiou])([^aeiou ])/$2$1/g;
print length $text, "\\n";
'''

_WORDS_PY = '''import sys
count = {}
for line in open(sys.argv[1]):
    for word in line.split():
        count[word] = count.get(word, 0) + 1
ranks = sorted(count.items(), key=lambda item: (-item[1], item[0]))
print(ranks[:5], sum(len(w) * n for w, n in ranks))
lengths = [[w for w in count if len(w) == n] for n in range(12)]
print([len(set("".join(ws))) for ws in lengths])
'''

_SIEVE_LUA = '''local marked, primes = {}, {}
for i = 2, 200000 do
   if not marked[i] then
      primes[#primes + 1] = i
      for j = i * i, 200000, i do marked[j] = true end
   end
end
local parts = {}
for i = 1, #primes do parts[i] = string.format("%x", primes[i] * 7) end
local text = table.concat(parts, ",")
print(#primes, #text, select(2, text:gsub("a%d", "")))
'''


def _functions_c():
    parts = ['struct node { struct node *next; long value; };\n']
    for n in range(6):
        parts.append(f'''
static long sum_{n}(const struct node *list, long bias)
{{
   long sum = bias;
   for (; list; list = list->next)
      sum += list->value * {n + 3} + (sum >> {n % 7 + 1});
   return sum;
}}

int f_{n}(int n, int *out)
{{
   struct node nodes[8];
   for (int i = 0; i < 8; i++) {{
      nodes[i].value = i * n + {n};
      nodes[i].next = i < 7 ? &nodes[i + 1] : 0;
   }}
   switch (n & 7) {{
   case 0: out[0] = {n}; break;
   case 1: out[n] = (int)sum_{n}(nodes, n); break;
   case 2: for (int i = 0; i < n; i++) out[i] ^= i * {n + 1}; break;
   default: return out[n % {n + 2}] / (n | 1);
   }}
   return (int)sum_{n}(nodes + 1, out[0]);
}}
''')
    return ''.join(parts)


_CONTAINERS_CC = '''#include <utility>
std::pair<int, long> table[16];
int count(int value)
{
   std::swap(table[value & 15], table[value >> 4 & 15]);
   return table[0].first;
}
'''


def _preprocess(folder, source, result, environment):
    """The driver knows where the headers are, the compiler proper does not."""
    driver = shutil.which('g++')
    if driver:
        subprocess.run([driver, '-E', source, '-o', result], check=True, cwd=folder,
                       env=environment)


def _make_repository(folder, environment):
    """Sixty commits on twelve files, written in one go."""
    git = shutil.which('git')
    if not git:
        return
    path = os.path.join(folder, 'repository')
    subprocess.run([git, 'init', '-q', '-b', 'main', path], check=True, env=environment)
    rng = random.Random(11)
    files = [_text(6000, 100 + n).splitlines() for n in range(12)]
    stream = []
    for commit in range(60):
        message = f'change {commit}'
        stream.append(f'commit refs/heads/main\ncommitter a <a@b> {1000000000 + commit * 60} +0000\n'
                      f'data {len(message)}\n{message}\n')
        for number, lines in enumerate(files):
            if commit > 0 and rng.random() > 0.4:
                continue
            for _ in range(8):
                lines[int(rng.random() * len(lines))] = f'line {rng.random():.6f}'
            content = '\n'.join(lines) + '\n'
            stream.append(f'M 100644 inline file{number}\ndata {len(content)}\n{content}\n')
    subprocess.run([git, '-C', path, 'fast-import', '--quiet'], check=True, env=environment,
                   input=''.join(stream).encode('ascii'))


def make_inputs(folder, environment):
    """All inputs, in an empty folder."""
    for size in (400, 1000, 2000):
        _write(folder, f'text-{size}k', _text(size * 1000, size))
    _write(folder, 'words.pl', _WORDS_PL)
    _write(folder, 'words.py', _WORDS_PY)
    _write(folder, 'sieve.lua', _SIEVE_LUA)
    _write(folder, 'table.sql', _table_sql())
    _write(folder, 'list.xml', _list_xml())
    _write(folder, 'list.json', _list_json())
    _write(folder, 'functions.c', _functions_c())
    _write(folder, 'containers.cc', _CONTAINERS_CC)
    _preprocess(folder, 'containers.cc', 'containers.ii', environment)
    _make_repository(folder, environment)
