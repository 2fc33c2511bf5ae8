/* SPDX-License-Identifier: BSD-2-Clause */
/* profmem.h: declare phases of a program to profmem, and read their numbers.
 *
 * Copyright (C) 2026 the profmem authors
 *
 * Redistribution and use in source and binary forms, with or without
 * modification, are permitted provided that the following conditions are met:
 * 1. Redistributions of source code must retain the above copyright notice,
 *    this list of conditions and the following disclaimer.
 * 2. Redistributions in binary form must reproduce the above copyright notice,
 *    this list of conditions and the following disclaimer in the documentation
 *    and/or other materials provided with the distribution.
 * THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
 * ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
 * WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED.
 * IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT,
 * INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT
 * NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR
 * PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY,
 * WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
 * ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
 * POSSIBILITY OF SUCH DAMAGE.
 *
 * This file needs nothing but a C compiler (C89 and later, C++98 and later), and
 * nothing is linked. Outside profmem a call is a handful of instructions that do
 * nothing and jump nowhere, so it can stay in the program; other Valgrind tools
 * ignore it. On platforms without profmem, and where NVALGRIND is defined as for
 * Valgrind's own headers, nothing is left of it.
 *
 *    profmem_begin("parse");
 *    ...
 *    profmem_end("parse");
 *
 *    struct profmem_numbers n;
 *    if (profmem_read("parse", &n) == PROFMEM_DONE && n.heap_growth.available)
 *       assert(n.heap_growth.value <= 65536);
 *
 * In C++ an object ends its phase when it goes out of scope:
 *
 *    profmem::phase parsing("parse");
 *
 * A name has at most 255 bytes of UTF-8. It is copied: the memory may be reused.
 * Phases may nest, overlap and repeat, on any thread. A mistake stops nothing: the
 * result of the call tells it, and so does the report.
 */
#ifndef PROFMEM_H
#define PROFMEM_H

/* static also in C++: two parts of a program may have been compiled with two
   versions of this file. */
#ifdef __cplusplus
#define PROFMEM_FN_ static inline
#define PROFMEM_WORD_(pointer) reinterpret_cast<unsigned long>(pointer)
#define PROFMEM_INT_(word) static_cast<int>(word)
#elif defined(__GNUC__)
#define PROFMEM_FN_ static __inline__ __attribute__((__unused__))
#else
#define PROFMEM_FN_ static
#endif
#ifndef __cplusplus
#define PROFMEM_WORD_(pointer) ((unsigned long)(pointer))
#define PROFMEM_INT_(word) ((int)(word))
#endif

/* 64 bits without a sign, also where C89 and C++98 have no name for them: with GCC
   and Clang the type that <stdint.h> calls uint64_t. */
#if defined(__GNUC__)
typedef unsigned int profmem_u64 __attribute__((__mode__(__DI__)));
#elif defined(_MSC_VER)
typedef unsigned __int64 profmem_u64;
#else
typedef unsigned long profmem_u64;
#endif

/* What a call has done. */
enum profmem_result {
   PROFMEM_NOT_WATCHING = 0,  /* the program does not run under profmem */
   PROFMEM_DONE = 1,
   PROFMEM_BEGUN_TWICE = 2,   /* the phase is open on this thread: ignored */
   PROFMEM_NOT_OPEN = 3,      /* there is nothing to end, or nothing to read yet */
   PROFMEM_AMBIGUOUS = 4,     /* open on several other threads: none was ended */
   PROFMEM_NAME_TOO_LONG = 5, /* more than 255 bytes */
   PROFMEM_NAME_NOT_UTF8 = 6, /* or with a 0 byte inside */
   PROFMEM_NAME_UNREADABLE = 7, /* no memory of the program; also when numbers cannot
                                   be written where they shall go */
   PROFMEM_NO_MEMORY = 8      /* in profmem */
};

/* A number, or not: value means nothing unless available is 1. Numbers that can be
   negative (marked signed below) are in two's complement: cast to a signed type. */
struct profmem_value {
   profmem_u64 value;
   profmem_u64 available;
};

/* The numbers of a phase's instance that is open (so far) or ended last. Members
   are only ever added at the end. docs/profmem-report-format.md defines them. */
struct profmem_numbers {
   struct profmem_value heap_entry;          /* bytes */
   struct profmem_value heap_entry_blocks;
   struct profmem_value heap_peak;           /* bytes */
   struct profmem_value heap_peak_blocks;
   struct profmem_value heap_exit;           /* bytes */
   struct profmem_value heap_exit_blocks;
   struct profmem_value heap_growth;         /* bytes */
   struct profmem_value heap_scratch_peak;   /* bytes */
   struct profmem_value heap_retained;       /* bytes */
   struct profmem_value heap_released;       /* bytes */
   struct profmem_value heap_resized;        /* bytes, signed */
   struct profmem_value allocations_count;
   struct profmem_value allocations_bytes;
   struct profmem_value allocations_failed;
   struct profmem_value allocations_temporary;
   struct profmem_value reallocations_count;
   struct profmem_value reallocations_bytes;
   struct profmem_value deallocations_count;
   struct profmem_value deallocations_bytes;
   struct profmem_value deallocations_unmatched;
   struct profmem_value traffic_blocks;
   struct profmem_value traffic_bytes;
   struct profmem_value mapped_peak;         /* bytes */
   struct profmem_value allocator_mapped_peak; /* bytes */
   struct profmem_value instructions_total;
   struct profmem_value instructions_allocator;
   struct profmem_value instructions_program;
   struct profmem_value instructions_own_thread;
   struct profmem_value syscalls_count;
};

