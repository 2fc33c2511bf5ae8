/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_dhat.c: who obtained memory in a phase, as DHAT's format.
 *
 * For dh_view.html. A program point is a call chain: what it obtained in the phase, what of it
 * was live at the phase's peak (t-gmax) and at its end (t-end). The points add up to
 * traffic.bytes, traffic.blocks, heap.peak, heap.peak-blocks and heap.retained; t-end is of
 * what the phase obtained itself.
 *
 * The format asks for more than reports have. A point's lifetimes (tl) are left out, which the
 * viewer shows as NaN. Its maximum (mb, mbk) is what was live at the peak or at the end,
 * whichever is more: no less was live of it at once. When the peak was (tg) is the begin of
 * its interval in the timeline, or null. There is no process number (pid is 0).
 *
 * The viewer refuses two points of one chain, as sites can be that differ by their code
 * addresses alone: they are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "pr_json.h"
#include "pr_stacks.h"
#include "pr_text.h"

static const enum pr_metric_id needed[] = {
   PR_METRIC_TRAFFIC_BYTES, PR_METRIC_TRAFFIC_BLOCKS, PR_METRIC_HEAP_PEAK,
   PR_METRIC_HEAP_PEAK_BLOCKS, PR_METRIC_HEAP_RETAINED, PR_METRIC_INSTRUCTIONS_TOTAL,
};

static bool has_metrics(const struct pr_phase *phase, FILE *notes)
{
   for (size_t m = 0; m < sizeof needed / sizeof needed[0]; m++)
      if (!pr_export_has_value(phase, needed[m], notes))
         return false;
   return true;
}

static void add_point(struct pr_json *json, json_object *points, const struct pr_stack *stack,
                      const uint64_t sums[PR_SITE_COLUMNS], const struct pr_frame_set *frames)
{
   json_object *point = pr_json_add_object(json, points, NULL);
   bool is_more_at_peak = sums[PR_SITE_PEAK_BYTES] >= sums[PR_SITE_RETAINED_BYTES];
   const struct {
      const char *name;
      size_t column;
   } fields[] = {
      {"tb", PR_SITE_TRAFFIC_BYTES},
      {"tbk", PR_SITE_TRAFFIC_BLOCKS},
      {"mb", is_more_at_peak ? PR_SITE_PEAK_BYTES : PR_SITE_RETAINED_BYTES},
      {"mbk", is_more_at_peak ? PR_SITE_PEAK_BLOCKS : PR_SITE_RETAINED_BLOCKS},
      {"gb", PR_SITE_PEAK_BYTES},
      {"gbk", PR_SITE_PEAK_BLOCKS},
      {"eb", PR_SITE_RETAINED_BYTES},
      {"ebk", PR_SITE_RETAINED_BLOCKS},
   };
   for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
      pr_json_add_unsigned(json, point, fields[f].name, sums[fields[f].column]);
   json_object *list = pr_json_add_array(json, point, "fs");
   for (size_t f = 0; f < stack->frame_count; f++)
      pr_json_add_unsigned(json, list, NULL, 1 + pr_frame_set_find(frames, &stack->frames[f]));
}

static bool is_same_chain(const struct pr_stack *a, const struct pr_stack *b)
{
   return a->frame_count == b->frame_count && pr_stack_common(a, b) == a->frame_count;
}

/* The stacks are sorted. */
static void add_points(struct pr_json *json, json_object *root, const struct pr_stacks *stacks,
                       const struct pr_frame_set *frames)
{
   json_object *points = pr_json_add_array(json, root, "pps");
   for (size_t first = 0, end; first < stacks->count; first = end) {
      uint64_t sums[PR_SITE_COLUMNS] = {0};
      for (end = first; end < stacks->count &&
                        is_same_chain(&stacks->items[first], &stacks->items[end]); end++)
         for (size_t c = 0; c < PR_SITE_COLUMNS; c++)
            sums[c] += stacks->items[end].values[c];
      add_point(json, points, &stacks->items[first], sums, frames);
   }
}

