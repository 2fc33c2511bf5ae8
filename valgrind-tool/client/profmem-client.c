/* SPDX-License-Identifier: BSD-2-Clause */
/* profmem-client.c: the inline functions of profmem.h, to be called. */
#include "profmem-client.h"

#include <string.h>

int profmem_client_watching(void)
{
   return profmem_watching();
}

int profmem_client_begin(const char *name, size_t name_bytes)
{
   return profmem_begin_n(name, name_bytes);
}

int profmem_client_end(const char *name, size_t name_bytes)
{
   return profmem_end_n(name, name_bytes);
}

/* Not profmem_read_n: the caller's struct may be an older or a newer one. */
int profmem_client_read(const char *name, size_t name_bytes, struct profmem_numbers *numbers,
                        size_t numbers_bytes)
{
   if (numbers != NULL)
      memset(numbers, 0, numbers_bytes);
   return profmem_request_(PROFMEM_REQUEST_READ, (unsigned long)name, name_bytes,
                           (unsigned long)numbers, numbers_bytes);
}
