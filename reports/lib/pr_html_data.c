/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_data.c: all that the page's script knows, as JSON. See pr_html_data.h.
 *
 * A parser of HTML looks for nothing in a `script` but "</script" and "<!--"; without any < it
 * finds neither, whatever the names in a report are. These characters stand in JSON's strings
 * alone, where \u stands for the same.
 */
#include "pr_html_data.h"

#include <stdlib.h>
#include <string.h>

#include "pr_export.h"
#include "pr_export_json.h"

/* Pairs --------------------------------------------------------------------- */

/* A number, or null. */
static void add_number(struct pr_json *json, json_object *pair, const uint64_t *number)
{
   if (number)
      pr_json_add_unsigned(json, pair, NULL, *number);
   else
      pr_json_add_text(json, pair, NULL, NULL);
}

static json_object *add_pair(struct pr_json *json, json_object *list, const uint64_t *olds,
                             const uint64_t *news)
{
   json_object *pair = pr_json_add_array(json, list, NULL);
   add_number(json, pair, olds);
   add_number(json, pair, news);
   return pair;
}

/* By name; those that are gone stand behind the others. */
static void add_phases(struct pr_json *json, json_object *difference,
                       const struct pr_report *olds, const struct pr_report *news)
{
   json_object *list = pr_json_add_array(json, difference, "phases");
   for (uint64_t n = 0; n < news->phase_count; n++) {
      const struct pr_phase *phase = pr_report_phase(olds, news->phases[n].name);
      uint64_t o = phase ? (uint64_t)(phase - olds->phases) : 0;
      add_pair(json, list, phase ? &o : NULL, &n);
   }
   for (uint64_t o = 0; o < olds->phase_count; o++)
      if (!pr_report_phase(news, olds->phases[o].name))
         add_pair(json, list, &o, NULL);
}

/* A name of one of the reports and the unit it belongs to. */
struct member {
   uint32_t unit;
   uint64_t id;
};

static int by_unit(const void *left, const void *right)
{
   const struct member *a = left, *b = right;
   if (a->unit != b->unit)
      return a->unit > b->unit ? 1 : -1;
   return (a->id > b->id) - (a->id < b->id);
}

static uint64_t id_of(const struct pr_report *report, enum pr_unit_kind kind, size_t index)
{
   return kind == PR_UNIT_SITE ? report->sites[index].id : report->functions[index].id;
}

/* The names of a report, by unit; the caller frees. NULL: no memory left. */
static struct member *members_of(const struct pr_pairing *pairing, enum pr_side side,
                                 enum pr_unit_kind kind, size_t *count)
{
   const struct pr_report *report = pairing->reports[side];
   *count = kind == PR_UNIT_SITE ? report->site_count : report->function_count;
   struct member *members = malloc((*count + 1) * sizeof *members);
   if (!members)
      return NULL;
   for (size_t i = 0; i < *count; i++)
      members[i] = (struct member){pairing->units[kind].of[side][i], id_of(report, kind, i)};
   qsort(members, *count, sizeof *members, by_unit);
   return members;
}

/* Both sides' names, unit by unit: the first of one with the first of the other, so that
   each stands in the list once. */
static void add_members(struct pr_json *json, json_object *list, const struct pr_units *units,
                        struct member *const members[PR_SIDES], const size_t counts[PR_SIDES])
{
   size_t at[PR_SIDES] = {0, 0};
   while (at[PR_OLD] < counts[PR_OLD] || at[PR_NEW] < counts[PR_NEW]) {
      const struct member *next[PR_SIDES];
      uint32_t unit = UINT32_MAX;
      for (int side = 0; side < PR_SIDES; side++) {
         next[side] = at[side] < counts[side] ? &members[side][at[side]] : NULL;
         if (next[side] && next[side]->unit < unit)
            unit = next[side]->unit;
      }
      for (int side = 0; side < PR_SIDES; side++) {
         if (next[side] && next[side]->unit != unit)
            next[side] = NULL;
         at[side] += next[side] != NULL;
      }
      json_object *pair = add_pair(json, list, next[PR_OLD] ? &next[PR_OLD]->id : NULL,
                                   next[PR_NEW] ? &next[PR_NEW]->id : NULL);
      pr_json_add_bool(json, pair, NULL, units->items[unit].is_guessed);
      pr_json_add_unsigned(json, pair, NULL, unit);
   }
}

static void add_units(struct pr_json *json, json_object *difference, const char *name,
                      const struct pr_pairing *pairing, enum pr_unit_kind kind)
{
   struct member *members[PR_SIDES];
   size_t counts[PR_SIDES];
   for (int side = 0; side < PR_SIDES; side++)
      members[side] = members_of(pairing, side, kind, &counts[side]);
   if (members[PR_OLD] && members[PR_NEW])
      add_members(json, pr_json_add_array(json, difference, name), &pairing->units[kind], members,
                  counts);
   else
      json->exhausted = true;
   free(members[PR_OLD]);
   free(members[PR_NEW]);
}

static void add_difference(struct pr_json *json, json_object *root,
                           const struct pr_pairing *pairing)
{
   json_object *difference = pr_json_add_object(json, root, "difference");
   add_phases(json, difference, pairing->reports[PR_OLD], pairing->reports[PR_NEW]);
   add_units(json, difference, "sites", pairing, PR_UNIT_SITE);
   add_units(json, difference, "functions", pairing, PR_UNIT_FUNCTION);
}

/* Put together ---------------------------------------------------------------- */

/* As it is, but for what could be markup, and the separators that older scripts take for
   ends of lines. */
static void write_escaped(const char *text, FILE *out)
{
   static const char separators[] = "\xE2\x80"; /* of U+2028 and U+2029, the first bytes */
   for (;;) {
      size_t plain = strcspn(text, "<>&\xE2");
      fwrite(text, 1, plain, out);
      text += plain;
      if (!*text)
         return;
      if (*text != separators[0]) {
         fprintf(out, "\\u%04x", (unsigned char)*text);
         text++;
      } else if (text[1] == separators[1] && (text[2] == '\xA8' || text[2] == '\xA9')) {
         fputs(text[2] == '\xA8' ? "\\u2028" : "\\u2029", out);
         text += 3;
      } else {
         putc(*text++, out);
      }
   }
}

const char *pr_html_data(struct pr_piece *piece, const struct pr_report *new_report,
                         const struct pr_report *old_report, const struct pr_pairing *pairing)
{
   static const struct pr_selection all = {.phase_count = 0};
   struct pr_json json = {false};
   json_object *root = pr_json_new(&json, json_object_new_object());
   pr_json_add(&json, root, "report", pr_json_of_report(&json, new_report, &all));
   if (old_report)
      pr_json_add(&json, root, "baseline", pr_json_of_report(&json, old_report, &all));
   else
      pr_json_add_text(&json, root, "baseline", NULL);
   if (pairing)
      add_difference(&json, root, pairing);
   else
      pr_json_add_text(&json, root, "difference", NULL);
   const char *text = NULL, *written = NULL;
   if (!json.exhausted)
      text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN
                                                     | JSON_C_TO_STRING_NOSLASHESCAPE);
   FILE *out = pr_piece_open(piece);
   if (out && text) {
      write_escaped(text, out);
      written = pr_piece_text(piece);
   }
   json_object_put(root);
   return written;
}
