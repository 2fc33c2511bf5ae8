/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_code.c: functions, lines, instructions in the report; pm_report_code.h has the
   terms. */
#include "pm_report_code.h"
#include "pm_sort.h"
#include "pm_text.h"

static bool is_cost(const struct pm_code_cost *cost)
{
   return cost->instrs || cost->calls || cost->iterations;
}

/* --- names ------------------------------------------------------------------ */

static const struct pm_report_instr *instr_of(const struct pm_report_code *code, uint32_t item)
{
   return code->kind == PM_CODE_INSTRS ? &code->report->instrs[item] : NULL;
}

/* NULL: a function has none. */
static const struct pm_report_line *line_of(const struct pm_report_code *code, uint32_t item)
{
   const struct pm_report *report = code->report;
   const struct pm_report_instr *instr = instr_of(code, item);
   if (instr)
      return &report->instr_lines[instr->line];
   return code->kind == PM_CODE_LINES ? &report->lines[item] : NULL;
}

static const struct pm_report_function *function_of(const struct pm_report_code *code,
                                                    uint32_t item)
{
   const struct pm_report_line *line = line_of(code, item);
   return &code->report->code[line ? line->function : item];
}

static int compare_texts(const char *a, const char *b)
{
   return pm_strcmp(a ? a : "", b ? b : "");
}

/* By object, also where several have one name, then by address. */
static int compare_instrs(const struct pm_report_instr *a, const struct pm_report_instr *b)
{
   static const struct pm_report_object none = {.name = NULL};
   const struct pm_report_object *left = a->object ? a->object : &none;
   const struct pm_report_object *right = b->object ? b->object : &none;
   int order = compare_texts(left->name, right->name);
   if (order == 0)
      order = compare_texts(left->path, right->path);
   if (order == 0)
      order = compare_texts(left->build_id, right->build_id);
   if (order || (a->has_address == b->has_address && a->address == b->address))
      return order;
   return a->has_address < b->has_address || a->address < b->address ? -1 : 1;
}

static int compare_lines(const struct pm_report_line *a, const struct pm_report_line *b)
{
   int files = compare_texts(a->file, b->file);
   if (files || a->line == b->line)
      return files;
   return a->line < b->line ? -1 : 1;
}

static int compare_names(const struct pm_report_code *code, uint32_t a, uint32_t b)
{
   const struct pm_report_function *left = function_of(code, a), *right = function_of(code, b);
   int order = code->kind == PM_CODE_INSTRS ? compare_instrs(instr_of(code, a), instr_of(code, b))
                                            : pm_strcmp(left->object, right->object);
   if (order == 0)
      order = pm_strcmp(left->name, right->name);
   if (order == 0 && code->kind != PM_CODE_FUNCTIONS)
      order = compare_lines(line_of(code, a), line_of(code, b));
   return order;
}

/* Pointers into ids. ctx: the struct pm_report_code. */
static int compare_items(const void *a, const void *b, const void *ctx)
{
   const struct pm_report_code *code = ctx;
   return compare_names(code, (uint32_t)((const uint32_t *)a - code->ids),
                        (uint32_t)((const uint32_t *)b - code->ids));
}

/* Pointers into cost: largest cost first, then by name. */
static int compare_rows(const void *a, const void *b, const void *ctx)
{
   const struct pm_report_code *code = ctx;
   const struct pm_code_cost *left = a, *right = b;
   if (left->instrs != right->instrs)
      return left->instrs > right->instrs ? -1 : 1;
   return compare_names(code, (uint32_t)(left - code->cost), (uint32_t)(right - code->cost));
}

/* --- sums -------------------------------------------------------------------- */

static void add_cost(struct pm_code_cost *to, const struct pm_code_cost *cost)
{
   to->instrs += cost->instrs;
   to->calls += cost->calls;
   to->iterations += cost->iterations;
   for (int c = 0; c < PM_MIX_CLASSES; c++)
      to->mix[c] += cost->mix[c];
}

/* Fill cost for a phase. */
static void sum_cost(struct pm_report_code *code, const struct pm_phase *phase)
{
   const struct pm_report *report = code->report;
   memset(code->cost, 0, code->item_count * sizeof *code->cost);
   if (code->kind == PM_CODE_INSTRS) {
      pm_profile_sum_instrs(report->profile, phase, code->cost, code->item_count);
      return;
   }
   if (!code->line_cost) {
      pm_profile_sum(report->profile, phase, code->cost, code->item_count);
      return;
   }
   memset(code->line_cost, 0, report->line_count * sizeof *code->line_cost);
   pm_profile_sum(report->profile, phase, code->line_cost, report->line_count);
   for (uint32_t l = 0; l < report->line_count; l++)
      add_cost(&code->cost[report->lines[l].function], &code->line_cost[l]);
}

