/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions_cxx.cc: functions of C++ that are phases, and what a report must say.
 *
 *    functions_cxx names | exceptions
 *
 * As functions.c; names are looked at in all the ways in which they are written.
 */
#include "profmem.h"
#include "say.h"

#include <new>
#include <stdexcept>
#include <string>

#define FUNCTION __attribute__((noipa))
#define NO_TAIL_CALL __asm__ volatile("" ::: "memory")

static void use(size_t bytes)
{
   ::operator delete(::operator new(bytes));
   NO_TAIL_CALL;
}

/* --- names ------------------------------------------------------------------------ */

namespace store {

FUNCTION void insert(int)
{
   use(1);
}

FUNCTION void insert(const char *)
{
   use(10);
}

template <class T> struct box {
   T value;
   FUNCTION void put(const T &);
   FUNCTION const T &get() const;
};

template <class T> void box<T>::put(const T &)
{
   use(100);
}

template <class T> const T &box<T>::get() const
{
   use(1000);
   return value;
}

struct functor {
   FUNCTION void operator()(int);
   FUNCTION bool operator==(const functor &) const;
};

void functor::operator()(int)
{
   use(10000);
}

bool functor::operator==(const functor &) const
{
   use(100000);
   return true;
}

} // namespace store

namespace {

FUNCTION void hidden(int)
{
   use(5);
}

} // namespace

static void names()
{
   for (int i = 0; i < 2; i++)
      store::insert(i);
   for (int i = 0; i < 3; i++)
      store::insert("text");
   store::box<int> numbers = {};
   for (int i = 0; i < 4; i++)
      numbers.put(i);
   store::box<std::string> texts;
   for (int i = 0; i < 5; i++)
      texts.put("t");
   for (int i = 0; i < 6; i++)
      (void)numbers.get();
   store::functor f;
   for (int i = 0; i < 7; i++)
      f(i);
   for (int i = 0; i < 8; i++)
      check(f == f, "equal");
   for (int i = 0; i < 9; i++)
      hidden(i);
}

/* --- exceptions ------------------------------------------------------------------------ */

FUNCTION void risky(bool throws)
{
   use(10);
   if (throws)
      throw std::runtime_error("risky");
   NO_TAIL_CALL;
}

/* Its destructor runs while the exception passes. */
struct guard {
   ~guard() { use(3); }
};

FUNCTION void middle(bool throws)
{
   guard g;
   risky(throws);
}

FUNCTION void outermost(bool throws)
{
   use(1);
   middle(throws);
   use(1);
}

FUNCTION void careful(bool throws)
{
   try {
      risky(throws);
   } catch (const std::exception &) {
      use(2);
   }
   NO_TAIL_CALL;
}

FUNCTION void rethrows()
{
   try {
      risky(true);
   } catch (...) {
      use(2);
      throw;
   }
}

static bool caught(void (*function)(bool), bool throws)
{
   try {
      function(throws);
   } catch (const std::exception &) {
      use(1000000); /* no part of what was left */
      return true;
   }
   return false;
}

static void exceptions()
{
   /* The first throw makes the runtime ready for more. */
   caught(risky, true);

   for (int i = 0; i < 50; i++)
      check(caught(risky, i % 2) == (i % 2 != 0), "every other one");
   for (int i = 0; i < 20; i++) {
      check(caught(outermost, true), "through three");
      check(!caught(outermost, false), "through none");
      careful(true);
      careful(false);
      try {
         rethrows();
      } catch (...) {
         use(1000000);
      }
      try {
         profmem::phase guarded("guarded");
         check(guarded.result() == PROFMEM_DONE, "not begun");
         use(30);
         middle(true);
      } catch (...) {
         use(1000000);
      }
   }
   /* risky: alone 1 + 25 + 25, by outermost 20 + 20, by careful 20 + 20, by rethrows 20, in
      guarded 20. */
   expect("risky", "@instances", 171);
   expect_text("risky", "@complete", "no");
   expect("risky", "!phase-left-by-jump", 1 + 25 + 20 + 20 + 20 + 20);
   expect_text("risky", "@complete#2", "yes");
   expect_text("risky", "@complete#3", "no");
   expect("middle", "@instances", 60);
   expect("middle", "!phase-left-by-jump", 40);
   expect("outermost", "@instances", 40);
   expect("outermost", "!phase-left-by-jump", 20);
   expect_text("outermost", "@complete#1", "no");
   expect_text("outermost", "@complete#2", "yes");
   expect("outermost", "deallocations.bytes#2", 1 + 10 + 3 + 1);
   expect("outermost", "deallocations.bytes#1", 1 + 10 + 3);
   expect("careful", "@instances", 40);
   expect_text("careful", "@complete", "yes");
   expect("careful", "!phase-left-by-jump", 0);
   expect("rethrows", "@instances", 20);
   expect_text("rethrows", "@complete", "no");
   expect("rethrows", "deallocations.bytes", 12 * 20);
   expect("rethrows", "!phase-left-by-jump", 20);
   expect("guarded", "@instances", 20);
   expect_text("guarded", "@complete", "yes");
   expect("guarded", "deallocations.bytes", (30 + 10 + 3) * 20);
}

int main(int argc, char **argv)
{
   const std::string lesson = argc == 2 ? argv[1] : "";
   if (lesson == "names")
      names();
   else if (lesson == "exceptions")
      exceptions();
   else
      stop("usage: functions_cxx names|exceptions");
}
