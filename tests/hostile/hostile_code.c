/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_code.c: code that the program writes itself, and writes anew.
 *
 *    hostile_code LESSON LEDGER
 *
 * A small translator emits functions that call malloc and free, so many instructions
 * long as it chooses, and calls them; then it writes others over them, or gives the
 * memory back and gets it again. How many emitted instructions are executed follows
 * from what was emitted: they are those of no object and no symbol.
 */
#define _GNU_SOURCE
#include "hostile.h"
#include "profmem.h"

#include <fcntl.h>
#include <sys/mman.h>

enum { CODE_BYTES = 8192, MOST_PADDING = 100 };

static struct deeds deeds;
static struct live live;
static unsigned char *code;
static long long executed; /* emitted instructions */

/* ---- The translator. */

#if defined(__x86_64__)

static unsigned char *emit(unsigned char *at, const void *bytes, size_t count)
{
   memcpy(at, bytes, count);
   return at + count;
}

/* A function that calls another one with an argument. The number of its instructions. */
static int translate(unsigned char *at, uint64_t callee, uint64_t argument, int padding)
{
   at = emit(at, "\x48\x83\xec\x08", 4);   /* sub $8, %rsp */
   memset(at, 0x90, (size_t)padding);       /* nop */
   at += padding;
   at = emit(at, "\x48\xbf", 2);           /* mov $argument, %rdi */
   at = emit(at, &argument, 8);
   at = emit(at, "\x48\xb8", 2);           /* mov $callee, %rax */
   at = emit(at, &callee, 8);
   at = emit(at, "\xff\xd0", 2);           /* call *%rax */
   at = emit(at, "\x48\x83\xc4\x08", 4);   /* add $8, %rsp */
   at = emit(at, "\xc3", 1);               /* ret */
   return padding + 6;
}

/* A function that writes its argument into an instruction of its own that it comes to
   by an indirect jump, and returns what that one loads. (Valgrind takes code that a
   direct jump leads to for part of what was there when the function was entered.) */
static int translate_patching(unsigned char *at)
{
   at = emit(at, "\x89\x3d\x0a\x00\x00\x00", 6);     /* mov %edi, 10(%rip): behind the b8 */
   at = emit(at, "\x48\x8d\x05\x02\x00\x00\x00", 7); /* lea 2(%rip), %rax: of the b8 */
   at = emit(at, "\xff\xe0", 2);                     /* jmp *%rax */
   emit(at, "\xb8\x00\x00\x00\x00\xc3", 6);          /* mov $0, %eax; ret */
   return 5;
}

#elif defined(__aarch64__)

static uint32_t *load(uint32_t *at, unsigned to, uint64_t value)
{
   for (unsigned part = 0; part < 4; part++) {
      uint32_t half = (uint32_t)(value >> (16 * part)) & 0xffff;
      /* movz, then movk */
      *at++ = (part == 0 ? 0xd2800000u : 0xf2800000u) | part << 21 | half << 5 | to;
   }
   return at;
}

static int translate(unsigned char *bytes, uint64_t callee, uint64_t argument, int padding)
{
   uint32_t *start = (uint32_t *)bytes, *at = start;
   *at++ = 0xa9bf7bfd;              /* stp x29, x30, [sp, #-16]! */
   for (int p = 0; p < padding; p++)
      *at++ = 0xd503201f;           /* nop */
   at = load(at, 0, argument);
   at = load(at, 9, callee);
   *at++ = 0xd63f0120;              /* blr x9 */
   *at++ = 0xa8c17bfd;              /* ldp x29, x30, [sp], #16 */
   *at++ = 0xd65f03c0;              /* ret */
   return (int)(at - start);
}

#else
#error "add this platform's translator"
#endif

static void written(void)
{
   __builtin___clear_cache((char *)code, (char *)code + CODE_BYTES);
}

typedef void *(*emitted)(void);

/* ---- emitted: written over in place, or in memory that comes and goes. */

static void get_memory(int file)
{
   code = mmap(code, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
               MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0) | (code ? MAP_FIXED : 0), file, 0);
   check(code != MAP_FAILED, "no memory for code");
}

static void calls_of_emitted_code(int file)
{
   unsigned long rounds = scaled(10000);
   uint64_t chance = 5;
   get_memory(file);
   profmem_begin("code");
   for (unsigned long r = 1; r <= rounds; r++) {
      size_t bytes = r % 500, place = draw(&chance, 16) * 256;
      if (r % 100 == 0) {
         check(munmap(code, CODE_BYTES) == 0, "munmap");
         get_memory(file);
      }
      int padding = (int)draw(&chance, MOST_PADDING);
      executed += translate(code + place, (uintptr_t)malloc, bytes, padding);
      written();
      char *block = ((emitted)(uintptr_t)(code + place))();
      check(block != NULL, "no memory");
      did_obtain(&deeds, r, bytes);
      live_add(&live, (long long)bytes, 1);
      /* Over what was just executed. */
      executed += translate(code + place, (uintptr_t)free, (uintptr_t)block, padding / 2);
      written();
      did_release(&deeds, r, bytes, false);
      live_add(&live, -(long long)bytes, -1);
      ((emitted)(uintptr_t)(code + place))();
   }
   profmem_end("code");
   expect_sums("code", &deeds);
   expect("code", "allocations.temporary", deeds.temporary);
   expect_live("code", &live);
   note("executed", executed);
   print("%lu functions emitted\n", 2 * rounds);
}

static void in_memory(void)
{
   calls_of_emitted_code(-1);
}

/* In a private mapping of a file, where Valgrind does not look for changes unless asked. */
static void in_file(void)
{
   int file = open("code.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
   check(file >= 0 && ftruncate(file, CODE_BYTES) == 0, "no file");
   calls_of_emitted_code(file);
}

/* ---- patching: code that changes itself. */

#if defined(__x86_64__)
static void patches(void)
{
   unsigned long rounds = scaled(10000);
   get_memory(-1);
   int instructions = translate_patching(code);
   profmem_begin("code");
   for (unsigned long r = 0; r < rounds; r++) {
      int loaded = ((int (*)(int))(uintptr_t)code)((int)r * 7);
      check(loaded == (int)r * 7, "what was there before was executed");
      executed += instructions;
   }
   profmem_end("code");
   expect("code", "allocations.count", 0);
   note("executed", executed);
   print("%lu times\n", rounds);
}
#endif

static const struct lesson lessons[] = {
   {"memory", in_memory},
   {"file", in_file},
#if defined(__x86_64__)
   {"patches", patches},
#endif
   {NULL, NULL},
};

int main(int argc, char **argv)
{
   return teach(argc, argv, lessons);
}
