/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_report.c: a report with something of everything, against the file that was
 * read by people.
 *
 *    PM_GOLDEN_UPDATE=1 make check TESTS=tests/unit/test_pm_report
 *
 * writes tests/unit/report-golden.xml anew, to be looked at before it is committed. It
 * must be valid by the schema whatever it says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosted.h"
#include "pm_report.h"

/* --- what is measured -------------------------------------------------------------- */

static struct pm_heap heap;
static struct pm_phase_table table;
static struct pm_profile profile;
static struct pm_stretches stretches;
static struct pm_sites sites;
static struct pm_fates fates;
static uint64_t *executed;
static uint64_t instrs[3]; /* by thread */

static uint64_t thread_instrs(uint32_t thread)
{
   return instrs[thread];
}

/* Functions of the code, by the number that their stretches have. */
enum { UNKNOWN, MAIN, PARSE, COPY, HIDDEN, CODE };

/* Sites, by number. */
enum { UNKNOWN_SITE, OF_CACHE, OF_TREE, OF_RESIZE, OF_FREE, SITES };

/* Instructions, by number: of each place an entry's and others; of code that has no
   addresses, one. */
enum { OF_PLACE = 16, OTHERS = 8, INSTRS = CODE * OF_PLACE };

static uint32_t stretch(uint32_t place, int16_t weight, bool is_entry, bool iteration)
{
   static const uint8_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
   struct pm_instr told[8] = {{0}};
   for (uint32_t i = 0; i < 8; i++)
      told[i].item = place * OF_PLACE +
                     (place == COPY || place == HIDDEN ? 0 : i + (is_entry ? 0 : OTHERS));
   const struct pm_stretch like = {.address = 0x1000 * place + (is_entry ? 0 : 16),
                                   .place = place,
                                   .weight = weight,
                                   .instrs = iteration ? 1 : (uint8_t)weight,
                                   .iteration = iteration,
                                   .calls = is_entry};
   return pm_stretches_id(&stretches, &like, ones, told);
}

static void execute(uint32_t thread, uint32_t id, uint64_t times)
{
   executed[id] += times;
   if (stretches.table[id].iteration) {
      heap.state.counter[PM_COUNT_REP_ITERATIONS] += times;
      return;
   }
   uint64_t sum = times * (uint64_t)stretches.table[id].weight;
   instrs[thread] += sum;
   heap.state.counter[PM_COUNT_INSTRUCTIONS] += sum;
}

static void begin(const char *name, uint32_t thread, enum pm_phase_kind kind)
{
   const struct pm_phase_caller caller = {.thread = thread, .thread_instrs = thread_instrs};
   struct pm_declared *declared =
      pm_phase_table_declare(&table, name, strlen(name), kind);
   assert_true(pm_phase_table_begin(&table, declared, &caller));
   executed = pm_profile_now(&profile, &heap.phases)->executed;
}

static void end(const char *name, uint32_t thread)
{
   const struct pm_phase_caller caller = {.thread = thread, .thread_instrs = thread_instrs};
   struct pm_declared *declared = pm_phase_table_find(&table, name, strlen(name));
   assert_true(pm_phase_table_end(&table, declared, &caller, true));
   executed = pm_profile_now(&profile, &heap.phases)->executed;
}

