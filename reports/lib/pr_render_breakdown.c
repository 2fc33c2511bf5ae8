/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_breakdown.c: the first sites and functions of a phase.
 *
 * Chosen and sorted by one column; of equal rows those come first that the report
 * lists first. Rows without any of it are not shown. What is not shown is summed up
 * behind the rows that are, so that what stands there adds up to the phase's metric.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_render.h"
#include "pr_text.h"

enum {
   BAR_COLUMNS = 10,
   FRAME_INDENT = 8,
   FUNCTION_COLUMNS_MIN = 16, /* of a cut name, however narrow the line */
};

struct site_order {
   const char *title;
   enum pr_site_column key;
   enum pr_site_column other; /* the blocks of the key; if that is in blocks, the same */
};

static const struct site_order orders[PR_SITE_ORDERS] = {
   [PR_SITES_BY_PEAK] = {"live at the peak", PR_SITE_PEAK_BYTES, PR_SITE_PEAK_BLOCKS},
   [PR_SITES_BY_TRAFFIC] = {"obtained or resized", PR_SITE_TRAFFIC_BYTES, PR_SITE_TRAFFIC_BLOCKS},
   [PR_SITES_BY_TEMPORARY] = {"temporary", PR_SITE_TEMPORARY_BLOCKS, PR_SITE_TEMPORARY_BLOCKS},
   [PR_SITES_BY_RETAINED] = {"obtained inside and live at the end", PR_SITE_RETAINED_BYTES,
                             PR_SITE_RETAINED_BLOCKS},
};

const char *const pr_site_order_names[PR_SITE_ORDERS] = {
   [PR_SITES_BY_PEAK] = "peak",
   [PR_SITES_BY_TRAFFIC] = "traffic",
   [PR_SITES_BY_TEMPORARY] = "temporary",
   [PR_SITES_BY_RETAINED] = "retained",
};

/* The first rows ---------------------------------------------------------- */

struct ranking {
   enum pr_breakdown_kind kind;
   size_t key; /* column */
   const struct pr_row **rows; /* the first ones of them, sorted */
   size_t count;
   unsigned __int128 whole; /* what the key adds up to, shown or not */
   unsigned __int128 rest[PR_COLUMNS_MAX]; /* what is not shown, by column */
   unsigned __int128 rest_count;           /* of rows that are not shown */
};

/* The key in qsort_r's context. Rows lie in one array, so their addresses are in order. */
static int by_key_then_place(const void *left, const void *right, void *context)
{
   const struct pr_row *a = *(const struct pr_row *const *)left;
   const struct pr_row *b = *(const struct pr_row *const *)right;
   size_t key = *(const size_t *)context;
   if (a->values[key] != b->values[key])
      return a->values[key] > b->values[key] ? -1 : 1;
   return (a > b) - (a < b);
}

/* False: no memory left. */
static bool rank(struct ranking *ranking, const struct pr_breakdown *breakdown,
                 enum pr_breakdown_kind kind, size_t key, size_t top)
{
   size_t columns = pr_breakdowns[kind].column_count;
   *ranking = (struct ranking){.kind = kind, .key = key};
   ranking->rows = malloc((breakdown->row_count + 1) * sizeof *ranking->rows);
   if (!ranking->rows)
      return false;
   for (size_t i = 0; i < breakdown->row_count; i++)
      if (breakdown->rows[i].values[key])
         ranking->rows[ranking->count++] = &breakdown->rows[i];
   qsort_r(ranking->rows, ranking->count, sizeof *ranking->rows, by_key_then_place, &key);
   ranking->count = ranking->count < top ? ranking->count : top;
   ranking->whole = pr_breakdown_sum(breakdown, key);
   for (size_t c = 0; c < columns; c++) {
      ranking->rest[c] = pr_breakdown_sum(breakdown, c);
      for (size_t i = 0; i < ranking->count; i++)
         ranking->rest[c] -= ranking->rows[i]->values[c];
   }
   ranking->rest_count =
      (unsigned __int128)breakdown->row_count + breakdown->others_count - ranking->count;
   return true;
}

/* Pieces ------------------------------------------------------------------ */

static const char *wide_text(char text[PR_NUMBER_TEXT_BYTES], unsigned __int128 number)
{
   return pr_number_format(text, (struct pr_number){false, number});
}

static const char *scaled_text(char text[PR_NUMBER_TEXT_BYTES], unsigned __int128 bytes)
{
   return pr_number_format_scaled(text, (struct pr_number){false, bytes});
}

