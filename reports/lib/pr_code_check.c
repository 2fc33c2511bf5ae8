/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_code_check.c: do the instructions of each function make up the function? See
 * pr_code_check.h.
 *
 * Rows of both lists are sorted by what they are of, a name in an object. A group of equal ones
 * is a function: a row of it, or none, and its instructions.
 */
#include "pr_code_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct part {
   const char *object, *function;
   const struct pr_row *row;
   bool is_function; /* the row is the function's own */
};

static int compare_functions(const struct part *a, const struct part *b)
{
   int order = a->object == b->object ? 0 : strcmp(a->object, b->object);
   if (order == 0 && a->function != b->function)
      order = strcmp(a->function, b->function);
   return order;
}

static int by_function(const void *left, const void *right)
{
   const struct part *a = left, *b = right;
   int order = compare_functions(a, b);
   return order ? order : (a->row->line > b->row->line) - (a->row->line < b->row->line);
}

/* The rows of both lists; NULL: no memory left. */
static struct part *gather(const struct pr_breakdown *functions,
                           const struct pr_breakdown *instructions)
{
   size_t count = functions->row_count + instructions->row_count;
   struct part *parts = malloc((count + 1) * sizeof *parts), *part = parts;
   if (!parts)
      return NULL;
   for (size_t r = 0; r < functions->row_count; r++) {
      const struct pr_row *row = &functions->rows[r];
      *part++ = (struct part){row->function->object, row->function->name, row, true};
   }
   for (size_t r = 0; r < instructions->row_count; r++) {
      const struct pr_row *row = &instructions->rows[r];
      *part++ = (struct part){row->instruction->file->object, row->instruction->function, row,
                              false};
   }
   qsort(parts, count, sizeof *parts, by_function);
   return parts;
}

/* The function that parts[0 .. count - 1] are. */
static bool check_function(const struct pr_report *report, const struct pr_phase *phase,
                           const struct part *parts, size_t count,
                           struct pr_diagnostics *diagnostics)
{
   const struct pr_column *columns = pr_breakdowns[PR_BY_FUNCTION].columns;
   bool is_listed = false, all_hold = true;
   for (size_t p = 0; p < count; p++)
      is_listed = is_listed || parts[p].is_function;
   if (!is_listed && phase->breakdowns[PR_BY_FUNCTION]->others)
      return true;
   for (size_t c = 0; c < PR_FUNCTION_COLUMNS; c++) {
      char own_text[PR_NUMBER_TEXT_BYTES], sum_text[PR_NUMBER_TEXT_BYTES];
      __int128 own = 0, sum = 0;
      for (size_t p = 0; p < count; p++)
         *(parts[p].is_function ? &own : &sum) += parts[p].row->values[c];
      if (own == sum)
         continue;
      all_hold = false;
      pr_number_format(own_text, pr_number_of_wide(own));
      pr_number_format(sum_text, pr_number_of_wide(sum));
      pr_diagnostics_add(diagnostics, report->file, parts[0].row->line,
                         "phase '%.80s': function '%.80s' of %.80s: %s = sum of %s over its "
                         "instructions does not hold: %s is not %s",
                         phase->name, parts[0].function, parts[0].object, columns[c].name,
                         columns[c].name, own_text, sum_text);
   }
   return all_hold;
}

bool pr_code_check(const struct pr_report *report, const struct pr_phase *phase,
                   struct pr_diagnostics *diagnostics)
{
   const struct pr_breakdown *functions = phase->breakdowns[PR_BY_FUNCTION];
   const struct pr_breakdown *instructions = phase->breakdowns[PR_BY_INSTRUCTION];
   if (!functions->is_listed || !instructions->is_listed || instructions->others)
      return true;
   size_t count = functions->row_count + instructions->row_count;
   struct part *parts = gather(functions, instructions);
   if (!parts) {
      pr_diagnostics_add(diagnostics, report->file, phase->line, "no memory left");
      return false;
   }
   bool all_hold = true;
   for (size_t first = 0, end; first < count; first = end) {
      for (end = first + 1; end < count && compare_functions(&parts[first], &parts[end]) == 0;)
         end++;
      if (!check_function(report, phase, &parts[first], end - first, diagnostics))
         all_hold = false;
   }
   free(parts);
   return all_hold;
}
