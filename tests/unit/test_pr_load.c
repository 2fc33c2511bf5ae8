/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_load.c: what the loader takes from a report, and what it refuses.
 *
 * The refused fixtures are in tests/cli/refused.bats; here is what a file of
 * the tree cannot hold well: sizes, depths, lines far down, failing reads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_build.h"
#include "pr_sample.h"

static struct pr_report *load_good(const char *text)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   struct pr_report *report = pr_sample_load(text, NULL, &diagnostics);
   assert_non_null(report);
   assert_int_equal(diagnostics.count, 0);
   pr_diagnostics_release(&diagnostics);
   return report;
}

/* The last reason, which the caller frees. */
static char *load_bad(const char *text, unsigned long *line)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   assert_null(pr_sample_load(text, NULL, &diagnostics));
   assert_int_equal(diagnostics.count, 1);
   assert_string_equal(diagnostics.items[0].file, "sample");
   *line = diagnostics.items[0].line;
   char *reason = strdup(diagnostics.items[0].reason);
   pr_diagnostics_release(&diagnostics);
   return reason;
}

static void check_refused(const char *text, const char *expected)
{
   unsigned long line;
   char *reason = load_bad(text, &line);
   assert_non_null(strstr(reason, expected));
   free(reason);
}

static void check_phases_refused(const char *phases, const char *expected)
{
   char *text = pr_sample_with_phases(phases);
   check_refused(text, expected);
   free(text);
}

static void every_part_arrives(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-phases.xml");
   struct pr_report *report = load_good(text);
   assert_string_equal(report->file, "sample");
   assert_string_equal(report->producer_valgrind, "3.19.0");
   assert_string_equal(report->producer_platform, "amd64-linux");
   assert_int_equal(report->run.argument_count, 1);
   assert_string_equal(report->run.arguments[0], "./small");
   assert_true(report->run.executable_bytes == 4096);
   assert_string_equal(report->run.executable_build_id, "ab01");
   assert_int_equal(report->run.option_count, 2);
   assert_string_equal(report->run.options[1].value, "malloc:my alloc");
   assert_int_equal(report->run.fix_count, 2);
   assert_true(report->run.environment_variables == 1);
   assert_int_equal(report->end.kind, PR_END_EXEC);
   assert_string_equal(report->end.path, "/bin/true");
   assert_int_equal(report->phase_count, 3);
   assert_int_equal(report->diagnostic_count, 2);
   assert_true(report->diagnostics[1].count == 1234567);
   assert_string_equal(report->diagnostics[0].phase, "parse file");
   assert_null(report->diagnostics[1].phase);
   assert_string_equal(report->diagnostics[1].text, "another");
   pr_report_free(report);
   free(text);
}

static void metrics_are_values_or_reasons(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-phases.xml");
   struct pr_report *report = load_good(text);
   const struct pr_phase *program = pr_report_phase(report, "program");
   const struct pr_phase *parse = pr_report_phase(report, "parse file");
   const struct pr_phase *never = pr_report_phase(report, "never");
   assert_true(program && parse && never);
   assert_null(pr_report_phase(report, "Program"));

   const struct pr_metric *peak = pr_phase_metric(program, "heap.peak");
   assert_ptr_equal(peak, pr_phase_metric_by_id(program, PR_METRIC_HEAP_PEAK));
   assert_int_equal(peak->value.kind, PR_VALUE_UNSIGNED);
   assert_true(peak->value.as_unsigned == UINT64_MAX);
   assert_null(peak->extra);
   const struct pr_metric *resized = pr_phase_metric_by_id(program, PR_METRIC_HEAP_RESIZED);
   assert_int_equal(resized->value.kind, PR_VALUE_SIGNED);
   assert_true(resized->value.as_signed == INT64_MIN);
   assert_null(pr_phase_metric_by_id(program, PR_METRIC_POOL_PEAK));
   assert_int_equal(pr_phase_metric(program, "instructions.total")->extra->stability, PR_UNSTABLE);
   assert_int_equal(pr_phase_metric(program, "syscalls.count")->extra->stability, PR_STABLE);

   assert_true(parse->is_overlapping && !parse->is_complete && parse->instances == 3);
   assert_string_equal(parse->parent, "program");
   const struct pr_metric *entry = pr_phase_metric_by_id(parse, PR_METRIC_HEAP_ENTRY);
   assert_true(entry->extra->has_range && entry->extra->max.as_unsigned == 2048);

   const struct pr_metric *unavailable = pr_phase_metric_by_id(never, PR_METRIC_HEAP_PEAK);
   assert_int_equal(unavailable->value.kind, PR_VALUE_UNAVAILABLE);
   assert_string_equal(unavailable->value.reason, "the phase was never entered");
   pr_report_free(report);
   free(text);
}

