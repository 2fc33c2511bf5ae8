# SPDX-License-Identifier: GPL-2.0-or-later
# configure says in one line what is missing and which package has it.
load ../common

# Debian's and Fedora's, the arguments of names_packages.
valgrind_packages='valgrind valgrind-tools-devel'

# The line with which configure gives up, given its arguments.
configure_fails()
{
   local status=0
   "$abs_top_srcdir/configure" "$@" >stdout 2>stderr || status=$?
   [ $status -ne 0 ] || fail 'configure succeeded'
   cat stderr
   [ "$(wc -l <stderr)" -eq 1 ]
   [[ $(cat stderr) == "configure: error: "* ]]
}

names_packages()
{
   [[ $(cat stderr) == *"$1"*"Debian: $2"*"Fedora: "*"$3"* ]]
}

# A folder that looks like an installed Valgrind to pkg-config, and holds nothing.
hollow_valgrind()
{
   mkdir -p hollow/lib/pkgconfig hollow/include/valgrind hollow/bin
   sed 's/^\(libdir=\).*/\1${prefix}\/lib/' \
      "$(pkg-config --variable=pcfiledir valgrind)/valgrind.pc" >hollow/lib/pkgconfig/valgrind.pc
}

@test "no pkg-config" {
   configure_fails PKG_CONFIG=/bin/false
   names_packages pkg-config pkg-config pkgconf-pkg-config
}

@test "no Valgrind" {
   configure_fails PKG_CONFIG_LIBDIR=/absent
   names_packages Valgrind $valgrind_packages
}

@test "a Valgrind without headers, without archives, without tools" {
   hollow_valgrind
   configure_fails --with-valgrind=hollow
   names_packages pub_tool_tooliface.h $valgrind_packages

   ln -s "$(pkg-config --variable=includedir valgrind)"/* hollow/include/valgrind
   configure_fails --with-valgrind=hollow
   names_packages "libcoregrind-$PROFMEM_PLATFORM.a" $valgrind_packages

   mkdir hollow/lib/valgrind
   ln -s "$(pkg-config --variable=libdir valgrind)"/valgrind/*.a hollow/lib/valgrind
   configure_fails --with-valgrind=hollow
   names_packages VALGRIND_TOOLS_DIR $valgrind_packages

   # And with all of it, it is accepted: the failures above were for the reason they said.
   ln -s "$PROFMEM_VALGRIND_LIB/none-$PROFMEM_PLATFORM" hollow/lib/valgrind
   mkdir build
   (cd build && "$abs_top_srcdir/configure" -q --with-valgrind=../hollow)
}

@test "--with-valgrind without such a folder" {
   configure_fails --with-valgrind=absent
   configure_fails --with-valgrind
}

@test "no libxml2" {
   mkdir pc
   ln -s "$(pkg-config --variable=pcfiledir valgrind)/valgrind.pc" pc
   configure_fails PKG_CONFIG_LIBDIR="$PWD/pc"
   names_packages libxml2 libxml2-dev libxml2-devel
   "$abs_top_srcdir/configure" -q --disable-reports PKG_CONFIG_LIBDIR="$PWD/pc"
}

@test "flags with which no tool links" {
   configure_fails CFLAGS='-O2 -pg'
   [[ $(cat stderr) == *"-pg"*"does not link a tool"* ]]
}

@test "flags with which distributions harden ordinary programs do not reach the tool" {
   local flags='-O2 -fstack-protector-all'
   "$abs_top_srcdir/configure" -q --disable-reports CFLAGS="$flags" CPPFLAGS=-D_FORTIFY_SOURCE=2 \
      LDFLAGS='-Wl,-z,relro -Wl,-z,now'
   unset MAKEFLAGS MFLAGS MAKELEVEL
   # One object of each half of the tool. CFLAGS given to make win over those of a Makefile.
   local objects=(valgrind-tool/core/libpmcore_a-pm_xml.o
      "valgrind-tool/host/profmem_${PROFMEM_PLATFORM/-/_}-pmh_main.o")
   for given in CPPFLAGS=-D_FORTIFY_SOURCE=2 CFLAGS="$flags"; do
      rm -f "${objects[@]}"
      make -s "$given" "${objects[@]}"
      # nm would show the symbols of link-time optimisation, which the compiler adds to later.
      readelf -sW "${objects[@]}" >symbols
      grep -q 'FUNC .* pm_xml_' symbols
      if grep __stack_chk symbols; then fail "make $given"; fi
   done
   # Where they are meant, they arrive.
   make -s valgrind-tool/client/libprofmem-client.so.0
   nm valgrind-tool/client/libprofmem-client.so.0 | grep -q __stack_chk
   readelf -d valgrind-tool/client/libprofmem-client.so.0 | grep -q BIND_NOW
}

@test "without what make check needs, make works and make check says what it is" {
   mkdir pc
   ln -s "$(pkg-config --variable=pcfiledir valgrind)/valgrind.pc" pc
   # Make check names the program that reads reports to every test; here there is none.
   unset PROFMEM
   "$abs_top_srcdir/configure" -q --disable-reports BATS=/absent PKG_CONFIG_LIBDIR="$PWD/pc"
   unset MAKEFLAGS MFLAGS MAKELEVEL
   run make -s check TESTS=
   [ "$status" -ne 0 ]
   [[ $output == *"make check needs: "*"libcmocka-dev"*"--disable-reports"* ]]
}
