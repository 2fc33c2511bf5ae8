dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl pm_checks.m4: what `make check` needs beyond `make`.

m4_define([pm_lacks], [PM_CHECK_MISSING="${PM_CHECK_MISSING:+$PM_CHECK_MISSING, }$1"])

dnl PM_CHECKS
dnl ---------
dnl Nothing here stops configure: PM_CHECK_MISSING lists what is lacking with its
dnl packages, and make check says it in one line. Substitutes BATS, CMOCKA_CFLAGS,
dnl CMOCKA_LIBS and PM_SANITIZE, the flags of the hosted builds of the core.
AC_DEFUN([PM_CHECKS], [
PM_CHECK_MISSING=
dnl A test may run make, and make configure; bats has put its innards before PATH
dnl then, and with them a file bats that works only from there.
AC_PATH_PROG([BATS], [bats], [], [`AS_ECHO(["$PATH"]) | $SED 's,[[^:]]*/bats-core:,,g'`])
AS_IF([test -z "$BATS"], [pm_lacks([bats (Debian, Fedora: bats)])])

PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1], [],
   [pm_lacks([cmocka (Debian: libcmocka-dev; Fedora: libcmocka-devel)])])

PM_SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
AC_MSG_CHECKING([whether $CC links with address and undefined-behaviour sanitizers])
pm_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $PM_SANITIZE"
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [pm_sanitizers=yes], [pm_sanitizers=no])
CFLAGS=$pm_saved_CFLAGS
AC_MSG_RESULT([$pm_sanitizers])
AS_IF([test $pm_sanitizers = yes], [],
   [pm_lacks([the sanitizers' libraries (Debian: libasan8 libubsan1; Fedora: libasan libubsan)])])

AS_IF([test "x$enable_reports" = xyes], [],
   [pm_lacks([the profmem program (configure without --disable-reports)])])

AM_CONDITIONAL([CHECKS], [test -z "$PM_CHECK_MISSING"])
AC_SUBST([PM_CHECK_MISSING])
AC_SUBST([PM_SANITIZE])
])
