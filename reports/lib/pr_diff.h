/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_diff.h: in which phases and metrics two reports differ.
 *
 * Phases are paired by name, metrics of a phase by name. A metric differs if its value, or
 * whether it has one, or its range over the instances is another one; or if its value is the
 * same, but comes from others (see pr_explain.h): more here, less there. What is only
 * worded or placed otherwise (lines, reasons) is no difference. So are the points of the
 * timeline, whose intervals depend on the instructions of the whole run. Histograms are
 * compared bucket by bucket, unless one metric is asked for.
 *
 * Metrics that have no number on one side come first, then the largest changes. How large one
 * is, is relative to what it is a part of: of a class of instructions all instructions count,
 * of temporary blocks all allocations; and few blocks or bytes more are no large change because
 * there were few. Metrics without anything that accounts for them come behind these, then
 * those that are made of others and so say nothing new, last those that one side does not list.
 * Phases come in the order of their first metric.
 */
#ifndef PR_DIFF_H
#define PR_DIFF_H

#include "pr_pairing.h"

struct pr_metric_change {
   const char *name;
   const struct pr_metric *metrics[PR_SIDES]; /* NULL: not listed there */
   bool is_comparable;                        /* both sides have a number */
   __int128 values[PR_SIDES];                 /* valid if it is */
   __int128 change;                           /* new less old; valid if it is */
   bool is_range_changed;                     /* min or max over instances */
   bool is_moved;                             /* no change, but what it comes from did change */
   enum pr_change_rank {
      PR_RANK_NO_NUMBER, /* on one side */
      PR_RANK_EXPLAINED, /* by a list of its own or of a related metric */
      PR_RANK_UNEXPLAINED,
      PR_RANK_MADE_OF_OTHERS,
      PR_RANK_NOT_LISTED, /* on one side */
   } rank;
   __int128 base; /* that the change is measured by within its rank; not 0 */
};

struct pr_phase_change {
   const struct pr_phase *phases[PR_SIDES]; /* NULL: that report has none of the name */
   struct pr_metric_change *metrics;        /* that differ and are to be shown */
   size_t count;
   size_t hidden; /* that differ by less than asked for */
   struct pr_bucket_changes histograms[PR_HISTOGRAM_KINDS]; /* that both list */
   bool is_described_otherwise; /* instances, kind, parent, complete, overlapping */
};

/* A share, exactly: numerator / denominator. */
struct pr_share {
   uint64_t numerator, denominator;
};

struct pr_diff_request {
   const char *phase;  /* this one alone; NULL: all */
   const char *metric; /* this one alone; NULL: all */
   struct pr_share threshold; /* smaller changes are hidden: of the old value; 0/1: none */
};

/* A phase inside of another one, the same on both sides; NULL: it is not on that side. */
struct pr_child {
   const struct pr_phase *phases[PR_SIDES];
};

struct pr_diff {
   struct pr_pairing pairing;
   struct pr_child *children; /* of all phases, by the name of the one that they are inside of */
   size_t child_count;
   struct pr_phase_change *phases; /* that differ */
   size_t count;
   size_t compared; /* phases that either report has */
   size_t hidden;   /* metrics, over all phases, those of phases that are not shown too */
};

/* False: no memory left; release it all the same. */
bool pr_diff_make(struct pr_diff *diff, const struct pr_report *old_report,
                  const struct pr_report *new_report, const struct pr_diff_request *request);
void pr_diff_release(struct pr_diff *diff);

/* The children of a phase: the first, and *count. */
const struct pr_child *pr_diff_children(const struct pr_diff *diff, const char *phase,
                                        size_t *count);

/* Is a share larger than another? <0, 0, >0; exactly, whatever the numbers, of which the
   denominators are not 0. */
int pr_ratio_compare(unsigned __int128 a, unsigned __int128 a_whole, unsigned __int128 b,
                     unsigned __int128 b_whole);

#endif
