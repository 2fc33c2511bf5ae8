# SPDX-License-Identifier: GPL-2.0-or-later
# profmem.h as a compiler sees it: no warning in any of the languages, and hardly any
# code. And that the bindings have the numbers of the header, in its order.
load ../common
load client

# A file for each language that uses all there is.
write_sources()
{
   cat >all.c <<'END'
#include "profmem.h"
typedef char profmem_u64_has_64_bits[sizeof(profmem_u64) == 8 ? 1 : -1];
int all(const char *name, struct profmem_numbers *numbers);
int all(const char *name, struct profmem_numbers *numbers)
{
   return profmem_watching() + profmem_begin(name) + profmem_begin_n(name, 3) +
          profmem_end(name) + profmem_end_n(name, 3) + profmem_read(name, numbers) +
          profmem_read_n(name, 3, numbers) + (numbers->heap_peak.available == 1);
}
END
   { sed 's/^int all(.*;$//; s/^int all/static int all/' all.c; cat <<'END'; } >all.cc
int guarded();
int guarded()
{
   profmem_numbers numbers;
   profmem::phase outer("outer");
   profmem::phase inner("inner and more", 5);
   return outer.result() + inner.result() + all("other", &numbers);
}
END
   echo '#include "profmem.h"' >unused.c
   cp unused.c unused.cc
}

warnings='-Werror -pedantic-errors -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow
   -Wundef -Wcast-qual -Wcast-align -Wmissing-declarations'
warnings_c='-Wstrict-prototypes -Wmissing-prototypes -Wc++-compat'
warnings_cxx='-Weffc++ -Wold-style-cast -Wzero-as-null-pointer-constant'

# compiles COMPILER FLAGS... FILE: at no, some and much optimisation
compiles()
{
   local level
   for level in -O0 -O2 -O3; do
      "$@" "$level" -I"$client" -c -o object.o || fail "$* $level"
   done
}

# as_c COMPILER FLAGS..., as_cxx COMPILER FLAGS...: in each version of the language
as_c()
{
   local standard
   for standard in c89 c99 c11 c17 gnu89 gnu17; do
      # shellcheck disable=SC2086
      compiles "$@" -std=$standard $warnings $warnings_c all.c
      compiles "$@" -std=$standard $warnings $warnings_c unused.c
   done
}

as_cxx()
{
   local standard
   for standard in c++98 c++11 c++17 c++20 gnu++98; do
      # shellcheck disable=SC2086
      compiles "$@" -std=$standard $warnings $warnings_cxx all.cc
      compiles "$@" -std=$standard $warnings $warnings_cxx unused.cc
   done
}

@test "GCC and Clang compile it as C and C++ of any age without a warning" {
   write_sources
   as_c gcc
   as_c clang
   as_cxx g++
   as_cxx clang++
}

@test "the same for 32 bits and for arm64" {
   write_sources
   as_c gcc -m32
   as_c clang -m32
   as_cxx g++ -m32
   as_cxx clang++ -m32
   as_c aarch64-linux-gnu-gcc
   as_c clang --target=aarch64-linux-gnu
   as_cxx clang++ --target=aarch64-linux-gnu
}

@test "several files of a program may include it, in C and C++" {
   echo '#include "profmem.h"' | tee one.c two.c >three.cc
   echo 'int one(void) { return profmem_begin("one"); }' >>one.c
   echo 'int two(void) { return profmem_end("one"); }' >>two.c
   cat >>three.cc <<'END'
extern "C" int one();
extern "C" int two();
int main() { profmem::phase three("three"); return one() + two(); }
END
   gcc -I"$client" -c one.c two.c
   g++ -I"$client" -o linked three.cc one.o two.o
   ./linked
}

# write_probe: a function for each call of the client. The protection of stacks against
# overflow, where it is on, would add a branch of its own.
write_probe()
{
   cat >probe.cc <<'END'
#include "profmem.h"
extern "C" {
int probe_watching() { return profmem_watching(); }
int probe_begin(const char *name) { return profmem_begin(name); }
int probe_end(const char *name) { return profmem_end(name); }
void probe_guard(const char *name) { profmem::phase phase(name); }
}
END
   sed -e 's/^extern "C" {$//' -e 's/^}$//' -e '/probe_guard/d' -e 's/watching()/watching(void)/' \
      -e 's/profmem_watching(void)/profmem_watching()/' probe.cc >probe.c
}

# instructions_of FUNCTION OBJDUMP: those of object.o, a mnemonic and its operands a line
instructions_of()
{
   "${2-objdump}" -d --no-show-raw-insn --disassemble="$1" object.o |
      awk -F'\t' -v name="<$1>:" '$0 ~ name { inside = 1; next } inside && NF >= 2 { print $2, $3 }' |
      grep -v -e '^nop' -e '^cs nop' -e '^data16' -e '^xchg *%ax,%ax'
}

