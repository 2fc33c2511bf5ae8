/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_mix.c: classes of instructions that were written by hand (mix_rows.h).
 *
 * The assembler makes the bytes. They stand in sections of their own, .mix.x86_64, .mix.i386
 * and .mix.arm64, one behind the other, for mix.bats to disassemble and judge again. On other
 * machines than x86 only arm64 is tested.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pm_mix.h"

struct row {
   const uint8_t *bytes;
   const char *text;
   const char *classes;
   uint64_t length;
};

/* A row of a table; the bytes go into the section, between 991 and 992. */
#define ROW(section, mode, assembly, text, classes)                                        \
   ".pushsection " section ", \"a\"\n" mode "\n991: " assembly "\n992:\n.popsection\n"        \
   ".pushsection .rodata\n993: .asciz \"" text "\"\n994: .asciz \"" classes "\"\n"           \
   ".popsection\n.quad 991b, 993b, 994b, 992b - 991b\n"
#define TEXT(x) #x

extern const struct row rows_arm64[], rows_arm64_end[];

#define X64(assembly, classes)
#define X32(assembly, classes)
#define A64(word, text, classes) ROW(".mix.arm64", "", ".long " TEXT(word), text, classes)
__asm__(".pushsection .data.rel.ro, \"aw\"\n.balign 8\nrows_arm64:\n"
#include "mix_rows.h"
        "rows_arm64_end:\n.popsection\n");
#undef X64
#undef X32
#undef A64

static void class_letters(char letters[PM_MIX_CLASSES + 1], unsigned classes)
{
   size_t length = 0;
   for (unsigned c = 0; c < PM_MIX_CLASSES; c++)
      if (classes >> c & 1)
         letters[length++] = "vflsbcy"[c];
   letters[length] = '\0';
}

/* In memory of just that size, so that AddressSanitizer sees a byte too many. */
static unsigned mix_of(pm_mix_fn *mix, const uint8_t *bytes, size_t length)
{
   uint8_t *exact = malloc(length);
   assert_non_null(exact);
   memcpy(exact, bytes, length);
   unsigned classes = mix(exact, (unsigned)length);
   free(exact);
   assert_int_equal(classes >> PM_MIX_CLASSES, 0);
   return classes;
}

/* All rows that differ are listed before the test fails. */
static void check(pm_mix_fn *mix, const struct row *row, const struct row *end)
{
   unsigned wrong = 0;
   assert_in_range(end - row, 20, 2000);
   for (; row < end; row++) {
      char letters[PM_MIX_CLASSES + 1];
      class_letters(letters, mix_of(mix, row->bytes, row->length));
      if (strcmp(letters, row->classes) != 0) {
         print_message("%s: is '%s', should be '%s'\n", row->text, letters, row->classes);
         wrong++;
      }
      /* What is cut off is read as far as it goes. */
      for (size_t length = 0; length < row->length; length++)
         (void)mix_of(mix, row->bytes, length);
   }
   assert_int_equal(wrong, 0);
}

static void arm64_is_what_people_say(void **state)
{
   (void)state;
   check(pm_mix_arm64, rows_arm64, rows_arm64_end);
}

#if defined(__x86_64__)

#include <valgrind/valgrind.h>

extern const struct row rows_64[], rows_64_end[], rows_32[], rows_32_end[];

#define X64(assembly, classes) ROW(".mix.x86_64", ".code64", assembly, assembly, classes)
#define X32(assembly, classes)
#define A64(word, text, classes)
__asm__(".pushsection .data.rel.ro, \"aw\"\n.balign 8\nrows_64:\n"
#include "mix_rows.h"
        "rows_64_end:\n.popsection\n");
#undef X64
#undef X32
#define X64(assembly, classes)
#define X32(assembly, classes) ROW(".mix.i386", ".code32", assembly, assembly, classes)
__asm__(".pushsection .data.rel.ro, \"aw\"\n.balign 8\nrows_32:\n"
#include "mix_rows.h"
        "rows_32_end:\n.popsection\n.code64\n");

static void x86_64_is_what_people_say(void **state)
{
   (void)state;
   check(pm_mix_x86_64, rows_64, rows_64_end);
}

static void x86_32_is_what_people_say(void **state)
{
   (void)state;
   check(pm_mix_x86_32, rows_32, rows_32_end);
}

/* Segments, the size of addresses, and a lock say nothing about classes. */
static void other_prefixes_change_nothing(void **state)
{
   static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x67, 0xf0};
   (void)state;
   for (const struct row *row = rows_64; row < rows_64_end; row++) {
      unsigned classes = mix_of(pm_mix_x86_64, row->bytes, row->length);
      for (size_t p = 0; p < sizeof prefixes; p++) {
         uint8_t bytes[32] = {prefixes[p]};
         memcpy(bytes + 1, row->bytes, row->length);
         if (mix_of(pm_mix_x86_64, bytes, row->length + 1) != classes)
            fail_msg("%s: another class with %02x before it", row->text, prefixes[p]);
      }
   }
}

extern const uint8_t mix_request[], mix_request_end[];

/* Never called: the client request as valgrind.h writes it. */
__attribute__((noinline, used)) static void make_request(void)
{
   __asm__ volatile("mix_request: " __SPECIAL_INSTRUCTION_PREAMBLE "xchgq %%rbx, %%rbx\n"
                    "mix_request_end:" ::: "cc", "rdi");
}

static void a_client_request_is_in_no_class(void **state)
{
   (void)state;
   assert_int_equal(mix_of(pm_mix_x86_64, mix_request, (size_t)(mix_request_end - mix_request)), 0);
}

#endif

int main(void)
{
   const struct CMUnitTest tests[] = {
#if defined(__x86_64__)
      cmocka_unit_test(x86_64_is_what_people_say),
      cmocka_unit_test(x86_32_is_what_people_say),
      cmocka_unit_test(other_prefixes_change_nothing),
      cmocka_unit_test(a_client_request_is_in_no_class),
#endif
      cmocka_unit_test(arm64_is_what_people_say),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
