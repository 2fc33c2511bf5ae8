/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_part.c: what accounts for a part of a change, in words. See pr_render_part.h. */
#include "pr_render_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_plumbing.h"
#include "pr_render_breakdown.h"

/* What writes a text piece by piece. */
struct writer {
   FILE *out;
   char *text;
   size_t bytes;
};

static bool open_writer(struct writer *writer)
{
   *writer = (struct writer){.text = NULL};
   writer->out = open_memstream(&writer->text, &writer->bytes);
   return writer->out;
}

/* NULL: no memory left. */
static char *close_writer(struct writer *writer)
{
   if (!writer->out)
      return NULL;
   bool failed = ferror(writer->out);
   failed = fclose(writer->out) != 0 || failed;
   if (!failed)
      return writer->text;
   free(writer->text);
   return NULL;
}

/* Sites -------------------------------------------------------------------- */

enum { FRAMES_SHOWN = 4 };

/* Of the frames that are the program's own: the innermost; *own counts them. */
static size_t find_own(const struct pr_site *site, size_t *own)
{
   size_t first = site->frame_count;
   *own = 0;
   for (size_t f = site->frame_count; f-- > 0;)
      if (!pr_is_plumbing(site, f)) {
         first = f;
         ++*own;
      }
   return first;
}

void pr_part_write_chain(const struct pr_site *site, bool is_full, FILE *out)
{
   size_t count = site->frame_count, own = count, first = is_full ? 0 : find_own(site, &own);
   if (count == 0) {
      fputs("no call chain", out);
      return;
   }
   bool is_all_library = own == 0, is_left_out = false;
   if (is_all_library) {
      first = 0;
      own = count;
   }
   size_t shown = 0, most = own > FRAMES_SHOWN + 1 ? FRAMES_SHOWN : own;
   for (size_t f = first; f < count; f++) {
      bool is_skipped = shown == most || (!is_all_library && pr_is_plumbing(site, f));
      if (!is_full && f + 1 < count && is_skipped) {
         is_left_out = true;
         continue;
      }
      fprintf(out, "%s%s%s", shown ? " <- " : "", is_left_out ? "... <- " : "",
              site->frames[f].function);
      is_left_out = false;
      shown++;
   }
   const struct pr_frame *frame = &site->frames[first];
   if (frame->file)
      fprintf(out, " (%s:%" PRIu64 " in %s)", frame->file, frame->line, frame->object);
   else
      fprintf(out, " (in %s)", frame->object);
}

/* Units -------------------------------------------------------------------- */

const struct pr_row *pr_part_row(const struct pr_part *part)
{
   if (part->told)
      return part->told;
   return part->rows[PR_NEW] ? part->rows[PR_NEW] : part->rows[PR_OLD];
}

static enum pr_side shown_side(const struct pr_part *part)
{
   if (part->told)
      return part->told_side;
   return part->rows[PR_NEW] ? PR_NEW : PR_OLD;
}

/* The unit of a part by site, function or line; NULL: it is by something else. */
static const struct pr_unit *unit_of(const struct pr_pairing *pairing,
                                     enum pr_breakdown_kind kind, const struct pr_part *part)
{
   const struct pr_row *row = pr_part_row(part);
   enum pr_side side = shown_side(part);
   switch (kind) {
   case PR_BY_SITE:
      return &pairing->units[PR_UNIT_SITE].items[pr_pairing_site(pairing, side, row->site)];
   case PR_BY_FUNCTION:
      return &pairing->units[PR_UNIT_FUNCTION]
                 .items[pr_pairing_function(pairing, side, row->function)];
   case PR_BY_LINE:
      return &pairing->units[PR_UNIT_LINE].items[pr_pairing_line(pairing, side, row->source_line)];
   case PR_BY_RESIZE:
   case PR_BY_RELEASE:
   case PR_BY_THREAD:
   case PR_BY_INSTRUCTION:
   case PR_BREAKDOWN_KINDS:
      break;
   }
   return NULL;
}

