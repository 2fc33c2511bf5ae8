/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_callgrind.c: the instructions of a phase as Callgrind's format.
 *
 * For callgrind_annotate and KCachegrind: what each function, or each source line or instruction
 * if the report has them, executed itself, as events. Ir is instructions.total; the others are its kinds and
 * the executions of a function's first instruction, all of them whose metric is available, or
 * those that are named. The report does not say who called whom: there are no inclusive costs.
 *
 * Instructions have their addresses in the object's file, whose path is what KCachegrind has
 * disassembled; those without one stand at address 0.
 *
 * A name stands behind a number in parentheses, which readers take for the whole if nothing
 * follows. Each gets a number of its own, so that a name that looks like one stays a name.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_export.h"
#include "pr_text.h"

static const struct {
   const char *name, *meaning;
} events[PR_FUNCTION_COLUMNS] = {
   [PR_FUNCTION_INSTRUCTIONS] = {"Ir", "Instructions"},
   [PR_FUNCTION_CALLS] = {"Entered", "Executions of the first instruction"},
   [PR_FUNCTION_REP_ITERATIONS] = {"Rep", "Iterations of rep instructions"},
   [PR_FUNCTION_VECTOR] = {"Vector", "Vector instructions"},
   [PR_FUNCTION_SCALAR_FLOAT] = {"Float", "Scalar floating-point instructions"},
   [PR_FUNCTION_LOAD] = {"Load", "Instructions that read data memory"},
   [PR_FUNCTION_STORE] = {"Store", "Instructions that write data memory"},
   [PR_FUNCTION_BRANCH] = {"Branch", "Jumps, calls and returns"},
   [PR_FUNCTION_CALL] = {"Call", "Calls"},
};

/* A row, as a source line; that of a function has no file. */
struct cost {
   const char *object, *function, *file;
   const char *address; /* of an instruction; NULL: none */
   uint64_t number;
   const uint64_t *values;
   bool is_elsewhere; /* in another file than its function */
};

struct profile {
   const struct pr_breakdown *breakdown;
   enum pr_breakdown_kind kind;
   size_t columns[PR_FUNCTION_COLUMNS]; /* those that are events, in their order */
   size_t column_count;
   struct cost *costs;
   size_t cost_count;
   size_t names; /* that were numbered */
};

static int compare_texts(const char *a, const char *b)
{
   return strcmp(a ? a : "", b ? b : "");
}

static int compare_functions(const struct cost *a, const struct cost *b)
{
   int order = compare_texts(a->object, b->object);
   return order ? order : compare_texts(a->function, b->function);
}

/* Addresses have one spelling: the longer one is the higher one. */
static int compare_addresses(const char *a, const char *b)
{
   size_t a_length = a ? strlen(a) : 0, b_length = b ? strlen(b) : 0;
   if (a_length != b_length)
      return a_length < b_length ? -1 : 1;
   return compare_texts(a, b);
}

/* Functions together, of one the lines of its own file first. */
static int compare_costs(const void *left, const void *right)
{
   const struct cost *a = left, *b = right;
   int order = compare_functions(a, b);
   if (order == 0)
      order = a->is_elsewhere - b->is_elsewhere;
   if (order == 0)
      order = compare_texts(a->file, b->file);
   if (order == 0)
      order = compare_addresses(a->address, b->address);
   return order ? order : (a->number > b->number) - (a->number < b->number);
}

static struct cost cost_of(const struct pr_row *row, enum pr_breakdown_kind kind)
{
   struct cost cost = {.values = row->values};
   if (kind == PR_BY_FUNCTION) {
      cost.object = row->function->object;
      cost.function = row->function->name;
   } else if (kind == PR_BY_LINE) {
      const struct pr_source_line *line = row->source_line;
      cost.object = line->object;
      cost.function = line->function;
      cost.file = line->file;
      cost.number = line->number;
   } else {
      const struct pr_instruction *instruction = row->instruction;
      const struct pr_code_file *file = instruction->file;
      cost.object = file->path ? file->path : file->object;
      cost.function = instruction->function;
      cost.file = instruction->source;
      cost.number = instruction->number;
      cost.address = instruction->address;
   }
   return cost;
}

/* The file of a function is that of its first instruction, if the report lists its line. */
static void find_files(struct cost *costs, size_t count)
{
   for (size_t first = 0, end; first < count; first = end) {
      const char *file = costs[first].file;
      bool is_entered = false;
      for (end = first; end < count && compare_functions(&costs[first], &costs[end]) == 0; end++)
         if (!is_entered && costs[end].values[PR_FUNCTION_CALLS] > 0) {
            file = costs[end].file;
            is_entered = true;
         }
      for (size_t c = first; c < end; c++)
         costs[c].is_elsewhere = compare_texts(costs[c].file, file) != 0;
   }
}

static bool gather(struct profile *profile)
{
   const struct pr_breakdown *breakdown = profile->breakdown;
   profile->costs = malloc((breakdown->row_count + 1) * sizeof *profile->costs);
   if (!profile->costs)
      return false;
   for (size_t r = 0; r < breakdown->row_count; r++)
      profile->costs[profile->cost_count++] = cost_of(&breakdown->rows[r], profile->kind);
   if (breakdown->others)
      profile->costs[profile->cost_count++] =
         (struct cost){.function = "(others)", .values = breakdown->others};
   qsort(profile->costs, profile->cost_count, sizeof *profile->costs, compare_costs);
   find_files(profile->costs, profile->cost_count);
   qsort(profile->costs, profile->cost_count, sizeof *profile->costs, compare_costs);
   return true;
}

/* By default all that there are. False, which is noted: instructions.total, or one that is
   named, is none of the phase. */
