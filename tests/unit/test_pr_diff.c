/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_diff.c: what is paired with what, what is a guess, and what comes first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_diff.h"
#include "pr_pairing_key.h"
#include "pr_sample.h"

/* Keys --------------------------------------------------------------------- */

static bool is_same(enum pr_unit_kind kind, enum pr_strictness strictness, const void *a,
                    const void *b)
{
   bool same = pr_key_compare(kind, strictness, a, b) == 0;
   assert_true(same == (pr_key_compare(kind, strictness, b, a) == 0));
   assert_true(same == (pr_key_hash(kind, strictness, a) == pr_key_hash(kind, strictness, b)));
   return same;
}

static void functions_without_parameters_and_clones(void **state)
{
   static const struct {
      const char *name, *base;
   } rows[] = {
      {"f", "f"},
      {"f(int)", "f"},
      {"f(int) const", "f"},
      {"f(int (*)(char), g()) const &", "f"},
      {"ns::f<int(char)>(ns::g<int>)", "ns::f<int(char)>"},
      {"f.constprop.0", "f"},
      {"f(int) [clone .isra.0]", "f"},
      {"f.part.1.cold", "f"},
      {"operator()(int)", "operator()"},
      {"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
      {"(anonymous namespace)::f", "(anonymous namespace)::f"},
      {"(int)", "(int)"},
      {"f)", "f)"},
      {"", ""},
      {".cold", ".cold"},
   };
   (void)state;
   for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      size_t bytes = pr_base_bytes(rows[i].name);
      if (bytes != strlen(rows[i].base) || memcmp(rows[i].name, rows[i].base, bytes) != 0)
         fail_msg("%s: %.*s", rows[i].name, (int)bytes, rows[i].name);
   }
}

static void objects_of_another_version(void **state)
{
   (void)state;
   static const char *const same[][2] = {
      {"libfoo.so.1.2", "libfoo.so.1.3"}, {"libfoo.so", "libfoo.so.2"},
      {"libfoo-2.31.so", "libfoo-2.32.so"}, {"libfoo-2.31.so", "libfoo.so.3"},
      {"app", "app"},
   };
   static const char *const others[][2] = {
      {"libfoo.so.1", "libbar.so.1"}, {"libfoo.so", "libfoo.sob"}, {"app", "app2"},
      {"lib2.so", "lib3.so"}, {".so", ".so.1"}, {"libfoo2.so", "libfoo.so"},
   };
   for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
      assert_true(is_same(PR_UNIT_OBJECT, PR_SAME_BASE, same[i][0], same[i][1]));
   for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
      assert_false(is_same(PR_UNIT_OBJECT, PR_SAME_BASE, others[i][0], others[i][1]));
   assert_false(is_same(PR_UNIT_OBJECT, PR_SAME, "libfoo.so.1", "libfoo.so.2"));
}

static void sites_by_their_chain(void **state)
{
   (void)state;
#define MAIN {"main", NULL, "app", 0, false}
   const struct pr_frame frames[] = {{"f(int)", "a.c", "app", 1, false}, MAIN};
   const struct pr_frame moved[] = {{"f(int)", "b.c", "app", 9, true}, MAIN};
   const struct pr_frame other_object[] = {{"f(int)", "a.c", "lib", 1, false}, MAIN};
   const struct pr_frame other_base[] = {{"f(char)", "a.c", "lib", 1, false}, MAIN};
   const struct pr_site site = {.frames = frames, .frame_count = 2};
   const struct pr_site moved_site = {.frames = moved, .frame_count = 2};
   const struct pr_site in_object = {.frames = other_object, .frame_count = 2};
   const struct pr_site of_base = {.frames = other_base, .frame_count = 2};
   const struct pr_site shorter = {.frames = frames, .frame_count = 1};
   assert_true(is_same(PR_UNIT_SITE, PR_SAME, &site, &moved_site));
   assert_false(is_same(PR_UNIT_SITE, PR_SAME, &site, &in_object));
   assert_true(is_same(PR_UNIT_SITE, PR_SAME_FUNCTION, &site, &in_object));
   assert_false(is_same(PR_UNIT_SITE, PR_SAME_FUNCTION, &site, &of_base));
   assert_true(is_same(PR_UNIT_SITE, PR_SAME_BASE, &site, &of_base));
   assert_false(is_same(PR_UNIT_SITE, PR_SAME_BASE, &site, &shorter));
   assert_string_equal(pr_site_object(&in_object), "lib");
   assert_string_equal(pr_site_object(&(struct pr_site){.frame_count = 0}), "???");
}

/* Ratios ------------------------------------------------------------------- */

