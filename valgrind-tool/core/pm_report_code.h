/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_code.h: the report's lists of functions: what each executed itself.
 *
 * A phase lists the functions that cost most there, at most row_limit of them, the
 * rest in one row, so that every list adds up to the phase's instructions. The
 * functions that are listed anywhere stand once at the end of the report, with
 * their names, and have their numbers from the order of the names.
 */
#ifndef PM_REPORT_CODE_H
#define PM_REPORT_CODE_H

#include "pm_report.h"

struct pm_report_code {
   const struct pm_report *report;
   const struct pm_host *host;
   uint32_t *ids;                       /* by function number: its id, 0 not listed */
   const struct pm_report_function **by_name; /* those with an id, in its order */
   uint32_t id_count;
   struct pm_function_cost *cost;       /* of one phase at a time, by number */
   struct pm_function_cost **rows;      /* pointers into cost, sorted */
};

/* Find out which functions are listed. False: no memory, and nothing is. */
bool pm_report_code_init(struct pm_report_code *code, const struct pm_report *report,
                         const struct pm_host *host);
void pm_report_code_release(struct pm_report_code *code);

/* How many instructions of a phase are in each class; false: they were not counted. */
bool pm_report_code_mix(struct pm_report_code *code, const struct pm_phase *phase,
                        uint64_t mix[PM_MIX_CLASSES]);

/* The element of a phase, and the one at the end. */
void pm_report_code_phase(struct pm_report_code *code, struct pm_xml *x,
                          const struct pm_phase *phase);
void pm_report_code_list(const struct pm_report_code *code, struct pm_xml *x);

#endif