static void breakdowns_arrive_with_what_their_rows_stand_for(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-phases.xml");
   struct pr_report *report = load_good(text);
   const struct pr_phase *program = pr_report_phase(report, "program");
   const struct pr_phase *parse = pr_report_phase(report, "parse file");
   const struct pr_phase *never = pr_report_phase(report, "never");
   assert_true(program && parse && never);

   const struct pr_breakdown *sites = parse->breakdowns[PR_BY_SITE];
   assert_true(sites->is_listed);
   assert_int_equal(sites->row_count, 1);
   assert_true(sites->rows[0].values[PR_SITE_PEAK_BYTES] == 4000);
   assert_true(sites->rows[0].values[PR_SITE_TEMPORARY_BLOCKS] == 2);
   assert_true(sites->others_count == 2 && sites->others[PR_SITE_RETAINED_BLOCKS] == 1);
   assert_true(pr_breakdown_sum(sites, PR_BY_SITE, PR_SITE_PEAK_BYTES) == 4096);
   const struct pr_site *site = sites->rows[0].site;
   assert_ptr_equal(site, program->breakdowns[PR_BY_SITE]->rows[1].site);
   assert_true(site->id == 2 && site->largest_bytes == 4095);
   assert_int_equal(site->frame_count, 4);
   assert_string_equal(site->frames[0].file, "list.h");
   assert_true(site->frames[0].is_inlined && site->frames[0].line == 12);
   assert_string_equal(site->frames[1].function, "parse(std::vector<int> &)");
   assert_null(site->frames[2].file);
   assert_string_equal(site->frames[2].object, "libplugin.so");
   assert_int_equal(program->breakdowns[PR_BY_SITE]->rows[0].site->frame_count, 0);
   assert_null(program->breakdowns[PR_BY_SITE]->others);

   const struct pr_breakdown *functions = parse->breakdowns[PR_BY_FUNCTION];
   assert_string_equal(functions->rows[0].function->name, "parse(std::vector<int> &)");
   assert_true(functions->rows[0].values[PR_FUNCTION_REP_ITERATIONS] == 400);
   assert_true(functions->others[PR_FUNCTION_REP_ITERATIONS] == 0);
   assert_false(never->breakdowns[PR_BY_SITE]->is_listed);
   assert_false(never->breakdowns[PR_BY_FUNCTION]->is_listed);
   pr_report_free(report);
   free(text);
}

static void pairs_arrive_with_both_of_their_sites(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-shape.xml");
   struct pr_report *report = load_good(text);
   const struct pr_phase *program = pr_report_phase(report, "program");
   const struct pr_breakdown *resizes = program->breakdowns[PR_BY_RESIZE];
   const struct pr_breakdown *releases = program->breakdowns[PR_BY_RELEASE];
   assert_int_equal(resizes->row_count, 3);
   assert_true(resizes->rows[0].origin->id == 1 && resizes->rows[0].site->id == 2);
   assert_ptr_equal(resizes->rows[0].site, resizes->rows[1].origin);
   assert_ptr_equal(resizes->rows[1].site, resizes->rows[1].origin);
   assert_true((int64_t)resizes->rows[1].values[PR_RESIZE_NET_BYTES] == -3072);
   assert_true(resizes->others_count == 1 && resizes->others[PR_RESIZE_BLOCKS] == 1);
   assert_true(pr_breakdown_sum(resizes, PR_BY_RESIZE, PR_RESIZE_NET_BYTES) == -96);
   assert_true(pr_breakdown_sum(resizes, PR_BY_RESIZE, PR_RESIZE_BYTES) == 7248);
   assert_int_equal(releases->row_count, 3);
   assert_string_equal(releases->rows[0].site->frames[0].function, "drop()");
   assert_true(releases->rows[2].values[PR_RELEASE_BYTES] == 0);
   assert_null(releases->others);
   assert_false(pr_report_phase(report, "idle")->breakdowns[PR_BY_RESIZE]->is_listed);
   pr_report_free(report);
   free(text);
}

