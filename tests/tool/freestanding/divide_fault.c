/* SPDX-License-Identifier: GPL-2.0-or-later */
/* divide_fault.c: SIGFPE by integer division, cured by the handler.
 *
 * By zero and by overflow (INT_MIN by -1).  The handler changes the divisor
 * and the division runs again.
 */
#include "freestanding.h"

#include "faults.h"

#define ROUNDS 20

static volatile int faults_seen;

static void change_divisor(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   faults_seen++;
   saved_registers(context)[REG_RCX] = 10;
}

int program(void)
{
   handle(SIGFPE, change_divisor, 0);
   int wrong = 0;
   for (int i = 0; i < ROUNDS; i++) {
      wrong += divide(1000, 0) != 101;
      wrong += divide(1000, 8) != 126;
      wrong += divide(INT32_MIN, -1) != INT32_MIN / 10 + 1;
   }
   return faults_seen == 2 * ROUNDS && wrong == 0 ? 0 : 1;
}