static void measure(void)
{
   struct pm_heap_thread one = {.number = 1}, two = {.number = 2};
   memset(instrs, 0, sizeof instrs);
   pm_heap_init(&heap, &hosted);
   pm_sites_init(&sites, &hosted);
   pm_fates_init(&fates, &hosted, true);
   heap.phases.sites = &sites;
   heap.fates = &fates;
   heap.phases.list_first = 2;
   assert_true(pm_stretches_init(&stretches, &hosted, true));
   assert_true(pm_profile_init(&profile, &hosted, &stretches));
   assert_true(pm_phase_table_init(&table, &hosted, &heap));
   begin("program", 1, PM_PHASE_PROCESS);

   uint32_t in_main = stretch(MAIN, 7, true, false), in_parse = stretch(PARSE, 5, true, false),
            more = stretch(PARSE, 3, false, false), copy = stretch(COPY, 1, true, false),
            iteration = stretch(COPY, 0, false, true), nowhere = stretch(HIDDEN, 2, true, false);
   execute(1, in_main, 1);
   pm_block_id cache = pm_heap_file(&heap, 0x10000, 1000);
   one.site = OF_CACHE;
   pm_heap_obtained(&heap, &one, cache);

   begin("parse", 1, PM_PHASE_REQUEST);
   execute(1, in_parse, 10);
   execute(1, more, 100);
   pm_block_id tree = pm_heap_file(&heap, 0x20000, 300);
   one.site = OF_TREE;
   pm_heap_obtained(&heap, &one, tree);
   begin("\xce\xbb <&\"'\x01>", 1, PM_PHASE_FUNCTION); /* names are data */
   execute(1, copy, 1);
   execute(1, iteration, 4096);
   end("\xce\xbb <&\"'\x01>", 1);
   end("parse", 1);

   begin("parse", 2, PM_PHASE_REQUEST);
   begin("parse", 1, PM_PHASE_REQUEST); /* overlapping */
   execute(2, in_parse, 1);
   execute(2, nowhere, 1);
   pm_ledger_unfile(&heap.ledger, cache);
   two.site = OF_RESIZE;
   pm_heap_resized(&heap, &two, cache, 0x30000, 400);
   two.site = OF_FREE;
   pm_heap_given_back(&heap, &two, tree, true);
   end("parse", 2);
   end("parse", 1);
   heap.state.counter[PM_COUNT_DEALLOCATIONS_UNMATCHED] += 2;

   begin("watched", 0, PM_PHASE_MONITOR);
   end("watched", 0);
   struct pm_declared *never =
      pm_phase_table_declare(&table, "absent*", 7, PM_PHASE_FUNCTION);
   never->trouble[PM_PHASE_NEVER_ENTERED] = 1;
   begin("left open", 2, PM_PHASE_REQUEST);
   pm_phase_table_end_all(&table, thread_instrs);
}

static void release(void)
{
   pm_phase_table_release(&table);
   pm_profile_release(&profile);
   pm_stretches_release(&stretches);
   pm_heap_release(&heap);
   pm_sites_release(&sites);
   pm_fates_release(&fates);
   assert_int_equal(hosted_live_bytes(), 0);
}

/* --- what the report says of it ------------------------------------------------------- */

static const char *const args[] = {"./app", "", "two words", "<&\"'>\n\xff"};
static const struct pm_report_object app = {"app", "0123456789abcdef", NULL},
                                     libc = {"libc.so.6", "beef", NULL},
                                     libc_too = {"libc.so.6", "beef", NULL},
                                     other_libc = {"libc.so.6", NULL, NULL},
                                     plugin = {"a-plugin.so", NULL, NULL};
static struct pm_function malloc_in_libc = {
   .name = "malloc", .object = "libc.so.6", .kind = PM_ALLOCKIND_MALLOC, .calls = 12},
   free_in_libc = {.name = "free", .object = "libc.so.6", .kind = PM_ALLOCKIND_FREE, .calls = 3},
   pool_get = {.name = "pool_get", .object = "app", .kind = PM_ALLOCKIND_ALIGNED_CALLOC};
static const struct pm_report_option options[] = {{"functions", "yes"}, {"alloc-fn", "free:x<y"}};
static const struct pm_report_function code[CODE] = {
   [UNKNOWN] = {"???", "???"},
   [MAIN] = {"main", "app"},
   [PARSE] = {"parse(std::vector<int>&)", "app"},
   [COPY] = {"memcpy", "libc.so.6"},
   [HIDDEN] = {"???", "app"},
};
/* The same code by source line: two of them, one from a header, are in parse(). */
static const struct pm_report_line lines[CODE] = {
   [MAIN] = {.function = MAIN, .file = "app.cc", .line = 12},
   [PARSE] = {.function = PARSE, .file = "app.cc", .line = 3},
   [COPY] = {.function = COPY},
   [HIDDEN] = {.function = PARSE, .file = "vector", .line = 77},
};
/* Two files have one name, one is none that says addresses, and some code is in none. */
static const struct pm_report_object app_file = {"app", "0123456789abcdef", "/usr/bin/app"},
                                     other_app = {"app", NULL, "/opt/<app>"},
                                     blob = {"blob", NULL, "/tmp/blob"};
