/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_report.c: looking things up in a report. See pr_report.h. */
#include "pr_report.h"

#include <stdlib.h>
#include <string.h>

void pr_report_free(struct pr_report *report)
{
   if (!report)
      return;
   pr_arena_release(&report->arena);
   free(report->phases);
   free(report->sites);
   free(report->functions);
   free(report->lines);
   free(report->instructions);
   free(report->timeline.points);
   free(report);
}

const struct pr_phase *pr_report_phase(const struct pr_report *report, const char *name)
{
   for (size_t i = 0; i < report->phase_count; i++)
      if (strcmp(report->phases[i].name, name) == 0)
         return &report->phases[i];
   return NULL;
}

const struct pr_metric *pr_phase_metric(const struct pr_phase *phase, const char *name)
{
   const struct pr_metric_list *list = &phase->metrics;
   for (size_t i = 0; i < list->count; i++)
      if (strcmp(list->items[i].name, name) == 0)
         return &list->items[i];
   return NULL;
}

const struct pr_metric *pr_phase_metric_by_id(const struct pr_phase *phase, enum pr_metric_id id)
{
   return pr_metric_list_get(&phase->metrics, id);
}

const struct pr_metric *pr_metric_list_get(const struct pr_metric_list *list,
                                           enum pr_metric_id id)
{
   if (id == PR_METRIC_UNKNOWN)
      return NULL; /* any number of metrics are unknown */
   /* A report of this version lists all metrics in the table's order. */
   if ((size_t)id < list->count && list->items[id].id == id)
      return &list->items[id];
   for (size_t i = 0; i < list->count; i++)
      if (list->items[i].id == id)
         return &list->items[i];
   return NULL;
}

const struct pr_metric *pr_metric_list_available(const struct pr_metric_list *list,
                                                 enum pr_metric_id id)
{
   const struct pr_metric *metric = pr_metric_list_get(list, id);
   return metric && metric->value.kind != PR_VALUE_UNAVAILABLE ? metric : NULL;
}

__int128 pr_value_wide(const struct pr_value *value)
{
   return value->kind == PR_VALUE_SIGNED ? value->as_signed : (__int128)value->as_unsigned;
}

struct pr_number pr_value_number(const struct pr_value *value)
{
   return pr_number_of_wide(pr_value_wide(value));
}
