// SPDX-License-Identifier: GPL-2.0-or-later
// sites_cxx.cc: sites in C++: templates, lambdas, inlined allocators, operators, vectors.
//
//    sites_cxx
//
// The names are those of the report: of a function that stands for itself the demangled
// symbol, of one that was inlined the name that debug information has for it.
#include "sites_ledger.h"

#include <cstddef>
#include <cstdlib>
#include <new>
#include <unistd.h>
#include <vector>

using std::size_t;

// Functions declared inline are so with -O2, and stand for themselves with -O0.
#ifdef __OPTIMIZE__
#define IS_INLINED 1
#define INLINED_OR(inlined_name, own_name) inlined_name
#else
#define IS_INLINED 0
#define INLINED_OR(inlined_name, own_name) own_name
#endif

#define ALWAYS_INLINE __attribute__((always_inline)) inline

// What the standard library does between a call and the allocation.
static const sites_frame library = {"...", "", "*", 0, 0};
#define HERE_THROUGH_LIBRARY(name, ...) \
   HERE_IN(name, 0, sites_enter(&library); __VA_ARGS__; sites_leave())

#define GIVE_BACK_IN(name, expression, block) \
   HERE_IN(name, 0, sites_given_back(block); expression block)

namespace forms {

// ---- Templates.

template <typename T> struct name_of;
template <> struct name_of<int> {
   static constexpr const char *make = "int* forms::make<int, 3>(unsigned long)";
   static constexpr const char *inner = "inner<int>";
   static constexpr const char *grow = "void forms::grow<int>(unsigned long)";
   static constexpr const char *grow_counted = "void forms::grow_counted<int>(unsigned long)";
};
template <> struct name_of<std::vector<double>> {
   static constexpr const char *make =
      "std::vector<double, std::allocator<double> >* "
      "forms::make<std::vector<double, std::allocator<double> >, 5>(unsigned long)";
#ifdef __clang__
   static constexpr const char *inner = "inner<std::vector<double, std::allocator<double> > >";
#else
   static constexpr const char *inner = "inner<std::vector<double> >";
#endif
};
struct pair {
   double first, second;
};
template <> struct name_of<pair> {
   static constexpr const char *grow = "void forms::grow<forms::pair>(unsigned long)";
   static constexpr const char *grow_counted =
      "void forms::grow_counted<forms::pair>(unsigned long)";
};

// Inlined twice, one into the other.
template <typename T> ALWAYS_INLINE T *inner(size_t count)
{
   size_t bytes = count * sizeof(T);
   return static_cast<T *>(OBTAIN_IN(name_of<T>::inner, 1, std::malloc(bytes), bytes));
}

ALWAYS_INLINE void *outer(size_t count)
{
   void *block;
   HERE_IN("outer", 1, block = inner<int>(count));
   return block;
}

template <typename T, int N> SITES_FUNCTION T *make(size_t count)
{
   T *block;
   HERE_IN((name_of<T>::make), 0, block = inner<T>(count + N));
   return block;
}

SITES_FUNCTION static void templates()
{
   void *block;
   HERE_IN("forms::templates()", 0, (block = make<int, 3>(1)));
   HERE_IN("forms::templates()", 0, (block = make<std::vector<double>, 5>(1)));
   GIVE_BACK_IN("forms::templates()", std::free, (block));
   HERE_IN("forms::templates()", 0, block = outer(40));
   // Inlined here a second time: only this line tells.
   HERE_IN("forms::templates()", 0, block = outer(30));
}

// ---- Inlined when it is worth it.

#define HINTED INLINED_OR("hinted", "forms::hinted(unsigned long)")

static inline void *hinted(size_t bytes)
{
   return OBTAIN_IN(HINTED, IS_INLINED, ::operator new(bytes), bytes);
}

SITES_FUNCTION static void hints()
{
   HERE_IN("forms::hints()", 0, hinted(17));
}

// ---- Lambdas.

#ifdef __clang__
#define LAMBDA(n) "forms::lambdas()::$_" #n
#else
#define LAMBDA(n) "forms::lambdas()::{lambda(unsigned long)#" LAMBDA_NUMBER_##n "}"
#endif
#define LAMBDA_NUMBER_0 "1"
#define LAMBDA_NUMBER_1 "2"
#define OPERATOR_OF(lambda) lambda "::operator()(unsigned long) const"

template <typename F> SITES_FUNCTION void *apply(const char *name, F function)
{
   void *block;
   HERE_IN(name, 0, block = function(100));
   return block;
}

SITES_FUNCTION static void lambdas()
{
#define APPLY_OF(lambda) "void* forms::apply<" lambda ">(char const*, " lambda ")"
   void *block;
   auto apart = [](size_t bytes) SITES_FUNCTION {
      return OBTAIN_IN(OPERATOR_OF(LAMBDA(0)), 0, std::malloc(bytes), bytes);
   };
   auto within = [](size_t bytes) __attribute__((always_inline)) {
      return OBTAIN_IN("operator()", 1, std::malloc(bytes * 2), bytes * 2);
   };
   HERE_IN("forms::lambdas()", 0, block = apply(APPLY_OF(LAMBDA(0)), apart));
   HERE_IN("forms::lambdas()", 0, block = apply(APPLY_OF(LAMBDA(1)), within));
   HERE_IN("forms::lambdas()", 0, block = within(7));
   GIVE_BACK_IN("forms::lambdas()", std::free, (block));
}

// ---- Operators.

struct alignas(128) wide {
   char bytes[256];
};

struct own {
   static void *operator new(size_t bytes);
   SITES_FUNCTION static void operator delete(void *block) { std::free(block); }
   int values[9];
};
SITES_FUNCTION void *own::operator new(size_t bytes)
{
   return OBTAIN_IN("forms::own::operator new(unsigned long)", 0, std::malloc(bytes), bytes);
}

struct owner {
   explicit owner(size_t count);
   virtual ~owner();
   virtual void *more(size_t count) const;
   char *block;
};
SITES_FUNCTION owner::owner(size_t count)
{
   void *obtained = OBTAIN_IN("forms::owner::owner(unsigned long)", 0, new char[count], count);
   block = static_cast<char *>(obtained);
}
SITES_FUNCTION owner::~owner()
{
   GIVE_BACK_IN("forms::owner::~owner()", delete[], block);
}
SITES_FUNCTION void *owner::more(size_t count) const
{
   size_t bytes = count * sizeof(long);
   return OBTAIN_IN("forms::owner::more(unsigned long) const", 0, new long[count], bytes);
}

#define OPERATORS "forms::operators()"
#define OBTAIN_NEW(type, expression, bytes) \
   static_cast<type *>(OBTAIN_IN(OPERATORS, 0, (expression), bytes))

SITES_FUNCTION static void operators()
{
   int *one = OBTAIN_NEW(int, new int(1), sizeof(int));
   int *many = OBTAIN_NEW(int, new int[10], 10 * sizeof(int));
   int *none = OBTAIN_NEW(int, new int[0], 0);
   char *quiet = OBTAIN_NEW(char, new (std::nothrow) char[1001], 1001);
   wide *aligned = OBTAIN_NEW(wide, new wide, sizeof(wide));
   wide *aligned_many = OBTAIN_NEW(wide, new wide[3], 3 * sizeof(wide));
   own *mine;
   HERE_IN(OPERATORS, 0, mine = new own);
   GIVE_BACK_IN(OPERATORS, delete, one);
   GIVE_BACK_IN(OPERATORS, delete[], many);
   GIVE_BACK_IN(OPERATORS, delete[], none);
   GIVE_BACK_IN(OPERATORS, delete[], quiet);
   GIVE_BACK_IN(OPERATORS, delete, aligned);
   GIVE_BACK_IN(OPERATORS, delete[], aligned_many);
   GIVE_BACK_IN(OPERATORS, delete, mine);
   // An object and what its constructor obtains.
   alignas(owner) char room[sizeof(owner)];
   owner *object;
   HERE_IN(OPERATORS, 0, object = new (room) owner(77));
   HERE_IN(OPERATORS, 0, object->more(5));
   HERE_IN(OPERATORS, 0, object->~owner());
}

// ---- Names that hold blanks and parentheses.

namespace {

#define HIDDEN "forms::(anonymous namespace)::"
#define CALL_OPERATOR HIDDEN "callable::operator()(unsigned long) const"

SITES_FUNCTION void *hidden(void *(*call)(size_t), size_t bytes)
{
   void *block;
   HERE_IN(HIDDEN "hidden(void* (*)(unsigned long), unsigned long)", 0, block = call(bytes));
   return block;
}

struct callable {
   SITES_FUNCTION void *operator()(size_t count) const
   {
      return OBTAIN_IN(CALL_OPERATOR, 0, std::calloc(count, 2), count * 2);
   }
};

SITES_FUNCTION void *called(size_t bytes)
{
   void *block;
   HERE_IN(HIDDEN "called(unsigned long)", 0, block = callable()(bytes));
   return block;
}

typedef void *(*function)(size_t);
// Its name stands between parts of its type.
#define CHOSEN "void* (*" HIDDEN "chosen<int>(int, void**))(unsigned long)"
template <typename T> SITES_FUNCTION function chosen(T, void **block)
{
   *block = OBTAIN_IN(CHOSEN, 0, std::malloc(6), 6);
   return called;
}

} // namespace

SITES_FUNCTION static void names()
{
   void *block;
   function call;
   HERE_IN("forms::names()", 0, call = chosen(1, &block));
   HERE_IN("forms::names()", 0, block = hidden(call, 12));
}

// ---- Vectors.

// Its frame is known; those of the vector between it and the caller are not.
template <typename T> struct counting {
   typedef T value_type;
   counting() {}
   template <typename U> counting(const counting<U> &) {}
   ALWAYS_INLINE T *allocate(size_t count)
   {
      size_t bytes = count * sizeof(T);
      return static_cast<T *>(OBTAIN_IN("allocate", 1, ::operator new(bytes), bytes));
   }
   void deallocate(T *block, size_t)
   {
      GIVE_BACK(::operator delete, block);
   }
   bool operator==(const counting &) const { return true; }
   bool operator!=(const counting &) const { return false; }
};

template <typename T> SITES_FUNCTION void grow_counted(size_t count)
{
   std::vector<T, counting<T>> values;
   for (size_t i = 0; i < count; i++)
      HERE_THROUGH_LIBRARY(name_of<T>::grow_counted, values.push_back(T()));
   HERE_THROUGH_LIBRARY(name_of<T>::grow_counted, values.reserve(3 * count));
}

// The vector says itself when it has obtained a block, and how large: first the new one,
// then the old one is given back.
template <typename T> static void enter_growth(const std::vector<T> &values, const T *before)
{
   if (values.data() == before)
      return;
   sites_obtained(values.data(), values.capacity() * sizeof(T));
   if (before)
      sites_given_back(before);
}

template <typename T> SITES_FUNCTION void grow(size_t count)
{
   std::vector<T> values;
   for (size_t i = 0; i < count; i++) {
      const T *before = values.data();
      HERE_THROUGH_LIBRARY(name_of<T>::grow, values.push_back(T()); enter_growth(values, before));
   }
   sites_given_back(values.data());
}

} // namespace forms

int main(int argc, char **argv)
{
   sites_start(argc, argv);
   HERE(forms::templates());
   HERE(forms::hints());
   HERE(forms::lambdas());
   HERE(forms::operators());
   HERE(forms::names());
   HERE(forms::grow<int>(100));
   HERE(forms::grow<forms::pair>(9));
   HERE(forms::grow_counted<int>(100));
   HERE(forms::grow_counted<forms::pair>(33));
   sites_report();
   _exit(0);
}
