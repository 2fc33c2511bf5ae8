/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_code.h: the report's lists of functions, of source lines and of instructions:
 * what each executed itself.
 *
 * A phase lists those that cost most there, at most row_limit of them (instr_limit of
 * instructions, of which there are many more), the rest in one row, so that every list adds up to the phase's instructions. Those that are
 * listed anywhere stand once at the end of the report, with their names, and have
 * their numbers from the order of the names.
 *
 * What is written of functions is written of lines and instructions, by the same code: all
 * are items here.
 *
 * Memory while the report is written: 92 bytes for each item.
 */
#ifndef PM_REPORT_CODE_H
#define PM_REPORT_CODE_H

#include "pm_report.h"

enum pm_report_code_kind { PM_CODE_FUNCTIONS, PM_CODE_LINES, PM_CODE_INSTRS, PM_CODE_KINDS };

struct pm_report_code {
   const struct pm_report *report;
   const struct pm_host *host;
   enum pm_report_code_kind kind;   /* of the report's items */
   uint32_t item_count;
   uint32_t *ids;                   /* by item: its id, 0 not listed */
   uint32_t **by_name;              /* pointers into ids: those with one, in its order */
   uint32_t id_count;
   struct pm_code_cost *cost;       /* of one phase at a time, by item */
   struct pm_code_cost *line_cost;  /* the same by line, to be summed up by function;
                                       NULL: cost is what the stretches say */
   struct pm_code_cost **rows;      /* pointers into cost, sorted */
};

/* Find out which items of a kind are listed. False: no memory, and nothing is. */
bool pm_report_code_init(struct pm_report_code *code, const struct pm_report *report,
                         enum pm_report_code_kind kind, const struct pm_host *host);
void pm_report_code_release(struct pm_report_code *code);

/* How many instructions of a phase are in each class; false: they were not counted. */
bool pm_report_code_mix(struct pm_report_code *code, const struct pm_phase *phase,
                        uint64_t mix[PM_MIX_CLASSES]);

/* The element of a phase, and the one at the end. */
void pm_report_code_phase(struct pm_report_code *code, struct pm_xml *x,
                          const struct pm_phase *phase);
void pm_report_code_list(const struct pm_report_code *code, struct pm_xml *x);

#endif
