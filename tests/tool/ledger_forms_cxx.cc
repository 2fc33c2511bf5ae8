/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ledger_forms_cxx.cc: every operator new and delete, and their failures.
 *
 * Operators are called as functions, so that each call is the form written.
 *
 * What fails asks for more than PTRDIFF_MAX.  An exception is memory too: what
 * is thrown is preceded by a header, and both come from malloc.  A throwing
 * operator new ends by it, so that the exception is a block obtained and given
 * back; a nothrow one may catch one inside, where it is part of the call.
 */
#include "ledger.h"

#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

volatile std::size_t beyond = static_cast<std::size_t>(PTRDIFF_MAX) + 100;

/* libstdc++'s __cxa_refcounted_exception, whose size its ABI has fixed, and a bad_alloc,
   which is a pointer to its table. */
constexpr std::size_t exception_bytes = (sizeof(void *) == 8 ? 128 : 96) + sizeof(std::bad_alloc);

std::size_t random_alignment(thread *thread)
{
   return static_cast<std::size_t>(32) << ledger_random(thread, 7);
}

std::align_val_t alignment_of(const block *block)
{
   return static_cast<std::align_val_t>(block->alignment);
}

/* ---- What the installed new_handler does next, for the calling thread. */

enum class plan { throw_at_once, free_one_then_throw };
thread_local plan next_plan = plan::throw_at_once;

void new_handler()
{
   if (next_plan == plan::free_one_then_throw) {
      next_plan = plan::throw_at_once;
      block *victim = ledger_take_filled(ledger_thread, FAMILY_MALLOC);
      if (victim != nullptr) {
         ledger_check_marks(victim);
         std::free(victim->address);
         ledger_given_back(ledger_thread, victim);
         ledger_return_slot(victim);
      }
      return;
   }
   throw std::bad_alloc();
}

/* ---- On an empty slot: success. */

void by_new(thread *thread, block *block, std::size_t size)
{
   ledger_obtained(thread, block, FAMILY_NEW, ::operator new(size), size);
}

void by_new_array(thread *thread, block *block, std::size_t size)
{
   ledger_obtained(thread, block, FAMILY_NEW_ARRAY, ::operator new[](size), size);
}

void by_new_nothrow(thread *thread, block *block, std::size_t size)
{
   ledger_obtained(thread, block, FAMILY_NEW, ::operator new(size, std::nothrow), size);
}

void by_new_array_nothrow(thread *thread, block *block, std::size_t size)
{
   ledger_obtained(thread, block, FAMILY_NEW_ARRAY, ::operator new[](size, std::nothrow), size);
}

void by_new_aligned(thread *thread, block *block, std::size_t size)
{
   block->alignment = random_alignment(thread);
   ledger_obtained(thread, block, FAMILY_NEW_ALIGNED, ::operator new(size, alignment_of(block)),
                   size);
}

void by_new_array_aligned(thread *thread, block *block, std::size_t size)
{
   block->alignment = random_alignment(thread);
   ledger_obtained(thread, block, FAMILY_NEW_ARRAY_ALIGNED,
                   ::operator new[](size, alignment_of(block)), size);
}

void by_new_aligned_nothrow(thread *thread, block *block, std::size_t size)
{
   block->alignment = random_alignment(thread);
   ledger_obtained(thread, block, FAMILY_NEW_ALIGNED,
                   ::operator new(size, alignment_of(block), std::nothrow), size);
}

void by_new_array_aligned_nothrow(thread *thread, block *block, std::size_t size)
{
   block->alignment = random_alignment(thread);
   ledger_obtained(thread, block, FAMILY_NEW_ARRAY_ALIGNED,
                   ::operator new[](size, alignment_of(block), std::nothrow), size);
}

/* ---- On an empty slot: failure. */

template <typename Call> void must_throw(thread *thread, Call call)
{
   try {
      call();
   } catch (const std::bad_alloc &) {
      ledger_failed(thread);
      ledger_passed_through(thread, exception_bytes);
      return;
   }
   std::abort();
}

/* One of the four throwing operators. */
void fail_throwing(thread *thread)
{
   switch (ledger_random(thread, 4)) {
   case 0: must_throw(thread, [] { return ::operator new(beyond); }); break;
   case 1: must_throw(thread, [] { return ::operator new[](beyond); }); break;
   case 2: must_throw(thread, [] { return ::operator new(beyond, std::align_val_t(64)); }); break;
   default: must_throw(thread, [] { return ::operator new[](beyond, std::align_val_t(64)); });
   }
}

