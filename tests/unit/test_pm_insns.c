/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_insns.c: traits of instructions, from the bytes that the assembler makes.
 *
 * Each row is assembly and what must be said about it: the assembler writes the bytes,
 * with every prefix where it puts it. On other machines than x86 only the bytes that are
 * written out here are tested.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "pm_insns.h"

enum { PLAIN = 0, REP = 1, REQUEST = 2, RETRY = 4, DIVIDE = 8 };

static void check(pm_insn_traits_fn *traits_of, const uint8_t *bytes, unsigned length,
                  unsigned should, const char *text)
{
   /* In memory of just that size, so that AddressSanitizer sees a byte too many. */
   uint8_t *exact = malloc(length);
   assert_non_null(exact);
   memcpy(exact, bytes, length);
   struct pm_insn_traits traits = traits_of(exact, length);
   free(exact);
   unsigned is = (traits.rep ? REP : 0) | (traits.request ? REQUEST : 0) |
                 (traits.may_retry ? RETRY : 0) | (traits.may_divide ? DIVIDE : 0);
   if (is != should)
      fail_msg("%s: is %u, should be %u", text, is, should);
   assert_int_equal(traits.instrs, should & REQUEST ? 5 : 1);
   /* The last one of several is no longer than the others. */
   unsigned last = length - (traits.instrs - 1u) * traits.first_bytes;
   assert_true(traits.instrs == 1 || (last > 0 && last <= traits.first_bytes));
}

struct row {
   const uint8_t *bytes;
   const char *text;
   uint32_t length;
   uint32_t should;
};

#if defined(__x86_64__)

#include <valgrind/valgrind.h>

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

/* A row of the table: the bytes go elsewhere, between 991 and 992. */
#define ROW(code, assembly, should)                                                       \
   ".pushsection .rodata\n " code "\n991: " assembly "\n992: .code64\n"                   \
   "993: .asciz \"" assembly "\"\n.popsection\n"                                          \
   ".quad 991b, 993b\n.long 992b - 991b, " VALUE(should) "\n"
#define ROW_64(assembly, should) ROW(".code64", assembly, should)
#define ROW_32(assembly, should) ROW(".code32", assembly, should)

/* The assembler cannot see the enum. */
#define PLAIN_ 0
#define REP_ 1
#define REQUEST_ 2
#define RETRY_ 4
#define DIVIDE_ 8

extern const struct row rows_64[], rows_64_end[], rows_32[], rows_32_end[];