/* A part of BAR_COLUMNS, rounded; at least one of what is not nothing. */
static const char *bar_text(char text[BAR_COLUMNS + 1], unsigned __int128 part,
                            unsigned __int128 whole)
{
   size_t length = whole ? (size_t)((part * BAR_COLUMNS + whole / 2) / whole) : 0;
   if (length == 0 && part)
      length = 1;
   memset(text, '#', length);
   text[length] = '\0';
   return text;
}

static bool is_bytes(enum pr_breakdown_kind kind, size_t column)
{
   const char *name = pr_breakdowns[kind].columns[column].name;
   size_t length = strlen(name);
   return length > 6 && strcmp(name + length - 6, "-bytes") == 0;
}

/* Exact, in larger units if it is in bytes, as a share, as a bar. */
static void add_key_cells(struct pr_table *table, const struct ranking *ranking,
                          unsigned __int128 value)
{
   char number[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES], bar[BAR_COLUMNS + 1];
   pr_table_add(table, wide_text(number, value));
   pr_table_add(table, is_bytes(ranking->kind, ranking->key) ? scaled_text(number, value) : "");
   pr_table_add(table, pr_render_share(share, value, ranking->whole));
   pr_table_add(table, bar_text(bar, value, ranking->whole));
}

/* A function's name for so many columns; 0: as many as it needs. What is left out first
   are its parameters, the least of what tells functions apart; the rest is for who cuts
   text. A copy, which the caller frees; NULL: no memory left. */
static char *short_name(const char *name, size_t columns)
{
   const char *end = strrchr(name, ')'), *start = end;
   if (!columns || !end || pr_text_puts(NULL, name) <= columns)
      return strdup(name);
   for (unsigned depth = 1; depth && start > name;) {
      start--;
      depth += *start == ')';
      depth -= *start == '(';
   }
   enum { ELLIPSIS = 3 };
   if (*start != '(' || end - start <= ELLIPSIS + 1)
      return strdup(name);
   char *text = NULL;
   return asprintf(&text, "%.*s(...)%s", (int)(start - name), name, end + 1) < 0 ? NULL : text;
}

/* " bytes (64.00 KiB)" behind the number. */
static void print_unit(const char *unit, unsigned __int128 number, FILE *out)
{
   char scaled[PR_NUMBER_TEXT_BYTES] = "";
   fprintf(out, " %s%s", unit, number == 1 ? "" : "s");
   if (strcmp(unit, "byte") == 0 && scaled_text(scaled, number)[0])
      fprintf(out, " (%s)", scaled);
}

/* "sites of phase program". */
static void print_title(const char *title, const struct pr_phase *phase,
                        const struct pr_style *style, FILE *out)
{
   putc('\n', out);
   pr_style_emphasize(style, PR_STRONG, out);
   fprintf(out, "%s of phase ", title);
   pr_text_puts_word(out, phase->name);
   pr_style_emphasize(style, PR_PLAIN, out);
}

/* True: there is none to show, which is said. */
static bool print_absence(const struct pr_report *report, const struct pr_phase *phase,
                          enum pr_breakdown_kind kind, const struct pr_style *style, FILE *out)
{
   const char *list = pr_breakdowns[kind].list;
   if (phase->breakdowns[kind].is_listed)
      return false;
   print_title(list, phase, style, out);
   if (report->unavailable[kind]) {
      fputs(": unavailable: ", out);
      pr_text_puts(out, report->unavailable[kind]);
   } else {
      fputs(": not in the report", out);
   }
   putc('\n', out);
   return true;
}

/* Sites ------------------------------------------------------------------- */

/* " (list.h:12 in app, inlined)"; `out` may be NULL. Returns its columns. */
static size_t write_place(const struct pr_frame *frame, FILE *out)
{
   char line[32];
   size_t columns = pr_text_puts(out, " (");
   if (frame->file) {
      snprintf(line, sizeof line, ":%" PRIu64 " ", frame->line);
      columns += pr_text_puts(out, frame->file) + pr_text_puts(out, line);
   }
   columns += pr_text_puts(out, "in ") + pr_text_puts(out, frame->object);
   return columns + pr_text_puts(out, frame->is_inlined ? ", inlined)" : ")");
}

static bool is_same_frame(const struct pr_frame *a, const struct pr_frame *b)
{
   return strcmp(a->function, b->function) == 0 && strcmp(a->object, b->object) == 0
          && !a->file == !b->file && (!a->file || strcmp(a->file, b->file) == 0)
          && a->line == b->line && a->is_inlined == b->is_inlined;
}

