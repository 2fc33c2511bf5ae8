/* SPDX-License-Identifier: GPL-2.0-or-later */
/* patched.c: code that the program writes, runs and changes.
 *
 * In anonymous memory, where Valgrind looks for changes by itself.
 */
#include "freestanding.h"

#if defined(__x86_64__)

static const unsigned char template[] = {
   0x89, 0xf8,                   /* mov %edi, %eax */
   0x05, 0x00, 0x00, 0x00, 0x00, /* add $0, %eax */
   0xff, 0xcf,                   /* dec %edi */
   0x75, 0xf7,                   /* jnz to the add */
   0xc3,                         /* ret */
};

static void add_instead(volatile unsigned char *code, int amount)
{
   code[3] = (unsigned char)amount;
}

#elif defined(__aarch64__)

static const uint32_t template[] = {
   0x2a0003e1, /* mov w1, w0 */
   0x11000021, /* add w1, w1, #0 */
   0x71000400, /* subs w0, w0, #1 */
   0x54ffffc1, /* b.ne to the add */
   0x2a0103e0, /* mov w0, w1 */
   0xd65f03c0, /* ret */
};

/* A processor of this kind must be told. */
static void add_instead(volatile unsigned char *code, int amount)
{
   ((volatile uint32_t *)code)[1] = 0x11000021 | (uint32_t)amount << 10;
   __asm__ volatile("dc cvau, %0\n\tdsb ish\n\tic ivau, %0\n\tdsb ish\n\tisb"
                    :
                    : "r"(code)
                    : "memory");
}

#endif

int program(void)
{
   volatile unsigned char *code =
      (volatile unsigned char *)map(PAGE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC);
   for (unsigned i = 0; i < sizeof template; i++)
      code[i] = ((const unsigned char *)template)[i];
   int (*volatile run)(int) = (int (*)(int))(uintptr_t)code;
   int wrong = 0;
   for (int i = 1; i <= 40; i++) {
      add_instead(code, i);
      wrong += run(10) != 10 + 10 * i;
   }
   return wrong;
}