static void ratios_are_compared_exactly(void **state)
{
   (void)state;
   const unsigned __int128 top = (unsigned __int128)1 << 65;
   assert_int_equal(pr_ratio_compare(1, 2, 1, 2), 0);
   assert_int_equal(pr_ratio_compare(1, 2, 2, 4), 0);
   assert_int_equal(pr_ratio_compare(0, 5, 0, 1), 0);
   assert_int_equal(pr_ratio_compare(0, 5, 1, 1000), -1);
   assert_int_equal(pr_ratio_compare(7, 3, 2, 1), 1);
   /* Where products of 64-bit numbers and doubles are at an end. */
   assert_int_equal(pr_ratio_compare(top - 1, top, top - 2, top - 1), 1);
   assert_int_equal(pr_ratio_compare(top - 2, top - 1, top - 1, top), -1);
   assert_int_equal(pr_ratio_compare(top, 1, top - 1, 1), 1);
   /* All small ones against cross products. */
   for (unsigned a = 0; a < 12; a++)
      for (unsigned b = 1; b < 12; b++)
         for (unsigned c = 0; c < 12; c++)
            for (unsigned d = 1; d < 12; d++)
               assert_int_equal(pr_ratio_compare(a, b, c, d), (a * d > c * b) - (a * d < c * b));
}

/* Pairing ------------------------------------------------------------------ */

/* A report of the phase `program` with these lists and names. */
static char *report_text(const char *rows, const char *names)
{
   static const char end[] = "</profmem>";
   char *phase = NULL, *all = NULL;
   assert_true(asprintf(&phase, "<phase name='program' kind='process' instances='1' "
                                "complete='yes'>%s</phase>", rows) > 0);
   char *text = pr_sample_with_phases(phase);
   assert_true(strlen(text) > sizeof end);
   text[strlen(text) - strlen(end)] = '\0';
   assert_true(asprintf(&all, "%s%s%s", text, names, end) > 0);
   free(text);
   free(phase);
   return all;
}

struct pair {
   struct pr_report *reports[PR_SIDES];
   struct pr_diagnostics diagnostics;
   struct pr_pairing pairing;
};

static void make_pair(struct pair *pair, const char *old_rows, const char *old_names,
                      const char *new_rows, const char *new_names)
{
   char *texts[PR_SIDES] = {report_text(old_rows, old_names), report_text(new_rows, new_names)};
   pr_diagnostics_init(&pair->diagnostics);
   for (int side = 0; side < PR_SIDES; side++) {
      pair->reports[side] = pr_sample_load(texts[side], NULL, &pair->diagnostics);
      if (!pair->reports[side])
         fail_msg("%s: %s", texts[side], pair->diagnostics.items[0].reason);
      free(texts[side]);
   }
   assert_true(pr_pairing_make(&pair->pairing, pair->reports[PR_OLD], pair->reports[PR_NEW]));
}

static void release_pair(struct pair *pair)
{
   pr_pairing_release(&pair->pairing);
   pr_report_free(pair->reports[PR_OLD]);
   pr_report_free(pair->reports[PR_NEW]);
   pr_diagnostics_release(&pair->diagnostics);
}

#define FUNCTION(id, name, object) "<function id='" id "' name='" name "' object='" object "'/>"
#define EXECUTED(id, instructions, calls)                                                          \
   "<function id='" id "' instructions='" instructions "' calls='" calls "'/>"
#define FUNCTIONS(list) "<functions>" list "</functions>"

/* The unit of the first function of the old report, and whether that of the new one is the
   same. */
static const struct pr_unit *function_pair(struct pair *pair, bool *is_paired)
{
   uint32_t units[PR_SIDES];
   for (int side = 0; side < PR_SIDES; side++)
      units[side] = pr_pairing_function(&pair->pairing, side, pair->reports[side]->functions);
   *is_paired = units[PR_OLD] == units[PR_NEW];
   return &pair->pairing.units[PR_UNIT_FUNCTION].items[units[PR_OLD]];
}

/* Are two functions taken for one, and as a guess? Both ways round. */
static void check_functions(const char *old_name, const char *old_row, const char *new_name,
                            const char *new_row, bool expect_pair, bool expect_guess)
{
   for (int way = 0; way < 2; way++) {
      struct pair pair;
      bool is_paired;
      if (way == 0)
         make_pair(&pair, old_row, old_name, new_row, new_name);
      else
         make_pair(&pair, new_row, new_name, old_row, old_name);
      const struct pr_unit *unit = function_pair(&pair, &is_paired);
      if (is_paired != expect_pair || (is_paired && unit->is_guessed != expect_guess))
         fail_msg("%s, %s: paired %d, guessed %d", old_name, new_name, is_paired,
                  unit->is_guessed);
      release_pair(&pair);
   }
}