# is_straight FUNCTION: a handful of instructions, the request's own among them, and none
# after which another may follow than the next, but the return.
is_straight()
{
   instructions_of "$1" >code
   grep -q '^xchg *%rbx,%rbx' code || fail "no request in $1"
   [ "$(grep -c '^ret' code)" -eq 1 ] || fail "$1: $(cat code)"
   if grep -E '^(j|call|loop|rep|cmov|bnd)' code; then
      fail "$1: $(cat code)"
   fi
   [ "$(wc -l <code)" -le "$2" ] || fail "$1 is long: $(cat code)"
}

@test "compiled with optimisation a call has no branch and no more than 20 instructions" {
   write_probe
   local compiler level
   for compiler in gcc clang; do
      for level in -O1 -O2 -O3 -Os; do
         $compiler $level -fno-stack-protector -I"$client" -c -o object.o probe.c
         is_straight probe_watching 20
         is_straight probe_begin 20
         is_straight probe_end 20
      done
   done
   for compiler in g++ clang++; do
      for level in -O1 -O2 -O3; do
         $compiler $level -fno-stack-protector -fno-exceptions -I"$client" -c -o object.o probe.cc
         is_straight probe_guard 50
      done
   done
}

@test "compiled without optimisation a call has no branch but calls within the header" {
   write_probe
   local compiler
   for compiler in gcc clang; do
      $compiler -O0 -fno-stack-protector -I"$client" -c -o object.o probe.c
      objdump -d --no-show-raw-insn object.o | awk -F'\t' 'NF >= 2 { print $2, $3 }' >code
      grep -q '^xchg *%rbx,%rbx' code
      grep -q '^call ' code
      if grep -E '^(j|loop|rep|cmov|bnd)' code || grep '^call' code | grep -v ' <profmem_'; then
         fail "$(cat code)"
      fi
   done
}

@test "for arm64 too" {
   write_probe
   local level function
   for level in -O1 -O2 -O3; do
      aarch64-linux-gnu-gcc $level -fno-stack-protector -I"$client" -c -o object.o probe.c
      for function in probe_watching probe_begin probe_end; do
         instructions_of $function aarch64-linux-gnu-objdump >code
         [ "$(grep -c -e '^ror x12, x12' -e '^orr x10, x10, x10' code)" -eq 5 ]
         [ "$(grep -c '^ret' code)" -eq 1 ]
         if grep -E '^(b|bl|blr|br|b\..*|cbz|cbnz|tbz|tbnz) ' code; then
            fail "$function: $(cat code)"
         fi
         [ "$(wc -l <code)" -le 25 ] || fail "$function is long: $(cat code)"
      done
   done
}

@test "with NVALGRIND nothing is left of it" {
   write_probe
   gcc -O2 -DNVALGRIND -I"$client" -c -o object.o probe.c
   local function
   for function in probe_watching probe_begin probe_end; do
      instructions_of $function >code
      grep -q '^ret' code
      if grep -v -e '^xor *%eax,%eax' -e '^ret' -e '^endbr64' code; then
         fail "$function: $(cat code)"
      fi
   done
}

@test "the bindings know the header's results and numbers, in the same order" {
   members_of_header >header
   [ "$(wc -l <header)" -gt 20 ]
   sed -n '/^_MEMBERS = (/,/^)/s/^ *"\([a-z_]*\)".*/\1/p' "$client/python/profmem.py" >python
   diff header python
   sed -n '/^numbers! {/,/^}/s/^ *\([a-z_]*\): [ui]64,/\1/p' "$client/rust/src/lib.rs" >rust
   diff header rust
   # Those with a sign, too.
   sed -n 's/^ *struct profmem_value \([a-z_]*\);.*signed.*/\1/p' "$client/profmem.h" >signed
   [ -s signed ]
   sed -n 's/^ *\([a-z_]*\): i64,/\1/p' "$client/rust/src/lib.rs" | diff signed -
   sed -n 's/^_SIGNED = frozenset({\(.*\)})/\1/p' "$client/python/profmem.py" | tr -d '" ' |
      tr , '\n' | diff signed -

   sed -n 's/^ *PROFMEM_\([A-Z0-9_]*\) = \([0-9]\),\{0,1\}\( .*\)\{0,1\}$/\1 \2/p' "$client/profmem.h" >results
   [ "$(wc -l <results)" -eq 9 ]
   sed -n 's/^    \([A-Z0-9_]*\) = \([0-9]\)\( .*\)\{0,1\}$/\1 \2/p' "$client/python/profmem.py" |
      diff results -
   sed -n 's/^ *PROFMEM_REQUEST_[A-Z]* = 0x\([0-9a-f]*\).*/\1/p' "$client/profmem.h" >requests
   [ "$(wc -l <requests)" -eq 4 ]
   sed -n 's/^ *[A-Z][a-z]* = 0x\([0-9a-f_]*\),/\1/p' "$client/rust/src/request.rs" | tr -d _ |
      diff requests -
}
