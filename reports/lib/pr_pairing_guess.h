/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_pairing_guess.h: units that only one report has, paired by likeness. Of pr_pairing.c. */
#ifndef PR_PAIRING_GUESS_H
#define PR_PAIRING_GUESS_H

#include "pr_pairing.h"

/* What tells how large a unit is, and what it did. */
enum {
   PR_WEIGHT_SIZE,  /* instructions; of sites, bytes of traffic */
   PR_WEIGHT_COUNT, /* calls of it; of sites, blocks of traffic */
   PR_WEIGHT_CALLS, /* that it made; of functions only */
   PR_WEIGHTS
};

struct pr_weight {
   __int128 values[PR_SIDES][PR_WEIGHTS];
};

/* Give the members of `from` to `into`, by guess. */
void pr_unit_merge(struct pr_units *units, uint32_t *merged, uint32_t into, uint32_t from);

/* `weights` has one for each unit. `merged` has for each unit the one that took its members,
   or itself, and is kept so. False: no memory left. */
bool pr_guess_functions(struct pr_pairing *pairing, const struct pr_weight *weights,
                        uint32_t *merged);
bool pr_guess_inlined(struct pr_pairing *pairing, const struct pr_weight *weights,
                      uint32_t *merged);
bool pr_guess_sites(struct pr_pairing *pairing, const struct pr_weight *weights,
                    uint32_t *merged);

/* Pair the lines of functions of which not all are paired anew. Nothing is merged. */
bool pr_align_lines(struct pr_pairing *pairing, const struct pr_weight *weights);

#endif
