/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_outside.c: what phases took in from outside, and which of their numbers were
 * not the same in another run.
 */
#include <string.h>

#include "pr_outside.h"
#include "pr_render.h"
#include "pr_text.h"

bool pr_render_outside_kinds(const struct pr_report *report, const struct pr_phase *phase,
                             bool fixed_too, FILE *out)
{
   bool any = false;
   for (int k = 0; k < PR_OUTSIDE_KINDS; k++) {
      char number[PR_NUMBER_TEXT_BYTES];
      uint64_t count = pr_outside_count(phase, &pr_outside[k]);
      bool fixed = pr_outside_is_fixed(report, &pr_outside[k]);
      if (count == 0 || (fixed && !fixed_too))
         continue;
      fprintf(out, "%s%s %s%s", any ? ", " : "", pr_render_number(number, count),
              count == 1 ? pr_outside[k].one : pr_outside[k].many, fixed ? " (fixed)" : "");
      any = true;
   }
   return any;
}

static bool has_any(const struct pr_phase *phase)
{
   for (int k = 0; k < PR_OUTSIDE_KINDS; k++)
      if (pr_outside_count(phase, &pr_outside[k]) > 0)
         return true;
   return false;
}

/* Reports of older versions do not count any of it. */
static bool is_counted(const struct pr_phase *phase)
{
   for (int k = 0; k < PR_OUTSIDE_KINDS; k++)
      if (pr_metric_list_available(&phase->metrics, pr_outside[k].metric))
         return true;
   return false;
}

static bool is_unstable(const struct pr_metric *metric)
{
   return metric->extra && metric->extra->stability == PR_UNSTABLE;
}

/* Of a metric that was not the same: by how much, and what may be why. */
static void print_unstable(const struct pr_report *report, const struct pr_phase *phase, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   bool any = false;
   for (size_t m = 0; m < phase->metrics.count; m++) {
      const struct pr_metric *metric = &phase->metrics.items[m];
      if (!is_unstable(metric))
         continue;
      fputs(any ? ", " : "    not the same in another run: ", out);
      pr_text_puts(out, metric->name);
      fprintf(out, " (by %s)", pr_render_number(number, metric->extra->stable_difference));
      any = true;
   }
   if (!any)
      return;
   fputs("\n    what was not fixed: ", out);
   if (!is_counted(phase))
      fputs("not in the report", out);
   else if (!pr_render_outside_kinds(report, phase, false, out))
      fputs("nothing that is counted; addresses and what lies in files may differ", out);
   putc('\n', out);
}

static bool has_unstable(const struct pr_phase *phase)
{
   for (size_t m = 0; m < phase->metrics.count; m++)
      if (is_unstable(&phase->metrics.items[m]))
         return true;
   return false;
}

void pr_render_outside(const struct pr_report *report, const struct pr_phase *phase,
                       const struct pr_style *style, FILE *out)
{
   bool titled = false;
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *one = &report->phases[p];
      if ((phase && one != phase) || !(has_any(one) || has_unstable(one)))
         continue;
      if (!titled) {
         putc('\n', out);
         pr_style_emphasize(style, PR_STRONG, out);
         fputs("from outside, what can make numbers differ from run to run", out);
         pr_style_emphasize(style, PR_PLAIN, out);
         putc('\n', out);
         titled = true;
      }
      fputs("  ", out);
      pr_text_puts_word(out, one->name);
      fputs(": ", out);
      if (!pr_render_outside_kinds(report, one, true, out))
         fputs(is_counted(one) ? "nothing" : "not in the report", out);
      putc('\n', out);
      print_unstable(report, one, out);
   }
}