static struct pm_report_instr instr_table[INSTRS];

static void name_instrs(void)
{
   static const struct pm_report_object *const objects_of[CODE] = {
      [MAIN] = &other_app, [PARSE] = &app_file, [COPY] = &blob};
   for (uint32_t i = 0; i < INSTRS; i++) {
      uint32_t place = i / OF_PLACE;
      bool has_address = objects_of[place] && place != COPY;
      instr_table[i] = (struct pm_report_instr){.object = objects_of[place],
                                                .address = has_address ? 0xff0 + i : 0,
                                                .line = place,
                                                .has_address = has_address};
   }
}

static const struct pm_report_frame in_main = {.function = "main", .file = "app.cc", .line = 14,
                                               .object = "app"},
                                    tree_frames[] = {
   {.function = "push<\"x\">", .file = "vector", .line = 77, .object = "app", .inlined = true},
   {.function = "parse(std::vector<int>&)", .file = "app.cc", .line = 3, .object = "app"},
}, resize_frame = {.function = "grow", .object = "a-plugin.so"},
   free_frame = {.function = "???", .object = "a-plugin.so"};
static const struct pm_report_site site_names[SITES] = {
   [OF_CACHE] = {&in_main, 1},
   [OF_TREE] = {tree_frames, 2},
   [OF_RESIZE] = {&resize_frame, 1},
   [OF_FREE] = {&free_frame, 1},
};
static const struct pm_report_gap gaps[] = {
   {"mapped.", "the program's mappings were not watched"},
   {"instructions.rep-ended", "the platform has none"},
};
static const struct pm_report_diagnostic diagnostics[] = {
   {PM_WARNING, "unmatched-deallocation", "an address that is no known block", 2},
   {PM_ERROR, "not-reported", "this did not happen", 0},
   {PM_NOTE, "a-note", "text with <markup> & more", 1},
};

static const struct pm_report_object *objects[5];
static struct pm_function *functions[3];
static struct pm_report_phase phases[8];

/* In one of two accidental orders. */
static struct pm_report make_report(bool other_order)
{
   const struct pm_report_object *const one_way[] = {&app, &libc, &other_libc, &plugin, &libc_too};
   const struct pm_report_object *const another[] = {&libc_too, &plugin, &libc, &other_libc, &app};
   struct pm_function *const forth[] = {&malloc_in_libc, &free_in_libc, &pool_get};
   memcpy(objects, other_order ? another : one_way, sizeof objects);
   for (int f = 0; f < 3; f++)
      functions[f] = forth[other_order ? 2 - f : f];
   assert_in_range(table.count, 1, 8);
   for (uint32_t p = 0; p < table.count; p++)
      phases[p] = (struct pm_report_phase){.phase = &table.declared[p]->phase,
                                           .declared = table.declared[p]};
   phases[4].unavailable = "no function matches absent*";
   name_instrs();
   return (struct pm_report){
      .profmem_version = "1.2.3",
      .valgrind_version = "3.19.0",
      .platform = "amd64-linux",
      .args = args,
      .arg_count = 4,
      .executable_path = "/usr/bin/app",
      .executable_bytes = 123456,
      .executable_build_id = "0123456789abcdef",
      .objects = objects,
      .object_count = 5,
      .options = options,
      .option_count = 2,
      .environment_variables = 21,
      .environment_fnv1a64 = 0xabc,
      .end = PM_REPORT_EXIT,
      .end_status = 3,
      .functions = functions,
      .function_count = 3,
      .profile = &profile,
      .code = code,
      .code_count = CODE,
      .lines = lines,
      .line_count = CODE,
      .instrs = instr_table,
      .instr_count = INSTRS,
      .instr_lines = lines,
      .sites = &sites,
      .fates = &fates,
      .open = &heap.phases,
      .site_names = site_names,
      .site_count = SITES,
      .row_limit = 2,
      .instr_limit = 12,
      .phases = phases,
      .phase_count = table.count,
      .gaps = gaps,
      .gap_count = 2,
      .diagnostics = diagnostics,
      .diagnostic_count = 3,
   };
}

