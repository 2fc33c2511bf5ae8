/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_pairing_key.h: when two names are the same, strictly and less so. Of pr_pairing.c.
 *
 * A key is compared, and hashed, so that most comparisons end at a number. Keys of equal
 * hashes are compared in full: who makes names that collide gains nothing.
 */
#ifndef PR_PAIRING_KEY_H
#define PR_PAIRING_KEY_H

#include "pr_pairing.h"

enum pr_strictness {
   PR_SAME,          /* functions, objects; of lines, files and numbers */
   PR_SAME_FUNCTION, /* whatever the object */
   PR_SAME_BASE,     /* without parameters and what compilers append to clones */
   PR_STRICTNESSES
};

/* `name` is of the kind: see pr_unit.names. Objects are known by PR_SAME and, whatever their
   version, PR_SAME_BASE. */
uint64_t pr_key_hash(enum pr_unit_kind kind, enum pr_strictness strictness, const void *name);
int pr_key_compare(enum pr_unit_kind kind, enum pr_strictness strictness, const void *a,
                   const void *b);

/* The part of a function's name without its parameters and clone's suffix. */
size_t pr_base_bytes(const char *function);

#endif
