# SPDX-License-Identifier: GPL-2.0-or-later
# emulated.bash: the tool on another machine, whose programs qemu's user emulation runs.
#
#   there=NAME
#   . "$abs_top_srcdir/tests/platforms/emulated.bash"

. "$abs_top_srcdir/tests/platforms/tests_there.bash"

# What the tests run under the tool besides their own programs, and link with.
root_packages=(valgrind bash binutils bzip2 coreutils dash gcc git grep libcmocka-dev
   libjemalloc2 libmimalloc2.0 libpython3-stdlib libtcmalloc-minimal4 libxml2-dev libxml2-utils
   lua5.4 make musl-dev perl python3-minimal sed sqlite3 xz-utils)

# start_by FOLDER PLATFORM EMULATOR: FOLDER/bin/emulated and FOLDER/bin/valgrind (emulated.c).
start_by()
{
   local folder=$1
   mkdir -p "$folder/bin"
   gcc -D_GNU_SOURCE -Wall -Wextra -Wl,--build-id=none -static -DEMULATED_PLATFORM="\"$2\"" \
      -DEMULATED_LIB="\"$folder/root/usr/libexec/valgrind\"" -DEMULATED_BY="\"$3\"" -o "$folder/bin/emulated" \
      "$abs_top_srcdir/tests/platforms/emulated.c" &&
      cp "$folder/bin/emulated" "$folder/bin/valgrind"
}

# build_emulated FOLDER HOST LIBRARIES: as build_there does, for that machine, in whose
# FOLDER/root libraries are in /usr/lib/LIBRARIES.
build_emulated()
{
   local folder=$1 host=$2 root=$1/root libraries=$3
   local link="-Wl,-rpath-link,$root/usr/lib/$libraries $root/usr/lib/$libraries"
   # The compiler with musl is told where it is.
   sed "s,/usr/\(include\|lib\)/,$root&,g" "$root/usr/lib/${libraries%-*}-musl/musl-gcc.specs" \
      >"$folder/musl-gcc.specs"
   build_there "$folder" --host="$host" VALGRIND="$folder/bin/valgrind" \
      PM_EMULATOR="$folder/bin/emulated" PM_ROOT="$root" \
      PM_MUSL_CC="$host-gcc -specs=$folder/musl-gcc.specs" \
      CMOCKA_CFLAGS="-I$root/usr/include" CMOCKA_LIBS="$link/libcmocka.so" \
      LIBXML2_CFLAGS="-I$root/usr/include/libxml2" LIBXML2_LIBS="$link/libxml2.so"
}
