/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits.c: the list of limits, and what a bound allows. See pr_limits.h. */
#include "pr_limits.h"

#include <stdlib.h>

#include "pr_lines.h"

void pr_limits_init(struct pr_limits *limits)
{
   *limits = (struct pr_limits){.count = 0};
   pr_arena_init(&limits->arena);
}

void pr_limits_release(struct pr_limits *limits)
{
   pr_arena_release(&limits->arena);
   pr_limits_init(limits);
}

bool pr_limits_read(struct pr_limits *limits, FILE *in, const char *name,
                    struct pr_diagnostics *diagnostics)
{
   const char *reason;
   size_t bytes;
   char *text = pr_lines_read(in, &bytes, &reason);
   if (!text) {
      pr_diagnostics_add(diagnostics, name, 0, "cannot be read: %s", reason);
      return false;
   }
   bool ok = pr_limits_parse(limits, text, bytes, name, 1, diagnostics);
   free(text);
   if (ok)
      limits->sources[limits->source_count - 1].is_file = true;
   return ok;
}

bool pr_limit_needs_baseline(const struct pr_limit *limit)
{
   for (size_t b = 0; b < limit->bound_count; b++)
      if (limit->bounds[b].of_baseline)
         return true;
   return false;
}

const struct pr_limit *pr_limits_need_baseline(const struct pr_limits *limits)
{
   for (size_t i = 0; i < limits->count; i++)
      if (pr_limit_needs_baseline(&limits->items[i]))
         return &limits->items[i];
   return NULL;
}

/* What a step makes of the baseline. A share that is not whole is rounded towards what is
   allowed, from where no whole number lies between it and the share. */
static __int128 take_step(const struct pr_bound *bound, const struct pr_step *step,
                          __int128 baseline)
{
   unsigned __int128 size = step->amount;
   if (step->is_share) {
      unsigned __int128 parts =
         (unsigned __int128)(baseline < 0 ? -baseline : baseline) * step->amount;
      bool is_rounded_up = (bound->relation == PR_BOUND_AT_LEAST) != step->is_negative;
      size = parts / step->whole + (is_rounded_up && parts % step->whole != 0);
   }
   return step->is_negative ? baseline - (__int128)size : baseline + (__int128)size;
}

__int128 pr_bound_allowed(const struct pr_bound *bound, __int128 baseline)
{
   if (!bound->of_baseline)
      return bound->number;
   if (bound->step_count == 0)
      return baseline;
   __int128 allowed = take_step(bound, &bound->steps[0], baseline);
   for (size_t s = 1; s < bound->step_count; s++) {
      __int128 other = take_step(bound, &bound->steps[s], baseline);
      if (other > allowed)
         allowed = other;
   }
   return allowed;
}

bool pr_bound_holds(const struct pr_bound *bound, __int128 value, __int128 allowed)
{
   switch (bound->relation) {
   case PR_BOUND_AT_MOST:
      return value <= allowed;
   case PR_BOUND_AT_LEAST:
      return value >= allowed;
   case PR_BOUND_EXACTLY:
      return value == allowed;
   }
   return false;
}