__asm__(".pushsection .data.rel.ro, \"aw\"\n.balign 8\nrows_64:\n"
   /* String instructions: all sizes, with and without a repetition. */
   ROW_64("movsb", PLAIN_) ROW_64("rep movsb", REP_) ROW_64("rep movsw", REP_)
   ROW_64("rep movsl", REP_) ROW_64("rep movsq", REP_)
   ROW_64("stosb", PLAIN_) ROW_64("rep stosb", REP_) ROW_64("rep stosw", REP_)
   ROW_64("rep stosq", REP_) ROW_64("rep lodsb", REP_) ROW_64("rep lodsq", REP_)
   ROW_64("cmpsb", PLAIN_) ROW_64("repe cmpsb", REP_) ROW_64("repne cmpsw", REP_)
   ROW_64("repe cmpsq", REP_) ROW_64("scasb", PLAIN_) ROW_64("repe scasb", REP_)
   ROW_64("repne scasb", REP_) ROW_64("repne scasl", REP_) ROW_64("repne scasq", REP_)
   ROW_64("rep movsb %fs:(%rsi), %es:(%rdi)", REP_)
   ROW_64("rep movsb (%esi), %es:(%edi)", REP_)
   ROW_64("rep movsw %gs:(%esi), %es:(%edi)", REP_)
   ROW_64(".byte 0xf2, 0xa4", REP_)             /* repne movsb, as some write it */
   ROW_64(".byte 0x66, 0xf3, 0x48, 0xa5", REP_) /* a prefix that REX.W overrides */
   ROW_64(".byte 0xf3, 0x66, 0xab", REP_)
   ROW_64(".byte 0xf2, 0xf3, 0xa6", REP_)
   /* The same prefix bytes on what is no string instruction. */
   ROW_64("rep ret", PLAIN_) ROW_64("pause", PLAIN_) ROW_64("endbr64", PLAIN_)
   ROW_64("popcnt %rax, %rbx", PLAIN_) ROW_64("tzcnt %eax, %ebx", PLAIN_)
   ROW_64("movss %xmm0, (%rax)", PLAIN_) ROW_64("cvtsi2sd %rax, %xmm1", PLAIN_)
   ROW_64("movsd %xmm0, %xmm1", PLAIN_) ROW_64("movq %xmm9, %xmm12", PLAIN_)
   ROW_64(".byte 0xf2, 0xff, 0xe0", PLAIN_) /* bnd jmp *%rax; clang's assembler has no bnd */
   ROW_64("test $0xa4, %al", PLAIN_) ROW_64("mov $0xa4, %al", PLAIN_)
   ROW_64("vmovss (%rax), %xmm0", PLAIN_)
   ROW_64("vpermq $0xa4, %ymm1, %ymm2", PLAIN_)
   /* Locked instructions, and exchanges that lock by themselves. */
   ROW_64("lock incl (%rax)", RETRY_) ROW_64("lock xaddq %rax, (%rbx)", RETRY_)
   ROW_64("lock cmpxchgl %ecx, (%rdx)", RETRY_) ROW_64("lock cmpxchg16b (%rsi)", RETRY_)
   ROW_64("lock cmpxchg8b (%rsi)", RETRY_) ROW_64("lock orl $0, (%rsp)", RETRY_)
   ROW_64("lock btsq $3, (%r8)", RETRY_) ROW_64("lock addw $1, %fs:(%r13)", RETRY_)
   ROW_64("xchg %al, (%rbx)", RETRY_) ROW_64("xchg %r9, (%rbx)", RETRY_)
   ROW_64("xchg %eax, 8(%rsp)", RETRY_) ROW_64("xchg %ax, (%r12)", RETRY_)
   ROW_64("xchg %rax, 4660(%rip)", RETRY_) ROW_64("xacquire xchg %eax, (%rcx)", RETRY_)
   ROW_64("xchg %rbx, %rcx", PLAIN_) ROW_64("xchg %al, %bl", PLAIN_)
   ROW_64("xchg %al, %al", PLAIN_)
   ROW_64("xchg %rax, %r9", PLAIN_) ROW_64("cmpxchg %ecx, (%rdx)", PLAIN_)
   ROW_64("xadd %eax, (%rdx)", PLAIN_)
   /* Divisions fault without touching memory. */
   ROW_64("div %bl", DIVIDE_) ROW_64("idiv %cl", DIVIDE_) ROW_64("div %r8b", DIVIDE_)
   ROW_64("divw %cx", DIVIDE_) ROW_64("divl %ecx", DIVIDE_) ROW_64("divq %r15", DIVIDE_)
   ROW_64("idivw %si", DIVIDE_) ROW_64("idivl %edi", DIVIDE_) ROW_64("idivq %rcx", DIVIDE_)
   ROW_64("divq (%rax)", DIVIDE_) ROW_64("idivl 8(%rsp)", DIVIDE_)
   ROW_64("divb %gs:(%eax)", DIVIDE_) ROW_64("idivq 8(%r12, %r13, 4)", DIVIDE_)
   ROW_64("mul %rcx", PLAIN_) ROW_64("imulq (%rcx)", PLAIN_) ROW_64("not %eax", PLAIN_)
   ROW_64("neg %r10", PLAIN_) ROW_64("testl $1, %ecx", PLAIN_) ROW_64("testb $1, (%rax)", PLAIN_)
   ROW_64("lock notl (%rax)", RETRY_) ROW_64("lock negq (%r9)", RETRY_)
   ROW_64("divss %xmm1, %xmm2", PLAIN_) ROW_64("divpd %xmm1, %xmm2", PLAIN_)
   ROW_64("fdiv %st(1)", PLAIN_) ROW_64("vdivps %ymm1, %ymm2, %ymm3", PLAIN_)
   /* Pieces of a client request. */
   ROW_64("rolq $3, %rdi", PLAIN_) ROW_64("rolq $13, %rdi", PLAIN_)
   ROW_64("rolq $61, %rdi", PLAIN_) ROW_64("rolq $51, %rdi", PLAIN_)
   ROW_64("xchgq %rbx, %rbx", PLAIN_)
   /* Everyday ones. */
   ROW_64("nop", PLAIN_) ROW_64("push %rbp", PLAIN_) ROW_64("call *%rax", PLAIN_)
   ROW_64("nopw %cs:512(%rax, %rax, 1)", PLAIN_) ROW_64("syscall", PLAIN_)
   ROW_64("movabs $0xa4a4a4a4a4a4a4a4, %rax", PLAIN_)
   "rows_64_end:\nrows_32:\n"
   ROW_32("rep movsb", REP_) ROW_32("repne scasb", REP_) ROW_32("repe cmpsl", REP_)
   ROW_32("rep movsl %fs:(%esi), %es:(%edi)", REP_) ROW_32("rep stosw", REP_)
   ROW_32("rep movsb (%si), %es:(%di)", REP_)
   ROW_32("lock incl (%eax)", RETRY_) ROW_32("xchg %eax, (%ebx)", RETRY_)
   ROW_32("xchg %eax, %ebx", PLAIN_) ROW_32("lock cmpxchg8b (%esi)", RETRY_)
   ROW_32("divl %ecx", DIVIDE_) ROW_32("idivb (%eax)", DIVIDE_) ROW_32("mull %ecx", PLAIN_)
   /* What is a REX prefix elsewhere is an instruction here. */
   ROW_32("inc %eax", PLAIN_) ROW_32("dec %edi", PLAIN_)
   ROW_32(".byte 0xc1,0xc7,0x03, 0xc1,0xc7,0x0d, 0xc1,0xc7,0x1d, 0xc1,0xc7,0x13, 0x87,0xdb",
          REQUEST_)
   ROW_32("roll $3, %edi", PLAIN_)
   "rows_32_end:\n.popsection\n");