static bool is_pair_guessed(const struct pr_pairing *pairing, const struct pr_part *part)
{
   const struct pr_units *sites = &pairing->units[PR_UNIT_SITE];
   const struct pr_row *row = pr_part_row(part);
   enum pr_side side = shown_side(part);
   return sites->items[pr_pairing_site(pairing, side, row->site)].is_guessed
          || sites->items[pr_pairing_site(pairing, side, row->origin)].is_guessed;
}

/* `unit` is that of the row, if it has one. Of a function with others inlined, the first row
   may be one of these. */
static void write_row(enum pr_breakdown_kind kind, const struct pr_row *row,
                      const struct pr_unit *unit, bool is_full, FILE *out)
{
   const struct pr_function *function;
   switch (kind) {
   case PR_BY_SITE:
      pr_part_write_chain(row->site, is_full, out);
      break;
   case PR_BY_RESIZE:
   case PR_BY_RELEASE:
      pr_part_write_chain(row->site, is_full, out);
      fputs(", blocks of ", out);
      pr_part_write_chain(row->origin, is_full, out);
      break;
   case PR_BY_FUNCTION:
      function = unit->names[unit->names[PR_NEW] ? PR_NEW : PR_OLD];
      fprintf(out, "%s in %s", function->name, function->object);
      break;
   case PR_BY_LINE:
      if (row->source_line->file)
         fprintf(out, "%s:%" PRIu64 " in %s", row->source_line->file, row->source_line->number,
                 row->source_line->function);
      else
         fprintf(out, "??? in %s of %s", row->source_line->function, row->source_line->object);
      break;
   case PR_BY_THREAD:
      fprintf(out, "%" PRIu64, row->id);
      break;
   case PR_BY_INSTRUCTION:
   case PR_BREAKDOWN_KINDS:
      break;
   }
}

/* "10 -> 20"; what stands on one side only is new or gone, unless that list is cut short. */
static void write_values(const struct pr_rows *rows, const struct pr_part *part, FILE *out)
{
   char old_text[PR_NUMBER_TEXT_BYTES], new_text[PR_NUMBER_TEXT_BYTES];
   if (part->rows[PR_OLD] && part->rows[PR_NEW])
      fprintf(out, "%s -> %s", pr_render_wide(old_text, part->values[PR_OLD]),
              pr_render_wide(new_text, part->values[PR_NEW]));
   else if (part->rows[PR_NEW])
      fputs(rows->sides[PR_OLD]->others_count ? "not listed before" : "new", out);
   else
      fputs(rows->sides[PR_NEW]->others_count ? "no longer listed" : "gone", out);
}

/* How a unit is not quite the same on both sides. */
static void write_unit_notes(enum pr_breakdown_kind kind, const struct pr_unit *unit, FILE *out)
{
   if (kind == PR_BY_FUNCTION) {
      const struct pr_function *olds = unit->names[PR_OLD], *news = unit->names[PR_NEW];
      if (unit->inlined[PR_OLD])
         fprintf(out, ", with %s, now inlined", unit->inlined[PR_OLD]->name);
      if (unit->inlined[PR_NEW])
         fprintf(out, ", with %s, no longer inlined", unit->inlined[PR_NEW]->name);
      if (olds && news && strcmp(olds->name, news->name) != 0)
         fprintf(out, ", was %s in %s", olds->name, olds->object);
      else if (olds && news && strcmp(olds->object, news->object) != 0)
         fprintf(out, ", was in %s", olds->object);
   } else if (kind == PR_BY_LINE && unit->is_guessed) {
      const struct pr_source_line *olds = unit->names[PR_OLD], *news = unit->names[PR_NEW];
      if (olds->number != news->number || strcmp(olds->function, news->function) != 0)
         fprintf(out, ", was line %" PRIu64 " in %s", olds->number, olds->function);
      else
         fprintf(out, ", was in %s", olds->object);
   } else if (kind == PR_BY_SITE && unit->is_guessed) {
      fputs(", was ", out);
      pr_part_write_chain(unit->names[PR_OLD], false, out);
   } else if (kind == PR_BY_SITE && unit->members[PR_OLD] && unit->members[PR_NEW]
              && unit->members[PR_OLD] != unit->members[PR_NEW]) {
      fprintf(out, ", from %zu place%s -> %zu", unit->members[PR_OLD],
              unit->members[PR_OLD] == 1 ? "" : "s", unit->members[PR_NEW]);
   }
}

