/* SPDX-License-Identifier: GPL-2.0-or-later */
/* segv_rep.c: rep string instructions that run into a page not there.
 *
 * The handler makes it accessible and the rep goes on: one instruction, all
 * passes counted once.  Or it skips the rest: not retired, but the passes made.
 *
 * Valgrind has taken a pass off rcx before the pass faults (a processor only
 * after), and promises no register but the instruction and stack pointers at
 * a fault.  The handler therefore sets all three registers to what a
 * processor has there, which it knows from the fault's place.
 */
#include "freestanding.h"

#include "faults.h"

#define ROUNDS 12
#define BEFORE 40 /* bytes in the page that is there */
#define BEYOND 24 /* bytes in the page that is not */

static char *pages, *target;
static volatile int faults_seen;
static volatile int skipping;

static void resume(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   greg_t *registers = saved_registers(context);
   faults_seen++;
   char *edge = pages + PAGE_BYTES;
   if (registers[REG_RIP] == (greg_t)copy_words_fault) {
      registers[REG_RSI] = (greg_t)edge;
      registers[REG_RDI] = (greg_t)(target + BEFORE);
      registers[REG_RCX] = BEYOND / 8;
      if (skipping)
         registers[REG_RIP] = (greg_t)copy_words_after;
   } else if (registers[REG_RIP] == (greg_t)fill_bytes_fault) {
      registers[REG_RDI] = (greg_t)edge;
      registers[REG_RCX] = BEYOND;
      if (skipping)
         registers[REG_RIP] = (greg_t)fill_bytes_after;
   } else {
      registers[REG_RSI] = (greg_t)edge;
      registers[REG_RDI] = (greg_t)(target + BEFORE);
      registers[REG_RCX] = BEYOND;
      if (skipping)
         registers[REG_RIP] = (greg_t)compare_bytes_after;
   }
   if (!skipping)
      protect(edge, PAGE_BYTES, PROT_READ | PROT_WRITE);
}

int program(void)
{
   handle(SIGSEGV, resume, 0);
   pages = map(2 * PAGE_BYTES, PROT_READ | PROT_WRITE);
   target = map(PAGE_BYTES, PROT_READ | PROT_WRITE);
   char *from = pages + PAGE_BYTES - BEFORE;
   int wrong = 0;
   for (int i = 0; i < ROUNDS; i++) {
      skipping = i % 3 == 2;
      protect(pages + PAGE_BYTES, PAGE_BYTES, PROT_NONE);
      fill_bytes(from, i + 1, BEFORE + BEYOND);
      protect(pages + PAGE_BYTES, PAGE_BYTES, PROT_NONE);
      copy_words(target, from, (BEFORE + BEYOND) / 8);
      protect(pages + PAGE_BYTES, PAGE_BYTES, PROT_NONE);
      if (compare_bytes(from, target, BEFORE + BEYOND) != (skipping ? BEYOND : 0))
         wrong++;
      if (target[BEFORE - 1] != i + 1 || target[BEFORE] != (skipping ? i : i + 1))
         wrong++;
   }
   return faults_seen == 3 * ROUNDS && wrong == 0 ? 0 : 1;
}