/* Fill cost and rows for a phase. The number of rows. */
static uint32_t sum_phase(struct pm_report_code *code, const struct pm_phase *phase)
{
   uint32_t count = 0;
   sum_cost(code, phase);
   for (uint32_t i = 0; i < code->item_count; i++)
      if (is_cost(&code->cost[i]))
         code->rows[count++] = &code->cost[i];
   pm_sort((void **)code->rows, count, compare_rows, code);
   return count;
}

static uint32_t listed_of(const struct pm_report_code *code, uint32_t rows)
{
   const struct pm_report *report = code->report;
   uint64_t limit = code->kind == PM_CODE_INSTRS ? report->instr_limit : report->row_limit;
   return rows > limit ? (uint32_t)limit : rows;
}

/* Give ids to the items that some phase lists. */
static void number_items(struct pm_report_code *code)
{
   const struct pm_report *report = code->report;
   for (uint32_t p = 0; p < report->phase_count; p++) {
      uint32_t listed = listed_of(code, sum_phase(code, report->phases[p].phase));
      for (uint32_t r = 0; r < listed; r++)
         code->ids[code->rows[r] - code->cost] = 1;
   }
   for (uint32_t i = 0; i < code->item_count; i++)
      if (code->ids[i])
         code->by_name[code->id_count++] = &code->ids[i];
   pm_sort((void **)code->by_name, code->id_count, compare_items, code);
   for (uint32_t i = 0; i < code->id_count; i++)
      *code->by_name[i] = i + 1;
}

/* How many items there are; *told: they were told apart. */
static uint32_t count_items(const struct pm_report *report, enum pm_report_code_kind kind,
                            bool *told)
{
   switch (kind) {
   case PM_CODE_LINES:
      *told = report->lines != NULL;
      return report->line_count;
   case PM_CODE_INSTRS:
      *told = report->instrs != NULL;
      return report->instr_count;
   default:
      *told = true;
      return report->code_count;
   }
}

bool pm_report_code_init(struct pm_report_code *code, const struct pm_report *report,
                         enum pm_report_code_kind kind, const struct pm_host *host)
{
   bool told;
   *code = (struct pm_report_code){.report = report, .host = host, .kind = kind};
   size_t count = count_items(report, kind, &told);
   if (pm_report_profile_gap(report) || !told)
      return true;
   code->item_count = (uint32_t)count;
   bool from_lines = report->lines && kind == PM_CODE_FUNCTIONS;
   code->ids = host->alloc(count * sizeof *code->ids);
   code->by_name = host->alloc(count * sizeof *code->by_name);
   code->cost = host->alloc(count * sizeof *code->cost);
   code->rows = host->alloc(count * sizeof *code->rows);
   if (from_lines)
      code->line_cost = host->alloc(report->line_count * sizeof *code->line_cost);
   if (!code->ids || !code->by_name || !code->cost || !code->rows ||
       (from_lines && !code->line_cost)) {
      pm_report_code_release(code);
      return false;
   }
   memset(code->ids, 0, count * sizeof *code->ids);
   number_items(code);
   return true;
}

void pm_report_code_release(struct pm_report_code *code)
{
   size_t count = code->item_count;
   code->host->release(code->ids, count * sizeof *code->ids);
   code->host->release(code->by_name, count * sizeof *code->by_name);
   code->host->release(code->cost, count * sizeof *code->cost);
   code->host->release(code->rows, count * sizeof *code->rows);
   if (code->line_cost)
      code->host->release(code->line_cost, code->report->line_count * sizeof *code->line_cost);
   *code = (struct pm_report_code){.report = code->report, .host = code->host};
}

/* --- elements ------------------------------------------------------------------ */

/* What the items are called. */
static const struct words {
   const char *list, *item;
   const char *rows;     /* how many the others are */
   const char *not_kept; /* why there are none, although executions were counted */
} words[] = {
   [PM_CODE_FUNCTIONS] = {"functions", "function", "functions", "out of memory for the lists"},
   [PM_CODE_LINES] = {"lines", "line", "lines", "source lines were not told apart: --lines=no"},
   [PM_CODE_INSTRS] = {"instructions", "instruction", "rows",
                       "instructions were not told apart: --instr=no"},
};

/* The classes that reports list, as attributes; system calls have a metric of their
   own. */
static const char *const class_names[PM_MIX_CLASSES] = {"vector", "scalar-float", "load",
                                                        "store",  "branch",       "call"};

