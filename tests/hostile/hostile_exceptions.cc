/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_exceptions.cc: exceptions out of allocation functions.
 *
 *    hostile_exceptions LESSON LEDGER
 *
 * The C library's functions are the program's own, with a limit on what may live at once,
 * so that operator new can be made to fail and to succeed after all. They keep the
 * account, and so know of every block of the C++ library, too: its pool, and the
 * exceptions that it obtains while an operator new is under way and that outlive it.
 * What an operator new obtains and gives back itself is none of the program's events.
 */
#include "hostile.h"
#include "profmem.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

/* ---- The allocator, and the account. */

static struct deeds deeds;
static struct live live;

namespace {

struct head {
   size_t size_bytes;
   unsigned long serial;
};

alignas(16) char arena[256 << 20];
size_t used;
unsigned long serials;
long long most_bytes = 1LL << 40;
bool inside_another_call; /* which gives back what it obtains */

void *take(size_t alignment, size_t bytes)
{
   if (live.bytes + (long long)bytes > most_bytes)
      return nullptr;
   size_t at = (used + sizeof(head) + alignment - 1) / alignment * alignment;
   if (bytes > sizeof arena - at)
      return nullptr;
   used = at + bytes;
   head *mine = reinterpret_cast<head *>(arena + at) - 1;
   *mine = {bytes, ++serials};
   if (!inside_another_call) {
      did_obtain(&deeds, serials, bytes);
      live_add(&live, (long long)bytes, 1);
   }
   return arena + at;
}

} // namespace

extern "C" {

FUNCTION void *malloc(size_t bytes)
{
   return take(16, bytes);
}

FUNCTION void free(void *address)
{
   if (!address || inside_another_call)
      return;
   head *its = static_cast<head *>(address) - 1;
   did_release(&deeds, its->serial, its->size_bytes, false);
   live_add(&live, -(long long)its->size_bytes, -1);
}

FUNCTION void *calloc(size_t count, size_t bytes)
{
   return take(16, count * bytes); /* the arena is used once */
}

FUNCTION void *realloc(void *, size_t)
{
   stop("nobody is expected to resize");
}

FUNCTION void *aligned_alloc(size_t alignment, size_t bytes)
{
   return take(alignment, bytes);
}

FUNCTION int posix_memalign(void **to, size_t alignment, size_t bytes)
{
   *to = take(alignment, bytes);
   return *to ? 0 : 12;
}

} // extern "C"

/* ---- Frames with something to destroy, and a call at the bottom. */

namespace {

using call = void (*)();

FUNCTION void from_below(int depth, call act)
{
   std::unique_ptr<char[]> mine(new char[10 + depth]);
   if (depth > 0)
      from_below(depth - 1, act);
   else
      act();
   NO_TAIL_CALL;
}

/* What is not used may be left out by the compiler, if it sees both ends. */
FUNCTION char *made(size_t bytes)
{
   return new char[bytes];
}

/* Less than that may be obtained from now on. */
void limit(long long more)
{
   most_bytes = live.bytes + more;
}

void no_limit()
{
   most_bytes = 1LL << 40;
}

void report(const char *phase)
{
   expect_sums(phase, &deeds);
   expect(phase, "allocations.temporary", deeds.temporary);
   expect_live(phase, &live);
}

void begin(const char *phase)
{
   deeds = {};
   live_enter(&live);
   profmem_begin(phase);
}

unsigned long rounds;

/* ---- throws: bad_alloc, from frames of several depths. */

FUNCTION void ask_for_too_much()
{
   limit(2000);
   delete[] made(3000);
   NO_TAIL_CALL;
}

} // namespace

/* A phase that exceptions leave. */
FUNCTION void phase_of_exceptions(int depth)
{
   from_below(depth, ask_for_too_much);
   NO_TAIL_CALL;
}

