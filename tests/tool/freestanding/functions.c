/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.c: every allocation function that is known by its name.
 *
 * Defines a function of each name, as its library's manual declares it, and
 * calls each once.  Blocks come from one pointer that only goes up.  Prints
 * what must be reported, and a line `function NAME` for each name.
 *
 * The lists are this test's own, written down from the manuals of the C and
 * C++ libraries, jemalloc, mimalloc, gperftools, rpmalloc and Rust: they are
 * not made from the tool's table.
 */
#include "freestanding.h"

#include "print.h"

#define JEMALLOC(X, name) X(name) X(je_##name) X(_rjem_##name)
#define MIMALLOC(X, name) X(mi_##name)
#define TCMALLOC(X, name) X(tc_##name)

/* name(size, ...) */
#define OBTAIN(X) \
   JEMALLOC(X, malloc) JEMALLOC(X, valloc) JEMALLOC(X, mallocx) X(pvalloc) \
   X(_Znwm) X(_Znam) X(_ZnwmRKSt9nothrow_t) X(_ZnamRKSt9nothrow_t) \
   X(_ZnwmSt11align_val_t) X(_ZnamSt11align_val_t) \
   X(_ZnwmSt11align_val_tRKSt9nothrow_t) X(_ZnamSt11align_val_tRKSt9nothrow_t) \
   X(__rust_alloc) X(__rust_alloc_zeroed) \
   X(_RNvCsksNHhV2ev0e_7___rustc12___rust_alloc) \
   X(_RNvCsksNHhV2ev0e_7___rustc19___rust_alloc_zeroed) \
   MIMALLOC(X, malloc) MIMALLOC(X, malloc_small) MIMALLOC(X, zalloc) MIMALLOC(X, zalloc_small) \
   MIMALLOC(X, malloc_aligned) MIMALLOC(X, malloc_aligned_at) MIMALLOC(X, zalloc_aligned) \
   MIMALLOC(X, zalloc_aligned_at) MIMALLOC(X, valloc) MIMALLOC(X, pvalloc) MIMALLOC(X, new) \
   MIMALLOC(X, new_aligned) MIMALLOC(X, new_nothrow) MIMALLOC(X, new_aligned_nothrow) \
   TCMALLOC(X, malloc) TCMALLOC(X, valloc) TCMALLOC(X, pvalloc) TCMALLOC(X, new) \
   TCMALLOC(X, new_nothrow) TCMALLOC(X, new_aligned) TCMALLOC(X, new_aligned_nothrow) \
   TCMALLOC(X, newarray) TCMALLOC(X, newarray_nothrow) TCMALLOC(X, newarray_aligned) \
   TCMALLOC(X, newarray_aligned_nothrow) X(rpmalloc) X(rpzalloc)

/* name(count, size, ...) */
#define OBTAIN_PRODUCT(X) \
   JEMALLOC(X, calloc) MIMALLOC(X, calloc) MIMALLOC(X, mallocn) MIMALLOC(X, calloc_aligned) \
   MIMALLOC(X, calloc_aligned_at) MIMALLOC(X, new_n) TCMALLOC(X, calloc) X(rpcalloc)

/* name(alignment or heap, size, ...) */
#define OBTAIN_SECOND(X) \
   JEMALLOC(X, memalign) JEMALLOC(X, aligned_alloc) MIMALLOC(X, memalign) \
   MIMALLOC(X, aligned_alloc) TCMALLOC(X, memalign) X(rpmemalign) X(rpaligned_alloc) \
   MIMALLOC(X, heap_malloc) MIMALLOC(X, heap_malloc_small) MIMALLOC(X, heap_zalloc) \
   MIMALLOC(X, heap_malloc_aligned) MIMALLOC(X, heap_zalloc_aligned)

/* name(alignment or heap, count, size) */
#define OBTAIN_SECOND_PRODUCT(X) \
   MIMALLOC(X, heap_calloc) MIMALLOC(X, heap_mallocn) X(rpaligned_calloc)

