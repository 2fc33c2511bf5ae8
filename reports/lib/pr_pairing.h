/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_pairing.h: which site, function, line and object of one report is which of another.
 *
 * Reports number what they name as they like, so names are compared. A unit is what counts
 * as the same thing in two reports; each name of either report belongs to exactly one, so
 * that numbers summed up by unit still add up to what the reports say.
 *
 *   site      its chain of functions and objects: lines and addresses do not matter. Sites
 *             of one report that differ by these alone are one unit
 *   function  name and object
 *   line      function, object, file and number; of a function whose lines moved, those that
 *             did the same work, in their order
 *   object    name
 *
 * Units that only one report has are then paired by likeness: the same name in another
 * object (a library's next version), clones and other parameters, renamed and inlined
 * frames and functions. That is a guess, and marked as one. A function that is gone may have
 * been inlined: if another one makes so many fewer calls as the function was called before,
 * and took on instructions, both are one unit.
 *
 * What is guessed depends on names and on the numbers of the phase `program` alone, and not
 * on which of both reports is the older one. Cost: n log n in the size of the reports;
 * likeness is looked for among the PR_GUESSES_MAX largest of either side.
 */
#ifndef PR_PAIRING_H
#define PR_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pr_report.h"

enum pr_side { PR_OLD, PR_NEW, PR_SIDES };

enum { PR_GUESSES_MAX = 256 };

enum pr_unit_kind {
   PR_UNIT_SITE = PR_NAME_SITE,
   PR_UNIT_FUNCTION = PR_NAME_FUNCTION,
   PR_UNIT_LINE = PR_NAME_LINE,
   PR_UNIT_OBJECT, /* instructions are not paired: their addresses move with any change */
   PR_UNIT_KINDS
};

struct pr_unit {
   /* One of the names in either report, the first one there: struct pr_site, pr_function,
      pr_source_line; of an object const char. NULL: that report has none. */
   const void *names[PR_SIDES];
   size_t members[PR_SIDES]; /* how many names of either report it has */
   bool is_guessed;          /* not all of them are paired by the same name */
   /* A function that only this side has, whose work is inside of this one on the other. */
   const struct pr_function *inlined[PR_SIDES];
};

struct pr_units {
   struct pr_unit *items;
   size_t count;           /* some may have no member */
   uint32_t *of[PR_SIDES]; /* the unit of each name, by its place in the report's array; of
                              objects: in the order of the names */
};

/* What a site is told by. */
struct pr_told {
   const struct pr_frame *frame; /* NULL: not asked so far */
   uint64_t hash;                /* of its function and object */
};

struct pr_pairing {
   const struct pr_report *reports[PR_SIDES];
   struct pr_units units[PR_UNIT_KINDS];
   const char **objects[PR_SIDES]; /* names of objects, each once, in their order */
   size_t object_counts[PR_SIDES];
   /* Of each site and function of the reports, the unit of its object. */
   uint32_t *site_objects[PR_SIDES], *function_objects[PR_SIDES];
   struct pr_told *told_by[PR_SIDES]; /* of each site */
};

/* The pairing points into both reports. False: no memory left; release it all the same. */
bool pr_pairing_make(struct pr_pairing *pairing, const struct pr_report *old_report,
                     const struct pr_report *new_report);
void pr_pairing_release(struct pr_pairing *pairing);

/* Units as indices of .items. */
uint32_t pr_pairing_site(const struct pr_pairing *pairing, enum pr_side side,
                         const struct pr_site *site);
uint32_t pr_pairing_function(const struct pr_pairing *pairing, enum pr_side side,
                             const struct pr_function *function);
uint32_t pr_pairing_line(const struct pr_pairing *pairing, enum pr_side side,
                         const struct pr_source_line *line);
uint32_t pr_pairing_object(const struct pr_pairing *pairing, enum pr_side side,
                           const char *object);

uint32_t pr_pairing_site_object(const struct pr_pairing *pairing, enum pr_side side,
                                const struct pr_site *site);
/* The frame of a site's chain that it is told by: the innermost one of the program's own, or
   of all if none is; a frame without an object if there is no chain. */
const struct pr_told *pr_pairing_told_by(const struct pr_pairing *pairing, enum pr_side side,
                                         const struct pr_site *site);

uint32_t pr_pairing_function_object(const struct pr_pairing *pairing, enum pr_side side,
                                    const struct pr_function *function);

/* The object of a site is that of its innermost frame; "???" if it has none. */
const char *pr_site_object(const struct pr_site *site);

#endif