static void functions_that_are_the_same(void **state)
{
   (void)state;
   const char *row = FUNCTIONS(EXECUTED("1", "100", "20")),
              *seldom = FUNCTIONS(EXECUTED("1", "100", "2")),
              *nearly = FUNCTIONS(EXECUTED("1", "95", "20")),
              *more = FUNCTIONS(EXECUTED("1", "1000", "20")),
              *other = FUNCTIONS(EXECUTED("1", "100", "21"));
#define NAMED(name, object) FUNCTIONS(FUNCTION("1", name, object))
   const char *name = NAMED("read_name", "app");
   check_functions(name, row, name, other, true, false);
   check_functions(name, row, NAMED("read_name", "lib"), other, true, true);
   check_functions(name, row, NAMED("read_name(int)", "app"), other, true, true);
   check_functions(name, row, NAMED("read_name.isra.0", "app"), other, true, true);
   check_functions(name, row, NAMED("read_names", "app"), other, true, true);
   check_functions(name, row, NAMED("read_names", "lib"), other, false, false);
   check_functions(name, row, NAMED("read_names", "app"), more, false, false);
   check_functions(name, row, NAMED("xyz", "app"), row, true, true);
   check_functions(name, row, NAMED("xyz", "app"), nearly, true, true);
   check_functions(name, row, NAMED("xyz", "app"), other, false, false);
   check_functions(name, row, NAMED("xyz", "app"), seldom, false, false);
}

static void the_likest_first(void **state)
{
   (void)state;
   /* Both are alike enough: the one with more of the name goes. */
   struct pair pair;
   bool is_paired;
   make_pair(&pair, FUNCTIONS(EXECUTED("1", "100", "20")),
             FUNCTIONS(FUNCTION("1", "parse_number", "app")),
             FUNCTIONS(EXECUTED("2", "110", "21") EXECUTED("3", "110", "21")),
             FUNCTIONS(FUNCTION("3", "parse_numbers", "app") FUNCTION("2", "parse_num", "app")));
   function_pair(&pair, &is_paired);
   assert_true(is_paired);
   release_pair(&pair);
}

static void objects_by_the_functions_that_went_there(void **state)
{
   (void)state;
   struct pair pair;
   const char *rows = FUNCTIONS(EXECUTED("1", "1", "1") EXECUTED("2", "1", "1"));
   make_pair(&pair, rows, FUNCTIONS(FUNCTION("1", "f", "one") FUNCTION("2", "g", "one")), rows,
             FUNCTIONS(FUNCTION("1", "f", "another") FUNCTION("2", "g", "another")));
   assert_int_equal(pr_pairing_object(&pair.pairing, PR_OLD, "one"),
                    pr_pairing_object(&pair.pairing, PR_NEW, "another"));
   release_pair(&pair);
}

#define SITE_ROW                                                                                   \
   "<sites><site id='1' peak-bytes='1' peak-blocks='1' traffic-bytes='100' traffic-blocks='10' "   \
   "temporary-blocks='0' retained-bytes='0' retained-blocks='0'/></sites>"
#define OTHER_SITE_ROW                                                                             \
   "<sites><site id='1' peak-bytes='1' peak-blocks='1' traffic-bytes='80' traffic-blocks='11' "    \
   "temporary-blocks='0' retained-bytes='0' retained-blocks='0'/></sites>"
#define FRAME(name) "<frame function='" name "' object='app'/>"
#define SITE(frames) "<sites><site id='1' largest-bytes='1'>" frames "</site></sites>"

static void check_sites(const char *old_names, const char *new_names, const char *new_rows,
                        bool expect_pair, bool expect_guess)
{
   struct pair pair;
   make_pair(&pair, SITE_ROW, old_names, new_rows, new_names);
   uint32_t olds = pr_pairing_site(&pair.pairing, PR_OLD, &pair.reports[PR_OLD]->sites[0]);
   uint32_t news = pr_pairing_site(&pair.pairing, PR_NEW, &pair.reports[PR_NEW]->sites[0]);
   const struct pr_unit *unit = &pair.pairing.units[PR_UNIT_SITE].items[olds];
   if ((olds == news) != expect_pair || (expect_pair && unit->is_guessed != expect_guess))
      fail_msg("%s, %s: paired %d, guessed %d", old_names, new_names, olds == news,
               unit->is_guessed);
   release_pair(&pair);
}