/* Most instructions start no function: where they are 0, calls are left out. */
static void write_cost(const struct pm_report_code *code, struct pm_xml *x,
                       const struct pm_code_cost *cost)
{
   pm_xml_attr_u64(x, "instructions", cost->instrs);
   if (cost->calls || code->kind != PM_CODE_INSTRS)
      pm_xml_attr_u64(x, "calls", cost->calls);
   if (cost->iterations)
      pm_xml_attr_u64(x, "rep-iterations", cost->iterations);
   for (int c = 0; c < PM_MIX_CLASSES; c++)
      if (class_names[c] && cost->mix[c])
         pm_xml_attr_u64(x, class_names[c], cost->mix[c]);
}

bool pm_report_code_mix(struct pm_report_code *code, const struct pm_phase *phase,
                        uint64_t mix[PM_MIX_CLASSES])
{
   if (!code->ids)
      return false;
   struct pm_code_cost total = {.instrs = 0};
   sum_cost(code, phase);
   for (uint32_t i = 0; i < code->item_count; i++)
      add_cost(&total, &code->cost[i]);
   memcpy(mix, total.mix, sizeof total.mix);
   return true;
}

void pm_report_code_phase(struct pm_report_code *code, struct pm_xml *x,
                          const struct pm_phase *phase)
{
   if (!code->ids || phase->instances == 0)
      return;
   uint32_t count = sum_phase(code, phase), listed = listed_of(code, count);
   const struct words *word = &words[code->kind];
   pm_xml_open(x, word->list);
   for (uint32_t r = 0; r < listed; r++) {
      pm_xml_open(x, word->item);
      pm_xml_attr_u64(x, "id", code->ids[code->rows[r] - code->cost]);
      write_cost(code, x, code->rows[r]);
      pm_xml_close(x);
   }
   if (count > listed) {
      struct pm_code_cost rest = {.instrs = 0};
      for (uint32_t r = listed; r < count; r++)
         add_cost(&rest, code->rows[r]);
      pm_xml_open(x, "others");
      pm_xml_attr_u64(x, word->rows, count - listed);
      write_cost(code, x, &rest);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}

static void write_address(struct pm_xml *x, uint64_t address)
{
   static const char prefix[] = "0x";
   char text[sizeof prefix + PM_HEX_TEXT];
   memcpy(text, prefix, sizeof prefix);
   pm_hex_text(text + sizeof prefix - 1, address, 1);
   pm_xml_attr(x, "address", text);
}

static void write_item(const struct pm_report_code *code, struct pm_xml *x, uint32_t item)
{
   const struct pm_report_function *function = function_of(code, item);
   const struct pm_report_instr *instr = instr_of(code, item);
   const struct pm_report_line *line = line_of(code, item);
   pm_xml_open(x, words[code->kind].item);
   pm_xml_attr_u64(x, "id", code->ids[item]);
   if (instr && instr->has_address)
      write_address(x, instr->address);
   pm_xml_attr(x, line ? "function" : "name", function->name);
   if (!instr)
      pm_xml_attr(x, "object", function->object);
   if (line && line->file) {
      pm_xml_attr(x, "file", line->file);
      pm_xml_attr_u64(x, "line", line->line);
   }
   pm_xml_close(x);
}

/* The object that the instructions behind it are in; NULL: outside every one. */
static void open_object(struct pm_xml *x, const struct pm_report_object *object)
{
   pm_xml_open(x, "object");
   pm_xml_attr(x, "name", object ? object->name : "???");
   if (object && object->path)
      pm_xml_attr(x, "path", object->path);
   if (object && object->build_id)
      pm_xml_attr(x, "build-id", object->build_id);
}

/* Instructions stand object by object, which is in their order. */
static void write_items_by_object(const struct pm_report_code *code, struct pm_xml *x)
{
   const struct pm_report_object *open = NULL;
   for (uint32_t i = 0; i < code->id_count; i++) {
      uint32_t item = (uint32_t)(code->by_name[i] - code->ids);
      const struct pm_report_object *object = instr_of(code, item)->object;
      if (i > 0 && object != open)
         pm_xml_close(x);
      if (i == 0 || object != open)
         open_object(x, object);
      open = object;
      write_item(code, x, item);
   }
   if (code->id_count > 0)
      pm_xml_close(x);
}

void pm_report_code_list(const struct pm_report_code *code, struct pm_xml *x)
{
   pm_xml_open(x, words[code->kind].list);
   const char *gap = pm_report_profile_gap(code->report);
   if (!code->ids)
      pm_xml_attr(x, "unavailable", gap ? gap : words[code->kind].not_kept);
   if (code->kind == PM_CODE_INSTRS)
      write_items_by_object(code, x);
   for (uint32_t i = 0; code->kind != PM_CODE_INSTRS && i < code->id_count; i++)
      write_item(code, x, (uint32_t)(code->by_name[i] - code->ids));
   pm_xml_close(x);
}
