/* SPDX-License-Identifier: GPL-2.0-or-later */
/* requests.c: client requests, of five instructions each.
 *
 * Their results differ under Valgrind and are thrown away, so that the program
 * takes the same path in both worlds.  In a loop, in straight code, between
 * conditions, and requests that the core, not the tool, answers.
 */
#include "freestanding.h"

#include <valgrind/valgrind.h>

static volatile unsigned ignored;
static char stack[256];

int program(void)
{
   for (int i = 0; i < 300; i++) {
      ignored = RUNNING_ON_VALGRIND;
      if ((i & 3) == 0 && (i & 4) == 0)
         ignored = VALGRIND_COUNT_ERRORS;
   }
   ignored = RUNNING_ON_VALGRIND;
   ignored = RUNNING_ON_VALGRIND;
   ignored = RUNNING_ON_VALGRIND;
   ignored = VALGRIND_STACK_REGISTER(stack, stack + sizeof stack);
   VALGRIND_STACK_DEREGISTER(ignored);
   VALGRIND_DISCARD_TRANSLATIONS(stack, sizeof stack);
   VALGRIND_DISABLE_ERROR_REPORTING;
   VALGRIND_ENABLE_ERROR_REPORTING;
   /* Of no tool: the code base is 'Z' 'Z'. */
   ignored = (unsigned)VALGRIND_DO_CLIENT_REQUEST_EXPR(0, 0x5a5a0001, 1, 2, 3, 4, 5);
   return 0;
}