extern const uint8_t request[], request_end[];

/* Never called: the client request as valgrind.h writes it. */
__attribute__((noinline, used)) static void make_request(void)
{
   __asm__ volatile("request: " __SPECIAL_INSTRUCTION_PREAMBLE "xchgq %%rbx, %%rbx\n"
                    "request_end:" ::: "cc", "rdi");
}

static void valgrinds_request_is_one(void **state)
{
   (void)state;
   check(pm_insn_traits_x86_64, request, (unsigned)(request_end - request), REQUEST,
         "a client request");
   /* Without what makes it one, it is four rotations; VEX shows them one by one. */
   check(pm_insn_traits_x86_64, request, 4, PLAIN, "a rotation");
   check(pm_insn_traits_x86_64, request, 16, PLAIN, "four rotations");
}

static void x86_64_is_what_the_assembler_says(void **state)
{
   (void)state;
   assert_in_range(rows_64_end - rows_64, 80, 1000);
   for (const struct row *row = rows_64; row < rows_64_end; row++)
      check(pm_insn_traits_x86_64, row->bytes, row->length, row->should, row->text);
}

static void x86_32_is_what_the_assembler_says(void **state)
{
   (void)state;
   assert_in_range(rows_32_end - rows_32, 10, 1000);
   for (const struct row *row = rows_32; row < rows_32_end; row++)
      check(pm_insn_traits_x86_32, row->bytes, row->length, row->should, row->text);
}

