/* SPDX-License-Identifier: GPL-2.0-or-later */
/* die_abort.c: killed by a signal that it sends to itself. */
#include "freestanding.h"

int program(void)
{
   long pid = system_call(__NR_getpid, 0, 0, 0, 0, 0, 0);
   system_call(__NR_kill, pid, SIGABRT, 0, 0, 0, 0);
   return 1;
}