/* `count` frames that look the same, one behind the other: code without symbols, or
   recursion. */
static bool print_frames(const struct pr_frame *frame, size_t count, const struct pr_style *style,
                         FILE *out)
{
   size_t columns = 0, taken = FRAME_INDENT + write_place(frame, NULL);
   if (style->width)
      columns = style->width > taken + FUNCTION_COLUMNS_MIN ? style->width - taken
                                                            : FUNCTION_COLUMNS_MIN;
   char *name = short_name(frame->function, columns);
   if (!name)
      return false;
   fprintf(out, "%*s", FRAME_INDENT, "");
   if (columns)
      pr_text_puts_cut(out, name, columns);
   else
      pr_text_puts(out, name);
   pr_style_emphasize(style, PR_FAINT, out);
   write_place(frame, out);
   if (count > 1)
      fprintf(out, ", %zu frames", count);
   pr_style_emphasize(style, PR_PLAIN, out);
   putc('\n', out);
   free(name);
   return true;
}

/* Room for the words and two numbers of 64 bits. */
enum { QUANTITY_BYTES = 128 };

/* "traffic 9,000 bytes in 12 blocks", "temporary 2". */
static void write_quantity(char text[QUANTITY_BYTES], const struct pr_row *row,
                           enum pr_site_order order)
{
   char number[PR_NUMBER_TEXT_BYTES], blocks[PR_NUMBER_TEXT_BYTES];
   uint64_t key = row->values[orders[order].key], other = row->values[orders[order].other];
   pr_render_number(number, key);
   if (orders[order].key == orders[order].other)
      snprintf(text, QUANTITY_BYTES, "%s %s", pr_site_order_names[order], number);
   else
      snprintf(text, QUANTITY_BYTES, "%s %s byte%s in %s block%s", pr_site_order_names[order],
               number, pr_render_plural(key), pr_render_number(blocks, other),
               pr_render_plural(other));
}

/* The quantities that the row above does not show, in as many lines as they need. */
static void print_rest(const struct pr_row *row, const struct pr_view *view, FILE *out)
{
   char texts[PR_SITE_ORDERS][QUANTITY_BYTES], number[PR_NUMBER_TEXT_BYTES];
   size_t count = 0, used = 0;
   for (int order = 0; order < PR_SITE_ORDERS; order++)
      if (order != (int)view->sites)
         write_quantity(texts[count++], row, order);
   snprintf(texts[count++], QUANTITY_BYTES, "largest %s byte%s",
            pr_render_number(number, row->site->largest_bytes),
            pr_render_plural(row->site->largest_bytes));
   pr_style_emphasize(&view->style, PR_FAINT, out);
   for (size_t i = 0; i < count; i++) {
      const char *joint = i + 1 < count ? "," : "";
      size_t needed = 1 + strlen(texts[i]) + strlen(joint);
      bool fits = used > 0 && (!view->style.width || used + needed <= view->style.width);
      if (!fits) {
         fprintf(out, "%s%*s", i ? "\n" : "", FRAME_INDENT - 3, "");
         used = FRAME_INDENT - 3;
      }
      fprintf(out, " %s%s", texts[i], joint);
      used += needed;
   }
   pr_style_emphasize(&view->style, PR_PLAIN, out);
   putc('\n', out);
}

static bool print_site(const struct pr_row *row, const struct pr_view *view, FILE *out)
{
   const struct pr_site *site = row->site;
   print_rest(row, view, out);
   for (size_t f = 0, count; f < site->frame_count; f += count) {
      count = 1;
      while (f + count < site->frame_count
             && is_same_frame(&site->frames[f], &site->frames[f + count]))
         count++;
      if (!print_frames(&site->frames[f], count, &view->style, out))
         return false;
   }
   if (site->frame_count == 0)
      fprintf(out, "%*sno call chain\n", FRAME_INDENT, "");
   return true;
}

static void add_site_row(struct pr_table *table, const struct ranking *ranking,
                         const struct site_order *order, const char *number,
                         unsigned __int128 key, unsigned __int128 other)
{
   char blocks[PR_NUMBER_TEXT_BYTES];
   pr_table_add(table, number);
   add_key_cells(table, ranking, key);
   pr_table_add(table, order->key == order->other ? "" : wide_text(blocks, other));
}

/* Number, key in its four forms, blocks. */
static const char site_alignment[] = "rrrrlr";