#endif

/* Bytes that are no whole instruction are read as far as they go. */
static void stumps_are_plain(void **state)
{
   static const uint8_t stumps[][4] = {
      {1, 0xf3}, {1, 0xf0}, {2, 0xf3, 0x48}, {1, 0x48}, {3, 0x66, 0x66, 0x66}, {1, 0x90},
   };
   (void)state;
   for (size_t s = 0; s < sizeof stumps / sizeof *stumps; s++) {
      check(pm_insn_traits_x86_64, stumps[s] + 1, stumps[s][0], PLAIN, "a stump");
      check(pm_insn_traits_x86_32, stumps[s] + 1, stumps[s][0], PLAIN, "a stump");
   }
}

static void arm64_is_what_the_manual_says(void **state)
{
   static const struct {
      uint32_t word;
      unsigned should;
      const char *text;
   } words[] = {
      {0xc85f7c20, RETRY, "ldxr x0, [x1]"},        {0xc8027c20, RETRY, "stxr w2, x0, [x1]"},
      {0xc85ffc20, RETRY, "ldaxr x0, [x1]"},       {0xc8bf7c41, RETRY, "cas xzr, x1, [x2]"},
      {0xf8200041, RETRY, "ldadd x0, x1, [x2]"},   {0xf8208041, RETRY, "swp x0, x1, [x2]"},
      {0xb9400020, RETRY, "ldr w0, [x1]"},         {0xa9bf7bfd, RETRY, "stp x29, x30, [sp, -16]!"},
      {0x54000040, PLAIN, "b.eq +8"},              {0x14000000, PLAIN, "b ."},
      {0xb4000000, PLAIN, "cbz x0, ."},            {0xd65f03c0, PLAIN, "ret"},
      {0xd61f0000, PLAIN, "br x0"},                {0x94000000, PLAIN, "bl ."},
      {0x36000000, PLAIN, "tbz w0, 0, ."},         {0xd4000001, PLAIN, "svc 0"},
      {0x8b020020, PLAIN, "add x0, x1, x2"},       {0x9ac20820, PLAIN, "udiv x0, x1, x2"},
      {0xd503201f, PLAIN, "nop"},                  {0x1e622820, PLAIN, "fadd d0, d1, d2"},
      {0xd2800000, PLAIN, "mov x0, 0"},            {0x4ea28420, PLAIN, "add v0.4s, v1.4s, v2.4s"},
   };
   (void)state;
   for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
      const uint8_t bytes[] = {(uint8_t)words[w].word, (uint8_t)(words[w].word >> 8),
                               (uint8_t)(words[w].word >> 16), (uint8_t)(words[w].word >> 24)};
      check(pm_insn_traits_arm64, bytes, 4, words[w].should, words[w].text);
   }

   /* ror x12, x12, 3, 13, 51 and 61, then orr x10, x10, x10: VEX takes all for one. */
   static const uint8_t sequence[] = {0x8c, 0x0d, 0xcc, 0x93, 0x8c, 0x35, 0xcc, 0x93,
                                     0x8c, 0xcd, 0xcc, 0x93, 0x8c, 0xf5, 0xcc, 0x93,
                                     0x4a, 0x01, 0x0a, 0xaa};
   check(pm_insn_traits_arm64, sequence, sizeof sequence, REQUEST, "a client request");
}

int main(void)
{
   const struct CMUnitTest tests[] = {
#if defined(__x86_64__)
      cmocka_unit_test(valgrinds_request_is_one),
      cmocka_unit_test(x86_64_is_what_the_assembler_says),
      cmocka_unit_test(x86_32_is_what_the_assembler_says),
#endif
      cmocka_unit_test(stumps_are_plain),
      cmocka_unit_test(arm64_is_what_the_manual_says),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
