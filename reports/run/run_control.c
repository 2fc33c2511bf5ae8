/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_control.c: which metrics are the same when nothing was changed? See run_control.h.
 *
 * The other runs' reports are loaded one after the other, so that two are in memory at
 * most. A metric that is available in some runs only, as of a phase that was not entered
 * in all of them, is unstable by its value: as much appeared or disappeared.
 */
#include "run_control.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pr_load.h"

/* What was seen of one metric. */
struct range {
   bool is_available; /* in one run at least */
   bool is_missing;   /* in one run at least */
   __int128 least, most;
};

static void widen(struct range *range, const struct pr_metric *metric)
{
   if (!metric || metric->value.kind == PR_VALUE_UNAVAILABLE) {
      range->is_missing = true;
      return;
   }
   __int128 value = pr_value_wide(&metric->value);
   if (!range->is_available || value < range->least)
      range->least = value;
   if (!range->is_available || value > range->most)
      range->most = value;
   range->is_available = true;
}

static struct run_verdict judge(struct range *range)
{
   if (!range->is_available)
      return (struct run_verdict){RUN_STABILITY_NONE, 0};
   if (range->is_missing) {
      if (range->least > 0)
         range->least = 0;
      if (range->most < 0)
         range->most = 0;
   }
   __int128 difference = range->most - range->least;
   if (difference == 0 && !range->is_missing)
      return (struct run_verdict){RUN_STABLE, 0};
   return (struct run_verdict){RUN_UNSTABLE,
                               difference > (__int128)UINT64_MAX ? UINT64_MAX
                                                                 : (uint64_t)difference};
}

static struct pr_report *load(const char *path, struct run_error *error)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   FILE *file = fopen(path, "re");
   struct pr_report *report = file ? pr_load(file, path, NULL, &diagnostics) : NULL;
   if (!file)
      run_fail(error, RUN_OWN_TROUBLE, "%s: %s", path, strerror(errno));
   else if (!report)
      run_fail(error, RUN_OWN_TROUBLE, "the tool's report cannot be read: %s",
               diagnostics.count ? diagnostics.items[diagnostics.count - 1].reason
                                 : "no memory left");
   if (file)
      fclose(file);
   pr_diagnostics_release(&diagnostics);
   return report;
}

/* The phase of that name, which most often has the same place. */
static const struct pr_phase *same_phase(const struct pr_report *report, size_t place,
                                         const char *name)
{
   if (place < report->phase_count && strcmp(report->phases[place].name, name) == 0)
      return &report->phases[place];
   return pr_report_phase(report, name);
}

/* Widen the ranges of `kept` by what `report` has of the same metrics. */
static void compare(const struct pr_report *kept, const struct pr_report *report,
                    struct range *ranges)
{
   for (size_t p = 0; p < kept->phase_count; p++) {
      const struct pr_phase *phase = &kept->phases[p];
      const struct pr_phase *same = same_phase(report, p, phase->name);
      for (size_t m = 0; m < phase->metrics.count; m++)
         widen(ranges++, same ? pr_phase_metric(same, phase->metrics.items[m].name) : NULL);
   }
}

static bool compare_all(const struct pr_report *kept, const char *const *others,
                        size_t other_count, struct range *ranges, struct run_error *error)
{
   compare(kept, kept, ranges);
   for (size_t o = 0; o < other_count; o++) {
      struct pr_report *report = load(others[o], error);
      if (!report)
         return false;
      compare(kept, report, ranges);
      pr_report_free(report);
   }
   return true;
}

bool run_control_compare(const char *kept, const char *const *others, size_t other_count,
                         struct pr_arena *arena, struct run_verdicts *verdicts,
                         struct run_error *error)
{
   *verdicts = (struct run_verdicts){.items = NULL};
   struct pr_report *report = load(kept, error);
   if (!report)
      return false;
   for (size_t p = 0; p < report->phase_count; p++)
      verdicts->count += report->phases[p].metrics.count;
   struct range *ranges = pr_arena_alloc(arena, verdicts->count * sizeof *ranges);
   verdicts->items = pr_arena_alloc(arena, verdicts->count * sizeof *verdicts->items);
   bool ok = ranges && verdicts->items;
   if (!ok)
      run_fail(error, RUN_OWN_TROUBLE, "no memory left");
   ok = ok && compare_all(report, others, other_count, ranges, error);
   pr_report_free(report);
   for (size_t v = 0; ok && v < verdicts->count; v++) {
      verdicts->items[v] = judge(&ranges[v]);
      verdicts->judged += verdicts->items[v].stability != RUN_STABILITY_NONE;
      verdicts->unstable += verdicts->items[v].stability == RUN_UNSTABLE;
   }
   return ok;
}