static bool choose_events(struct profile *profile, const struct pr_selection *selection,
                          const struct pr_phase *phase, FILE *notes)
{
   const struct pr_column *columns = pr_breakdowns[profile->kind].columns;
   for (size_t m = 0; m < selection->metric_count; m++) {
      enum pr_metric_id id = pr_selection_metric(selection, m);
      size_t c = 0;
      if (!pr_export_has_value(phase, id, notes))
         return false;
      while (c < PR_FUNCTION_COLUMNS && columns[c].metric != id)
         c++;
      if (c == PR_FUNCTION_COLUMNS) {
         pr_export_note(phase, pr_phase_metric_by_id(phase, id), "it is not split by functions",
                        notes);
         return false;
      }
   }
   if (selection->metric_count == 0
       && !pr_export_has_value(phase, PR_METRIC_INSTRUCTIONS_TOTAL, notes))
      return false;
   for (size_t c = 0; c < PR_FUNCTION_COLUMNS; c++) {
      const struct pr_metric *metric = pr_phase_metric_by_id(phase, columns[c].metric);
      bool is_event = columns[c].metric == PR_METRIC_UNKNOWN
                         ? selection->metric_count == 0
                              && pr_breakdown_sum(profile->breakdown, profile->kind, c)
                                    <= UINT64_MAX
                         : metric && metric->value.kind != PR_VALUE_UNAVAILABLE
                              && pr_selection_has_metric(selection, metric, NULL);
      if (is_event)
         profile->columns[profile->column_count++] = c;
   }
   return true;
}

/* SPEC=(NUMBER) NAME. Readers drop blanks before a name. */
static void put_name(struct profile *profile, const char *spec, const char *name, FILE *out)
{
   fprintf(out, "%s=(%zu) ", spec, ++profile->names);
   if (!name || !*name)
      name = "???";
   if (*name == ' ') {
      fputs("\\x20", out);
      name++;
   }
   pr_text_puts(out, name);
   putc('\n', out);
}

static void put_costs(struct profile *profile, FILE *out)
{
   const struct cost *before = NULL;
   for (const struct cost *cost = profile->costs; cost < profile->costs + profile->cost_count;
        before = cost++) {
      if (!before || compare_functions(before, cost) != 0) {
         putc('\n', out);
         put_name(profile, "ob", cost->object, out);
         put_name(profile, "fl", cost->file, out);
         put_name(profile, "fn", cost->function, out);
      } else if (compare_texts(before->file, cost->file) != 0) {
         put_name(profile, "fi", cost->file, out);
      }
      if (profile->kind == PR_BY_INSTRUCTION)
         fprintf(out, "%s ", cost->address ? cost->address : "0x0");
      fprintf(out, "%" PRIu64, cost->number);
      for (size_t c = 0; c < profile->column_count; c++)
         fprintf(out, " %" PRIu64, cost->values[profile->columns[c]]);
      putc('\n', out);
   }
}

static void put_sums(const struct profile *profile, const char *name, FILE *out)
{
   fprintf(out, "%s:", name);
   for (size_t c = 0; c < profile->column_count; c++)
      fprintf(out, " %" PRIu64, (uint64_t)pr_breakdown_sum(profile->breakdown, profile->kind,
                                                           profile->columns[c]));
   putc('\n', out);
}

static void put_head(const struct profile *profile, const struct pr_report *report,
                     const struct pr_phase *phase, FILE *out)
{
   fputs("# callgrind format\nversion: 1\ncreator: profmem\ncmd:", out);
   for (size_t a = 0; a < report->run.argument_count; a++) {
      putc(' ', out);
      pr_text_puts_word(out, report->run.arguments[a]);
   }
   fputs("\ndesc: Phase: ", out);
   pr_text_puts(out, phase->name);
   fprintf(out, "\npositions:%s line\n", profile->kind == PR_BY_INSTRUCTION ? " instr" : "");
   for (size_t c = 0; c < profile->column_count; c++)
      fprintf(out, "event: %s : %s\n", events[profile->columns[c]].name,
              events[profile->columns[c]].meaning);
   fputs("events:", out);
   for (size_t c = 0; c < profile->column_count; c++)
      fprintf(out, " %s", events[profile->columns[c]].name);
   putc('\n', out);
   put_sums(profile, "summary", out);
}

enum pr_exported pr_export_callgrind(const struct pr_report *report,
                                     const struct pr_selection *selection, FILE *out,
                                     FILE *notes)
{
   const struct pr_phase *phase = pr_selection_phase(selection, report, notes);
   if (!phase)
      return PR_EXPORT_REFUSED;
   /* What tells most. */
   struct profile profile = {.kind = phase->breakdowns[PR_BY_INSTRUCTION]->is_listed
                                        ? PR_BY_INSTRUCTION
                                     : phase->breakdowns[PR_BY_LINE]->is_listed ? PR_BY_LINE
                                                                                : PR_BY_FUNCTION};
   profile.breakdown = phase->breakdowns[profile.kind];
   if (!choose_events(&profile, selection, phase, notes))
      return PR_EXPORT_REFUSED;
   if (!profile.breakdown->is_listed) {
      const char *reason = report->unavailable[PR_NAME_FUNCTION];
      pr_export_note_phase(phase, reason ? reason : "the report does not list its functions",
                           notes);
      return PR_EXPORT_REFUSED;
   }
   if (!gather(&profile))
      return PR_EXPORT_EXHAUSTED;
   put_head(&profile, report, phase, out);
   put_costs(&profile, out);
   putc('\n', out);
   put_sums(&profile, "totals", out);
   free(profile.costs);
   return PR_EXPORTED;
}
