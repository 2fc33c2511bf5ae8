# SPDX-License-Identifier: GPL-2.0-or-later
# What is installed for programs that declare phases: header, library with pkg-config,
# Python file and crate, each used from there.
load ../common
load client

setup_file()
{
   export PREFIX=$BATS_FILE_TMPDIR/prefix
   env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$abs_top_builddir" install prefix="$PREFIX" >&2
}

# As for a package that was configured for this prefix.
flags()
{
   PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig pkg-config --define-variable=prefix="$PREFIX" "$@" \
      profmem-client
}

@test "the library has its name and exports its calls, and nothing else" {
   local file=$PREFIX/lib/libprofmem-client.so.0
   readelf -d "$file" | grep -q 'SONAME.*\[libprofmem-client\.so\.0\]'
   nm -D --defined-only "$file" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort >exported
   printf 'profmem_client_%s\n' begin end read watching | diff - exported
   sed -n 's/^int \(profmem_client_[a-z]*\)(.*/\1/p' "$PREFIX/include/profmem-client.h" |
      sort | diff - exported
   [ "$(readlink "$PREFIX/lib/libprofmem-client.so")" = libprofmem-client.so.0 ]
}

@test "a program finds the headers and the library by pkg-config" {
   # shellcheck disable=SC2046
   gcc -std=gnu11 -DVIA_LIBRARY $(flags --cflags) -o by_library \
      "$abs_top_srcdir/tests/client/client_requests.c" $(flags --libs) -pthread
   LD_LIBRARY_PATH=$PREFIX/lib ./by_library | grep -qx 'watching: no'
   LD_LIBRARY_PATH=$PREFIX/lib profmem_valgrind -q --profmem-out-file=report.xml ./by_library |
      grep -qx 'watching: yes'
   # shellcheck disable=SC2046
   g++ $(flags --cflags) -o by_header "$abs_top_srcdir/examples/scratch.cc"
   [ "$(./by_header)" = unavailable ]
   [ "$(flags --modversion)" = "$("$PROFMEM" --version | sed -n '1s/^.* \([0-9][0-9.]*\).*/\1/p')" ]
}

@test "profmem-client.h compiles without a warning, as C and C++" {
   echo '#include <profmem-client.h>' | tee header.c >header.cc
   local warnings='-Werror -pedantic-errors -Wall -Wextra -Wconversion -Wshadow'
   # shellcheck disable=SC2086
   {
      gcc -std=c89 $warnings -Wstrict-prototypes -I"$PREFIX/include" -c header.c
      clang -std=c17 $warnings -I"$PREFIX/include" -c header.c
      g++ -std=c++98 $warnings -I"$PREFIX/include" -c header.cc
      clang++ -std=c++20 $warnings -I"$PREFIX/include" -c header.cc
   }
}

@test "the Python file finds the library that it is installed with" {
   [ "$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PREFIX/share/profmem/python python3 -c '
import os, profmem
print(os.path.realpath(profmem.library))')" = "$(realpath "$PREFIX/lib/libprofmem-client.so.0")" ]
}

@test "another crate depends on the installed one by its path" {
   mkdir src
   cat >Cargo.toml <<END
[package]
name = "other"
version = "1.0.0"
edition = "2021"
[dependencies]
profmem = { path = "$PREFIX/share/profmem/rust" }
END
   cp "$client/rust/examples/scratch.rs" src/main.rs
   env -u MAKEFLAGS CARGO_NET_OFFLINE=true CARGO_TARGET_DIR="$PWD/target" cargo run -q >said
   [ "$(cat said)" = unavailable ]
}
