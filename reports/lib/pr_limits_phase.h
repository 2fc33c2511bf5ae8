/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits_phase.h: how a limits file names phases. */
#ifndef PR_LIMITS_PHASE_H
#define PR_LIMITS_PHASE_H

#include <stdbool.h>

#include "pr_arena.h"

/* A pattern is a name in which these stand for wildcards. Neither is part of any UTF-8,
   and names of phases are UTF-8. */
enum {
   PR_PATTERN_ANY = 0xFE, /* any characters, also none */
   PR_PATTERN_ONE = 0xFF, /* one character */
};

/* Read a name in bare and quoted parts at the start of the text, which is UTF-8 without
   control characters, and move *at behind it. Returns NULL, or what was expected at
   *at; "" is that no memory is left. */
const char *pr_limits_phase_parse(const char **at, const char *end, struct pr_arena *arena,
                                  const char **pattern, bool *has_wildcard);

#endif
