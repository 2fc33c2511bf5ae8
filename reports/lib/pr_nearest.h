/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_nearest.h: what may have been meant by a mistyped name. */
#ifndef PR_NEAREST_H
#define PR_NEAREST_H

#include <stddef.h>

/* The nearest of names offered one by one. */
struct pr_nearest {
   const char *wanted;
   const char *name; /* NULL: none is near enough to be worth a suggestion */
   size_t distance;
};

void pr_nearest_init(struct pr_nearest *nearest, const char *wanted);

/* Offer a name; of equally near ones the first stays. */
void pr_nearest_offer(struct pr_nearest *nearest, const char *name);

#endif