/* name(&result, alignment, size), 0 if all went well */
#define OBTAIN_BY_POINTER(X) \
   JEMALLOC(X, posix_memalign) MIMALLOC(X, posix_memalign) TCMALLOC(X, posix_memalign) \
   X(rpposix_memalign)

/* name(old, size, ...) */
#define RESIZE(X) \
   JEMALLOC(X, realloc) JEMALLOC(X, rallocx) MIMALLOC(X, realloc) MIMALLOC(X, reallocf) \
   MIMALLOC(X, rezalloc) MIMALLOC(X, realloc_aligned) MIMALLOC(X, realloc_aligned_at) \
   MIMALLOC(X, rezalloc_aligned) MIMALLOC(X, rezalloc_aligned_at) MIMALLOC(X, new_realloc) \
   TCMALLOC(X, realloc) X(rprealloc)

/* name(old, count, size, ...) */
#define RESIZE_PRODUCT(X) \
   X(reallocarray) MIMALLOC(X, reallocarray) MIMALLOC(X, reallocn) MIMALLOC(X, recalloc) \
   MIMALLOC(X, new_reallocn)

/* name(heap, old, size) */
#define RESIZE_SECOND(X) \
   MIMALLOC(X, heap_realloc) MIMALLOC(X, heap_reallocf) MIMALLOC(X, heap_rezalloc)

/* name(heap, old, count, size) */
#define RESIZE_SECOND_PRODUCT(X) MIMALLOC(X, heap_reallocn) MIMALLOC(X, heap_recalloc)

/* name(old, alignment, size, old size, ...) */
#define RESIZE_THIRD(X) X(rpaligned_realloc)

/* name(old, old size, alignment, size) */
#define RESIZE_FOURTH(X) \
   X(__rust_realloc) X(_RNvCsksNHhV2ev0e_7___rustc14___rust_realloc)

/* name(old, size, extra, ...): in place; the size there is */
#define RESIZE_IN_PLACE(X) JEMALLOC(X, xallocx)

/* name(old, ...) */
#define RELEASE(X) \
   JEMALLOC(X, free) JEMALLOC(X, dallocx) JEMALLOC(X, sdallocx) X(cfree) X(free_sized) \
   X(free_aligned_sized) X(_ZdlPv) X(_ZdaPv) X(_ZdlPvm) X(_ZdaPvm) \
   X(_ZdlPvRKSt9nothrow_t) X(_ZdaPvRKSt9nothrow_t) \
   X(_ZdlPvSt11align_val_t) X(_ZdaPvSt11align_val_t) \
   X(_ZdlPvmSt11align_val_t) X(_ZdaPvmSt11align_val_t) \
   X(_ZdlPvSt11align_val_tRKSt9nothrow_t) X(_ZdaPvSt11align_val_tRKSt9nothrow_t) \
   X(__rust_dealloc) X(_RNvCsksNHhV2ev0e_7___rustc14___rust_dealloc) \
   MIMALLOC(X, free) MIMALLOC(X, cfree) MIMALLOC(X, free_size) MIMALLOC(X, free_aligned) \
   MIMALLOC(X, free_size_aligned) TCMALLOC(X, free) TCMALLOC(X, free_sized) TCMALLOC(X, cfree) \
   TCMALLOC(X, delete) TCMALLOC(X, delete_nothrow) TCMALLOC(X, delete_sized) \
   TCMALLOC(X, delete_aligned) TCMALLOC(X, delete_sized_aligned) \
   TCMALLOC(X, delete_aligned_nothrow) TCMALLOC(X, deletearray) TCMALLOC(X, deletearray_nothrow) \
   TCMALLOC(X, deletearray_sized) TCMALLOC(X, deletearray_aligned) \
   TCMALLOC(X, deletearray_sized_aligned) TCMALLOC(X, deletearray_aligned_nothrow) X(rpfree)

static char arena[1 << 20];
static char *next = arena;

