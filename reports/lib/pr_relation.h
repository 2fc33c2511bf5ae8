/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_relation.h: how the two sides of an identity are related, in code and in words. */
#ifndef PR_RELATION_H
#define PR_RELATION_H

#include <stdbool.h>

enum pr_relation {
   PR_EQUAL,
   PR_AT_LEAST,
   PR_AT_MOST,
};

bool pr_relation_holds(enum pr_relation relation, __int128 left, __int128 right);

/* "=", ">=". */
const char *pr_relation_text(enum pr_relation relation);

/* What stands behind "3 is not " if it does not hold: "", ">= ". */
const char *pr_relation_unmet(enum pr_relation relation);

#endif
