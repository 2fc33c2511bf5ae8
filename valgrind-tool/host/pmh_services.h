/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_services.h: Valgrind's core as the host of the pure core. */
#ifndef PMH_SERVICES_H
#define PMH_SERVICES_H

#include "pub_tool_basics.h"
#include "pm_elf.h"
#include "pm_host.h"

extern const struct pm_host pmh_host;

/* A file for the ELF reader. False: it cannot be opened or is no regular file. */
Bool pmh_file_open(struct pm_elf_file *file, const HChar *path);
void pmh_file_close(struct pm_elf_file *file);

/* There is no memory for what has to be there, such as the tables at the start: says so,
   and the process ends. */
void pmh_out_of_memory(const HChar *what) __attribute__((noreturn));

/* A copy that lives until the process ends. */
HChar *pmh_keep(const HChar *text);

/* Behind the last slash of a path. */
const HChar *pmh_base_name(const HChar *path);

Bool pmh_begins_with(const HChar *text, const HChar *start);

#endif