static char *take(size_t bytes)
{
   char *block = next;
   next += bytes / 16 * 16 + 16;
   return block;
}

/* ---- The functions.  noipa: each keeps its own body and its arguments. */

#define FUNCTION(result, name) __attribute__((noipa)) result name
#define DEFINE_OBTAIN(name) FUNCTION(char *, name)(size_t bytes) { return take(bytes); }
#define DEFINE_OBTAIN_PRODUCT(name) \
   FUNCTION(char *, name)(size_t count, size_t bytes) { return take(count * bytes); }
#define DEFINE_OBTAIN_SECOND(name) \
   FUNCTION(char *, name)(size_t first, size_t bytes) { (void)first; return take(bytes); }
#define DEFINE_OBTAIN_SECOND_PRODUCT(name) \
   FUNCTION(char *, name)(size_t first, size_t count, size_t bytes) \
   { (void)first; return take(count * bytes); }
#define DEFINE_OBTAIN_BY_POINTER(name) \
   FUNCTION(int, name)(char **result, size_t alignment, size_t bytes) \
   { (void)alignment; *result = take(bytes); return 0; }
#define DEFINE_RESIZE(name) \
   FUNCTION(char *, name)(char *old, size_t bytes) { (void)old; return take(bytes); }
#define DEFINE_RESIZE_PRODUCT(name) \
   FUNCTION(char *, name)(char *old, size_t count, size_t bytes) \
   { (void)old; return take(count * bytes); }
#define DEFINE_RESIZE_SECOND(name) \
   FUNCTION(char *, name)(size_t heap, char *old, size_t bytes) \
   { (void)heap; (void)old; return take(bytes); }
#define DEFINE_RESIZE_SECOND_PRODUCT(name) \
   FUNCTION(char *, name)(size_t heap, char *old, size_t count, size_t bytes) \
   { (void)heap; (void)old; return take(count * bytes); }
#define DEFINE_RESIZE_THIRD(name) \
   FUNCTION(char *, name)(char *old, size_t alignment, size_t bytes, size_t old_bytes) \
   { (void)old; (void)alignment; (void)old_bytes; return take(bytes); }
#define DEFINE_RESIZE_FOURTH(name) \
   FUNCTION(char *, name)(char *old, size_t old_bytes, size_t alignment, size_t bytes) \
   { (void)old; (void)alignment; (void)old_bytes; return take(bytes); }
#define DEFINE_RESIZE_IN_PLACE(name) \
   FUNCTION(size_t, name)(char *old, size_t bytes) { (void)old; return bytes; }
#define DEFINE_RELEASE(name) FUNCTION(void, name)(char *old) { *old = 1; }

OBTAIN(DEFINE_OBTAIN)
OBTAIN_PRODUCT(DEFINE_OBTAIN_PRODUCT)
OBTAIN_SECOND(DEFINE_OBTAIN_SECOND)
OBTAIN_SECOND_PRODUCT(DEFINE_OBTAIN_SECOND_PRODUCT)
OBTAIN_BY_POINTER(DEFINE_OBTAIN_BY_POINTER)
RESIZE(DEFINE_RESIZE)
RESIZE_PRODUCT(DEFINE_RESIZE_PRODUCT)
RESIZE_SECOND(DEFINE_RESIZE_SECOND)
RESIZE_SECOND_PRODUCT(DEFINE_RESIZE_SECOND_PRODUCT)
RESIZE_THIRD(DEFINE_RESIZE_THIRD)
RESIZE_FOURTH(DEFINE_RESIZE_FOURTH)
RESIZE_IN_PLACE(DEFINE_RESIZE_IN_PLACE)
RELEASE(DEFINE_RELEASE)

/* ---- The calls, each with sizes of its own. */

static uint64_t blocks, bytes, resizes, resize_bytes, releases, release_bytes;
static size_t size = 100;

static size_t new_size(void)
{
   size += 7;
   return size;
}