static void fill_site_table(struct pr_table *table, const struct ranking *ranking,
                            const struct site_order *order)
{
   const struct pr_column *columns = pr_breakdowns[PR_BY_SITE].columns;
   table->emphasis = PR_FAINT;
   pr_table_add(table, "");
   pr_table_add(table, columns[order->key].name);
   pr_table_add(table, "");
   pr_table_add(table, "share");
   pr_table_add(table, "");
   pr_table_add(table, order->key == order->other ? "" : columns[order->other].name);
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < ranking->count; i++) {
      char number[32];
      snprintf(number, sizeof number, "%zu.", i + 1);
      add_site_row(table, ranking, order, number, ranking->rows[i]->values[order->key],
                   ranking->rows[i]->values[order->other]);
   }
   if (ranking->rest_count)
      add_site_row(table, ranking, order, "", ranking->rest[order->key],
                   ranking->rest[order->other]);
}

static bool print_sites(const struct ranking *ranking, const struct pr_view *view, FILE *out)
{
   struct pr_table table;
   size_t widths[PR_TABLE_COLUMNS_MAX];
   pr_table_init(&table, site_alignment);
   fill_site_table(&table, ranking, &orders[view->sites]);
   if (table.exhausted) {
      pr_table_release(&table);
      return false;
   }
   bool ok = true;
   pr_table_measure(&table, widths);
   pr_table_print_row(&table, 0, widths, PR_INDENT, &view->style, out);
   for (size_t i = 0; ok && i < ranking->count; i++) {
      pr_table_print_row(&table, i + 1, widths, PR_INDENT, &view->style, out);
      ok = print_site(ranking->rows[i], view, out);
   }
   if (ok && ranking->rest_count) {
      char number[PR_NUMBER_TEXT_BYTES];
      pr_table_print_row(&table, ranking->count + 1, widths, PR_INDENT, &view->style, out);
      fprintf(out, "%*s%s other site%s\n", FRAME_INDENT - 2, "",
              wide_text(number, ranking->rest_count), ranking->rest_count == 1 ? "" : "s");
   }
   pr_table_release(&table);
   return ok;
}

bool pr_render_sites(const struct pr_report *report, const struct pr_phase *phase,
                     const struct pr_view *view, FILE *out)
{
   const struct site_order *order = &orders[view->sites];
   struct ranking ranking;
   char number[PR_NUMBER_TEXT_BYTES];
   if (print_absence(report, phase, PR_BY_SITE, &view->style, out))
      return true;
   if (!rank(&ranking, &phase->breakdowns[PR_BY_SITE], PR_BY_SITE, order->key, view->top))
      return false;
   print_title("sites", phase, &view->style, out);
   fprintf(out, ", by what was %s: %s", order->title, wide_text(number, ranking.whole));
   if (is_bytes(PR_BY_SITE, order->key))
      print_unit("byte", ranking.whole, out);
   else
      print_unit("block", ranking.whole, out);
   if (view->sites == PR_SITES_BY_PEAK && phase->instances > 1)
      fputs("\n  (the peak of the first instance that reached the highest one)", out);
   putc('\n', out);
   bool ok = ranking.whole == 0 || print_sites(&ranking, view, out);
   free(ranking.rows);
   return ok;
}

/* Functions --------------------------------------------------------------- */

/* Instructions, share, bar, calls, function, object, then these, where there are any. */
static const enum pr_function_column further_columns[] = {
   PR_FUNCTION_REP_ITERATIONS,
   PR_FUNCTION_VECTOR,
   PR_FUNCTION_SCALAR_FLOAT,
};
enum { FURTHER_COLUMNS = sizeof further_columns / sizeof further_columns[0] };
static const char function_alignment[] = "rrlrllrrr";

/* How the table makes do with a line's width. */
struct function_layout {
   bool has_bar;
   size_t name_columns, object_columns; /* at most; 0: as many as they need */
};

static void add_function_row(struct pr_table *table, const struct ranking *ranking,
                             const struct function_layout *layout,
                             const unsigned __int128 *values, const char *name,
                             const char *object)
{
   char number[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES], bar[BAR_COLUMNS + 1];
   unsigned __int128 instructions = values[PR_FUNCTION_INSTRUCTIONS];
   pr_table_add(table, wide_text(number, instructions));
   pr_table_add(table, pr_render_share(share, instructions, ranking->whole));
   pr_table_add(table, layout->has_bar ? bar_text(bar, instructions, ranking->whole) : "");
   pr_table_add(table, wide_text(number, values[PR_FUNCTION_CALLS]));
   char *shorter = short_name(name, layout->name_columns);
   table->exhausted = table->exhausted || !shorter;
   pr_table_add_cut(table, shorter, layout->name_columns);
   free(shorter);
   pr_table_add_cut(table, object, layout->object_columns);
   for (size_t i = 0; i < FURTHER_COLUMNS; i++) {
      unsigned __int128 value = values[further_columns[i]];
      pr_table_add(table, value ? wide_text(number, value) : "");
   }
}

