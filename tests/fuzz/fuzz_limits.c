/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_limits.c: any bytes as a file of limits, and what comes of them.
 *
 * Besides what the sanitizers see: a file is refused if and only if something is said, with
 * a place in it; of one that is not, a report is held against every limit; counts agree with
 * outcomes, and every format prints them as printable text; tightening gives a file that is
 * accepted, holds where the old one held, and has nothing left to tighten.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pr_check.h"
#include "pr_limits_tighten.h"
#include "pr_load.h"
#include "printable.h"

#define PHASE(name, peak, resized)                                                                 \
   "<phase name='" name "' kind='request' instances='1' complete='yes'>"                           \
   "<metric name='heap.peak' unit='bytes' value='" peak "'/>"                                      \
   "<metric name='heap.resized' unit='bytes' value='" resized "'/>"                                \
   "<metric name='heap.exit' unit='bytes' unavailable='none&#10;'/></phase>"

static const char report_text[] =
   "<profmem format='1'>"
   "<producer name='profmem' version='0' valgrind='0' platform='amd64-linux'/>"
   "<run><command><arg>x</arg></command><executable path='/x' size='1'/><objects/><options/>"
   "<environment variables='0' digest='none:00'/><fixed/><end kind='exit' status='0'/></run>"
   "<coverage><allocation-functions/><not-measured/></coverage>"
   "<phases>" PHASE("p", "1000", "-200") PHASE("", "0", "0")
   PHASE("a b", "18446744073709551615", "-9223372036854775808")
   PHASE("&#10;&lt;`|&#x202e;", "1", "9223372036854775807") "</phases></profmem>";

static struct pr_report *load_report(void)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   FILE *in = fmemopen((void *)(uintptr_t)report_text, sizeof report_text - 1, "r");
   require(in, "the report opens");
   struct pr_report *report = pr_load(in, "report", NULL, &diagnostics);
   fclose(in);
   require(report, "the report is one");
   pr_diagnostics_release(&diagnostics);
   return report;
}

static void require_outcomes_agree(const struct pr_verdict *verdict)
{
   const struct pr_checked_report *report = &verdict->reports[0];
   size_t failing = 0, warning = 0;
   for (size_t o = 0; o < report->outcome_count; o++) {
      const struct pr_outcome *outcome = &report->outcomes[o];
      bool all_hold = !outcome->reason;
      for (size_t b = 0; outcome->bounds && b < outcome->limit->bound_count; b++)
         all_hold = all_hold && outcome->bounds[b].holds;
      require((outcome->reason == NULL) == (outcome->bounds != NULL), "a reason or bounds");
      require(outcome->reason || outcome->has_value, "a value or a reason");
      require(all_hold == (outcome->result == PR_HOLDS), "all hold or something is wrong");
      require((outcome->result == PR_WARNS) == (!all_hold && outcome->limit->only_warns),
              "a warning where one is wanted");
      failing += outcome->result == PR_FAILS;
      warning += outcome->result == PR_WARNS;
   }
   require(failing == report->failing && failing == verdict->failing, "failures are counted");
   require(warning == report->warning && warning == verdict->warning, "warnings are counted");
   require(report->outcome_count >= verdict->limits->count, "an outcome for each limit");
}

static void render_all(const struct pr_verdict *verdict)
{
   static pr_verdict_renderer *const renderers[] = {
      pr_verdict_text, pr_verdict_markdown, pr_verdict_junit, pr_verdict_annotations};
   static const struct pr_style styles[] = {{0, false}, {40, false}};
   for (size_t i = 0; i < 2 * sizeof renderers / sizeof renderers[0]; i++) {
      char *text = NULL;
      size_t bytes = 0;
      FILE *out = open_memstream(&text, &bytes);
      require(out, "memory opens");
      require(renderers[i / 2](verdict, &styles[i % 2], out), "the verdict is printed");
      fclose(out);
      require(bytes > 0, "the verdict says something");
      require_printable(text, bytes);
      free(text);
   }
}

/* Check the limits, and print them tightened to *text. */
static size_t check(const struct pr_limits *limits, const struct pr_report *report,
                    struct pr_verdict *verdict, char **text, size_t *bytes)
{
   pr_verdict_init(verdict, limits);
   require(pr_check_report(verdict, report, report, false), "the report is checked");
   require_outcomes_agree(verdict);
   FILE *out = open_memstream(text, bytes);
   require(out, "memory opens");
   size_t changed = pr_limits_tighten(verdict, 0, out);
   fclose(out);
   return changed;
}

static void require_tighter(const struct pr_verdict *before, const struct pr_report *report,
                            const char *text, size_t bytes)
{
   struct pr_limits limits;
   struct pr_verdict verdict;
   struct pr_diagnostics diagnostics;
   char *again = NULL;
   size_t again_bytes = 0;
   pr_diagnostics_init(&diagnostics);
   pr_limits_init(&limits);
   require(pr_limits_parse(&limits, text, bytes, "tightened", 1, &diagnostics),
           "what was tightened is accepted");
   require(check(&limits, report, &verdict, &again, &again_bytes) == 0,
           "there is nothing left to tighten");
   require(again_bytes == bytes && memcmp(again, text, bytes) == 0, "nothing is changed again");
   require(verdict.outcome_count == before->outcome_count && verdict.failing == before->failing
              && verdict.warning == before->warning,
           "what held holds");
   free(again);
   pr_verdict_release(&verdict);
   pr_limits_release(&limits);
   pr_diagnostics_release(&diagnostics);
}

static void require_places(const struct pr_diagnostics *diagnostics)
{
   for (size_t d = 0; d < diagnostics->count; d++)
      require(diagnostics->items[d].line > 0 && diagnostics->items[d].column > 0
                 && diagnostics->items[d].reason[0],
              "a mistake has a place");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
   static struct pr_report *report;
   struct pr_limits limits;
   struct pr_diagnostics diagnostics;
   if (!report)
      report = load_report();
   pr_diagnostics_init(&diagnostics);
   pr_limits_init(&limits);
   bool ok = pr_limits_parse(&limits, (const char *)bytes, count, "fuzz", 1, &diagnostics);
   require(ok == (diagnostics.count == 0), "what is refused has a reason");
   require_places(&diagnostics);
   if (ok) {
      struct pr_verdict verdict;
      char *text = NULL;
      size_t text_bytes = 0, changed = check(&limits, report, &verdict, &text, &text_bytes);
      require(changed || (text_bytes == count && memcmp(text, bytes, count) == 0),
              "nothing is changed but numbers");
      render_all(&verdict);
      require_tighter(&verdict, report, text, text_bytes);
      free(text);
      pr_verdict_release(&verdict);
   }
   pr_limits_release(&limits);
   pr_diagnostics_release(&diagnostics);
   return 0;
}