/* Calls of a function, if there are more or fewer. */
static void write_calls(const struct pr_part *part, FILE *out)
{
   char old_text[PR_NUMBER_TEXT_BYTES], new_text[PR_NUMBER_TEXT_BYTES];
   if (!part->rows[PR_OLD] || !part->rows[PR_NEW])
      return;
   uint64_t olds = part->rows[PR_OLD]->values[PR_FUNCTION_CALLS];
   uint64_t news = part->rows[PR_NEW]->values[PR_FUNCTION_CALLS];
   if (olds != news)
      fprintf(out, ", calls %s -> %s", pr_render_number(old_text, olds),
              pr_render_number(new_text, news));
}

/* Put together ------------------------------------------------------------- */

char *pr_part_what(const struct pr_rows *rows, const struct pr_part *part, bool is_full)
{
   struct writer writer;
   if (open_writer(&writer))
      write_row(rows->kind, pr_part_row(part), unit_of(rows->pairing, rows->kind, part), is_full,
                writer.out);
   return close_writer(&writer);
}

/* ", calls 20 -> 40, was in libold.so" */
static void write_notes(const struct pr_rows *rows, const struct pr_part *part, FILE *out)
{
   const struct pr_unit *unit = unit_of(rows->pairing, rows->kind, part);
   if (rows->kind == PR_BY_FUNCTION && !unit->inlined[PR_OLD] && !unit->inlined[PR_NEW])
      write_calls(part, out);
   if (unit)
      write_unit_notes(rows->kind, unit, out);
}

char *pr_part_rest(const struct pr_rows *rows, const struct pr_part *part, const char *of)
{
   struct writer writer;
   if (!open_writer(&writer))
      return NULL;
   write_values(rows, part, writer.out);
   if (of)
      fprintf(writer.out, " of %s", of);
   write_notes(rows, part, writer.out);
   return close_writer(&writer);
}

char *pr_part_notes(const struct pr_rows *rows, const struct pr_part *part)
{
   enum { JOINT = 2 };
   struct writer writer;
   if (!open_writer(&writer))
      return NULL;
   write_notes(rows, part, writer.out);
   char *text = close_writer(&writer);
   if (text && text[0])
      memmove(text, text + JOINT, strlen(text + JOINT) + 1);
   return text;
}

char *pr_object_part_rest(const struct pr_rows *rows, const struct pr_part *part)
{
   const struct pr_unit *unit = &rows->pairing->units[PR_UNIT_OBJECT].items[part->object];
   const char *olds = unit->names[PR_OLD], *news = unit->names[PR_NEW];
   struct writer writer;
   if (!open_writer(&writer))
      return NULL;
   write_values(rows, part, writer.out);
   if (olds && news && strcmp(olds, news) != 0)
      fprintf(writer.out, ", was %s", olds);
   else if (olds && news && !pr_object_is_same_build(rows->pairing, part->object))
      fputs(", another build", writer.out);
   return close_writer(&writer);
}

char *pr_caller_what(const struct pr_caller *caller)
{
   struct writer writer;
   if (open_writer(&writer))
      fprintf(writer.out, "%s%s%s", caller->frame->function, *caller->frame->object ? " in " : "",
              caller->frame->object);
   return close_writer(&writer);
}

char *pr_caller_rest(const struct pr_caller *caller)
{
   char old_text[PR_NUMBER_TEXT_BYTES], new_text[PR_NUMBER_TEXT_BYTES];
   struct writer writer;
   if (open_writer(&writer))
      fprintf(writer.out, "%s -> %s in %zu site%s",
              pr_render_wide(old_text, caller->values[PR_OLD]),
              pr_render_wide(new_text, caller->values[PR_NEW]), caller->sites,
              caller->sites == 1 ? "" : "s");
   return close_writer(&writer);
}

bool pr_part_is_guessed(const struct pr_rows *rows, const struct pr_part *part)
{
   const struct pr_unit *unit = unit_of(rows->pairing, rows->kind, part);
   if (unit)
      return unit->is_guessed;
   return rows->kind != PR_BY_THREAD && is_pair_guessed(rows->pairing, part);
}
