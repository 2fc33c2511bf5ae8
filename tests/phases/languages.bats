# SPDX-License-Identifier: GPL-2.0-or-later
# Functions as phases, by the names of C++ and Rust, with exceptions and panics; and
# those of libraries that come and go.
load ../common
load phases

# counts NAME PATTERN INSTANCES BYTES ...: a phase of functions_cxx names each.
counts()
{
   local options=()
   : >expected
   while [ $# -gt 0 ]; do
      options+=("--phase-fn=$1=$2")
      printf '%s\t@instances\t%s\n%s\tallocations.bytes\t%s\n' "$1" "$3" "$1" "$4" >>expected
      shift 4
   done
   profmem_valgrind -q --profmem-out-file=report.xml "${options[@]}" "$phases/functions_cxx" names
   expect report.xml expected
}

@test "C++: names with and without parameters, wildcards, as the linker has them" {
   counts \
      int 'store::insert(int)' 2 2 \
      text 'store::insert(char const*)' 3 30 \
      both 'store::insert' 5 32 \
      raw _ZN5store6insertEi 2 2 \
      raw-wild '_ZN5store6insert*' 5 32 \
      one-of-a-template 'store::box<int>::put' 4 400 \
      all-of-a-template 'store::box<*>::put' 9 900 \
      const 'store::box<int>::get() const' 6 6000 \
      const-bare 'store::box<int>::get' 6 6000 \
      call 'store::functor::operator()' 7 70000 \
      call-with 'store::functor::operator()(int)' 7 70000 \
      equal 'store::functor::operator==' 8 800000 \
      hidden '(anonymous namespace)::hidden' 9 45 \
      hidden-with '(anonymous namespace)::hidden(int)' 9 45 \
      all 'store::*' 35 876932
}

@test "C++: what is no name of a function matches nothing" {
   profmem_valgrind -q --profmem-out-file=report.xml --phase-fn=insert --phase-fn='store::insert(' \
      --phase-fn='store::insert()' --phase-fn='tore::insert' --phase-fn='store::inser' \
      "$phases/functions_cxx" names
   [ "$(xmllint --xpath 'count(//phase[@kind="function"][@instances=0])' report.xml)" = 5 ]
   [ "$(xmllint --xpath 'count(//phase[@kind="function"])' report.xml)" = 5 ]
}

@test "C++: exceptions out of functions, through several, and caught inside" {
   measured --phase-fn=risky --phase-fn=middle --phase-fn=outermost --phase-fn=careful \
      --phase-fn=rethrows "$phases/functions_cxx" exceptions
}

@test "Rust, with both kinds of names; panics out of functions" {
   requires rust
   local program
   for program in functions_rs functions_rs_v0; do
      measured --phase-fn='step=*::work::step' --phase-fn='keep=*Keeper*keep' \
         --phase-fn='leaves=*::work::leaves' "$phases/$program"
   done
}

@test "libraries opened and closed, at the same place and at others, twice at once" {
   cp "$phases/plugin.so" other.so
   measured --phase-fn=plugin_run --phase-fn=private=plugin_private "$phases/loads" \
      "$phases/plugin.so" "$PWD/other.so"
   # Names in separate debug information, where Valgrind looks for it.
   cp "$phases/plugin.so" stripped.so
   "${PM_BINUTILS}objcopy" --only-keep-debug stripped.so stripped.debug
   "${PM_BINUTILS}objcopy" --strip-all --add-gnu-debuglink=stripped.debug stripped.so
   ! "${PM_BINUTILS}nm" stripped.so 2>&1 | grep plugin_private || fail "the name is still in it"
   cp stripped.so other.so
   measured --phase-fn=plugin_run --phase-fn=private=plugin_private "$phases/loads" \
      "$PWD/stripped.so" "$PWD/other.so"
}
