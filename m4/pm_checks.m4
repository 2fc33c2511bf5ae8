dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl pm_checks.m4: what `make check` needs beyond `make`.

m4_define([pm_lacks], [PM_CHECK_MISSING="${PM_CHECK_MISSING:+$PM_CHECK_MISSING, }$1"])

dnl PM_CHECKS
dnl ---------
dnl Nothing here stops configure: PM_CHECK_MISSING lists what is lacking with its
dnl packages, and make check says it in one line. Substitutes BATS, CMOCKA_CFLAGS,
dnl CMOCKA_LIBS and PM_SANITIZE, the flags of the hosted builds of the core; what
dnl PM_CHECK_COMPILERS finds; and where the tool is built for another machine
dnl   PM_EMULATOR  the command that runs its programs, to be given
dnl   PM_ROOT      the folder in which it finds a distribution's, to be given
dnl   PROFMEM      the program that reads reports, to be given with --disable-reports
AC_DEFUN([PM_CHECKS], [
PM_CHECK_MISSING=
dnl A test may run make, and make configure; bats has put its innards before PATH
dnl then, and with them a file bats that works only from there.
AC_PATH_PROG([BATS], [bats], [], [`AS_ECHO(["$PATH"]) | $SED 's,[[^:]]*/bats-core:,,g'`])
AS_IF([test -z "$BATS"], [pm_lacks([bats (Debian, Fedora: bats)])])

AC_ARG_VAR([PM_EMULATOR], [for make check: what runs programs of another machine])
AS_IF([test "x$cross_compiling$PM_EMULATOR" = xyes],
   [pm_lacks([PM_EMULATOR, a command that runs programs for $host_alias])])
dnl A kernel may run the programs of a machine with 32 bits, and need no emulator.
pm_elsewhere=$cross_compiling
test -z "$PM_EMULATOR" || pm_elsewhere=yes

PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1], [],
   [pm_lacks([cmocka (Debian: libcmocka-dev; Fedora: libcmocka-devel)])])

dnl The address sanitizer needs more of memory than an emulator's program has.
PM_SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
AS_IF([test $pm_elsewhere = yes],
   [PM_SANITIZE="-fsanitize=undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"])
AC_MSG_CHECKING([whether $CC links with address and undefined-behaviour sanitizers])
pm_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $PM_SANITIZE"
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [pm_sanitizers=yes], [pm_sanitizers=no])
CFLAGS=$pm_saved_CFLAGS
AC_MSG_RESULT([$pm_sanitizers])
AS_IF([test $pm_sanitizers = yes], [],
   [pm_lacks([the sanitizers' libraries (Debian: libasan8 libubsan1; Fedora: libasan libubsan)])])

AC_ARG_VAR([PROFMEM], [for make check with --disable-reports: the profmem program])
AS_IF([test "x$enable_reports" = xyes], [PROFMEM='$(abs_top_builddir)/profmem'],
   [test -z "$PROFMEM"],
   [pm_lacks([the profmem program (configure without --disable-reports, or name it by PROFMEM)])])

dnl Where programs of a distribution for the other machine are.
AC_ARG_VAR([PM_ROOT], [for make check: the root folder of that machine's programs])
AM_CONDITIONAL([ON_AMD64], [test "$VG_PLATFORM" = amd64-linux])
AM_CONDITIONAL([ON_X86], [test "$VG_PLATFORM" = x86-linux])
AM_CONDITIONAL([ON_ARM64], [test "$VG_PLATFORM" = arm64-linux])
PM_CHECK_COMPILERS
AM_CONDITIONAL([CHECKS], [test -z "$PM_CHECK_MISSING"])
AC_SUBST([PM_CHECK_MISSING])
AC_SUBST([PM_SANITIZE])
])

dnl PM_CHECK_COMPILERS
dnl ------------------
dnl What compiles the programs that the tool is tested with, for the machine that it is built
dnl for. Substitutes PM_BINUTILS, the prefix of the names of binutils; PM_CXX; PM_CLANG and
dnl PM_CLANGXX; PM_MUSL_CC; and PM_RUSTC, empty if there is no library for such programs in Rust.
AC_DEFUN([PM_CHECK_COMPILERS], [
AC_ARG_VAR([PM_MUSL_CC], [for make check: the C compiler with musl])
AS_IF([test $pm_elsewhere = yes],
   [PM_BINUTILS=$host_alias-
    pm_target=" --target=$host_alias"
    PM_RUSTC="rustc --target=${host_alias%%-*}-unknown-linux-gnu -C linker=$CC"],
   [PM_BINUTILS= pm_target= PM_RUSTC=rustc
    test -n "$PM_MUSL_CC" || PM_MUSL_CC=musl-gcc])
PM_CXX=${PM_BINUTILS}g++
PM_CLANG=clang$pm_target
PM_CLANGXX=clang++$pm_target
AC_MSG_CHECKING([whether $PM_RUSTC works])
echo 'fn main() {}' >conftest.rs
AS_IF([$PM_RUSTC -o conftest$EXEEXT conftest.rs >&AS_MESSAGE_LOG_FD 2>&1],
   [pm_rust=yes], [pm_rust=no])
rm -f conftest.rs conftest$EXEEXT
AC_MSG_RESULT([$pm_rust])
AS_IF([test $pm_elsewhere$pm_rust = yesno], [PM_RUSTC=])
AM_CONDITIONAL([CHECK_RUST], [test -n "$PM_RUSTC"])
AC_SUBST([PM_BINUTILS])
AC_SUBST([PM_CLANG])
AC_SUBST([PM_CLANGXX])
AC_SUBST([PM_CXX])
AC_SUBST([PM_RUSTC])
])
