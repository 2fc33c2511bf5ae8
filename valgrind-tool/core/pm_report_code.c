/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_code.c: functions in the report; pm_report_code.h has the terms. */
#include "pm_report_code.h"
#include "pm_sort.h"
#include "pm_text.h"

static bool is_cost(const struct pm_function_cost *cost)
{
   return cost->instrs || cost->calls || cost->iterations;
}

static int compare_names(const struct pm_report_function *a, const struct pm_report_function *b)
{
   int objects = pm_strcmp(a->object, b->object);
   return objects ? objects : pm_strcmp(a->name, b->name);
}

/* Largest cost first, then by name. ctx: the struct pm_report_code. */
static int compare_rows(const void *a, const void *b, const void *ctx)
{
   const struct pm_report_code *code = ctx;
   const struct pm_function_cost *left = a, *right = b;
   if (left->instrs != right->instrs)
      return left->instrs > right->instrs ? -1 : 1;
   return compare_names(&code->report->code[left - code->cost],
                        &code->report->code[right - code->cost]);
}

static int compare_functions(const void *a, const void *b, const void *unused)
{
   (void)unused;
   return compare_names(a, b);
}

/* Fill cost and rows for a phase. The number of rows. */
static uint32_t sum_phase(struct pm_report_code *code, const struct pm_phase *phase)
{
   const struct pm_report *report = code->report;
   uint32_t count = 0;
   memset(code->cost, 0, report->code_count * sizeof *code->cost);
   pm_profile_sum(report->profile, phase, code->cost, report->code_count);
   for (uint32_t f = 0; f < report->code_count; f++)
      if (is_cost(&code->cost[f]))
         code->rows[count++] = &code->cost[f];
   pm_sort((void **)code->rows, count, compare_rows, code);
   return count;
}

static uint32_t listed_of(const struct pm_report *report, uint32_t rows)
{
   return rows > report->row_limit ? (uint32_t)report->row_limit : rows;
}

/* Give ids to the functions that some phase lists. */
static void number_functions(struct pm_report_code *code)
{
   const struct pm_report *report = code->report;
   for (uint32_t p = 0; p < report->phase_count; p++) {
      uint32_t listed = listed_of(report, sum_phase(code, report->phases[p].phase));
      for (uint32_t r = 0; r < listed; r++)
         code->ids[code->rows[r] - code->cost] = 1;
   }
   for (uint32_t f = 0; f < report->code_count; f++)
      if (code->ids[f])
         code->by_name[code->id_count++] = &report->code[f];
   pm_sort((void **)code->by_name, code->id_count, compare_functions, NULL);
   for (uint32_t i = 0; i < code->id_count; i++)
      code->ids[code->by_name[i] - report->code] = i + 1;
}

bool pm_report_code_init(struct pm_report_code *code, const struct pm_report *report,
                         const struct pm_host *host)
{
   *code = (struct pm_report_code){.report = report, .host = host};
   if (!report->profile)
      return true;
   size_t count = report->code_count;
   code->ids = host->alloc(count * sizeof *code->ids);
   code->by_name = host->alloc(count * sizeof *code->by_name);
   code->cost = host->alloc(count * sizeof *code->cost);
   code->rows = host->alloc(count * sizeof *code->rows);
   if (!code->ids || !code->by_name || !code->cost || !code->rows) {
      pm_report_code_release(code);
      return false;
   }
   memset(code->ids, 0, count * sizeof *code->ids);
   number_functions(code);
   return true;
}

void pm_report_code_release(struct pm_report_code *code)
{
   size_t count = code->report->code_count;
   code->host->release(code->ids, count * sizeof *code->ids);
   code->host->release(code->by_name, count * sizeof *code->by_name);
   code->host->release(code->cost, count * sizeof *code->cost);
   code->host->release(code->rows, count * sizeof *code->rows);
   *code = (struct pm_report_code){.report = code->report, .host = code->host};
}

/* The classes that reports list, as attributes; system calls have a metric of their
   own. */
static const char *const class_names[PM_MIX_CLASSES] = {"vector", "scalar-float", "load",
                                                        "store",  "branch",       "call"};

static void write_cost(struct pm_xml *x, const struct pm_function_cost *cost)
{
   pm_xml_attr_u64(x, "instructions", cost->instrs);
   pm_xml_attr_u64(x, "calls", cost->calls);
   if (cost->iterations)
      pm_xml_attr_u64(x, "rep-iterations", cost->iterations);
   for (int c = 0; c < PM_MIX_CLASSES; c++)
      if (class_names[c] && cost->mix[c])
         pm_xml_attr_u64(x, class_names[c], cost->mix[c]);
}

static void add_cost(struct pm_function_cost *to, const struct pm_function_cost *cost)
{
   to->instrs += cost->instrs;
   to->calls += cost->calls;
   to->iterations += cost->iterations;
   for (int c = 0; c < PM_MIX_CLASSES; c++)
      to->mix[c] += cost->mix[c];
}

bool pm_report_code_mix(struct pm_report_code *code, const struct pm_phase *phase,
                        uint64_t mix[PM_MIX_CLASSES])
{
   if (!code->ids)
      return false;
   struct pm_function_cost total = {.instrs = 0};
   uint32_t count = sum_phase(code, phase);
   for (uint32_t r = 0; r < count; r++)
      add_cost(&total, code->rows[r]);
   memcpy(mix, total.mix, sizeof total.mix);
   return true;
}

void pm_report_code_phase(struct pm_report_code *code, struct pm_xml *x,
                          const struct pm_phase *phase)
{
   if (!code->ids || phase->instances == 0)
      return;
   uint32_t count = sum_phase(code, phase), listed = listed_of(code->report, count);
   pm_xml_open(x, "functions");
   for (uint32_t r = 0; r < listed; r++) {
      pm_xml_open(x, "function");
      pm_xml_attr_u64(x, "id", code->ids[code->rows[r] - code->cost]);
      write_cost(x, code->rows[r]);
      pm_xml_close(x);
   }
   if (count > listed) {
      struct pm_function_cost rest = {.instrs = 0};
      for (uint32_t r = listed; r < count; r++)
         add_cost(&rest, code->rows[r]);
      pm_xml_open(x, "others");
      pm_xml_attr_u64(x, "functions", count - listed);
      write_cost(x, &rest);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}

void pm_report_code_list(const struct pm_report_code *code, struct pm_xml *x)
{
   pm_xml_open(x, "functions");
   if (!code->ids)
      pm_xml_attr(x, "unavailable",
                  code->report->profile ? "out of memory for the lists"
                                        : "executions were not counted: --functions=no");
   for (uint32_t i = 0; i < code->id_count; i++) {
      pm_xml_open(x, "function");
      pm_xml_attr_u64(x, "id", i + 1);
      pm_xml_attr(x, "name", code->by_name[i]->name);
      pm_xml_attr(x, "object", code->by_name[i]->object);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}