/* The largest and smallest numbers there are add up without a loss. */
static void signed_columns_are_signed_to_their_ends(void **state)
{
   (void)state;
   struct pr_report *report = load_good(
      "<profmem format='1'><phases><phase name='p' instances='1'><resizes>"
      "<resize origin='1' site='2' blocks='1' bytes='18446744073709551615'"
      " net-bytes='-9223372036854775808'/>"
      "<resize origin='2' site='1' blocks='1' bytes='18446744073709551615'"
      " net-bytes='-9223372036854775808'/>"
      "<others pairs='1' blocks='0' bytes='0' net-bytes='9223372036854775807'/>"
      "</resizes></phase></phases><sites><site id='2' largest-bytes='0'/>"
      "<site id='1' largest-bytes='0'/></sites></profmem>");
   const struct pr_breakdown *resizes = report->phases[0].breakdowns[PR_BY_RESIZE];
   assert_true(pr_breakdown_sum(resizes, PR_BY_RESIZE, PR_RESIZE_NET_BYTES)
               == (__int128)INT64_MIN - 1);
   assert_true(pr_breakdown_sum(resizes, PR_BY_RESIZE, PR_RESIZE_BYTES)
               == (__int128)UINT64_MAX * 2);
   pr_report_free(report);
}

static void lines_arrive_with_their_places(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-shape.xml");
   struct pr_report *report = load_good(text);
   const struct pr_breakdown *lines =
      pr_report_phase(report, "program")->breakdowns[PR_BY_LINE];
   assert_int_equal(report->line_count, 4);
   assert_int_equal(lines->row_count, 4);
   assert_string_equal(lines->rows[0].source_line->file, "load.cc");
   assert_true(lines->rows[0].source_line->number == 34);
   assert_ptr_equal(lines->rows[0].source_line,
                    pr_report_phase(report, "idle")->breakdowns[PR_BY_LINE]->rows[0].source_line);
   assert_string_equal(lines->rows[1].source_line->function, "__memcpy_avx_unaligned_erms");
   assert_string_equal(lines->rows[1].source_line->object, "libc.so.6");
   assert_null(lines->rows[1].source_line->file);
   assert_true(lines->rows[1].values[PR_FUNCTION_REP_ITERATIONS] == 64);
   assert_true(lines->others_count == 17);
   assert_null(report->unavailable[PR_NAME_LINE]);
   pr_report_free(report);
   free(text);
}

static void histograms_and_the_timeline_arrive(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-shape.xml");
   struct pr_report *report = load_good(text);
   const struct pr_histogram *program = pr_report_phase(report, "program")->histograms;
   const struct pr_histogram *idle = pr_report_phase(report, "idle")->histograms;
   assert_true(program && idle);
   assert_null(pr_report_phase(report, "bare")->histograms);
   assert_int_equal(program[PR_SIZES].count, 6);
   assert_true(program[PR_SIZES].buckets[3].from == 512);
   assert_true(program[PR_SIZES].buckets[3].blocks == 3);
   assert_true(pr_histogram_blocks(&program[PR_SIZES]) == 14);
   assert_int_equal(program[PR_LIFETIMES].count, 3);
   assert_true(program[PR_LIFETIMES].buckets[2].from == 16384);
   assert_true(idle[PR_SIZES].is_listed && idle[PR_SIZES].count == 0);
   assert_true(idle[PR_LIFETIMES].is_listed && idle[PR_LIFETIMES].count == 0);

   assert_true(report->timeline.is_listed && report->timeline.interval_instructions == 1024);
   assert_int_equal(report->timeline.count, 6);
   assert_true(report->timeline.points[3].most_bytes == 5200);
   assert_true(report->timeline.points[3].last_bytes == 2128);
   pr_report_free(report);
   free(text);
}

