/* SPDX-License-Identifier: GPL-2.0-or-later */
/* die_in_handler.c: a fault inside the handler of a fault, which kills. */
#include "freestanding.h"

#include "faults.h"

static void fault_again(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)context;
   load_word((char *)info->si_addr + 8);
}

int program(void)
{
   handle(SIGSEGV, fault_again, 0);
   load_word(map(PAGE_BYTES, PROT_NONE));
   return 1;
}