static void obtained(size_t size_bytes)
{
   blocks++;
   bytes += size_bytes;
}

static char *block_of(size_t size_bytes)
{
   obtained(size_bytes);
   return malloc(size_bytes);
}

static void resized(size_t size_bytes)
{
   resizes++;
   resize_bytes += size_bytes;
}

#define CALL_OBTAIN(name) name(new_size()); obtained(size);
#define CALL_OBTAIN_PRODUCT(name) name(3, new_size()); obtained(3 * size);
#define CALL_OBTAIN_SECOND(name) name(64, new_size()); obtained(size);
#define CALL_OBTAIN_SECOND_PRODUCT(name) name(64, 5, new_size()); obtained(5 * size);
#define CALL_OBTAIN_BY_POINTER(name) name(&result, 64, new_size()); obtained(size);
#define CALL_RESIZE(name) name(block_of(40), new_size()); resized(size);
#define CALL_RESIZE_PRODUCT(name) name(block_of(40), 3, new_size()); resized(3 * size);
#define CALL_RESIZE_SECOND(name) name(64, block_of(40), new_size()); resized(size);
#define CALL_RESIZE_SECOND_PRODUCT(name) \
   name(64, block_of(40), 3, new_size()); resized(3 * size);
#define CALL_RESIZE_THIRD(name) name(block_of(40), 16, new_size(), 40); resized(size);
#define CALL_RESIZE_FOURTH(name) name(block_of(40), 40, 16, new_size()); resized(size);
#define CALL_RESIZE_IN_PLACE(name) name(block_of(40), new_size()); resized(size);
#define CALL_RELEASE(name) name(block_of(new_size())); releases++; release_bytes += size;

static void name_function(const char *name)
{
   size_t length = 0;
   while (name[length] != '\0')
      length++;
   system_call(__NR_write, 1, (long)"function ", 9, 0, 0, 0);
   system_call(__NR_write, 1, (long)name, (long)length, 0, 0, 0);
   system_call(__NR_write, 1, (long)"\n", 1, 0, 0, 0);
}

#define NAME(name) name_function(#name);

int program(void)
{
   char *result;
   OBTAIN(CALL_OBTAIN)
   OBTAIN_PRODUCT(CALL_OBTAIN_PRODUCT)
   OBTAIN_SECOND(CALL_OBTAIN_SECOND)
   OBTAIN_SECOND_PRODUCT(CALL_OBTAIN_SECOND_PRODUCT)
   OBTAIN_BY_POINTER(CALL_OBTAIN_BY_POINTER)
   RESIZE(CALL_RESIZE)
   RESIZE_PRODUCT(CALL_RESIZE_PRODUCT)
   RESIZE_SECOND(CALL_RESIZE_SECOND)
   RESIZE_SECOND_PRODUCT(CALL_RESIZE_SECOND_PRODUCT)
   RESIZE_THIRD(CALL_RESIZE_THIRD)
   RESIZE_FOURTH(CALL_RESIZE_FOURTH)
   RESIZE_IN_PLACE(CALL_RESIZE_IN_PLACE)
   RELEASE(CALL_RELEASE)

   OBTAIN(NAME) OBTAIN_PRODUCT(NAME) OBTAIN_SECOND(NAME) OBTAIN_SECOND_PRODUCT(NAME)
   OBTAIN_BY_POINTER(NAME) RESIZE(NAME) RESIZE_PRODUCT(NAME) RESIZE_SECOND(NAME)
   RESIZE_SECOND_PRODUCT(NAME) RESIZE_THIRD(NAME) RESIZE_FOURTH(NAME) RESIZE_IN_PLACE(NAME) RELEASE(NAME)
   print("allocations.count", blocks);
   print("allocations.bytes", bytes);
   print("reallocations.count", resizes);
   print("reallocations.bytes", resize_bytes);
   print("deallocations.count", releases);
   print("deallocations.bytes", release_bytes);
   print("deallocations.unmatched", 0);
   return 0;
}
