/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_identity.h: which file was it? SHA-256 of the files that a run depends on.
 *
 * Each is read once, however many reports name it. A file that changes while it is read,
 * or between the run and its reading, is not detected.
 */
#ifndef RUN_IDENTITY_H
#define RUN_IDENTITY_H

#include <stdint.h>
#include <sys/types.h>

#include "pr_arena.h"

enum { RUN_DIGEST_TEXT = 65 }; /* hexadecimal digits and a NUL */

struct run_identity {
   dev_t device;
   ino_t inode;
   uint64_t bytes;
   char digest[RUN_DIGEST_TEXT];
};

struct run_identities {
   struct pr_arena *arena;
   struct run_identity **items;
   size_t count;
};

/* The regular file at `path`. NULL: errno. */
const struct run_identity *run_identify(struct run_identities *identities, const char *path);

/* The digest of strings in their order, each with its NUL. */
void run_identify_strings(char *const *strings, size_t count, char *digest);

#endif
