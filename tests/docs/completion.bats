#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# completion.bats: what bash offers is what there is: commands, options and values, against the
# help, in both directions; and in a bash on a terminal, with the keys that a user types.

load ../common

export LC_ALL=C.UTF-8
completion=$abs_top_srcdir/docs/bash-completion/profmem

# offered WORD...: what bash offers for the last of these words behind `profmem`, into the file
# offered; what else it was told to do into the file told. bash hands over words that it has
# split at = and :, and the last one without them.
offered()
{
   # Without an answer bash completes names of files.
   "$PROFMEM" --complete -- "$@" >answer || fail "--complete $*: status $?"
   head -n 1 answer | grep -qxE 'words|files|folders|program [0-9]+' || fail "$*: $(cat answer)"
   # shellcheck disable=SC2016
   bash --norc -euc '
      compopt() { echo "$*" >>told; }
      . "$1"
      command=$2
      shift 2
      COMP_WORDS=(profmem "$@")
      COMP_CWORD=$#
      last=${COMP_WORDS[COMP_CWORD]}
      [[ $last != [=:] ]] || last=
      >told
      _profmem "$command" "$last" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf "%s\n" ${COMPREPLY+"${COMPREPLY[@]}"} | sed "/^\$/d" >offered' \
      bash "$completion" "$PROFMEM" "$@"
}

# Words on a line or on several, in an order of their own, on a line each.
sorted()
{
   tr -s ' ' '\n' | sed '/^$/d' | sort
}

# offers EXPECTED WORD...: those words, in any order.
offers()
{
   local expected=$1
   shift
   offered "$@"
   sorted <<<"$expected" >expected
   sorted <offered | diff expected - || fail "$*"
}

# Names of files are readline's to complete: nothing is offered, and that is not turned off.
offers_files()
{
   offered "$@"
   [ ! -s offered ] || fail "$*: $(cat offered)"
   [ ! -s told ] || fail "$*: $(cat told)"
}

offers_nothing()
{
   offers '' "$@"
   [ "$(cat told)" = '+o bashdefault +o default' ] || fail "$*: $(cat told)"
}

commands()
{
   "$PROFMEM" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# options HELP-ARGUMENTS...: "name argument" of each, "name" if it has none.
options()
{
   "$PROFMEM" help "$@" | sed -n -E '/^Options:/,/^$/s/^ +(-., )?--([^ =]+)(=([^ ]+))?.*/\2 \4/p'
}

@test "commands" {
   [ "$(commands | wc -l)" -ge 8 ]
   offers "$(commands)" ''
   offers 'show' sh
   offers_nothing frob
   offers_nothing frob ''
   offers '--help --version' -
}

@test "the options of every command are those of its help" {
   for command in $(commands); do
      options "$command" >has
      [ -s has ]
      # One with an argument goes on behind =, without a blank; one of an optional one may.
      offers "$(sed -E -e 's/^([^ ]+) .+/--\1=/' -e 's/^([^ ]+) $/--\1/' has) \
         $([ "$command" != run ] || echo --aa)" "$command" -
      while read -r name argument; do
         offers "--$name${argument:+=} $([ "$name" != aa ] || echo --aa) \
            $(sed -n -E -e "s/^($name[^ ]+) .+/--\1=/p" -e "s/^($name[^ ]+) \$/--\1/p" has)" \
            "$command" "--$name"
      done <has
   done
   offered show --so
   grep -qx -e '-o nospace' told
   offered show --li
   [ "$(grep -c nospace told)" -eq 0 ]
}

# As they are typed: behind a blank, behind =, and where bash does not split at =.
value()
{
   local expected=$1 command=$2 option=$3
   offers "$expected" "$command" "--$option" ''
   offers "$expected" "$command" "--$option" =
   offers "$(sed -E "s/(^| )([^ ])/\1--$option=\2/g" <<<"$expected")" "$command" "--$option="
}

@test "values that help spells out are offered, and only these" {
   local found=0
   for command in $(commands); do
      while read -r name argument; do
         [[ $argument == *'|'* ]] || continue
         value "$(tr '|' '\n' <<<"$argument" | grep '^[a-z]' | xargs)" "$command" "$name"
         found=$((found + 1))
      done < <(options "$command")
   done
   [ "$found" -ge 12 ]
   offers 'yes' run --lines = y
   offers 'yes' run --lines y
   offers '--lines=yes' run --lines=y
}

@test "every kind of value: words, files, folders, or anything" {
   "$PROFMEM" help metrics | sed 's/ .*//' | xargs >metrics
   "$PROFMEM" help export | sed -n '/Formats:$/,/^An/s/^  \([a-z-]*\)  .*/\1/p' | xargs >formats
   profmem_valgrind --help | sed -n '/kinds of allocation functions/,/^$/{//!p}' | xargs >kinds
   [ "$(wc -w <metrics)" -ge 46 ]
   [ "$(wc -w <formats)" -ge 11 ]
   [ "$(wc -w <kinds)" -ge 19 ]
   for command in $(commands); do
      while read -r name argument; do
         case $command:$argument in
         *: | *'|'*) ;; # tested above
         *:METRIC) value "$(cat metrics)" "$command" "$name" ;;
         export:FORMAT) value "$(cat formats)" export "$name" ;;
         check:FORMAT) value 'text markdown junit github' check "$name" ;;
         check:FORMAT=FILE)
            value 'text= markdown= junit= github=' check "$name"
            offers_files check "--$name" = junit = ''
            offers_files check "--$name" junit =
            ;;
         show:WHAT)
            "$PROFMEM" help show | sed -n 's/.*sites by what: //p' | tr -d ',' >orders
            value "$(sed 's/(default)//' orders | xargs)" show "$name"
            ;;
         run:KIND:NAME)
            value "$(sed -E 's/( |$)/:\1/g' kinds)" run "$name"
            offers_nothing run "--$name" = malloc : ''
            offers_nothing run "--$name" = malloc :
            ;;
         *:FILE)
            offers_files "$command" "--$name" ''
            offers_files "$command" "--$name" =
            offers_files "$command" "--$name" = re
            ;;
         *:FOLDER)
            offers '' "$command" "--$name" ''
            grep -qx -e '-o dirnames .*' told
            ;;
         *:N | *:NAME | *:LIMIT | *:PERCENT | *:NAME=VALUE | *:OPTION | *:PATTERN,... | \
            *:'[NAME=]PATTERN' | *:BYTES | *:HINT,...)
            offers_nothing "$command" "--$name" =
            ;;
         *) fail "$command --$name=$argument: what is offered for that?" ;;
         esac
      done < <(options "$command")
   done
}

