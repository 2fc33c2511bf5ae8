/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_explain.h: what accounts for the change of a metric.
 *
 * A list of a phase splits metrics; by pairing its rows in two reports, the change of the
 * metric splits into the changes of these rows, of the units that they stand for (see
 * pr_pairing.h), and of what the lists sum up as others. So the parts always add up to the
 * change of what the lists add up to, which is the metric in every valid report; what is
 * missing in one that is not, is stated as unexplained.
 *
 * Parts by object are the same numbers summed up by the object of each row: of a site, that
 * of its innermost frame.
 */
#ifndef PR_EXPLAIN_H
#define PR_EXPLAIN_H

#include "pr_pairing.h"

struct pr_entry {
   uint64_t key; /* what is the same on both sides; a thread's number, a unit, two units */
   const struct pr_row *row;
   enum pr_side side;
};

/* The rows of one list in both reports, those of the same key one behind the other. */
struct pr_rows {
   const struct pr_pairing *pairing;
   enum pr_breakdown_kind kind;
   const struct pr_breakdown *sides[PR_SIDES];
   struct pr_entry *entries;
   size_t count;
};

/* What one unit accounts for. */
struct pr_part {
   const struct pr_row *rows[PR_SIDES]; /* the first of it there; NULL: that list has none */
   const struct pr_row *told;           /* of several places, that which tells most; or NULL */
   enum pr_side told_side;              /* valid if there is one */
   uint32_t object;                     /* of parts by object only */
   __int128 values[PR_SIDES];
   __int128 change;
};

struct pr_parts {
   struct pr_part *items; /* with a change */
   size_t count;
   __int128 others;    /* change of what the lists sum up */
   __int128 explained; /* all changes together, others included */
};

/* `phases` may be NULL on one side. False: no memory left; release it all the same. */
bool pr_rows_gather(struct pr_rows *rows, const struct pr_pairing *pairing,
                    const struct pr_phase *const phases[PR_SIDES], enum pr_breakdown_kind kind);
void pr_rows_release(struct pr_rows *rows);

/* Does any number of any row differ? */
bool pr_rows_differ(const struct pr_rows *rows, size_t column);

/* The parts of a column; the caller frees .items. The `ordered` largest, at least one, are
   first and in order; of those by object all are. False: no memory left. */
bool pr_parts_make(struct pr_parts *parts, const struct pr_rows *rows, size_t column,
                   size_t ordered);
bool pr_parts_make_by_object(struct pr_parts *parts, const struct pr_rows *rows, size_t column);

/* Sites that changed, summed up by the function that their chains are told by: the innermost
   one of the program's own, or of all if none is. */
struct pr_caller {
   const struct pr_frame *frame; /* of its name and object */
   size_t sites;
   __int128 values[PR_SIDES];
   __int128 change;
};

struct pr_callers {
   struct pr_caller *items; /* with a change, the largest first */
   size_t count;
};

/* `parts` are those of a column of a list by site. The caller frees .items. False: no memory
   left. */
bool pr_callers_make(struct pr_callers *callers, const struct pr_pairing *pairing,
                     const struct pr_parts *parts);

/* Whether a row of the kind has an object. */
bool pr_kind_has_object(enum pr_breakdown_kind kind);

/* The same file as far as its name and build-id tell, on both sides? The executable is taken
   for the same, as is what the reports do not list as objects of the run. */
bool pr_object_is_same_build(const struct pr_pairing *pairing, uint32_t object);

/* A metric that is made of others: their sum, some subtracted. */
struct pr_term {
   enum pr_metric_id metric;
   bool is_subtracted;
};

enum { PR_TERMS_MAX = 4 };

/* The terms of a metric and their number; 0: it is not made of others, or not in both of
   these phases, as some are not that are taken over several instances. */
size_t pr_made_of(enum pr_metric_id metric, const struct pr_phase *const phases[PR_SIDES],
                  struct pr_term terms[PR_TERMS_MAX]);

/* Of a metric that neither has a list nor is made of others, one that has and whose change
   goes the same way in these phases: what to look at instead. PR_METRIC_UNKNOWN: none. */
enum pr_metric_id pr_related_metric(enum pr_metric_id metric, __int128 change,
                                    const struct pr_phase *const phases[PR_SIDES]);

/* The column of a kind's list that adds up to the metric. False: there is none. */
bool pr_column_of_metric(enum pr_breakdown_kind kind, enum pr_metric_id metric, size_t *column);

#endif
