/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_inlined.cc: a block that is obtained DEPTH inlined calls deep, in a function that
 * main calls. */
#include <cstdlib>

template <unsigned N> [[gnu::always_inline]] inline void *deeper(std::size_t bytes)
{
   if constexpr (N == 0)
      return std::malloc(bytes);
   else
      return deeper<N - 1>(bytes + 1);
}

[[gnu::noinline]] static void *outermost(std::size_t bytes)
{
   void *volatile block = deeper<DEPTH - 1>(bytes);
   return block;
}

int main()
{
   volatile std::size_t bytes = 1; /* no copy of the function for this argument */
   std::free(outermost(bytes));
   return 0;
}