@test "short options, and what stands behind them" {
   offers 'junit' check -f ju
   offers 'traffic temporary' show -lHs t
   offers_files run -tqo ''
   offers_files run -l ''
   offers_files show -l ''
   offers_files check -oju = x
}

@test "arguments" {
   offers_files show ''
   offers_nothing show a.xml ''
   offers_files diff a.xml ''
   offers_nothing diff a.xml b.xml ''
   offers_files html --top 3 a.xml ''
   offers_nothing html a.xml b.xml ''
   offers_files check a.xml b.xml c.xml ''
   offers_files validate -- --a
   offers "$(commands) metrics classes $("$PROFMEM" help metrics | sed 's/ .*//')" help ''
   offers_nothing help show ''
}

@test "a program and its arguments are completed as if the line began there" {
   for line in '2:run x' '2:run ls -l ' '6:run -q --output = x ls' '3:run -- -x' \
      '4:run -o x.xml ls -'; do
      read -r -a words <<<"${line#*:}"
      [ "$("$PROFMEM" --complete -- "${words[@]}")" = "program ${line%%:*}" ] || fail "$line"
   done
}

@test "a bash does it" {
   mkdir folder one
   touch 'a report.xml' one/limits "it's.xml" folder/x
   printf '#!/bin/sh\n' >one/only-program
   chmod +x one/only-program
   PATH=$PWD/one:$PATH python3 "$abs_top_srcdir/tests/docs/complete_in_bash.py" "$completion" \
      'profmem sho<Tab>--sor<Tab>tr<Tab>a<Tab>' \
      'profmem export --format=cs<Tab>it<Tab>' \
      'profmem show -m heap.gr<Tab>a<Tab>' \
      'profmem check --limits=one/l<Tab>-o jun<Tab>one/l<Tab>' \
      'profmem run --alloc-fn=mal<Tab>take --valgrind-lib=fo<Tab>' \
      'profmem run -q only-pr<Tab>fol<Tab>' >run
   cat >expected <<'END'
[show][--sort=traffic][a report.xml]
[export][--format=csv][it's.xml]
[show][-m][heap.growth][a report.xml]
[check][--limits=one/limits][-o][junit=one/limits]
[run][--alloc-fn=malloc:take][--valgrind-lib=folder/]
[run][-q][only-program][folder/]
END
   diff expected run
}

@test "nothing that is typed is run by the completion" {
   # The key after Tab takes the line away again: the shell itself would run this.
   local kill=$'\x15'
   python3 "$abs_top_srcdir/tests/docs/complete_in_bash.py" "$completion" \
      "profmem show --sort \`touch\${IFS}evil\`<Tab>${kill}profmem 1" \
      "profmem export --format=\`touch\${IFS}evil\`<Tab>${kill}profmem 2" \
      "profmem \$(touch evil)<Tab>${kill}profmem 3" \
      "profmem show '\$(touch evil)'<Tab>" \
      "profmem run --cpu='\`touch evil\`'<Tab>" >run
   printf '%s\n' '[1]' '[2]' '[3]' "[show][\$(touch evil)]" "[run][--cpu=\`touch evil\`]" |
      diff - run
   [ ! -e evil ]
}

@test "valgrind's own completion has the tool's options" {
   # shellcheck disable=SC2016
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB bash --norc -c '
      . /usr/share/bash-completion/bash_completion
      compopt() { :; }
      . /usr/share/bash-completion/completions/valgrind
      COMP_WORDS=(valgrind --tool = profmem --phase)
      COMP_CWORD=4
      COMP_LINE="valgrind --tool=profmem --phase"
      COMP_POINT=${#COMP_LINE}
      _valgrind "$1" --phase profmem
      printf "%s\n" "${COMPREPLY[@]}"' bash "$VALGRIND" | sort | xargs >offered
   [ "$(cat offered)" = '--phase-fn= --phase-instances=' ] || fail "$(cat offered)"
}

@test "make install puts it where bash-completion looks, and uninstall takes it away" {
   quiet_make()
   {
      env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$abs_top_builddir" "$@"
   }
   quiet_make install-dist_bashcompletionDATA DESTDIR="$PWD/stage" prefix=/usr
   cmp "$completion" stage/usr/share/bash-completion/completions/profmem
   # Where bash-completion says, for the prefix that it has itself.
   [ "$(pkg-config --variable=completionsdir bash-completion)" = \
      /usr/share/bash-completion/completions ]
   quiet_make uninstall-dist_bashcompletionDATA DESTDIR="$PWD/stage" prefix=/usr
   [ -z "$(find stage ! -type d)" ]
}
