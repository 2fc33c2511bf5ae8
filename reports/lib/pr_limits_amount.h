/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits_amount.h: numbers of a limits file: "1.5MiB", "10k", "0.5". */
#ifndef PR_LIMITS_AMOUNT_H
#define PR_LIMITS_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
   PR_DECIMALS_MAX = 9,
   PR_PERCENTAGE_MAX = 1000000000,
};

/* Digits with or without a fraction: `digits` of `parts`, 15 of 10 for 1.5. */
struct pr_decimal {
   unsigned __int128 digits;
   uint64_t parts; /* a power of ten */
};

struct pr_unit {
   const char *name;
   uint64_t factor;
   bool is_of_bytes; /* false: of anything */
};

/* All units, from the largest to the smallest of each kind; the last has no name. */
extern const struct pr_unit pr_units[];

/* NULL: there is none of that name. */
const struct pr_unit *pr_unit_find(const char *name, size_t bytes);

/* Read the decimal at the start of the text and move *at behind it. NULL, or what is
   wrong with it. */
const char *pr_decimal_parse(const char **at, const char *end, struct pr_decimal *decimal);

/* The whole number that so many units are. NULL, or what is wrong with it. */
const char *pr_decimal_scale(const struct pr_decimal *decimal, uint64_t factor,
                             uint64_t *number);

#endif
