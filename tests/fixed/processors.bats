# SPDX-License-Identifier: GPL-2.0-or-later
# The same numbers on every processor, with --cpu: four models of them by qemu, which
# Valgrind takes for four different hosts.
load ../common

programs=$abs_top_builddir/tests/fixed
models=(Nehalem SandyBridge Haswell max)

# on MODEL ARGUMENTS...: the tool on that processor. Valgrind's launcher would start it on
# this one. gdbserver's shared file is mapped, and its name, which the C library reads in the list
# of mappings, has the process number.
on()
{
   local model=$1
   shift
   VALGRIND_LIB=$PROFMEM_VALGRIND_LIB VALGRIND_LAUNCHER=$(command -v "$VALGRIND") \
      qemu-x86_64 -cpu "$model" "$PROFMEM_VALGRIND_LIB/profmem-$PROFMEM_PLATFORM" \
      --command-line-only=yes --tool=profmem --vgdb=no "$@" 2>said || {
      grep -v '^qemu-x86_64: warning' said >&2
      return 1
   }
}

# measured CLASS PROGRAM: everything that the report of each model says of the phase.
measured()
{
   local model
   for model in "${models[@]}"; do
      on "$model" -q --profmem-out-file=report.xml --cpu="$1" --fixed-random=yes \
         --phase-fn=measured "$programs/$2" >>output
      xmllint --xpath '//phase[@name="measured"]' report.xml >"$1.$2.$model.phase"
   done
   [ "$(sort -u output | wc -l)" -eq 1 ]
   rm output
}

# same PROGRAM: with a class that all can stand in for, all metrics are the same; ids of
# functions and sites, which other code in the program changes, are not compared.
same()
{
   local model
   measured sse42 "$1"
   for model in "${models[@]:1}"; do
      diff <(grep -E '<(phase|metric)' "sse42.$1.Nehalem.phase") \
         <(grep -E '<(phase|metric)' "sse42.$1.$model.phase")
   done
   [ "$(grep -c '<metric' "sse42.$1.max.phase")" -ge 50 ]
   ! grep -q 'name="instructions.total".* value="0"' "sse42.$1.max.phase"
}

@test "without it, numbers depend on the processor" {
   measured host strings_c
   [ "$(grep -h 'name="instructions.total"' host.strings_c.*.phase | sort -u | wc -l)" -ge 2 ]
}

@test "C, dynamic and static" {
   same strings_c
   same strings_c_static
}

@test "C++, dynamic and static" {
   same strings_cxx
   same strings_cxx_static
}

@test "Rust, dynamic and static" {
   same strings_rs
   same strings_rs_static
}

@test "a class that the processor cannot stand in for is refused" {
   run on Nehalem -q --profmem-out-file=report.xml --cpu=avx2 "$programs/strings_c"
   [ "$status" -ne 0 ]
   [[ $output == *"--cpu=avx2: this processor cannot stand in for it; the best class here is sse42"* ]]
   [ ! -e report.xml ]
   run on SandyBridge -q --profmem-out-file=report.xml --cpu=avx2 "$programs/strings_c"
   [[ $output == *"the best class here is avx"* ]]
}
