/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_main.c: the whole program when memory runs out or output fails.
 *
 * Linked with --wrap for the functions that give memory, so that the n-th
 * request of the program's own code fails, for every n there is. Whatever n:
 * the status is 2, something is said, nothing leaks (AddressSanitizer).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_main.h"
#include "pr_sample.h"

/* Requests until the one that fails; 0: none does. */
static unsigned long countdown;
static bool failed_one;

static bool is_failing(void)
{
   if (countdown == 0 || --countdown > 0)
      return false;
   failed_one = true;
   return true;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
char *__real_strdup(const char *text);
int __real_vasprintf(char **text, const char *format, va_list arguments);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *text);
int __wrap_vasprintf(char **text, const char *format, va_list arguments);
int __wrap_asprintf(char **text, const char *format, ...);

void *__wrap_malloc(size_t bytes)
{
   return is_failing() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
   return is_failing() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
   return is_failing() ? NULL : __real_realloc(old, bytes);
}

char *__wrap_strdup(const char *text)
{
   return is_failing() ? NULL : __real_strdup(text);
}

int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
   return is_failing() ? -1 : __real_vasprintf(text, format, arguments);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   int bytes = __wrap_vasprintf(text, format, arguments);
   va_end(arguments);
   return bytes;
}

static int run(char *const *arguments, const char *input, FILE *out, FILE *err)
{
   int count = 0;
   while (arguments[count])
      count++;
   FILE *in = fmemopen((void *)(uintptr_t)input, strlen(input), "r");
   assert_non_null(in);
   int status = pr_main(count, arguments, in, out, err);
   fclose(in);
   return status;
}

static void check_every_request(char *const *arguments, const char *fixture)
{
   char *input = pr_sample_fixture(fixture);
   unsigned long requests = 0;
   do {
      char errors[4096] = "";
      FILE *out = fopen("/dev/null", "w"), *err = fmemopen(errors, sizeof errors, "w");
      assert_true(out && err);
      failed_one = false;
      countdown = ++requests;
      int status = run(arguments, input, out, err);
      countdown = 0;
      fclose(out);
      fclose(err);
      if (failed_one) {
         if (status != 2)
            fail_msg("request %lu fails, yet the status is %d", requests, status);
         assert_non_null(strstr(errors, "profmem: error: "));
      } else {
         assert_string_equal(errors, "");
      }
   } while (failed_one);
   assert_true(requests > 5);
   free(input);
}

static void show_survives_lack_of_memory(void **state)
{
   char *const arguments[] = {"profmem", "show", "-", NULL};
   (void)state;
   check_every_request(arguments, "good/good-phases.xml");
}

static void every_view_survives_lack_of_memory(void **state)
{
   char *const metrics[] = {"profmem", "show", "--metrics", "-", NULL};
   char *const phase[] = {"profmem", "show",      "--phase", "parse file", "--sort",
                          "traffic", "--top", "1", "-",       NULL};
   (void)state;
   check_every_request(metrics, "good/good-phases.xml");
   check_every_request(phase, "good/good-phases.xml");
   /* Names that are cut are copied. */
   setenv("COLUMNS", "60", true);
   char *const show[] = {"profmem", "show", "-", NULL};
   check_every_request(show, "good/good-many-sites.xml");
   char *const shape[] = {"profmem", "show", "-l", "-H", "-t", "-", NULL};
   check_every_request(shape, "good/good-shape.xml");
   unsetenv("COLUMNS");
}

static void validate_survives_lack_of_memory(void **state)
{
   char *const arguments[] = {"profmem", "validate", "-", NULL};
   (void)state;
   check_every_request(arguments, "good/good-phases.xml");
   check_every_request(arguments, "good/good-shape.xml");
}

/* In each format, with a baseline of its own and of another program. */
static void check_survives_lack_of_memory(void **state)
{
   static char *const formats[] = {"text", "markdown", "junit", "github"};
   char baseline[4096], unlike[4096];
   const char *top = getenv("abs_top_srcdir");
   (void)state;
   assert_non_null(top);
   snprintf(baseline, sizeof baseline, "%s/tests/fixtures/limits/old.xml", top);
   snprintf(unlike, sizeof unlike, "%s/tests/fixtures/limits/unlike.xml", top);
   for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
      char *const arguments[] = {
         "profmem", "check", "-f", formats[f], "-b", baseline, "-L",
         "program heap.peak <= 1 +0 max(+1%, +2) # a comment", "-L", "g* heap.peak +0 warn",
         "-L", "\"parse file\" instructions.total = 0", "-L", "prasefile heap.peak = 0", "-",
         NULL};
      check_every_request(arguments, "limits/new.xml");
   }
   char *const allowed[] = {"profmem", "check", "-u", "-b", unlike, "-L",
                            "program heap.peak +0", "-", NULL};
   check_every_request(allowed, "limits/new.xml");
}

