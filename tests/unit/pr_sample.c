/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_sample.c: reports for the unit tests of the report library. */
#include "pr_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *pr_sample_with_phases(const char *phases)
{
   static const char format[] =
      "<profmem format='1'>"
      "<producer name='profmem' version='0' valgrind='0' platform='amd64-linux'/>"
      "<run><command><arg>x</arg></command><executable path='/x' size='1'/><objects/><options/>"
      "<environment variables='0' digest='none:00'/><fixed/><end kind='exit' status='0'/></run>"
      "<coverage><allocation-functions/><not-measured/></coverage>"
      "<phases>%s</phases></profmem>";
   char *text = NULL;
   assert_true(asprintf(&text, format, phases) > 0);
   return text;
}

struct pr_report *pr_sample_load(const char *text, struct pr_schema_check *check,
                                 struct pr_diagnostics *diagnostics)
{
   FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
   assert_non_null(in);
   struct pr_report *report = pr_load(in, "sample", check, diagnostics);
   fclose(in);
   return report;
}

char *pr_sample_fixture(const char *path)
{
   const char *top = getenv("abs_top_srcdir");
   char *name = NULL, *text = NULL;
   size_t room = 0;
   assert_non_null(top);
   assert_true(asprintf(&name, "%s/tests/fixtures/%s", top, path) > 0);
   FILE *in = fopen(name, "r");
   assert_non_null(in);
   assert_true(getdelim(&text, &room, '\0', in) > 0);
   fclose(in);
   free(name);
   return text;
}
