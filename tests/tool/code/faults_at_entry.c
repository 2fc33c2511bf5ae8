/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults_at_entry.c: functions whose first instruction faults, and runs again or is left out.
 *
 * An instruction that faults has not been executed: a function is called once when its first
 * one runs in the end, and not at all when the handler goes on behind it.
 */
#include "../freestanding/freestanding.h"

#define ROUNDS 21

long loads_first(char *address);
void stores_first(char *address);
void is_left_out(char *address);

#define FUNCTION(name, first)                                                              \
   ".type " name ", %function\n" name ": " first "\n ret\n.size " name ", . - " name "\n"

__asm__(".text\n"
#if defined(__x86_64__)
#define LEFT_OUT_BYTES 3
        FUNCTION("loads_first", "movq (%rdi), %rax")
        FUNCTION("stores_first", "movq %rdi, (%rdi)")
        FUNCTION("is_left_out", "movb $1, (%rdi)"));
#elif defined(__aarch64__)
#define LEFT_OUT_BYTES 4
        FUNCTION("loads_first", "ldr x0, [x0]")
        FUNCTION("stores_first", "str x0, [x0]")
        FUNCTION("is_left_out", "strb w0, [x0]"));
#endif

/* Two pages: for is_left_out, and for the others. */
static char *pages;
static volatile int faults;

static void on_fault(int number, siginfo_t *info, void *context)
{
   (void)number;
   faults++;
   char *page = (char *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE_BYTES - 1));
   if (page == pages)
      *saved_ip(context) += LEFT_OUT_BYTES;
   else
      protect(page, PAGE_BYTES, PROT_READ | PROT_WRITE);
}

int program(void)
{
   handle(SIGSEGV, on_fault, 0);
   pages = map(2 * PAGE_BYTES, PROT_READ | PROT_WRITE);
   char *second = pages + PAGE_BYTES;
   long sum = 0;
   for (int i = 0; i < ROUNDS; i++) {
      protect(pages, 2 * PAGE_BYTES, PROT_NONE);
      sum += loads_first(second);
      protect(second, PAGE_BYTES, PROT_READ);
      stores_first(second + 8);
      is_left_out(pages);
      /* Again, without a fault. */
      sum += loads_first(second);
      stores_first(second + 8);
   }
   return faults == 3 * ROUNDS && sum == 0 ? 0 : 1;
}