static void diff_survives_lack_of_memory(void **state)
{
   char old_report[4096];
   char *const arguments[] = {"profmem", "diff", "--all", old_report, "-", NULL};
   (void)state;
   assert_non_null(getenv("abs_top_srcdir"));
   snprintf(old_report, sizeof old_report, "%s/tests/fixtures/good/good-diff-old.xml",
            getenv("abs_top_srcdir"));
   check_every_request(arguments, "good/good-diff-new.xml");
}

static void completion_survives_lack_of_memory(void **state)
{
   /* An argument of so many words that it takes several pieces of memory. */
   enum { FIRST = 3, WORDS = 64, WORD_BYTES = 2000 };
   char word[WORD_BYTES + 1] = "", *arguments[FIRST + WORDS + 1] = {"profmem", "--complete", "--"};
   (void)state;
   memset(word, 'x', WORD_BYTES);
   for (size_t w = 0; w < WORDS; w++)
      arguments[FIRST + w] = w % 2 ? "=" : word;
   check_every_request(arguments, "good/good-small.xml");
}

/* A stream that takes so many bytes and then fails, once or from then on. */
struct full {
   size_t room;
   int reason;
   bool is_passing;
};

static ssize_t write_full(void *cookie, const char *bytes, size_t size)
{
   struct full *full = cookie;
   (void)bytes;
   if (size > full->room) {
      errno = full->reason;
      if (full->is_passing)
         full->room = SIZE_MAX;
      return 0;
   }
   full->room -= size;
   return (ssize_t)size;
}

/* Run with an output that fails after `room` bytes; returns the status and
   what was said. */
static int run_full(const char *input, size_t room, bool is_passing, char errors[4096])
{
   char *const arguments[] = {"profmem", "show", "-", NULL};
   struct full full = {room, ENOSPC, is_passing};
   FILE *out = fopencookie(&full, "w", (cookie_io_functions_t){.write = write_full});
   FILE *err = fmemopen(errors, 4096, "w");
   assert_true(out && err);
   setvbuf(out, NULL, _IOFBF, 64);
   int status = run(arguments, input, out, err);
   fclose(out);
   fclose(err);
   return status;
}

static void a_full_disk_is_trouble(void **state)
{
   (void)state;
   char *input = pr_sample_fixture("good/good-small.xml");
   for (size_t room = 0; room < 300; room += 7) {
      char errors[4096] = "";
      assert_int_equal(run_full(input, room, false, errors), 2);
      assert_non_null(strstr(errors, "profmem: error: cannot write the output"));
   }
   char errors[4096] = "";
   assert_int_equal(run_full(input, 100000, false, errors), 0);
   assert_string_equal(errors, "");
   free(input);
}

/* What was lost meanwhile stays lost, even if the last write succeeds. */
static void a_disk_that_was_full_is_trouble(void **state)
{
   (void)state;
   char *input = pr_sample_fixture("good/good-small.xml");
   for (size_t room = 0; room < 300; room += 7) {
      char errors[4096] = "";
      assert_int_equal(run_full(input, room, true, errors), 2);
      assert_non_null(strstr(errors, "profmem: error: cannot write the output"));
   }
   free(input);
}

static void no_arguments_at_all_are_usage(void **state)
{
   char *const none[] = {NULL};
   char errors[4096] = "";
   FILE *out = fopen("/dev/null", "w"), *err = fmemopen(errors, sizeof errors, "w");
   (void)state;
   assert_true(out && err);
   assert_int_equal(pr_main(0, none, stdin, out, err), 2);
   fclose(out);
   fclose(err);
   assert_non_null(strstr(errors, "Usage: profmem"));
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(show_survives_lack_of_memory),
      cmocka_unit_test(every_view_survives_lack_of_memory),
      cmocka_unit_test(validate_survives_lack_of_memory),
      cmocka_unit_test(diff_survives_lack_of_memory),
      cmocka_unit_test(completion_survives_lack_of_memory),
      cmocka_unit_test(check_survives_lack_of_memory),
      cmocka_unit_test(a_full_disk_is_trouble),
      cmocka_unit_test(a_disk_that_was_full_is_trouble),
      cmocka_unit_test(no_arguments_at_all_are_usage),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
