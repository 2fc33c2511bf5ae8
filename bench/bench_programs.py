# SPDX-License-Identifier: GPL-2.0-or-later
"""bench_programs.py: the programs that are run, and their inputs.

Programs of the distribution are run as they are installed; those in programs/
are the project's own, each an extreme of something. Inputs are generated, the
same bytes everywhere: the generator's sequence is part of Python's promises
(random.Random(n).random()), and of the rest only arithmetic is used.

Most programs run for about a second under --tool=none: long against the start of
Valgrind, which takes a sixth of one, and short enough for many runs.
"""

import os
import random
import shutil
import subprocess

OWN = ('allocation_storm', 'live_blocks', 'deep_stacks', 'many_sites', 'floating_point',
        'short_functions', 'large_code')

# Name, package, command; the first word is looked up in PATH.
_DISTRIBUTION = (
    ('bzip2', 'bzip2', ['bzip2', '-c', 'text-4000k']),
    ('xz', 'xz-utils', ['xz', '-T1', '-c', 'text-1000k']),
    ('gzip', 'gzip', ['gzip', '-9', '-n', '-c', 'text-6000k']),
    ('perl', 'perl', ['perl', 'words.pl', 'text-2000k']),
    ('python3', 'python3', ['python3', '-S', '-B', 'words.py', 'text-1000k']),
    ('sqlite3', 'sqlite3', ['sqlite3', '-init', '/dev/null', ':memory:', '.read table.sql']),
    ('lua', 'lua5.4', ['lua5.4', 'sieve.lua']),
    ('jq', 'jq', ['jq', '-c', 'group_by(.class)|map({c: .[0].class, n: length})', 'list.json']),
    ('git', 'git', ['git', '-C', 'repository', 'log', '-p', '--stat']),
    ('xmllint', 'libxml2-utils', ['xmllint', '--xpath', 'count(//item[@class="c3"]/name)',
                                  'list.xml']),
    ('tcc', 'tcc', ['tcc', '-c', '-o', 'many-functions.o', 'many-functions.c']),
    ('cc1', 'gcc', ['cc1', '-quiet', '-O0', '-frandom-seed=1', 'functions.c', '-o', '/dev/null']),
    ('cc1plus', 'g++', ['cc1plus', '-quiet', '-O0', '-frandom-seed=1', 'templates.cc',
                        '-o', '/dev/null']),
)

NAMES = tuple(row[0] for row in _DISTRIBUTION) + OWN
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
    for name in OWN:
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
with recursive n(x) as (values(1) union all select x + 1 from n where x < 20000)
   insert into t select x, 'text ' || (x * 7919 % 10007), x * 31 % 997 from n;
create index i on t(b);
select c % 50, count(*), sum(a), max(b) from t group by 1 order by 2 desc, 1;
select count(*) from t x join t y on x.b = y.b where x.a < y.a + 5;
delete from t where a % 3 = 0;
select count(*), sum(c) from t;
'''


def _list_xml():
    items = ''.join(f'<item id="i{i}" class="c{i % 7}"><name>n{i}</name><v>{i * i}</v></item>\n'
                    for i in range(30000))
    return f'<list>\n{items}</list>\n'


def _list_json():
    items = ',\n'.join(f'{{"id": {i}, "class": "c{i % 7}", "name": "n{i}", "v": [{i}, {i * i}]}}'
                       for i in range(10000))
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
for i = 2, 600000 do
   if not marked[i] then
      primes[#primes + 1] = i
      for j = i * i, 600000, i do marked[j] = true end
   end
end
local parts = {}
for i = 1, #primes do parts[i] = string.format("%x", primes[i] * 7) end
local text = table.concat(parts, ",")
print(#primes, #text, select(2, text:gsub("a%d", "")))
'''


def _functions_c(count):
    parts = ['struct node { struct node *next; long value; };\n']
    for n in range(count):
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


def _templates_cc():
    parts = ['''template <int N, typename T> struct chain {
   T value;
   chain<N - 1, T> rest;
   T sum() const { return value + rest.sum(); }
};
template <typename T> struct chain<0, T> {
   T sum() const { return T(); }
};
''']
    for n, kind in enumerate(('int', 'long', 'unsigned', 'double')):
        parts.append(f'''
struct holder_{n} {{
   chain<{n + 12}, {kind}> all;
   virtual {kind} sum() const {{ return all.sum(); }}
   virtual ~holder_{n}() {{}}
}};
{kind} total_{n}(const holder_{n} &a, const holder_{n} &b) {{ return a.sum() + b.sum(); }}
''')
    return ''.join(parts)


def _make_repository(folder, environment):
    """A hundred and fifty commits on twelve files, written in one go."""
    git = shutil.which('git')
    if not git:
        return
    path = os.path.join(folder, 'repository')
    subprocess.run([git, 'init', '-q', '-b', 'main', path], check=True, env=environment)
    rng = random.Random(11)
    files = [_text(6000, 100 + n).splitlines() for n in range(12)]
    stream = []
    for commit in range(150):
        message = f'change {commit}'
        stream.append('commit refs/heads/main\n'
                      f'committer a <a@b> {1000000000 + commit * 60} +0000\n'
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
    for size in (1000, 2000, 4000, 6000):
        _write(folder, f'text-{size}k', _text(size * 1000, size))
    _write(folder, 'words.pl', _WORDS_PL)
    _write(folder, 'words.py', _WORDS_PY)
    _write(folder, 'sieve.lua', _SIEVE_LUA)
    _write(folder, 'table.sql', _table_sql())
    _write(folder, 'list.xml', _list_xml())
    _write(folder, 'list.json', _list_json())
    _write(folder, 'functions.c', _functions_c(12))
    _write(folder, 'many-functions.c', _functions_c(6000))
    _write(folder, 'templates.cc', _templates_cc())
    _make_repository(folder, environment)
