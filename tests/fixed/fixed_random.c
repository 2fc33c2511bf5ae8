/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixed_random.c: a program that asks for random numbers in every way, and prints them.
 *
 * It checks itself what must stay as the kernel has it: sizes, errors, and that nothing
 * beyond what was read is written to. The status is the number of what was wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static int wrong;
static void *volatile nowhere; /* no warning: it is passed on purpose */

static void expect(const char *what, bool holds)
{
   if (!holds) {
      printf("%s: no (%s)\n", what, strerror(errno));
      wrong++;
   }
}

static void show(const char *what, const void *bytes, size_t count)
{
   printf("%s:", what);
   for (size_t b = 0; b < count; b++)
      printf(" %02x", ((const unsigned char *)bytes)[b]);
   printf("\n");
}

/* Bytes behind what is read stay. */
struct guarded {
   unsigned char bytes[300], behind[8];
};

static bool is_untouched(const struct guarded *guarded, size_t from)
{
   static const unsigned char zeros[sizeof *guarded];
   return memcmp((const unsigned char *)guarded + from, zeros, sizeof *guarded - from) == 0;
}

static void by_call(void)
{
   struct guarded some = {.bytes = {0}};
   expect("getrandom", getrandom(some.bytes, 13, 0) == 13 && is_untouched(&some, 13));
   show("getrandom", some.bytes, 13);
   expect("getrandom of nothing", getrandom(some.bytes, 0, GRND_NONBLOCK) == 0);
   expect("getrandom to nowhere", getrandom(nowhere, 8, 0) == -1 && errno == EFAULT);
   expect("getrandom with flags", getrandom(some.bytes, 8, 0x4000) == -1 && errno == EINVAL);
   expect("getrandom, blocking", getrandom(some.bytes, 300, GRND_RANDOM) > 0);
   show("getrandom, blocking", some.bytes, 16);
   expect("getentropy", getentropy(some.bytes, 16) == 0);
   show("getentropy", some.bytes, 16);
}

static void by_device(const char *path)
{
   struct guarded some = {.bytes = {0}};
   char through[64];
   int device = open(path, O_RDONLY), again = dup(device);
   snprintf(through, sizeof through, "/proc/self/fd/%d", device);
   int reopened = open(through, O_RDONLY | O_CLOEXEC);
   expect("device", read(device, some.bytes, 20) == 20 && is_untouched(&some, 20));
   show(path, some.bytes, 20);
   expect("duplicate", pread(again, some.bytes, 5, 1000) == 5 && is_untouched(&some, 20));
   show("duplicate", some.bytes, 5);
   struct iovec parts[3] = {{some.bytes, 3}, {some.bytes + 100, 0}, {some.bytes + 200, 7}};
   expect("parts", readv(reopened, parts, 3) == 10 && is_untouched(&some, 207));
   show("parts", some.bytes, 3);
   show("parts", some.bytes + 200, 7);
   expect("to nowhere", read(device, nowhere, 8) == -1 && errno == EFAULT);
   close(device);
   close(again);
   close(reopened);
}

/* What is no random device is what it is. */
static void others(void)
{
   unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
   static const unsigned char zeros[8];
   int zero = open("/dev/zero", O_RDONLY);
   expect("zeros", read(zero, bytes, 8) == 8 && memcmp(bytes, zeros, 8) == 0);
   close(zero);
   int pipes[2];
   expect("pipe", pipe(pipes) == 0 && write(pipes[1], "pipe", 4) == 4 &&
                     read(pipes[0], bytes, 8) == 4 && memcmp(bytes, "pipe", 4) == 0);
   close(pipes[0]);
   close(pipes[1]);
}

static void by_instruction(void)
{
#if defined(__x86_64__)
   unsigned a, b, c = 0, d;
   unsigned long number;
   unsigned char carry;
   if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_RDRND) {
      __asm__ volatile("rdrand %0; setc %1" : "=r"(number), "=q"(carry) : : "cc");
      expect("rdrand", carry == 1);
      show("rdrand", &number, sizeof number);
   }
   if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_RDSEED) {
      __asm__ volatile("rdseed %0; setc %1" : "=r"(number), "=q"(carry) : : "cc");
      show("rdseed", &number, sizeof number);
   }
#endif
}

static void in_children(void)
{
   for (int child = 0; child < 2; child++) {
      int status;
      fflush(stdout);
      if (fork() == 0) {
         unsigned char bytes[8];
         expect("child", getrandom(bytes, 8, 0) == 8);
         show("child", bytes, 8);
         exit(wrong);
      }
      expect("child's status", wait(&status) > 0 && status == 0);
   }
}

int main(void)
{
   show("AT_RANDOM", (const void *)getauxval(AT_RANDOM), 16);
   by_call();
   by_device("/dev/urandom");
   by_device("/dev/random");
   others();
   by_instruction();
   in_children();
   by_call();
   return wrong;
}
