dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl pm_pages.m4: what the manual pages are made with.

dnl PM_PAGES
dnl --------
dnl lowdown makes them of docs/man/*.md. A release has them; a checkout without lowdown is
dnl built and installed without manual pages. Substitutes LOWDOWN; the condition PAGES is true
dnl if there are pages, or will be. PM_PAGES_MISSING says why not.
AC_DEFUN([PM_PAGES], [
PM_PAGES_MISSING=
AM_MISSING_PROG([LOWDOWN], [lowdown])
AC_MSG_CHECKING([for lowdown])
AS_IF([echo '# A' | eval "$LOWDOWN -s -Tman" >/dev/null 2>&1],
   [AC_MSG_RESULT([yes])],
   [AC_MSG_RESULT([no])
    AS_IF([test ! -f "$srcdir/docs/man/profmem.1"],
       [PM_PAGES_MISSING="lowdown (Debian: lowdown)"])])
AM_CONDITIONAL([PAGES], [test -z "$PM_PAGES_MISSING"])
])