/* The requests, "PM" in their upper half. Arguments: the name, its length in bytes
   or -1 when it ends with a 0 byte; PROFMEM_REQUEST_READ also a struct
   profmem_numbers and its size. */
enum profmem_request {
   PROFMEM_REQUEST_WATCHING = 0x504d0000,
   PROFMEM_REQUEST_BEGIN = 0x504d0001,
   PROFMEM_REQUEST_END = 0x504d0002,
   PROFMEM_REQUEST_READ = 0x504d0003
};

/* Make a request; without profmem, the result is 0. The instructions between the
   quotes are the sequence that Valgrind recognises; they change nothing. */
PROFMEM_FN_ int profmem_request_(unsigned long request, unsigned long name,
                                 unsigned long name_bytes, unsigned long numbers,
                                 unsigned long numbers_bytes)
{
#if !defined(NVALGRIND) && defined(__GNUC__) && defined(__linux__) && \
   ((defined(__x86_64__) && !defined(__ILP32__)) || defined(__i386__) || \
    (defined(__aarch64__) && !defined(__ILP32__) && !defined(__AARCH64EB__)))
   volatile unsigned long args[6];
   unsigned long result = 0;
   args[0] = request;
   args[1] = name;
   args[2] = name_bytes;
   args[3] = numbers;
   args[4] = numbers_bytes;
   args[5] = 0;
#if defined(__x86_64__)
   __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
                    "xchgq %%rbx, %%rbx"
                    : "=d"(result)
                    : "a"(&args[0]), "0"(result)
                    : "cc", "memory");
#elif defined(__i386__)
   __asm__ volatile("roll $3, %%edi; roll $13, %%edi; roll $29, %%edi; roll $19, %%edi\n\t"
                    "xchgl %%ebx, %%ebx"
                    : "=d"(result)
                    : "a"(&args[0]), "0"(result)
                    : "cc", "memory");
#else
   __asm__ volatile("mov x3, %1\n\tmov x4, %2\n\t"
                    "ror x12, x12, #3\n\tror x12, x12, #13\n\t"
                    "ror x12, x12, #51\n\tror x12, x12, #61\n\t"
                    "orr x10, x10, x10\n\tmov %0, x3"
                    : "=r"(result)
                    : "r"(result), "r"(&args[0])
                    : "cc", "memory", "x3", "x4");
#endif
   return PROFMEM_INT_(result);
#else
   (void)request;
   (void)name;
   (void)name_bytes;
   (void)numbers;
   (void)numbers_bytes;
   return PROFMEM_NOT_WATCHING;
#endif
}

/* 1 when the program runs under profmem, else 0. */
PROFMEM_FN_ int profmem_watching(void)
{
   return profmem_request_(PROFMEM_REQUEST_WATCHING, 0, 0, 0, 0);
}

/* The calls come in two forms: with a name that ends with a 0 byte, and _n with its
   length in bytes. The result of each is an enum profmem_result. */
PROFMEM_FN_ int profmem_begin_n(const char *name, unsigned long name_bytes)
{
   return profmem_request_(PROFMEM_REQUEST_BEGIN, PROFMEM_WORD_(name), name_bytes, 0, 0);
}

PROFMEM_FN_ int profmem_end_n(const char *name, unsigned long name_bytes)
{
   return profmem_request_(PROFMEM_REQUEST_END, PROFMEM_WORD_(name), name_bytes, 0, 0);
}

/* The numbers of the instance of a phase that is open, on this thread before
   others, or else of the one that ended last. Unless the result is PROFMEM_DONE no
   number is available. */
PROFMEM_FN_ int profmem_read_n(const char *name, unsigned long name_bytes,
                               struct profmem_numbers *numbers)
{
#ifdef __cplusplus
   *numbers = profmem_numbers();
#else
   static struct profmem_numbers none_available; /* never written */
   *numbers = none_available;
#endif
   return profmem_request_(PROFMEM_REQUEST_READ, PROFMEM_WORD_(name), name_bytes,
                           PROFMEM_WORD_(numbers), sizeof *numbers);
}

#define PROFMEM_TO_0_ (~0UL)

PROFMEM_FN_ int profmem_begin(const char *name)
{
   return profmem_begin_n(name, PROFMEM_TO_0_);
}

PROFMEM_FN_ int profmem_end(const char *name)
{
   return profmem_end_n(name, PROFMEM_TO_0_);
}

PROFMEM_FN_ int profmem_read(const char *name, struct profmem_numbers *numbers)
{
   return profmem_read_n(name, PROFMEM_TO_0_, numbers);
}

#ifdef __cplusplus
namespace profmem {

/* Begins a phase where it is made and ends it where it goes out of scope. A phase
   that could not be begun is not ended either. The name must live as long as the
   object. */
class phase {
public:
   explicit phase(const char *name, unsigned long name_bytes = PROFMEM_TO_0_)
      : name_(name), name_bytes_(name_bytes), result_(profmem_begin_n(name, name_bytes))
   {
   }

   ~phase()
   {
      /* Some request in any case: outside profmem there is nothing to decide. */
      const unsigned long request =
         result_ == PROFMEM_DONE ? PROFMEM_REQUEST_END : PROFMEM_REQUEST_WATCHING;
      profmem_request_(request, PROFMEM_WORD_(name_), name_bytes_, 0, 0);
   }

   /* What the begin has done, an enum profmem_result. */
   int result() const { return result_; }

private:
   phase(const phase &);
   phase &operator=(const phase &);
   const char *name_;
   unsigned long name_bytes_;
   int result_;
};

} /* namespace profmem */
#endif

#endif
