/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_folded.c: a metric of a phase as folded stacks.
 *
 * What flame graph programs read: a line for each call stack, the names of its functions from
 * the outermost one on, with semicolons between them, a blank and a number:
 *
 *   main;read_items;grow 4096
 *
 * The format has no escapes. A semicolon in a name is written like the bytes that reports
 * cannot hold, as \x3b; what would end a line, as everywhere in text. Blanks stay: the number
 * is behind the last one.
 */
#include <inttypes.h>
#include <string.h>

#include "pr_stacks.h"
#include "pr_text.h"

static void put_name(const char *name, FILE *out)
{
   for (;;) {
      size_t bytes = strcspn(name, ";");
      pr_text_write(out, name, bytes);
      if (name[bytes] == '\0')
         return;
      fputs("\\x3b", out);
      name += bytes + 1;
   }
}

static void put_frame(const struct pr_frame *frame, FILE *out)
{
   const char *name = pr_frame_name(frame);
   put_name(name, out);
   if (strcmp(name, "???") != 0 || !frame->object)
      return;
   fputs(" [", out);
   put_name(frame->object, out);
   putc(']', out);
}

enum pr_exported pr_export_folded(const struct pr_report *report,
                                  const struct pr_selection *selection, FILE *out, FILE *notes)
{
   struct pr_stacks stacks;
   const struct pr_phase *phase = pr_selection_phase(selection, report, notes);
   if (!phase)
      return PR_EXPORT_REFUSED;
   enum pr_exported result =
      pr_stacks_take(&stacks, report, phase, pr_selection_metric(selection, 0), notes);
   if (result != PR_EXPORTED)
      return result;
   for (const struct pr_stack *stack = stacks.items; stack < stacks.items + stacks.count;
        stack++) {
      for (size_t f = stack->frame_count; f-- > 0;) {
         put_frame(&stack->frames[f], out);
         putc(f > 0 ? ';' : ' ', out);
      }
      fprintf(out, "%" PRIu64 "\n", pr_stack_value(&stacks, stack));
   }
   pr_stacks_release(&stacks);
   return PR_EXPORTED;
}
