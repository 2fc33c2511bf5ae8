/* SPDX-License-Identifier: BSD-2-Clause */
/* profmem-client.h: the calls of profmem.h as functions of a shared library.
 *
 * libprofmem-client is for languages that can call C functions and cannot include
 * profmem.h. C and C++ programs need no library. The calls do what those of
 * profmem.h do, and return the same results (enum profmem_result), as int.
 *
 * A name is a pointer and a length in bytes; no 0 byte need follow. The phase begins
 * when begin has made its request and ends when end has made its own: what the
 * library executes between them, the return from begin and the start of end, is
 * counted in instructions.total.
 *
 * The binary interface: later versions add functions, and members at the end of
 * struct profmem_numbers. So a caller passes the size of the struct that it knows.
 */
#ifndef PROFMEM_CLIENT_H
#define PROFMEM_CLIENT_H

#include <stddef.h>
#include "profmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1 when the program runs under profmem, else 0. */
int profmem_client_watching(void);

int profmem_client_begin(const char *name, size_t name_bytes);
int profmem_client_end(const char *name, size_t name_bytes);

/* All numbers_bytes bytes are written: 0 is "unavailable". A null pointer is
   PROFMEM_NAME_UNREADABLE, unless nobody is watching. */
int profmem_client_read(const char *name, size_t name_bytes, struct profmem_numbers *numbers,
                        size_t numbers_bytes);

#ifdef __cplusplus
}
#endif

#endif
