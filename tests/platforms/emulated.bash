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

# The emulator is that of a newer Debian than 12, whose qemu has not all system calls that
# Valgrind makes on x86, and no signal for what Valgrind wakes waiting threads with, its 64th.
# This one can be told which signals of the program are which of this machine's; two it needs.
signals='32 34 28,64 64 1'

# get_emulator FOLDER
get_emulator()
{
   get_there "$1" --suite=trixie qemu-user
}

# start_by FOLDER PLATFORM EMULATOR OPTIONS...: FOLDER/bin/emulated and FOLDER/bin/valgrind
# (emulated.c), which run programs with the files in FOLDER/root.
start_by()
{
   local folder=$1 platform=$2 words=$3 word
   shift 3
   for word in -t "$signals" -L "$folder/root" "$@"; do
      words+="|$word"
   done
   mkdir -p "$folder/bin"
   gcc -D_GNU_SOURCE -Wall -Wextra -Wl,--build-id=none -static \
      -DEMULATED_PLATFORM="\"$platform\"" -DEMULATED_BY="\"$words\"" \
      -DEMULATED_LIB="\"$folder/root/usr/libexec/valgrind\"" \
      -o "$folder/bin/emulated" "$abs_top_srcdir/tests/platforms/emulated.c" &&
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
