# SPDX-License-Identifier: GPL-2.0-or-later
# Code that is not what the files say: written by the program, loaded and unloaded, chosen
# when it is needed. Expected is the programs' own ledger (hostile_code.c,
# hostile_plugins.c, hostile_ifunc.c).
load ../common
load against_none

# emitted_in OBJECT: instructions of code without a symbol there; ??? is none.
emitted_in()
{
   xmllint --xpath "string(//phase[@name='code']/functions/function[@id =
      //functions/function[@name='???' and @object='$1']/@id]/@instructions)" report.xml
}

@test "20,000 functions that are written over each other, and their instructions" {
   requires written-code
   lesson -- "$hostile/hostile_code" memory
   [ "$(emitted_in '???')" = "$(noted executed)" ] || fail "$(emitted_in '???'), not $(noted executed)"
}

# Valgrind looks for changes there only if it is asked to.
@test "the same in a private mapping of a file" {
   requires written-code
   local core_options=(--smc-check=all)
   lesson -- "$hostile/hostile_code" file
   [ "$(emitted_in code.bin)" = "$(noted executed)" ]
}

@test "code that changes itself" {
   requires quiet-code
   lesson -- "$hostile/hostile_code" patches
   [ "$(emitted_in '???')" = "$(noted executed)" ]
}

@test "1,000 libraries opened and closed, each where another one was" {
   lesson -- "$hostile/hostile_plugins" plugins
}

@test "allocation functions and a phase that are chosen when the program starts (IFUNC)" {
   lesson --phase-fn=chosen_phase -- "$hostile/hostile_ifunc" ifuncs
}

@test "JavaScript in node: compiled as it runs, in a dozen threads" {
   requires node
   command -v node >/dev/null || { [ -z "${CI-}" ] && skip 'there is no node'; }
   cat >words.js <<'JS'
const words = new Map();
for (let i = 0; i < 20000; i++) {
   const word = 'w' + (i * 7919) % 1000;
   words.set(word, (words.get(word) || 0) + i);
}
let sum = 0;
for (const [word, value] of words) sum += value % word.length;
console.log(words.size, sum, JSON.stringify([...words].slice(0, 3)));
console.error('and an error');
process.exit(3);
JS
   status_wanted=3 as_under_none -- node words.js
   "$PROFMEM" validate report.xml
   # Whatever it has given back, it had obtained.
   [ "$(of_phase program deallocations.unmatched)" = 0 ]
   [ "$(of_phase program deallocations.unseen)" = 0 ]
   [ "$(of_phase program deallocations.count)" -gt 1000 ]
}