/* FUNCTION (FILE:LINE), or FUNCTION (in OBJECT) */
static void add_frame(struct pr_json *json, json_object *list, const struct pr_frame *frame)
{
   char *text = NULL;
   int bytes = frame->file ? asprintf(&text, "%s (%s:%ju)", pr_frame_name(frame), frame->file,
                                      (uintmax_t)frame->line)
               : frame->object
                  ? asprintf(&text, "%s (in %s)", pr_frame_name(frame), frame->object)
                  : asprintf(&text, "%s", pr_frame_name(frame));
   if (bytes < 0) {
      json->exhausted = true;
      return;
   }
   pr_json_add_text(json, list, NULL, text);
   free(text);
}

static void add_frames(struct pr_json *json, json_object *root, const struct pr_frame_set *frames)
{
   json_object *list = pr_json_add_array(json, root, "ftbl");
   pr_json_add_text(json, list, NULL, "[root]");
   for (size_t f = 0; f < frames->count; f++)
      add_frame(json, list, frames->items[f]);
}

/* The command line, words as a shell takes them. */
static void add_command(struct pr_json *json, json_object *root, const struct pr_run *run)
{
   char *text = NULL;
   size_t bytes = 0;
   FILE *made = open_memstream(&text, &bytes);
   for (size_t a = 0; made && a < run->argument_count; a++) {
      if (a > 0)
         putc(' ', made);
      pr_text_puts_word(made, run->arguments[a]);
   }
   if (!made || fclose(made) != 0)
      json->exhausted = true;
   else
      pr_json_add_text(json, root, "cmd", text);
   free(text);
}

static void add_time_of_peak(struct pr_json *json, json_object *root,
                             const struct pr_timeline *timeline, const struct pr_phase *phase)
{
   uint64_t peak = pr_phase_metric_by_id(phase, PR_METRIC_HEAP_PEAK)->value.as_unsigned;
   for (size_t p = 0; strcmp(phase->name, "program") == 0 && p < timeline->count; p++)
      if (timeline->points[p].most_bytes == peak) {
         pr_json_add_unsigned(json, root, "tg", p * timeline->interval_instructions);
         return;
      }
   pr_json_add_text(json, root, "tg", NULL);
}

static enum pr_exported write_document(const struct pr_report *report,
                                       const struct pr_phase *phase,
                                       const struct pr_stacks *stacks, FILE *out)
{
   struct pr_json json = {false};
   struct pr_frame_set frames;
   if (!pr_frame_set_make(&frames, stacks, 1, pr_frame_by_place))
      return PR_EXPORT_EXHAUSTED;
   json_object *root = pr_json_new(&json, json_object_new_object());
   pr_json_add_unsigned(&json, root, "dhatFileVersion", 2);
   pr_json_add_text(&json, root, "mode", "heap");
   pr_json_add_text(&json, root, "verb", "Allocated");
   pr_json_add_bool(&json, root, "bklt", true);
   pr_json_add_bool(&json, root, "bkacc", false);
   pr_json_add_text(&json, root, "tu", "instrs");
   pr_json_add_text(&json, root, "Mtu", "Minstr");
   pr_json_add_unsigned(&json, root, "tuth", 500); /* the viewer's bound of short lifetimes */
   add_command(&json, root, &report->run);
   pr_json_add_unsigned(&json, root, "pid", 0);
   add_time_of_peak(&json, root, &report->timeline, phase);
   pr_json_add_value(&json, root, "te",
                     &pr_phase_metric_by_id(phase, PR_METRIC_INSTRUCTIONS_TOTAL)->value);
   add_points(&json, root, stacks, &frames);
   add_frames(&json, root, &frames);
   free(frames.items);
   return pr_json_print(&json, root, out) ? PR_EXPORTED : PR_EXPORT_EXHAUSTED;
}

enum pr_exported pr_export_dhat(const struct pr_report *report,
                                const struct pr_selection *selection, FILE *out, FILE *notes)
{
   struct pr_stacks stacks;
   const struct pr_phase *phase = pr_selection_phase(selection, report, notes);
   if (!phase || !has_metrics(phase, notes))
      return PR_EXPORT_REFUSED;
   enum pr_exported result = pr_stacks_take_sites(&stacks, report, phase, notes);
   if (result != PR_EXPORTED)
      return result;
   pr_stacks_sort(&stacks);
   result = write_document(report, phase, &stacks, out);
   pr_stacks_release(&stacks);
   return result;
}
