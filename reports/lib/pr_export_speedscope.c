/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_speedscope.c: metrics as profiles that speedscope shows.
 *
 * One file has a profile for each metric of each phase that is wanted; by default heap.peak
 * of the phase program. A profile has call stacks, outermost frame first, by the numbers of
 * their frames, and a weight for each. Frames are functions, whatever the line, so that
 * speedscope adds up what a function has. Weights are whole; the viewer holds them in doubles.
 */
#include <stdlib.h>
#include <string.h>

#include "pr_json.h"
#include "pr_stacks.h"

struct pictures {
   struct pr_stacks *items; /* apart from their phases: they share their frames */
   const struct pr_phase **phases;
   size_t count;
};

static void release(struct pictures *pictures)
{
   for (size_t p = 0; p < pictures->count; p++)
      pr_stacks_release(&pictures->items[p]);
   free(pictures->items);
   free(pictures->phases);
}

static bool is_wanted(const struct pr_selection *selection, const struct pr_phase *phase)
{
   return selection->phase_count > 0 ? pr_selection_has_phase(selection, phase)
                                     : strcmp(phase->name, "program") == 0;
}

/* All that are wanted, or none. The caller releases them whatever comes of it. */
static enum pr_exported gather(struct pictures *pictures, const struct pr_report *report,
                               const struct pr_selection *selection, FILE *notes)
{
   size_t metrics = pr_selection_metric_count(selection);
   size_t room = 1 + report->phase_count * metrics;
   *pictures = (struct pictures){malloc(room * sizeof *pictures->items),
                                 malloc(room * sizeof *pictures->phases), 0};
   if (!pictures->items || !pictures->phases)
      return PR_EXPORT_EXHAUSTED;
   enum pr_exported result = PR_EXPORTED;
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      for (size_t m = 0; m < metrics && is_wanted(selection, phase); m++) {
         enum pr_exported taken =
            pr_stacks_take(&pictures->items[pictures->count], report, phase,
                           pr_selection_metric(selection, m), notes);
         if (taken == PR_EXPORTED)
            pictures->phases[pictures->count++] = phase;
         else if (result != PR_EXPORT_EXHAUSTED)
            result = taken;
      }
   }
   return result;
}

static void add_frames(struct pr_json *json, json_object *root, const struct pr_frame_set *frames)
{
   json_object *shared = pr_json_add_object(json, root, "shared");
   json_object *list = pr_json_add_array(json, shared, "frames");
   for (size_t f = 0; f < frames->count; f++) {
      const struct pr_frame *frame = frames->items[f];
      json_object *item = pr_json_add_object(json, list, NULL);
      pr_json_add_text(json, item, "name", pr_frame_name(frame));
      if (frame->file || frame->object)
         pr_json_add_text(json, item, "file", frame->file ? frame->file : frame->object);
   }
}

static void add_profile(struct pr_json *json, json_object *profiles, const struct pr_phase *phase,
                        const struct pr_stacks *stacks, const struct pr_frame_set *frames)
{
   const struct pr_metric_info *metric = &pr_metrics[stacks->metric->id];
   json_object *profile = pr_json_add_object(json, profiles, NULL);
   char *name = NULL;
   if (asprintf(&name, "%s %s", phase->name, metric->name) < 0) {
      json->exhausted = true;
      return;
   }
   pr_json_add_text(json, profile, "type", "sampled");
   pr_json_add_text(json, profile, "name", name);
   free(name);
   pr_json_add_text(json, profile, "unit", strcmp(metric->unit, "bytes") == 0 ? "bytes" : "none");
   pr_json_add_unsigned(json, profile, "startValue", 0);
   pr_json_add_value(json, profile, "endValue", &stacks->metric->value);
   json_object *samples = pr_json_add_array(json, profile, "samples");
   json_object *weights = pr_json_add_array(json, profile, "weights");
   for (size_t s = 0; s < stacks->count; s++) {
      const struct pr_stack *stack = &stacks->items[s];
      json_object *sample = pr_json_add_array(json, samples, NULL);
      for (size_t f = stack->frame_count; f-- > 0;)
         pr_json_add_unsigned(json, sample, NULL, pr_frame_set_find(frames, &stack->frames[f]));
      pr_json_add_unsigned(json, weights, NULL, pr_stack_value(stacks, stack));
   }
}

static enum pr_exported write_pictures(const struct pictures *pictures,
                                       const struct pr_report *report, FILE *out)
{
   struct pr_json json = {false};
   struct pr_frame_set frames;
   if (!pr_frame_set_make(&frames, pictures->items, pictures->count, pr_frame_by_function))
      return PR_EXPORT_EXHAUSTED;
   json_object *root = pr_json_new(&json, json_object_new_object());
   pr_json_add_text(&json, root, "$schema",
                    "https://www.speedscope.app/file-format-schema.json");
   pr_json_add_text(&json, root, "exporter", "profmem");
   if (report->run.argument_count > 0)
      pr_json_add_text(&json, root, "name", report->run.arguments[0]);
   add_frames(&json, root, &frames);
   json_object *profiles = pr_json_add_array(&json, root, "profiles");
   for (size_t p = 0; p < pictures->count; p++)
      add_profile(&json, profiles, pictures->phases[p], &pictures->items[p], &frames);
   free(frames.items);
   return pr_json_print(&json, root, out) ? PR_EXPORTED : PR_EXPORT_EXHAUSTED;
}

enum pr_exported pr_export_speedscope(const struct pr_report *report,
                                      const struct pr_selection *selection, FILE *out,
                                      FILE *notes)
{
   struct pictures pictures;
   enum pr_exported result = PR_EXPORT_REFUSED;
   if (selection->phase_count > 0 || pr_selection_phase(selection, report, notes)) {
      result = gather(&pictures, report, selection, notes);
      if (result == PR_EXPORTED)
         result = write_pictures(&pictures, report, out);
      release(&pictures);
   }
   return result;
}
