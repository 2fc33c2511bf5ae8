/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_calls_cxx.cc: a C++ program that knows how often each of its functions ran.
 *
 * known_calls.h has the terms. Names are those that c++filt shows.
 */
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

/* Stays a function, with all that is in it. */
#define COUNTED __attribute__((noipa))

static unsigned long of_twice_int, of_twice_double, of_area, of_square, of_circle, of_less,
   of_lambda, of_plus, of_static, of_made, of_gone, of_throws, of_second, of_numbers, of_key;

/* What the compiler must not foresee, and where results go. */
static volatile int several = 6, result;

namespace shapes {

template <typename Number> COUNTED Number twice(Number n)
{
   (std::is_same<Number, int>::value ? of_twice_int : of_twice_double)++;
   return n + n;
}

struct Named {
   virtual ~Named() = default;
   virtual int key() const = 0;
};

struct Shape {
   virtual ~Shape() = default;
   virtual int area(int scale) const = 0;
   COUNTED int twice_area() const
   {
      of_area++;
      return area(1) + area(2);
   }
};

struct Square : Shape, Named {
   explicit COUNTED Square(int s) : side(s) { of_made++; }
   COUNTED ~Square() override { of_gone++; }
   COUNTED int area(int scale) const override
   {
      of_square++;
      return side * side * scale;
   }
   /* Called as a Named, it is reached through a thunk that corrects the pointer. */
   COUNTED int key() const override
   {
      of_key++;
      return side;
   }
   static COUNTED int make_static(int n)
   {
      of_static++;
      return n / 2;
   }
   int side;
};

struct Circle : Shape {
   COUNTED int area(int scale) const override
   {
      of_circle++;
      return 3 * scale;
   }
};

COUNTED int operator+(const Square &a, const Square &b)
{
   of_plus++;
   return a.side + b.side;
}

} /* namespace shapes */

namespace {

struct Less {
   COUNTED bool operator()(int a, int b) const
   {
      of_less++;
      return a < b;
   }
};

COUNTED void throws(int n)
{
   of_throws++;
   if (n % 2)
      throw std::runtime_error("odd");
}

COUNTED int with_numbers(const std::vector<int> &numbers, const int &more)
{
   of_numbers++;
   return static_cast<int>(numbers.size()) + more;
}

COUNTED int second(int (*function)(int), int n)
{
   of_second++;
   return function(n);
}

} /* namespace */

static void use_shapes()
{
   for (int i = 0; i < several; i++) {
      auto square = std::make_unique<shapes::Square>(i);
      shapes::Circle circle;
      const shapes::Shape *both[] = {square.get(), &circle};
      for (const shapes::Shape *shape : both)
         result = shape->twice_area();
      const shapes::Named *volatile named = square.get();
      result = named->key();
      shapes::Square other(2);
      result = *square + other;
      result = shapes::Square::make_static(i);
   }
}

static void say(unsigned long count, const char *name, const char *how = "calls")
{
   std::printf("%s %lu %s %s\n", how, count, program_invocation_short_name, name);
}

static void say_all()
{
   say(of_twice_int, "int shapes::twice<int>(int)");
   say(of_twice_double, "double shapes::twice<double>(double)");
   say(of_area, "shapes::Shape::twice_area() const");
   say(of_square, "shapes::Square::area(int) const");
   say(of_circle, "shapes::Circle::area(int) const");
   say(of_made, "shapes::Square::Square(int)");
   say(of_key, "shapes::Square::key() const", "entries");
   say(of_key, "non-virtual thunk to shapes::Square::key() const");
   say(of_static, "shapes::Square::make_static(int)");
   say(of_plus, "shapes::operator+(shapes::Square const&, shapes::Square const&)");
   say(of_less, "(anonymous namespace)::Less::operator()(int, int) const");
   say(of_throws, "(anonymous namespace)::throws(int)");
   say(of_second, "(anonymous namespace)::second(int (*)(int), int)");
   say(of_lambda, "main::{lambda(int)#1}::operator()(int) const");
   say(of_numbers, "(anonymous namespace)::with_numbers("
                   "std::vector<int, std::allocator<int> > const&, int const&)");
   say(1, "main");
}

int main()
{
   for (int i = 0; i < several; i++)
      result = shapes::twice(i) + static_cast<int>(shapes::twice(0.5 * i)) + shapes::twice(i);
   use_shapes();
   std::vector<int> numbers;
   for (int i = 0; i < 40; i++)
      numbers.push_back(i * 7919 % 41);
   std::sort(numbers.begin(), numbers.end(), Less());
   for (int i = 0; i < several; i++)
      try {
         throws(i);
      } catch (const std::exception &) {
         result = i;
      }
   auto lambda = [](int n) COUNTED { of_lambda++; return n + 2; };
   std::function<int(int)> wrapped = lambda;
   for (int i = 0; i < several; i++)
      result = wrapped(i) + lambda(i) + with_numbers(numbers, i);
   result = second([](int n) { return n; }, several);
   say_all();
   return 0;
}
