/* SPDX-License-Identifier: GPL-2.0-or-later */
/* patched.c: code that the program writes, runs and changes.
 *
 * In anonymous memory, where Valgrind looks for changes by itself.
 */
#include "freestanding.h"

static const unsigned char template[] = {
   0x89, 0xf8,                   /* mov %edi, %eax */
   0x05, 0x00, 0x00, 0x00, 0x00, /* add $0, %eax */
   0xff, 0xcf,                   /* dec %edi */
   0x75, 0xf7,                   /* jnz to the add */
   0xc3,                         /* ret */
};

int program(void)
{
   volatile unsigned char *code =
      (volatile unsigned char *)map(PAGE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC);
   for (unsigned i = 0; i < sizeof template; i++)
      code[i] = template[i];
   int (*volatile run)(int) = (int (*)(int))(uintptr_t)code;
   int wrong = 0;
   for (int i = 1; i <= 40; i++) {
      code[3] = (unsigned char)i;
      wrong += run(10) != 10 + 10 * i;
   }
   return wrong;
}