static void instances_arrive_with_their_own_metrics(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-phases.xml");
   struct pr_report *report = load_good(text);
   const struct pr_phase *parse = pr_report_phase(report, "parse file");
   assert_non_null(parse);
   assert_int_equal(parse->metrics.count, 5);
   assert_int_equal(parse->listed_count, 3);
   assert_true(parse->listed[1].number == 2 && parse->listed[1].thread == 2);
   assert_string_equal(parse->listed[1].parent, "program");
   assert_true(parse->listed[1].is_complete && !parse->listed[2].is_complete);
   assert_null(parse->listed[2].parent);
   assert_int_equal(parse->listed[2].metrics.count, 4);
   const struct pr_metric *peak =
      pr_metric_list_get(&parse->listed[2].metrics, PR_METRIC_HEAP_PEAK);
   assert_true(peak->value.as_unsigned == 2048);
   pr_report_free(report);
   free(text);
}

/* In any order, as large as they come; a phase's metrics may stand behind its lists. */
static void ids_are_found_in_any_order(void **state)
{
   (void)state;
   struct pr_report *report = load_good(
      "<profmem format='1'><functions><function id='7' name='a' object='o'/></functions><phases>"
      "<phase name='p' instances='1'><functions>"
      "<function id='18446744073709551615' instructions='1' calls='0'/>"
      "<function id='0' instructions='2' calls='0'/></functions>"
      "<metric name='instructions.total' value='3'/></phase>"
      "<phase name='q' instances='1'><functions>"
      "<function id='0' instructions='2' calls='0'/></functions></phase></phases>"
      "<functions><function id='18446744073709551615' name='b' object='o'/>"
      "<function id='0' name='c' object='o'/></functions></profmem>");
   const struct pr_phase *p = pr_report_phase(report, "p");
   assert_int_equal(report->function_count, 3);
   assert_string_equal(p->breakdowns[PR_BY_FUNCTION]->rows[0].function->name, "b");
   assert_string_equal(p->breakdowns[PR_BY_FUNCTION]->rows[1].function->name, "c");
   assert_int_equal(p->metrics.count, 1);
   pr_report_free(report);
}

static void phases_know_within_which_they_lie(void **state)
{
   (void)state;
   char *text = pr_sample_with_phases("<phase name='b' instances='1' parent='a'/>"
                                      "<phase name='a' instances='1' parent='a'/>"
                                      "<phase name='c' instances='1' parent='gone'/>"
                                      "<phase name='d' instances='1'/>");
   struct pr_report *report = load_good(text);
   const struct pr_phase *phases = report->phases;
   assert_ptr_equal(phases[0].within, &phases[1]);
   assert_ptr_equal(phases[1].within, &phases[1]);
   assert_null(phases[2].within);
   assert_null(phases[3].within);
   pr_report_free(report);
   free(text);
}

static void names_are_what_the_escapes_stand_for(void **state)
{
   (void)state;
   char *text = pr_sample_with_phases(
      "<phase name='program' kind='process' instances='1' complete='yes'/>"
      "<phase name='&lt;a &amp;amp; b&gt;&#9;&apos;&quot;&amp;' kind='request' instances='0'"
      " complete='yes' parent=''/>"
      "<phase name='' kind='request' instances='0' complete='yes' parent='&amp;#38;'/>");
   struct pr_report *report = load_good(text);
   const struct pr_phase *marked = pr_report_phase(report, "<a &amp; b>\t'\"&");
   const struct pr_phase *nameless = pr_report_phase(report, "");
   assert_true(marked && nameless);
   assert_string_equal(marked->parent, "");
   assert_string_equal(nameless->parent, "&#38;");
   pr_report_free(report);
   free(text);
}

static void newer_reports_keep_what_is_new_by_name(void **state)
{
   (void)state;
   char *text = pr_sample_with_phases(
      "<phase name='program' kind='dream' instances='1' complete='yes' mood='good'>"
      "<metric name='heap.summit' unit='peaks' value='7'/>"
      "<metric name='heap.trend' unit='slopes' value='-7'/>"
      "<new><metric name='heap.peak' value='not even a number'/></new>"
      "<metric name='heap.peak' unit='bytes' value='1'/></phase>");
   struct pr_report *report = load_good(text);
   const struct pr_phase *program = pr_report_phase(report, "program");
   assert_int_equal(program->metrics.count, 3);
   const struct pr_metric *summit = pr_phase_metric(program, "heap.summit");
   assert_int_equal(summit->id, PR_METRIC_UNKNOWN);
   assert_string_equal(summit->unit, "peaks");
   assert_true(summit->value.as_unsigned == 7);
   assert_true(pr_phase_metric(program, "heap.trend")->value.as_signed == -7);
   assert_true(pr_phase_metric_by_id(program, PR_METRIC_HEAP_PEAK)->value.as_unsigned == 1);
   pr_report_free(report);
   free(text);
}