/* --- writing ----------------------------------------------------------------------------- */

struct written {
   char *bytes;
   size_t count;
   size_t refuse_from; /* bytes that are taken */
};

static bool take(void *ctx, const void *bytes, size_t count)
{
   struct written *written = ctx;
   if (written->count + count > written->refuse_from)
      return false;
   written->bytes = realloc(written->bytes, written->count + count + 1);
   assert_non_null(written->bytes);
   memcpy(written->bytes + written->count, bytes, count);
   written->count += count;
   written->bytes[written->count] = '\0';
   return true;
}

/* The caller frees written->bytes. */
static bool write_to(struct written *written, struct pm_report *report)
{
   static struct pm_xml xml;
   const struct pm_xml_sink sink = {.write = take, .ctx = written};
   return pm_report_write(report, &xml, &hosted, &sink);
}

static char *text_of(struct pm_report *report)
{
   struct written written = {.refuse_from = SIZE_MAX};
   assert_true(write_to(&written, report));
   return written.bytes;
}

static char *source_path(const char *path)
{
   static char full[4096];
   const char *top = getenv("abs_top_srcdir");
   snprintf(full, sizeof full, "%s/%s", top ? top : ".", path);
   return full;
}

static char *read_golden(void)
{
   FILE *file = fopen(source_path("tests/unit/report-golden.xml"), "rb");
   assert_non_null(file);
   char *bytes = calloc(1, 1 << 20);
   assert_non_null(bytes);
   assert_true(fread(bytes, 1, (1 << 20) - 1, file) > 0);
   fclose(file);
   return bytes;
}

static void say_first_difference(const char *is, const char *should)
{
   int line = 1;
   size_t start = 0, i = 0;
   for (; is[i] && is[i] == should[i]; i++)
      if (is[i] == '\n') {
         line++;
         start = i + 1;
      }
   if (is[i] != should[i])
      fail_msg("line %d: is\n%.*s\nshould be\n%.*s", line, (int)strcspn(is + start, "\n"),
               is + start, (int)strcspn(should + start, "\n"), should + start);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void a_report_is_the_golden_one(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   char *text = text_of(&report);
   if (getenv("PM_GOLDEN_UPDATE")) {
      FILE *file = fopen(source_path("tests/unit/report-golden.xml"), "wb");
      assert_non_null(file);
      fputs(text, file);
      assert_int_equal(fclose(file), 0);
   }
   char *golden = read_golden();
   say_first_difference(text, golden);
   free(golden);
   free(text);
   release();
}

static void the_schema_accepts_it(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   char *text = text_of(&report);
   xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "report", NULL, XML_PARSE_NONET);
   assert_non_null(document);
   xmlRelaxNGParserCtxtPtr parser =
      xmlRelaxNGNewParserCtxt(source_path("docs/profmem-report.rng"));
   xmlRelaxNGPtr schema = xmlRelaxNGParse(parser);
   assert_non_null(schema);
   xmlRelaxNGValidCtxtPtr check = xmlRelaxNGNewValidCtxt(schema);
   assert_int_equal(xmlRelaxNGValidateDoc(check, document), 0);
   xmlRelaxNGFreeValidCtxt(check);
   xmlRelaxNGFree(schema);
   xmlRelaxNGFreeParserCtxt(parser);
   xmlFreeDoc(document);
   xmlCleanupParser();
   free(text);
   release();
}

static void accidental_orders_make_no_difference(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   char *text = text_of(&report);
   report = make_report(true);
   char *other = text_of(&report);
   say_first_difference(other, text);
   free(other);
   free(text);
   release();
}

static void has(struct pm_report *report, const char *part)
{
   char *text = text_of(report);
   if (!strstr(text, part))
      fail_msg("not in the report: %s", part);
   free(text);
}

static void ends_of_every_kind(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   report.end = PM_REPORT_SIGNAL;
   report.end_status = 11;
   report.end_signal = "SIGSEGV";
   has(&report, "<end kind=\"signal\" signal=\"11\" name=\"SIGSEGV\"/>");
   report.end = PM_REPORT_EXEC;
   report.end_path = "/bin/other & co";
   has(&report, "<end kind=\"exec\" path=\"/bin/other &amp; co\"/>");
   report.end = PM_REPORT_EXIT;
   report.end_status = 0;
   has(&report, "<end kind=\"exit\" status=\"0\"/>");
   release();
}

