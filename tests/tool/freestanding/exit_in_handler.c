/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exit_in_handler.c: the handler of a fault ends the process, with status 7. */
#include "freestanding.h"

#include "faults.h"

static void leave(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   (void)context;
   system_call(__NR_exit_group, 7, 0, 0, 0, 0, 0);
}

int program(void)
{
   handle(SIGSEGV, leave, 0);
   load_word(map(PAGE_BYTES, PROT_NONE));
   return 1;
}
