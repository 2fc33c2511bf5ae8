/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits_tighten.h: a file of limits, with the numbers that now hold.
 *
 * `<=` gets the largest and `>=` the smallest of the values that it was held against, if
 * it held for all of them, by itself and with the other bounds of its line. Everything
 * else stays, byte for byte: bounds that do not hold, that have another relation or are
 * of a baseline, comments, layout. So a number only ever becomes stricter.
 */
#ifndef PR_LIMITS_TIGHTEN_H
#define PR_LIMITS_TIGHTEN_H

#include <stdbool.h>
#include <stdio.h>

#include "pr_verdict.h"

/* Print the source of that index; returns how many of its numbers are new. */
size_t pr_limits_tighten(const struct pr_verdict *verdict, size_t source, FILE *out);

#endif
