dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl pm_valgrind.m4: which Valgrind is built against, and where a tool for it goes.

dnl PM_VALGRIND
dnl -----------
dnl Finds the installed Valgrind, or the one given by --with-valgrind=DIR, and
dnl proves that a tool for it links. Substitutes
dnl   VG_VERSION VG_ARCH VG_OS VG_PLATFORM   as in valgrind.pc
dnl   VG_CPPFLAGS          its headers and the platform's macros
dnl   VG_TOOL_CFLAGS       code generation of everything that is linked into a tool
dnl   VG_TOOL_LAST_CFLAGS  what of it stands behind CFLAGS: a distribution's flags for
dnl                        ordinary programs include a stack protector, which calls libc
dnl   VG_TOOL_LDFLAGS, VG_TOOL_LIBS          the link of a tool; VG_ARCHIVES are the
dnl                        archives in it, for dependencies
dnl   PM_FREESTANDING      no headers but the compiler's own
dnl   PM_LTO               link-time optimisation, if a tool links with it
dnl   VALGRIND             the launcher
dnl   VALGRIND_TOOLS_DIR   the folder of the installed tools
AC_DEFUN([PM_VALGRIND], [
AC_ARG_WITH([valgrind],
   [AS_HELP_STRING([--with-valgrind=DIR],
      [build for the Valgrind below DIR, a prefix or an unpacked package, not the installed one])],
   [], [with_valgrind=])
AC_ARG_VAR([VALGRIND], [the valgrind command])
AC_ARG_VAR([VALGRIND_TOOLS_DIR], [the folder of the installed Valgrind tools])

m4_pushdef([pm_packages],
   [(Debian: valgrind; Fedora: valgrind valgrind-devel valgrind-tools-devel)])

AC_MSG_CHECKING([for Valgrind's files for tools])
AS_CASE([$with_valgrind],
   [''], [vg_pkg_config="$PKG_CONFIG"],
   [yes|no], [AC_MSG_ERROR([--with-valgrind needs a folder])],
   [vg_prefix=`cd "$with_valgrind" 2>/dev/null && pwd`
    AS_IF([test -z "$vg_prefix"], [AC_MSG_ERROR([--with-valgrind: no folder '$with_valgrind'])])
    with_valgrind=$vg_prefix
    AS_IF([test -d "$vg_prefix/usr/include/valgrind"], [vg_prefix=$vg_prefix/usr])
    vg_pc_dirs=
    for vg_dir in "$vg_prefix"/lib*/pkgconfig "$vg_prefix"/lib/*/pkgconfig \
       "$vg_prefix"/share/pkgconfig; do
       vg_pc_dirs=$vg_pc_dirs:$vg_dir
    done
    vg_pkg_config="env PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=$vg_pc_dirs"
    vg_pkg_config="$vg_pkg_config $PKG_CONFIG --define-variable=prefix=$vg_prefix"])
VG_VERSION=`$vg_pkg_config --modversion valgrind 2>/dev/null`
AS_IF([test -z "$VG_VERSION"], [
   AC_MSG_RESULT([no])
   AC_MSG_ERROR([Valgrind's files for tools not found pm_packages])])
AC_MSG_RESULT([$VG_VERSION])
AS_IF([$vg_pkg_config --atleast-version=3.16 valgrind], [],
   [AC_MSG_ERROR([Valgrind 3.16 or later is needed, this is $VG_VERSION])])

VG_ARCH=`$vg_pkg_config --variable=arch valgrind`
VG_OS=`$vg_pkg_config --variable=os valgrind`
VG_PLATFORM=`$vg_pkg_config --variable=platform valgrind`
vg_load_address=`$vg_pkg_config --variable=valt_load_address valgrind`
vg_include=`$vg_pkg_config --variable=includedir valgrind`
vg_archives=`$vg_pkg_config --variable=libdir valgrind`/valgrind

AS_IF([test -f "$vg_include/pub_tool_tooliface.h"], [],
   [AC_MSG_ERROR([$vg_include has no pub_tool_tooliface.h pm_packages])])
for vg_archive in coregrind vex; do
   AS_IF([test -f "$vg_archives/lib$vg_archive-$VG_PLATFORM.a"], [],
      [AC_MSG_ERROR(
         [$vg_archives has no lib$vg_archive-$VG_PLATFORM.a, which tools are built from pm_packages])])
done

dnl The launcher, and where it looks for tools. No file names that folder; the
dnl installed launcher says it, below --with-valgrind it is looked for.
AS_IF([test -n "$with_valgrind"],
   [AS_IF([test -z "$VALGRIND"], [VALGRIND=$vg_prefix/bin/valgrind])
    AS_IF([test -z "$VALGRIND_TOOLS_DIR"],
       [for vg_dir in "$vg_prefix"/libexec/valgrind "$vg_prefix"/lib*/valgrind \
           "$vg_prefix"/lib/*/valgrind; do
           AS_IF([test -f "$vg_dir/none-$VG_PLATFORM"], [VALGRIND_TOOLS_DIR=$vg_dir; break])
        done])],
   [AC_PATH_PROG([VALGRIND], [valgrind])
    AS_IF([test -z "$VALGRIND"], [AC_MSG_ERROR([the valgrind command not found pm_packages])])
    AS_IF([test -z "$VALGRIND_TOOLS_DIR"],
       [VALGRIND_TOOLS_DIR=`(unset VALGRIND_LIB; "$VALGRIND" -d --tool=none --version 2>&1) |
           $SED -n 's,^.*launcher launching \(.*\)/none-[[^/]]*$,\1,p'`])])
AC_MSG_CHECKING([for the folder of Valgrind's tools])
AS_IF([test -f "$VALGRIND_TOOLS_DIR/none-$VG_PLATFORM"], [],
   [AC_MSG_RESULT([no])
    AC_MSG_ERROR(
       [no folder with none-$VG_PLATFORM found; name it with VALGRIND_TOOLS_DIR=DIR pm_packages])])
AC_MSG_RESULT([$VALGRIND_TOOLS_DIR])

dnl A tool is a static program without libc that the launcher loads at an
dnl address of Valgrind's choice; _start is in libcoregrind.
PM_FREESTANDING="-ffreestanding -nostdinc -isystem `$CC -print-file-name=include`"
VG_CPPFLAGS="-isystem $vg_include -DVGA_$VG_ARCH=1 -DVGO_$VG_OS=1"
VG_CPPFLAGS="$VG_CPPFLAGS -DVGP_${VG_ARCH}_$VG_OS=1 -DVGPV_${VG_ARCH}_${VG_OS}_vanilla=1"
VG_TOOL_CFLAGS="-std=gnu11 -fno-pie -fno-builtin -fno-strict-aliasing"
VG_TOOL_CFLAGS="$VG_TOOL_CFLAGS -fomit-frame-pointer"
dnl Translated code stores words one by one that helpers read at once: a load of
dnl two of them together would wait for both stores.
VG_TOOL_CFLAGS="$VG_TOOL_CFLAGS -fno-tree-slp-vectorize"
VG_TOOL_LAST_CFLAGS=-fno-stack-protector
VG_TOOL_LDFLAGS="-static -no-pie -nodefaultlibs -nostartfiles -u _start"
VG_TOOL_LDFLAGS="$VG_TOOL_LDFLAGS -Wl,--build-id=none -Wl,-Ttext-segment=$vg_load_address"
vg_vex=$vg_archives/libvex-$VG_PLATFORM.a
vg_core=$vg_archives/libcoregrind-$VG_PLATFORM.a
vg_gcc=$vg_archives/libgcc-sup-$VG_PLATFORM.a
AS_IF([test -f "$vg_gcc"], [], [vg_gcc=])
VG_ARCHIVES="$vg_core $vg_vex $vg_gcc"
VG_TOOL_LIBS="$vg_core $vg_vex -lgcc $vg_gcc"

dnl What can be wrong: archives for another machine, link-time optimised ones of
dnl another compiler, flags of the user's that call libc (the array invites a
dnl stack protector to, which therefore has to be off).
AC_MSG_CHECKING([whether a tool for $VG_PLATFORM links])
vg_saved="CFLAGS='$CFLAGS' LDFLAGS='$LDFLAGS' LIBS='$LIBS'"
CFLAGS="$PM_FREESTANDING $VG_CPPFLAGS $VG_TOOL_CFLAGS $CFLAGS $VG_TOOL_LAST_CFLAGS"
LDFLAGS=$VG_TOOL_LDFLAGS
LIBS=$VG_TOOL_LIBS
AC_LANG_CONFTEST([AC_LANG_SOURCE([[
#include "pub_tool_basics.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_tooliface.h"
static void post_clo_init(void) { }
static IRSB *instrument(VgCallbackClosure *closure, IRSB *block, const VexGuestLayout *layout,
                        const VexGuestExtents *extents, const VexArchInfo *archinfo,
                        IRType guest_word, IRType host_word) { return block; }
static void fini(Int status)
{
   char text[64];
   VG_(sprintf)(text, "%d", status);
   VG_(umsg)("%s", text);
}
static void pre_clo_init(void) { VG_(basic_tool_funcs)(post_clo_init, instrument, fini); }
VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
]])])
AC_LINK_IFELSE([], [vg_links=yes], [vg_links=no])
AC_MSG_RESULT([$vg_links])
dnl The core's files call each other some thirty times per heap event: most of that is to
dnl be one piece of code, what is seldom called excepted (PM_SELDOM). Ordinary code beside
dnl the other keeps an ar and a linker working that know nothing of it.
AC_MSG_CHECKING([whether it links with link-time optimisation])
vg_lto='-flto -flto-partition=one -ffat-lto-objects --param=max-inline-insns-auto=100'
vg_lto="$vg_lto --param=inline-unit-growth=200"
CFLAGS="$CFLAGS $vg_lto"
AC_LINK_IFELSE([], [PM_LTO=$vg_lto], [PM_LTO=])
AS_IF([test $vg_links = yes], [], [PM_LTO=])
AC_MSG_RESULT([${PM_LTO:-no}])
rm -f conftest.$ac_ext
eval "$vg_saved"
AS_IF([test $vg_links = yes], [],
   [AC_MSG_ERROR(
      [$CC $CFLAGS does not link a tool with $vg_archives: config.log has the linker's words])])

m4_popdef([pm_packages])
AC_SUBST([VG_VERSION])
AC_SUBST([with_valgrind])
AC_SUBST([VG_ARCH])
AC_SUBST([VG_OS])
AC_SUBST([VG_PLATFORM])
AC_SUBST([VG_ARCHIVES])
AC_SUBST([VG_CPPFLAGS])
AC_SUBST([VG_TOOL_CFLAGS])
AC_SUBST([VG_TOOL_LAST_CFLAGS])
AC_SUBST([VG_TOOL_LDFLAGS])
AC_SUBST([VG_TOOL_LIBS])
AC_SUBST([PM_FREESTANDING])
AC_SUBST([PM_LTO])
])

dnl PM_INSTALL_IN_VALGRIND
dnl ----------------------
dnl Whether make install puts the tool into Valgrind's own folder too, so that
dnl plain `valgrind --tool=profmem` finds it. install_in_valgrind is
dnl   auto  the default: when prefix is /usr/local, DESTDIR is empty and the folder
dnl         can be written; otherwise nothing outside prefix is touched;
dnl   yes   always, below DESTDIR;
dnl   only  always, below DESTDIR, and there is no folder of its own: what a package of
dnl         a distribution wants, which has the tool once and depends on Valgrind's package;
dnl   no    never.
dnl make install decides, because prefix may be given to make. Substitutes profmemtoolsdir,
dnl the folder of its own, which serves as VALGRIND_LIB.
AC_DEFUN([PM_INSTALL_IN_VALGRIND], [
AC_ARG_ENABLE([install-in-valgrind],
   [AS_HELP_STRING([--enable-install-in-valgrind],
      [let make install put the tool into Valgrind's own folder too
       (default: if it can be written and the prefix is /usr/local);
       =only: and nowhere else, for packages of distributions])],
   [install_in_valgrind=$enableval], [install_in_valgrind=auto])
AC_ARG_VAR([valgrindtoolsdir], [where make install does that (default: VALGRIND_TOOLS_DIR)])
AS_IF([test -z "$valgrindtoolsdir"], [valgrindtoolsdir=$VALGRIND_TOOLS_DIR])
AS_CASE([$install_in_valgrind],
   [only], [profmemtoolsdir='$(valgrindtoolsdir)'],
   [yes|no|auto], [profmemtoolsdir='$(libexecdir)/profmem'],
   [AC_MSG_ERROR([--enable-install-in-valgrind: '$install_in_valgrind' is neither of yes, no, only])])
AC_SUBST([install_in_valgrind])
AC_SUBST([profmemtoolsdir])
])
