/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_relation.c: how the two sides of an identity are related. See pr_relation.h. */
#include "pr_relation.h"

bool pr_relation_holds(enum pr_relation relation, __int128 left, __int128 right)
{
   switch (relation) {
   case PR_EQUAL: return left == right;
   case PR_AT_LEAST: return left >= right;
   case PR_AT_MOST: return left <= right;
   }
   return false;
}

const char *pr_relation_text(enum pr_relation relation)
{
   static const char *const texts[] = {
      [PR_EQUAL] = "=",
      [PR_AT_LEAST] = ">=",
      [PR_AT_MOST] = "<=",
   };
   return texts[relation];
}

const char *pr_relation_unmet(enum pr_relation relation)
{
   static const char *const texts[] = {
      [PR_EQUAL] = "",
      [PR_AT_LEAST] = ">= ",
      [PR_AT_MOST] = "<= ",
   };
   return texts[relation];
}