/* The title of a column that is empty would keep it. */
static const char *title_if_any(const struct ranking *ranking, enum pr_function_column column)
{
   bool has_any = ranking->rest[column] > 0;
   for (size_t i = 0; i < ranking->count && !has_any; i++)
      has_any = ranking->rows[i]->values[column] > 0;
   return has_any ? pr_breakdowns[PR_BY_FUNCTION].columns[column].name : "";
}

static void fill_function_table(struct pr_table *table, const struct ranking *ranking,
                                const struct function_layout *layout)
{
   static const char *const titles[] = {"instructions", "share", "", "calls", "function",
                                        "object"};
   pr_table_clear(table);
   table->emphasis = PR_FAINT;
   for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
      pr_table_add(table, titles[i]);
   for (size_t i = 0; i < FURTHER_COLUMNS; i++)
      pr_table_add(table, title_if_any(ranking, further_columns[i]));
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < ranking->count; i++) {
      const struct pr_row *row = ranking->rows[i];
      unsigned __int128 values[PR_FUNCTION_COLUMNS];
      for (size_t c = 0; c < PR_FUNCTION_COLUMNS; c++)
         values[c] = row->values[c];
      add_function_row(table, ranking, layout, values, row->function->name,
                       row->function->object);
   }
   if (ranking->rest_count) {
      char number[PR_NUMBER_TEXT_BYTES], others[PR_NUMBER_TEXT_BYTES + 32];
      const struct function_layout uncut = {.has_bar = layout->has_bar};
      snprintf(others, sizeof others, "%s other function%s",
               wide_text(number, ranking->rest_count), ranking->rest_count == 1 ? "" : "s");
      add_function_row(table, ranking, &uncut, ranking->rest, others, "");
   }
}

/* Names get what the columns beside them leave of the line; these are measured with
   names as short as they come. */
static bool print_functions(const struct ranking *ranking, const struct pr_style *style, FILE *out)
{
   enum { WIDE = 100, OBJECT_COLUMNS = 20, GAP = 2, NAME = 4, OBJECT = 5 };
   struct function_layout layout = {.has_bar = true};
   struct pr_table table;
   pr_table_init(&table, function_alignment);
   table.label = NAME;
   if (style->width) {
      size_t widths[PR_TABLE_COLUMNS_MAX], used = PR_INDENT;
      layout = (struct function_layout){style->width >= WIDE, 1, OBJECT_COLUMNS};
      fill_function_table(&table, ranking, &layout);
      pr_table_measure(&table, widths);
      for (size_t c = 0; c <= OBJECT; c++)
         used += c == NAME || widths[c] == 0 ? 0 : widths[c] + GAP;
      layout.name_columns = style->width > used + FUNCTION_COLUMNS_MIN ? style->width - used
                                                                        : FUNCTION_COLUMNS_MIN;
   }
   fill_function_table(&table, ranking, &layout);
   bool ok = !table.exhausted;
   if (ok)
      pr_table_print(&table, PR_INDENT, style, out);
   pr_table_release(&table);
   return ok;
}

bool pr_render_functions(const struct pr_report *report, const struct pr_phase *phase,
                         const struct pr_view *view, FILE *out)
{
   const struct pr_style *style = &view->style;
   struct ranking ranking;
   char number[PR_NUMBER_TEXT_BYTES];
   if (print_absence(report, phase, PR_BY_FUNCTION, style, out))
      return true;
   if (!rank(&ranking, &phase->breakdowns[PR_BY_FUNCTION], PR_BY_FUNCTION,
             PR_FUNCTION_INSTRUCTIONS, view->top))
      return false;
   print_title("functions", phase, style, out);
   fprintf(out, ", by what they executed themselves: %s", wide_text(number, ranking.whole));
   print_unit("instruction", ranking.whole, out);
   putc('\n', out);
   bool ok = ranking.whole == 0 || print_functions(&ranking, style, out);
   free(ranking.rows);
   return ok;
}
