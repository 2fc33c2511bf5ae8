/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits_tighten.c: a file of limits, with the numbers that now hold. See the header. */
#include "pr_limits_tighten.h"

#include <string.h>

#include "pr_limits_amount.h"

enum { NUMBER_BYTES = 64 };

/* Where a report's outcomes of the limit begin: they stand in the order of the limits, errors
   that the report tells of behind them. */
static size_t first_outcome(const struct pr_checked_report *report, const struct pr_limit *limit)
{
   size_t from = 0, to = report->outcome_count;
   while (from < to) {
      size_t middle = from + (to - from) / 2;
      const struct pr_limit *there = report->outcomes[middle].limit;
      if (there && there < limit)
         from = middle + 1;
      else
         to = middle;
   }
   return from;
}

/* What the limit's values leave of a bound. False: it stays as it is. */
static bool find_strictest(const struct pr_verdict *verdict, const struct pr_limit *limit,
                           const struct pr_bound *bound, __int128 *strictest)
{
   bool is_most = bound->relation == PR_BOUND_AT_MOST, found = false;
   for (size_t r = 0; r < verdict->report_count; r++) {
      const struct pr_checked_report *report = &verdict->reports[r];
      for (size_t o = first_outcome(report, limit);
           o < report->outcome_count && report->outcomes[o].limit == limit; o++) {
         const struct pr_outcome *outcome = &report->outcomes[o];
         if (outcome->result != PR_HOLDS)
            return false;
         if (!found || (is_most ? outcome->value > *strictest : outcome->value < *strictest))
            *strictest = outcome->value;
         found = true;
      }
   }
   return found && *strictest != bound->number;
}

/* The number in the unit that was used, if that is exact, else without. Returns `text`. */
static const char *write_number(char text[NUMBER_BYTES], __int128 number, const char *old,
                                size_t old_bytes)
{
   size_t unit_at = old_bytes;
   while (unit_at > 0 && (old[unit_at - 1] < '0' || old[unit_at - 1] > '9'))
      unit_at--;
   const struct pr_unit *unit = pr_unit_find(old + unit_at, old_bytes - unit_at);
   unsigned __int128 size = (unsigned __int128)(number < 0 ? -number : number);
   bool has_unit = unit && size && size % unit->factor == 0;
   if (has_unit)
      size /= unit->factor;
   snprintf(text, NUMBER_BYTES, "%s%llu%s", number < 0 ? "-" : "", (unsigned long long)size,
            has_unit ? unit->name : "");
   return text;
}

/* Behind a number that changed its length, so that what follows keeps its column, if there
   are blanks to do it with. Returns how many of them are used up. */
static size_t print_padding(const char *behind, const char *end, size_t old_bytes,
                            size_t new_bytes, FILE *out)
{
   size_t blanks = 0;
   while (behind + blanks < end && behind[blanks] == ' ')
      blanks++;
   bool is_followed = blanks && behind + blanks < end && !strchr("\r\n", behind[blanks]);
   if (!is_followed)
      return 0;
   if (new_bytes <= old_bytes) {
      fprintf(out, "%*s", (int)(old_bytes - new_bytes), "");
      return 0;
   }
   size_t longer = new_bytes - old_bytes;
   return longer < blanks ? longer : blanks - 1;
}

size_t pr_limits_tighten(const struct pr_verdict *verdict, size_t source_index, FILE *out)
{
   const struct pr_limits *limits = verdict->limits;
   const struct pr_limits_source *source = &limits->sources[source_index];
   const char *end = source->text + source->bytes, *at = source->text;
   size_t changed = 0;
   for (size_t i = 0; i < limits->count; i++) {
      const struct pr_limit *limit = &limits->items[i];
      for (size_t b = 0; limit->source == source_index && b < limit->bound_count; b++) {
         const struct pr_bound *bound = &limit->bounds[b];
         __int128 strictest = 0;
         if (bound->of_baseline || bound->relation == PR_BOUND_EXACTLY
             || !find_strictest(verdict, limit, bound, &strictest))
            continue;
         const char *old = source->text + bound->number_offset;
         char text[NUMBER_BYTES];
         write_number(text, strictest, old, bound->number_bytes);
         fwrite(at, 1, (size_t)(old - at), out);
         fputs(text, out);
         at = old + bound->number_bytes;
         at += print_padding(at, end, bound->number_bytes, strlen(text), out);
         changed++;
      }
   }
   fwrite(at, 1, (size_t)(end - at), out);
   return changed;
}