static void text_keeps_its_blanks_and_pieces(void **state)
{
   (void)state;
   struct pr_report *report =
      load_good("<profmem format='1'><run><command><arg> a<!-- not this -->\n&lt;"
                "<![CDATA[<b>]]><new>nor this</new>&#228; </arg><arg/>\n<arg>\n  </arg></command></run>"
                "</profmem>");
   assert_int_equal(report->run.argument_count, 3);
   assert_string_equal(report->run.arguments[0], " a\n<<b>\xC3\xA4 ");
   assert_string_equal(report->run.arguments[1], "");
   assert_string_equal(report->run.arguments[2], "\n  ");
   assert_int_equal(report->phase_count, 0);
   assert_int_equal(report->end.kind, PR_END_ABSENT);
   pr_report_free(report);
}

/* Nested below an element that is skipped and below one that is not. */
static void depth_is_bounded(void **state)
{
   (void)state;
   static const char *const heads[] = {"<profmem format='1'>",
                                       "<profmem format='1'><run><command><arg>"};
   enum { LEVELS = 10000 };
   for (size_t i = 0; i < 2; i++) {
      char *text = malloc(strlen(heads[i]) + LEVELS * strlen("<a>") + 1);
      assert_non_null(text);
      char *at = stpcpy(text, heads[i]);
      for (int level = 0; level < LEVELS; level++)
         at = stpcpy(at, "<a>");
      check_refused(text, "nested deeper than 64 levels");
      free(text);
   }
}

static void depth_within_the_bound_is_fine(void **state)
{
   char text[2048];
   (void)state;
   char *at = stpcpy(text, "<profmem format='1'>");
   for (int level = 1; level < PR_BUILD_DEPTH_MAX; level++)
      at = stpcpy(at, "<a>");
   for (int level = 1; level < PR_BUILD_DEPTH_MAX; level++)
      at = stpcpy(at, "</a>");
   stpcpy(at, "</profmem>");
   pr_report_free(load_good(text));
}

/* `count` times `piece` between `head` and `tail`. */
static char *repeat(const char *head, const char *piece, size_t count, const char *tail)
{
   size_t bytes = strlen(piece);
   char *text = malloc(strlen(head) + bytes * count + strlen(tail) + 1);
   assert_non_null(text);
   char *at = stpcpy(text, head);
   for (size_t i = 0; i < count; i++, at += bytes)
      memcpy(at, piece, bytes);
   strcpy(at, tail);
   return text;
}

static void sizes_are_bounded(void **state)
{
   (void)state;
   size_t most = PR_BUILD_TEXT_BYTES_MAX;
   char *text = repeat("<profmem format='1'><run><command><arg>", "x", most,
                       "</arg></command></run></profmem>");
   struct pr_report *report = load_good(text);
   assert_int_equal(strlen(report->run.arguments[0]), most);
   pr_report_free(report);
   free(text);

   text = repeat("<profmem format='1'><run><command><arg>", "x", most + 1,
                 "</arg></command></run></profmem>");
   check_refused(text, "text of <arg> is longer than 1048576 bytes");
   free(text);

   text = repeat("<profmem format='1'><producer name='", "x", most + 1, "'/></profmem>");
   check_refused(text, "attribute 'name' of <producer> is longer than 1048576 bytes");
   free(text);

   char *name = repeat("<phase name='", "n", 5000, "' instances='1'/>");
   char *twice = repeat("", name, 2, "");
   char *phases = pr_sample_with_phases(twice);
   check_refused(phases, "appears twice");
   free(phases);
   free(twice);
   free(name);
}

static void attributes_are_bounded(void **state)
{
   char attributes[65 * 8 + 1], *at = attributes, text[1024];
   (void)state;
   for (int i = 0; i < 65; i++)
      at += sprintf(at, " a%02d=''", i);
   snprintf(text, sizeof text, "<profmem format='1'%s/>", attributes);
   check_refused(text, "more than 64 attributes");
}

static void unknown_metrics_are_bounded(void **state)
{
   static char phases[64 * 1024];
   (void)state;
   char *at = stpcpy(phases, "<phase name='a' instances='1'>");
   for (int i = 0; i <= PR_BUILD_UNKNOWN_METRICS_MAX; i++)
      at += sprintf(at, "<metric name='m%d' value='0'/>", i);
   strcpy(at, "</phase>");
   check_phases_refused(phases, "more than 256 unknown metrics");
}

