# SPDX-License-Identifier: GPL-2.0-or-later
# Sites in C++ and Rust: demangled names, inlined frames, the files and lines of each.
load ../common
load tool
load sites

# Blocks from before main: a pool of the C++ library's; what static programs prepare.
of_library='*:libstdc++.so.*:ld-linux*'
of_start='*(below main):*'

# inlined_frames COUNT: so many of the account's frames, or more, are said to be inlined.
inlined_frames()
{
   [ "$(grep -o '|yes' account | wc -l)" -ge "$1" ]
}

@test "C++, optimised: templates, lambdas, inlined allocators, operators, vectors" {
   others=$of_library sites_agree "$sites/sites_cxx"
   inlined_frames 10
   # The library's own between them: each of a vector's callers is one of its frames.
   local vector='/profmem/sites/site[frame/@function="void forms::grow<int>(unsigned long)"]'
   xmllint --xpath "$vector/frame[@function='push_back'][@inlined='yes']" report.xml
   xmllint --xpath "$vector/frame[@file='new_allocator.h']" report.xml
}

@test "C++ without optimisation: what is always inlined is" {
   others=$of_library sites_agree "$sites/sites_cxx-O0"
   inlined_frames 8
}

@test "C++ by another compiler" {
   others=$of_library sites_agree "$sites/sites_cxx-clang"
   inlined_frames 10
}

@test "C++ at fixed addresses and static" {
   others=$of_library sites_agree "$sites/sites_cxx-nopie"
   others=$of_start sites_agree "$sites/sites_cxx-static"
}

# Names of closures and of types depend on how the compiler makes symbols.
mangling()
{
   if "${PM_BINUTILS}nm" "$1" | grep -q ' _R[NI].*10sites_rust'; then echo v0; else echo legacy; fi
}

@test "Rust, optimised: boxes, vectors, generic functions, closures, traits" {
   requires rust
   sites_agree --num-callers=40 "$sites/sites_rust" "$(mangling "$sites/sites_rust")"
   inlined_frames 2
}

@test "Rust without optimisation" {
   requires rust
   sites_agree --num-callers=40 "$sites/sites_rust-O0" "$(mangling "$sites/sites_rust-O0")"
}

@test "Rust with symbols that hold types" {
   requires rust
   [ "$(mangling "$sites/sites_rust-v0")" = v0 ]
   sites_agree --num-callers=40 "$sites/sites_rust-v0" v0
   xmllint --xpath '//frame[@function="sites_rust::grow::<(u64, u64)>"]' report.xml
}

@test "Rust, static" {
   requires rust
   local program=$sites/sites_rust-static
   others=$of_start sites_agree --num-callers=40 "$program" "$(mangling "$program")"
}