static void sites_that_are_alike(void **state)
{
   (void)state;
   const char *site = SITE(FRAME("copy") FRAME("add") FRAME("main"));
   check_sites(site, site, OTHER_SITE_ROW, true, false);
   /* A frame inlined, a frame renamed: with as many blocks. */
   check_sites(site, SITE(FRAME("copy") FRAME("main")), OTHER_SITE_ROW, true, true);
   check_sites(site, SITE(FRAME("copy") FRAME("append") FRAME("main")), SITE_ROW, true, true);
   check_sites(site, SITE(FRAME("copy") FRAME("append") FRAME("main")), OTHER_SITE_ROW, false,
               false);
   check_sites(site, SITE(FRAME("x") FRAME("y") FRAME("main")), SITE_ROW, false, false);
}

static void an_inlined_function_joins_its_caller(void **state)
{
   (void)state;
   for (int way = 0; way < 2; way++) {
      struct pair pair;
      const char *with_rows =
         FUNCTIONS("<function id='1' instructions='500' calls='1' call='50'/>"
                   EXECUTED("2", "300", "50") EXECUTED("3", "900", "51"));
      const char *with = FUNCTIONS(FUNCTION("1", "walk", "app") FUNCTION("2", "look_up", "app")
                                   FUNCTION("3", "other", "app"));
      const char *without_rows = FUNCTIONS("<function id='1' instructions='700' calls='1'/>");
      const char *without = FUNCTIONS(FUNCTION("1", "walk", "app"));
      enum pr_side side = way == 0 ? PR_OLD : PR_NEW;
      if (way == 0)
         make_pair(&pair, with_rows, with, without_rows, without);
      else
         make_pair(&pair, without_rows, without, with_rows, with);
      const struct pr_function *functions = pair.reports[side]->functions;
      uint32_t caller = pr_pairing_function(&pair.pairing, side, &functions[0]);
      const struct pr_unit *unit = &pair.pairing.units[PR_UNIT_FUNCTION].items[caller];
      assert_int_equal(pr_pairing_function(&pair.pairing, side, &functions[1]), caller);
      assert_true(unit->is_guessed);
      assert_string_equal(unit->inlined[side]->name, "look_up");
      assert_null(unit->inlined[!side]);
      /* One call more than are missing: it went elsewhere. */
      assert_int_not_equal(pr_pairing_function(&pair.pairing, side, &functions[2]), caller);
      release_pair(&pair);
   }
}

/* Order -------------------------------------------------------------------- */

static void what_comes_first(void **state)
{
   static const char *const expected[] = {"syscalls.count", "traffic.bytes", "instructions.total",
                                          "allocations.temporary", "pool.count",
                                          "allocations.bytes", "mapped.peak"};
   static const char format[] =
      "<metric name='allocations.count' value='1000'/><metric name='allocations.bytes' value='%u'/>"
      "<metric name='allocations.temporary' value='%u'/>"
      "<metric name='reallocations.bytes' value='0'/><metric name='traffic.bytes' value='%u'/>"
      "%s<metric name='pool.count' value='%u'/><metric name='instructions.total' value='%u'/>"
      "<metric name='syscalls.count' %s/><sites/><functions/>";
   char *rows[PR_SIDES];
   struct pair pair;
   struct pr_diff diff;
   (void)state;
   assert_true(asprintf(&rows[PR_OLD], format, 50000u, 1u, 50000u,
                        "<metric name='mapped.peak' value='9'/>", 1u, 100000u, "value='3'") > 0);
   assert_true(asprintf(&rows[PR_NEW], format, 75000u, 2u, 75000u, "", 9u, 110000u,
                        "unavailable='why'") > 0);
   make_pair(&pair, rows[PR_OLD], "", rows[PR_NEW], "");
   const struct pr_diff_request all = {.threshold = {0, 1}};
   assert_true(pr_diff_make(&diff, pair.reports[PR_OLD], pair.reports[PR_NEW], &all));
   assert_int_equal(diff.count, 1);
   assert_int_equal(diff.phases[0].count, sizeof expected / sizeof expected[0]);
   for (size_t i = 0; i < diff.phases[0].count; i++)
      assert_string_equal(diff.phases[0].metrics[i].name, expected[i]);
   pr_diff_release(&diff);
   release_pair(&pair);
   free(rows[PR_OLD]);
   free(rows[PR_NEW]);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_without_parameters_and_clones),
      cmocka_unit_test(objects_of_another_version),
      cmocka_unit_test(sites_by_their_chain),
      cmocka_unit_test(ratios_are_compared_exactly),
      cmocka_unit_test(functions_that_are_the_same),
      cmocka_unit_test(the_likest_first),
      cmocka_unit_test(objects_by_the_functions_that_went_there),
      cmocka_unit_test(sites_that_are_alike),
      cmocka_unit_test(an_inlined_function_joins_its_caller),
      cmocka_unit_test(what_comes_first),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