static void phases_are_told_apart(void **state)
{
   (void)state;
   static char phases[64 * 1024];
   char *at = phases;
   for (int i = 0; i < 1000; i++)
      at += sprintf(at, "<phase name='p%d' instances='1'/>", i);
   char *text = pr_sample_with_phases(phases);
   struct pr_report *report = load_good(text);
   assert_int_equal(report->phase_count, 1000);
   assert_ptr_equal(pr_report_phase(report, "p777"), &report->phases[777]);
   pr_report_free(report);
   free(text);
   strcpy(at, "<phase name='p500' instances='1'/>");
   check_phases_refused(phases, "phase 'p500' appears twice");
}

/* libxml2's nodes hold lines in 16 bits; the loader's are its parser's. */
static void lines_are_exact_far_down(void **state)
{
   (void)state;
   for (size_t lines = 65533; lines <= 200000; lines += 33333) {
      unsigned long line = 0;
      char *text = repeat("<profmem format='1'><phases><phase name='a' instances='1'>", "\n",
                          lines, "<metric/></phase></phases></profmem>");
      char *reason = load_bad(text, &line);
      assert_string_equal(reason, "<metric> lacks its attribute 'name'");
      assert_int_equal(line, lines + 1);
      free(reason);
      free(text);
   }
}

/* A stream that fails, or ends, after so many bytes. */
struct failing {
   const char *text;
   size_t left;
   bool fails;
};

static ssize_t read_failing(void *cookie, char *buffer, size_t size)
{
   struct failing *failing = cookie;
   if (failing->left == 0) {
      errno = EIO;
      return failing->fails ? -1 : 0;
   }
   size_t bytes = size < failing->left ? size : failing->left;
   memcpy(buffer, failing->text, bytes);
   failing->text += bytes;
   failing->left -= bytes;
   return (ssize_t)bytes;
}

static void check_cut(const char *text, size_t bytes, bool fails)
{
   struct failing failing = {text, bytes, fails};
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   FILE *in = fopencookie(&failing, "r", (cookie_io_functions_t){.read = read_failing});
   assert_non_null(in);
   assert_null(pr_load(in, "cut", NULL, &diagnostics));
   fclose(in);
   assert_int_equal(diagnostics.count, 1);
   assert_non_null(strstr(diagnostics.items[0].reason,
                          fails ? "cannot be read: Input/output error" : "not well-formed XML"));
   pr_diagnostics_release(&diagnostics);
}

/* At whatever byte the input ends or cannot be read on, there is no report,
   and the reason is the right one of both. */
static void cut_input_is_refused(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-small.xml");
   size_t needed = (size_t)(strstr(text, "</profmem>") - text) + strlen("</profmem>");
   for (size_t bytes = 0; bytes < needed; bytes++) {
      check_cut(text, bytes, false);
      check_cut(text, bytes, true);
   }
   free(text);
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_part_arrives),
      cmocka_unit_test(metrics_are_values_or_reasons),
      cmocka_unit_test(breakdowns_arrive_with_what_their_rows_stand_for),
      cmocka_unit_test(pairs_arrive_with_both_of_their_sites),
      cmocka_unit_test(signed_columns_are_signed_to_their_ends),
      cmocka_unit_test(lines_arrive_with_their_places),
      cmocka_unit_test(histograms_and_the_timeline_arrive),
      cmocka_unit_test(instances_arrive_with_their_own_metrics),
      cmocka_unit_test(ids_are_found_in_any_order),
      cmocka_unit_test(phases_know_within_which_they_lie),
      cmocka_unit_test(names_are_what_the_escapes_stand_for),
      cmocka_unit_test(newer_reports_keep_what_is_new_by_name),
      cmocka_unit_test(text_keeps_its_blanks_and_pieces),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(depth_within_the_bound_is_fine),
      cmocka_unit_test(sizes_are_bounded),
      cmocka_unit_test(attributes_are_bounded),
      cmocka_unit_test(unknown_metrics_are_bounded),
      cmocka_unit_test(phases_are_told_apart),
      cmocka_unit_test(lines_are_exact_far_down),
      cmocka_unit_test(cut_input_is_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
