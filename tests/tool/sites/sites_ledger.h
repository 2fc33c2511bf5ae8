/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_ledger.h: a program's own account of who obtained what.
 *
 * Every call on the way to an allocation stands in HERE(), so that the program knows its
 * own call chain: function, file and line as the preprocessor has them, never from debug
 * information or from the stack. Allocation functions are called by OBTAIN(), RESIZE()
 * and GIVE_BACK(), which enter what comes of them under that chain.
 *
 * The account is naive on purpose. Each open instance of a phase has numbers of its own
 * for every site, and at each new maximum of the live bytes in it all sites are copied:
 * that copy is the picture of its peak.
 *
 * sites_report() prints a line for each phase and site (compare_sites.py reads them):
 *
 *    site PHASE LARGEST-BYTES PEAK-BYTES PEAK-BLOCKS TRAFFIC-BYTES TRAFFIC-BLOCKS
 *         TEMPORARY-BLOCKS RETAINED-BYTES RETAINED-BLOCKS FRAME...
 *
 * and one for each pair of sites of which one obtained blocks that the other resized, or
 * gave back (then without NET-BYTES):
 *
 *    resize PHASE BLOCKS BYTES NET-BYTES FRAME... => FRAME...
 *    release PHASE BLOCKS BYTES FRAME... => FRAME...
 *
 * separated by tabs, with FRAME = function|file|line|object|inlined, the innermost first.
 *
 * One HERE() or OBTAIN() to a line: two on one line are one site to a reader of lines.
 * All memory is static. With several threads, the caller holds one lock over each
 * call and its entry. For C and C++.
 */
#ifndef SITES_LEDGER_H
#define SITES_LEDGER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sites_frame {
   const char *function; /* as reported; "...": any frames, none of them in these sources */
   const char *file;
   const char *object;   /* NULL: the program */
   int line;
   int inlined;          /* this frame's function is part of the next one's code */
};

/* Begins `program`. Arguments: depth=N for --num-callers=N; frames=functions if there are
   no lines, frames=none if there are no names either. Others are left alone. */
void sites_start(int argc, char **argv);
void sites_report(void);

void sites_enter(const struct sites_frame *frame);
void sites_leave(void);

/* A heap event at the present chain. */
void sites_obtained(const void *address, size_t bytes);
void sites_resized(const void *old_address, const void *address, size_t bytes);
void sites_given_back(const void *address);

/* The same as profmem_begin() and profmem_end(), and entered. */
void sites_begin(const char *phase);
void sites_end(const char *phase);

void sites_stop(const char *reason) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#ifndef SITES_OBJECT
#define SITES_OBJECT NULL
#endif

#define SITES_ENTER_(name, is_inlined)                                             \
   static const struct sites_frame sites_frame_ = {name, __FILE__, SITES_OBJECT,   \
                                                   __LINE__, is_inlined};          \
   sites_enter(&sites_frame_)

/* Code of its own: nothing of it is merged with another place's. */
#define SITES_LEAVE_()                            \
   sites_leave();                                 \
   __asm__ volatile("# %0" : : "i"(__LINE__))

/* A function that stays one, under its name. */
#ifdef __clang__
#define SITES_FUNCTION __attribute__((noinline))
#else
#define SITES_FUNCTION __attribute__((noipa))
#endif

/* HERE_IN: for functions whose name in the report is not __func__. */
#define HERE_IN(name, is_inlined, call)           \
   do {                                           \
      SITES_ENTER_(name, is_inlined);             \
      call;                                       \
      SITES_LEAVE_();                             \
   } while (0)
#define OBTAIN_IN(name, is_inlined, call, bytes)  \
   __extension__({                                \
      SITES_ENTER_(name, is_inlined);             \
      size_t sites_bytes_ = (bytes);              \
      void *sites_block_ = call;                  \
      sites_obtained(sites_block_, sites_bytes_); \
      SITES_LEAVE_();                             \
      sites_block_;                               \
   })

#define HERE(call) HERE_IN(__func__, 0, call)
#define OBTAIN(call, bytes) OBTAIN_IN(__func__, 0, call, bytes)

/* The block's address may be the old one. */
#define RESIZE(old, bytes)                                           \
   __extension__({                                                   \
      SITES_ENTER_(__func__, 0);                                     \
      void *volatile sites_old_ = (old);                             \
      size_t sites_bytes_ = (bytes);                                 \
      void *sites_block_ = realloc(sites_old_, sites_bytes_);        \
      sites_resized(sites_old_, sites_block_, sites_bytes_);         \
      SITES_LEAVE_();                                                \
      sites_block_;                                                  \
   })
#define GIVE_BACK(call, block)       \
   do {                              \
      SITES_ENTER_(__func__, 0);     \
      sites_given_back(block);       \
      call(block);                   \
      SITES_LEAVE_();                \
   } while (0)

#endif