static void without_counted_executions_the_lists_say_so(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   report.profile = NULL;
   has(&report, "<functions unavailable=\"executions were not counted: --functions=no\"/>");
   release();
}

static void what_was_not_told_apart_says_so(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   report.lines = NULL;
   report.instrs = NULL;
   report.sites = NULL;
   report.fates = NULL;
   has(&report, "<lines unavailable=\"source lines were not told apart: --lines=no\"/>");
   has(&report, "<instructions unavailable=\"instructions were not told apart: --instr=no\"/>");
   has(&report, "<sites unavailable=\"call chains were not taken: --stacks=no\"/>");
   release();
}

static void unavailable_has_a_reason(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   const struct pm_report_phase *program = &phases[0], *parse = &phases[1],
                                *watched = &phases[3], *absent = &phases[4];
   assert_string_equal(pm_report_unavailable(&report, program, PM_METRIC_MAPPED_PEAK),
                       gaps[0].reason);
   assert_string_equal(
      pm_report_unavailable(&report, parse, PM_METRIC_INSTRUCTIONS_REP_ENDED_BY_CONDITION),
      gaps[1].reason);
   /* A prefix is one of the whole name: allocator-mapped.* is something else. */
   assert_null(pm_report_unavailable(&report, program, PM_METRIC_ALLOCATOR_MAPPED_PEAK));
   assert_null(pm_report_unavailable(&report, program, PM_METRIC_INSTRUCTIONS_REP_ITERATIONS));
   assert_null(pm_report_unavailable(&report, program, PM_METRIC_INSTRUCTIONS_OWN_THREAD));
   assert_non_null(pm_report_unavailable(&report, watched, PM_METRIC_INSTRUCTIONS_OWN_THREAD));
   assert_null(pm_report_unavailable(&report, watched, PM_METRIC_HEAP_PEAK));
   for (int m = 0; m < PM_METRICS; m++)
      assert_string_equal(pm_report_unavailable(&report, absent, (enum pm_metric)m),
                          "no function matches absent*");
   phases[4].unavailable = NULL;
   assert_non_null(pm_report_unavailable(&report, absent, PM_METRIC_HEAP_PEAK));
   release();
}

static void a_sink_that_refuses_is_noticed(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   char *text = text_of(&report);
   size_t length = strlen(text);
   for (size_t room = 0; room < length; room += 997) {
      struct written written = {.refuse_from = room};
      assert_false(write_to(&written, &report));
      assert_memory_equal(written.bytes ? written.bytes : "", text, written.count);
      free(written.bytes);
   }
   free(text);
   release();
}

static void no_memory_is_noticed_and_leaves_nothing(void **state)
{
   (void)state;
   measure();
   struct pm_report report = make_report(false);
   size_t before = hosted_live_bytes();
   unsigned long failures = 0;
   for (unsigned long n = 1;; n++) {
      struct written written = {.refuse_from = SIZE_MAX};
      hosted_fail_alloc(n);
      bool complete = write_to(&written, &report);
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      assert_int_equal(complete, !failed);
      assert_int_equal(hosted_live_bytes(), before);
      /* Complete or not, it is a document. */
      assert_string_equal(written.bytes + written.count - 11, "</profmem>\n");
      free(written.bytes);
      if (!failed)
         break;
      failures++;
   }
   assert_in_range(failures, 1, 20);
   release();
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_report_is_the_golden_one),
      cmocka_unit_test(the_schema_accepts_it),
      cmocka_unit_test(accidental_orders_make_no_difference),
      cmocka_unit_test(ends_of_every_kind),
      cmocka_unit_test(without_counted_executions_the_lists_say_so),
      cmocka_unit_test(what_was_not_told_apart_says_so),
      cmocka_unit_test(unavailable_has_a_reason),
      cmocka_unit_test(a_sink_that_refuses_is_noticed),
      cmocka_unit_test(no_memory_is_noticed_and_leaves_nothing),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
