/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_identity.c: which file was it? See run_identity.h. */
#include "run_identity.h"

#include <errno.h>
/* Before libmd's headers, which use its types. */
#include <sha256.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert((int)RUN_DIGEST_TEXT == (int)SHA256_DIGEST_STRING_LENGTH, "room for a digest");

const struct run_identity *run_identify(struct run_identities *identities, const char *path)
{
   struct stat there;
   if (stat(path, &there) != 0)
      return NULL;
   if (!S_ISREG(there.st_mode)) {
      errno = S_ISDIR(there.st_mode) ? EISDIR : EINVAL;
      return NULL;
   }
   for (size_t i = 0; i < identities->count; i++) {
      const struct run_identity *known = identities->items[i];
      if (known->device == there.st_dev && known->inode == there.st_ino)
         return known;
   }
   struct run_identity *identity = pr_arena_alloc(identities->arena, sizeof *identity);
   if (!identity) {
      errno = ENOMEM;
      return NULL;
   }
   identity->device = there.st_dev;
   identity->inode = there.st_ino;
   identity->bytes = (uint64_t)there.st_size;
   if (!SHA256File(path, identity->digest))
      return NULL;
   struct run_identity **item = pr_arena_append(identities->arena, &identities->items,
                                                &identities->count, sizeof *item);
   if (item)
      *item = identity;
   return identity;
}

void run_identify_strings(char *const *strings, size_t count, char *digest)
{
   SHA256_CTX context;
   SHA256_Init(&context);
   for (size_t i = 0; i < count; i++)
      SHA256_Update(&context, (const uint8_t *)strings[i], strlen(strings[i]) + 1);
   SHA256_End(&context, digest);
}