namespace {

void throws()
{
   unsigned long caught = 0;
   begin("exceptions");
   for (unsigned long r = 0; r < rounds; r++)
      try {
         no_limit();
         phase_of_exceptions((int)(r % 10));
      } catch (const std::bad_alloc &) {
         caught++;
         deeds.failed++;
      }
   profmem_end("exceptions");
   check(caught == rounds, "not all were thrown");
   report("exceptions");
   expect("phase_of_exceptions", "@instances", (long long)rounds);
   expect_text("phase_of_exceptions", "@complete", "no");
   expect("phase_of_exceptions", "!phase-left-by-jump", (long long)rounds);
   print("%lu exceptions out of operator new\n", caught);
}

/* ---- handler: it gives a reserve back, and the call succeeds after all. */

char *reserve;
unsigned long handled;

void give_reserve_back()
{
   handled++;
   if (!reserve)
      throw std::bad_alloc();
   delete[] reserve;
   reserve = nullptr;
}

void handler()
{
   unsigned long caught = 0;
   std::set_new_handler(give_reserve_back);
   begin("exceptions");
   for (unsigned long r = 0; r < rounds; r++) {
      no_limit();
      reserve = made(5000);
      limit(0);
      char *block = made(4000 + r % 100);
      limit(100);
      /* No reserve any more. */
      try {
         delete[] made(8000);
      } catch (const std::bad_alloc &) {
         caught++;
         deeds.failed++;
      }
      delete[] block;
   }
   profmem_end("exceptions");
   check(handled == 2 * rounds && caught == rounds, "the handler was not called as often");
   report("exceptions");
   print("%lu calls of the handler\n", handled);
}

/* ---- handler-throws: something of its own, with a part that it allocates. */

struct own_trouble {
   std::shared_ptr<int> part = std::make_shared<int>(7);
   char text[100];
};

void throw_own_trouble()
{
   no_limit();
   throw own_trouble();
}

void handler_throws()
{
   unsigned long caught = 0;
   std::set_new_handler(throw_own_trouble);
   begin("exceptions");
   for (unsigned long r = 0; r < rounds; r++)
      try {
         from_below((int)(r % 10), ask_for_too_much);
      } catch (own_trouble &trouble) {
         caught += *trouble.part == 7;
         deeds.failed++;
      }
   profmem_end("exceptions");
   check(caught == rounds, "not all were thrown");
   report("exceptions");
   print("%lu exceptions of the handler\n", caught);
}

/* ---- constructors: the block is there, what was to be in it is not. */

int until_throw;

struct fragile {
   std::vector<char> part;
   fragile() : part(30)
   {
      if (until_throw-- == 0)
         throw std::runtime_error("a text that is longer than strings hold in themselves");
   }
   virtual ~fragile() = default;
};

struct alignas(256) aligned_fragile : fragile {
};

struct own_class : fragile {
   static void *operator new(size_t bytes)
   {
      void *block = malloc(bytes + 8);
      if (!block)
         throw std::bad_alloc();
      return block;
   }
   static void operator delete(void *block)
   {
      free(block);
   }
};

template <typename making> void constructs(making make, unsigned long &caught)
{
   try {
      make();
   } catch (const std::runtime_error &) {
      caught++;
   }
}

void constructors()
{
   unsigned long caught = 0;
   begin("exceptions");
   for (unsigned long r = 0; r < rounds; r++) {
      until_throw = 0;
      switch (r % 4) {
      case 0:
         constructs([] { delete new fragile; }, caught);
         break;
      case 1:
         until_throw = 3;
         constructs([] { delete[] new fragile[5]; }, caught);
         break;
      case 2:
         constructs([] { delete new aligned_fragile; }, caught);
         break;
      case 3:
         constructs([] { delete new own_class; }, caught);
         break;
      }
   }
   profmem_end("exceptions");
   check(caught == rounds, "not all were thrown");
   report("exceptions");
   print("%lu exceptions of constructors\n", caught);
}

/* ---- forms: nothrow, aligned, arrays. */

/* What it throws to itself, it catches. */
template <typename asking> void fails_quietly(asking ask)
{
   inside_another_call = true;
   void *block = ask();
   inside_another_call = false;
   check(!block, "it should fail");
   deeds.failed++;
}

template <typename asking> void fails(asking ask)
{
   try {
      ask();
   } catch (const std::bad_alloc &) {
      deeds.failed++;
      return;
   }
   stop("it should fail");
}

void forms()
{
   constexpr std::align_val_t alignment{64};
   begin("exceptions");
   for (unsigned long r = 0; r < rounds; r += 6) {
      limit(1000);
      fails_quietly([] { return ::operator new(2000, std::nothrow); });
      fails_quietly([] { return ::operator new[](2000, std::nothrow); });
      fails_quietly([] { return ::operator new(2048, alignment, std::nothrow); });
      fails([] { return ::operator new[](2000); });
      fails([] { return ::operator new(2048, alignment); });
      fails([] { return ::operator new[](2048, alignment); });
      no_limit();
      ::operator delete(::operator new(70, std::nothrow));
      ::operator delete[](::operator new[](128, alignment), alignment);
   }
   profmem_end("exceptions");
   report("exceptions");
   print("%lu calls of six forms fail\n", (rounds + 5) / 6 * 6);
}

/* ---- carried: thrown again, kept, and thrown from there. */

FUNCTION void catches_and_throws(int depth)
{
   try {
      if (depth > 0)
         catches_and_throws(depth - 1);
      else
         ask_for_too_much();
   } catch (...) {
      no_limit();
      std::unique_ptr<int> mine(new int(depth));
      throw;
   }
}

void carried()
{
   unsigned long caught = 0;
   begin("exceptions");
   for (unsigned long r = 0; r < rounds; r++) {
      std::exception_ptr kept;
      try {
         catches_and_throws(5);
      } catch (const std::bad_alloc &) {
         kept = std::current_exception();
         deeds.failed++;
      }
      try {
         std::rethrow_exception(kept);
      } catch (const std::bad_alloc &) {
         caught++;
      }
   }
   profmem_end("exceptions");
   check(caught == rounds, "not all were thrown");
   report("exceptions");
   print("%lu exceptions thrown six times each\n", caught);
}

const struct lesson lessons[] = {
   {"throws", throws},
   {"handler", handler},
   {"handler-throws", handler_throws},
   {"constructors", constructors},
   {"forms", forms},
   {"carried", carried},
   {nullptr, nullptr},
};

} // namespace

int main(int argc, char **argv)
{
   rounds = scaled(10000);
   return teach(argc, argv, lessons);
}
