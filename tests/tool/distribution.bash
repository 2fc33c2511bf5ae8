# SPDX-License-Identifier: GPL-2.0-or-later
# distribution.bash: programs of the distribution, to run under two tools alike.
#
# Both runs have the same files, environment, seeds and clock (steady.c), the
# same working folder that nothing is written to meanwhile, and the same size of
# the initial stack, on which some instructions depend: VALGRIND_LIB and
# LD_PRELOAD are on it too.

steady=$programs/steady.so

# What each program is run with, in the folder of inputs.
program_git=(git -C repository log -p --stat)
program_xmllint=(xmllint --xpath 'count(//item[@class="c3"]/name)' list.xml)
program_perl=(perl words.pl)
program_python3=(/usr/bin/python3 -S -B numbers.py)
program_cc1=(cc1 -quiet -O1 -frandom-seed=1 sums.c -o /dev/null)
program_sqlite3=(sqlite3 -init /dev/null :memory: '.read table.sql')
program_lua=(lua5.4 strings.lua)
program_gold=(ld.gold -r -o /dev/null sums.o)
program_rust=("$programs/tally")
program_bzip2=(bzip2 -c numbers)
program_ledger=("$programs/ledger-cxx" "$(sized 5000 300)" 1 1 locked)

# For setup_file.
make_inputs()
{
   mkdir "$BATS_FILE_TMPDIR/inputs"
   cd "$BATS_FILE_TMPDIR/inputs"
   make_repository
   seq "$(sized 9000 500)" >numbers
   {
      echo '<list>'
      for i in {1..300}; do
         echo "<item id=\"i$i\" class=\"c$((i % 7))\"><name>n$i</name><v>$((i * i))</v></item>"
      done
      echo '</list>'
   } >list.xml
   cat >table.sql <<'END'
create table t(a integer primary key, b text);
with recursive c(x) as (values(1) union all select x + 1 from c where x < 500)
   insert into t select x, 'text ' || (x * 7919 % 1000) from c;
create index i on t(b);
select b, count(*), sum(a) from t group by b having sum(a) > 400 order by 2 desc, 1 limit 10;
END
   cat >strings.lua <<END
local t = {}
for i = 1, $(sized 2000 100) do t["k" .. i % 257] = (t["k" .. i % 257] or "") .. i end
local n = 0
for k, v in pairs(t) do n = n + #v end
print(n)
END
   cat >words.pl <<'END'
my %h;
push @{$h{"k" . ($_ * 7919 % 251)}}, $_ for 1 .. 2000;
print join(",", map { scalar @{$h{$_}} } sort keys %h), "\n";
my $s = "abc" x 300;
$s =~ s/(b)c/$1$1/g;
print length $s, "\n";
END
   cat >numbers.py <<'END'
d = {"k%d" % (i * 7919 % 251): list(range(i % 17)) for i in range(400)}
s = repr(sorted(d.items()))
print(len(s), sum(map(int, s.replace("[", ",").replace("]", ",").replace("(", ",")
   .replace(")", ",").replace("'k", "").replace("'", "").replace(" ", "").replace(",,", ",0,")
   .strip(",").replace(",,", ",0,").split(","))))
END
   cat >sums.c <<'END'
typedef struct node { struct node *next; int value; } node;
static int sum(const node *n) { int s = 0; for (; n; n = n->next) s += n->value; return s; }
int f(int n)
{
   node a[8];
   for (int i = 0; i < 8; i++) { a[i].value = i * n; a[i].next = i < 7 ? &a[i + 1] : 0; }
   return sum(a);
}
END
   $PM_CC -O1 -c sums.c -o sums.o
}

make_repository()
{
   local i
   for i in 1 2 3 4 5; do
      [ -d repository ] || in_fixed_environment git init -q repository
      seq "$i" 7 $((300 + i * 10)) >"repository/file$i"
      seq 1 "$i" 200 >repository/changing
      in_fixed_environment git -C repository add -A
      in_fixed_environment git -C repository commit -qm "change $i"
   done
}

# in_fixed_environment [NAME=VALUE...] COMMAND...
in_fixed_environment()
{
   env -i PATH="$PATH" LC_ALL=C TZ=UTC HOME=/nonexistent PYTHONHASHSEED=0 PERL_HASH_SEED=0 \
      GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a \
      GIT_COMMITTER_EMAIL=a@b GIT_AUTHOR_DATE='2001-01-01T00:00:00Z' \
      GIT_COMMITTER_DATE='2001-01-01T00:00:00Z' "$@"
}

# Where programs under Valgrind find gcc's cc1.
compiler_proper()
{
   if [ -z "${PM_ROOT-}" ]; then
      gcc -print-prog-name=cc1
   else
      echo "$PM_ROOT"/usr/lib/gcc/*/*/cc1
   fi
}

# under NAME TOOL PRELOAD OPTIONS...: the program under a tool; its output in
# TOOL.out, the log in TOOL.log.
under()
{
   local -n words=program_$1
   local tool=$2 preload=$3 command=("${words[@]}") here=$PWD
   shift 3
   [ "${command[0]}" != cc1 ] || command[0]=$(compiler_proper)
   [[ ${command[0]} == /* ]] || command[0]=$(command -v "${command[0]}") ||
      fail "${words[0]} is not installed" || return
   (
      cd "$BATS_FILE_TMPDIR/inputs"
      in_fixed_environment VALGRIND_LIB="$PROFMEM_VALGRIND_LIB" LD_PRELOAD="$preload" \
         "$VALGRIND" --command-line-only=yes --tool="$tool" --log-file="$here/$tool.log" "$@" \
         "${command[@]}" >"$here/$tool.out"
   ) || fail "under $tool it ended with $?"
}
