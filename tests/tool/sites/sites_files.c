/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_files.c: functions of files whose names look like something else. */
#include <stdlib.h>

static void *volatile block;

#define FUNCTION(name)                                \
   __attribute__((noipa)) static void name(void)      \
   {                                                  \
      block = malloc(1);                              \
   }

#line 11 "pair (of) them.c"
FUNCTION(paired)
#line 12 "12:13.c"
FUNCTION(colon)
#line 14 "in a file.c"
FUNCTION(in)
#line 15 "one (of.c"
FUNCTION(opened)
#line 16 "one of).c"
FUNCTION(closed)
#line 17 "0x1234: plain (in other.c:1).c"
FUNCTION(address)

#line 18 "pair (of) inlined ones.c"
__attribute__((always_inline)) static inline void always(void) { block = malloc(1); }
#line 19 "sites_files.c"
__attribute__((noipa)) static void inlined(void)
{
   always();
}

int main(void)
{
   paired();
   colon();
   in();
   opened();
   closed();
   address();
   inlined();
   return 0;
}