/* One of the four that return a null pointer. */
void fail_nothrow(thread *thread)
{
   void *address = nullptr;
   switch (ledger_random(thread, 4)) {
   case 0: address = ::operator new(beyond, std::nothrow); break;
   case 1: address = ::operator new[](beyond, std::nothrow); break;
   case 2: address = ::operator new(beyond, std::align_val_t(64), std::nothrow); break;
   default: address = ::operator new[](beyond, std::align_val_t(64), std::nothrow);
   }
   if (address != nullptr)
      std::abort();
   ledger_failed(thread);
}

void no_new(thread *thread, block *, std::size_t)
{
   fail_throwing(thread);
}

void no_new_nothrow(thread *thread, block *, std::size_t)
{
   fail_nothrow(thread);
}

/* The handler gives a block back, is asked again, and throws. */
void no_new_handler_frees(thread *thread, block *, std::size_t size)
{
   next_plan = plan::free_one_then_throw;
   if (size % 2)
      fail_throwing(thread);
   else
      fail_nothrow(thread);
   next_plan = plan::throw_at_once;
}

/* Without a handler the library itself throws.  There is one handler for all
   threads: only where no other thread is inside an operator. */
void no_new_no_handler(thread *thread, block *, std::size_t)
{
   if (!thread->one_at_a_time)
      return;
   std::set_new_handler(nullptr);
   fail_throwing(thread);
   fail_nothrow(thread);
   std::set_new_handler(new_handler);
}

/* ---- On a filled slot: every delete that suits the block. */

void delete_plain(char *address, std::size_t size, std::uint64_t form)
{
   switch (form) {
   case 0: ::operator delete(address); break;
   case 1: ::operator delete(address, size); break;
   default: ::operator delete(address, std::nothrow);
   }
}

void delete_array(char *address, std::size_t size, std::uint64_t form)
{
   switch (form) {
   case 0: ::operator delete[](address); break;
   case 1: ::operator delete[](address, size); break;
   default: ::operator delete[](address, std::nothrow);
   }
}

void delete_aligned(char *address, std::size_t size, std::align_val_t alignment, std::uint64_t form)
{
   switch (form) {
   case 0: ::operator delete(address, alignment); break;
   case 1: ::operator delete(address, size, alignment); break;
   default: ::operator delete(address, alignment, std::nothrow);
   }
}

void delete_array_aligned(char *address, std::size_t size, std::align_val_t alignment,
                          std::uint64_t form)
{
   switch (form) {
   case 0: ::operator delete[](address, alignment); break;
   case 1: ::operator delete[](address, size, alignment); break;
   default: ::operator delete[](address, alignment, std::nothrow);
   }
}

void by_delete(thread *thread, block *block, std::size_t)
{
   if (block->family == FAMILY_MALLOC)
      return;
   ledger_check_marks(block);
   std::uint64_t form = ledger_random(thread, 3);
   /* jemalloc 5.3 takes an aligned block of 0 bytes for one of another size class
      at a sized delete, natively too, and later hands out memory twice. */
   if (block->size_bytes == 0 && form == 1)
      form = 0;
   switch (block->family) {
   case FAMILY_NEW: delete_plain(block->address, block->size_bytes, form); break;
   case FAMILY_NEW_ARRAY: delete_array(block->address, block->size_bytes, form); break;
   case FAMILY_NEW_ALIGNED:
      delete_aligned(block->address, block->size_bytes, alignment_of(block), form);
      break;
   default: delete_array_aligned(block->address, block->size_bytes, alignment_of(block), form);
   }
   ledger_given_back(thread, block);
}

void delete_null(thread *, block *, std::size_t size)
{
   static char *volatile nothing;
   delete_plain(nothing, size, 0);
   delete_array(nothing, size, 2);
}

} // namespace

const form ledger_forms_cxx_empty[] = {
   {"new", 8, by_new},
   {"new-array", 4, by_new_array},
   {"new-nothrow", 2, by_new_nothrow},
   {"new-array-nothrow", 2, by_new_array_nothrow},
   {"new-aligned", 2, by_new_aligned},
   {"new-array-aligned", 2, by_new_array_aligned},
   {"new-aligned-nothrow", 2, by_new_aligned_nothrow},
   {"new-array-aligned-nothrow", 2, by_new_array_aligned_nothrow},
   {"new-fails", 1, no_new},
   {"new-nothrow-fails", 1, no_new_nothrow},
   {"new-handler-frees", 1, no_new_handler_frees},
   {"new-no-handler", 1, no_new_no_handler},
   {nullptr, 0, nullptr},
};

const form ledger_forms_cxx_filled[] = {
   {"delete", 25, by_delete},
   {"delete-null", 1, delete_null},
   {nullptr, 0, nullptr},
};

/* The first exception of a static program makes the unwinder sort its tables,
   in memory that it allocates: before the first operation, as all else that is
   not the operations'. */
void ledger_forms_cxx_start()
{
   try {
      throw std::bad_alloc();
   } catch (const std::bad_alloc &) {
   }
   std::set_new_handler(new_handler);
}
