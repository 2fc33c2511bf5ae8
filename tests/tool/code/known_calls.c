/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_calls.c: a program that knows how often each of its functions ran.
 *
 * known_calls.h has the terms. It calls in every way that C has: straight, recursively,
 * by pointers, through a linkage table, back from libraries, at the end of a function, before
 * main, and out of a function by longjmp.
 *
 *    known_calls PLUGIN [all]
 *
 * With `all` also in a signal's handler and in threads: Callgrind loses a handler's last two
 * instructions, and threads may wait for each other or not.
 */
#define _GNU_SOURCE
#include "known_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long count_of_leaf, count_of_recursive, count_of_even, count_of_odd,
   count_of_table_a, count_of_table_b, count_of_ends_in_call, count_of_at_the_end,
   count_of_aliased, count_of_same_name, count_of_twin, count_of_before_main, count_of_compare,
   count_of_on_signal, count_of_jumps_out, count_of_in_thread, count_of_called_back,
   count_of_never;

/* What the compiler must not foresee, and where results go. */
static volatile int several = 7, result;

static COUNTED int leaf(int n)
{
   COUNT(leaf);
   return n + 1;
}

static COUNTED int recursive(int n)
{
   COUNT(recursive);
   return n < 2 ? 1 : n ^ recursive(n - 1);
}

static COUNTED int odd(int n);

/* Not at the end of the function: a call, and no jump. */
static COUNTED int even(int n)
{
   COUNT(even);
   return n == 0 ? 1 : 3 - odd(n - 1);
}

static COUNTED int odd(int n)
{
   COUNT(odd);
   return n == 0 ? 0 : 3 - even(n - 1);
}

static COUNTED int table_a(int n)
{
   COUNT(table_a);
   return n - 1;
}

static COUNTED int table_b(int n)
{
   COUNT(table_b);
   return n - 2;
}

/* A call at the end of a function is a jump when this is optimised. */
static COUNTED int at_the_end(int n)
{
   COUNT(at_the_end);
   return n * 2;
}

static COUNTED int ends_in_call(int n)
{
   COUNT(ends_in_call);
   return at_the_end(n + 1);
}

/* Two names, one function. */
COUNTED int aliased(int n);
int aliased(int n)
{
   COUNT(aliased);
   return n ^ 1;
}
int aliased_too(int n) __attribute__((alias("aliased")));

/* The library has a function of this name, too, and known_calls_other.c one of the next. */
static COUNTED int same_name(int n)
{
   COUNT(same_name);
   return n * 3;
}

static COUNTED int twin(int n)
{
   COUNT(twin);
   return n ^ 0x33;
}

static inline __attribute__((always_inline)) int inlined(int n)
{
   return leaf(n) ^ n;
}

static COUNTED int never(int n)
{
   COUNT(never);
   return n;
}

/* Three times from its first instruction: a loop that begins with it. */
uint64_t loops_to_its_entry(uint64_t n);
__asm__(".text\n"
        ".type loops_to_its_entry, %function\n"
        "loops_to_its_entry:\n"
#if defined(__x86_64__)
        "	sub $1, %rdi\n"
        "	jnz loops_to_its_entry\n"
        "	mov %rdi, %rax\n"
#elif defined(__aarch64__)
        "	subs x0, x0, #1\n"
        "	b.ne loops_to_its_entry\n"
#endif
        "	ret\n"
        ".size loops_to_its_entry, . - loops_to_its_entry\n");

static void __attribute__((constructor)) before_main(void)
{
   COUNT(before_main);
}

static COUNTED int compare(const void *a, const void *b)
{
   COUNT(compare);
   return *(const int *)a - *(const int *)b;
}

static COUNTED void on_signal(int number)
{
   COUNT(on_signal);
   result = number;
}

static jmp_buf out;

static COUNTED void jumps_out(int n)
{
   COUNT(jumps_out);
   if (n == 0)
      longjmp(out, 1);
   if (several > 0)
      jumps_out(n - 1);
   result = n;
}

static COUNTED int called_back(int n)
{
   COUNT(called_back);
   return n + 9;
}

static void *in_thread(void *times)
{
   COUNT(in_thread);
   int sum = 0;
   for (int i = 0; i < *(int *)times; i++)
      sum += leaf(i);
   result = sum;
   return NULL;
}

/* ---- Who calls them. */

static COUNTED void call_by_pointers(void)
{
   int (*volatile table[])(int) = {table_a, table_b, table_a, leaf};
   for (int i = 0; i < 4 * several; i++)
      result = table[i % 4](i);
}

static COUNTED void sort(void)
{
   int numbers[30];
   for (int i = 0; i < 30; i++)
      numbers[i] = i * 7919 % 31;
   qsort(numbers, 30, sizeof *numbers, compare);
}

static COUNTED void leave_by_jump(int times)
{
   for (volatile int i = 0; i < times; i++)
      if (setjmp(out) == 0)
         jumps_out(i);
}

static COUNTED void use_signals(void)
{
   signal(SIGUSR1, on_signal);
   for (int i = 0; i < several; i++)
      raise(SIGUSR1);
}

static COUNTED void use_threads(void)
{
   pthread_t threads[3];
   int times[3] = {10, 20, 30};
   for (int t = 0; t < 3; t++)
      if (pthread_create(&threads[t], NULL, in_thread, &times[t]) != 0)
         exit(1);
   for (int t = 0; t < 3; t++)
      pthread_join(threads[t], NULL);
}

/* The plugin is gone before the report is written. */
static COUNTED void use_plugin(const char *path)
{
   void *plugin = dlopen(path, RTLD_NOW);
   int (*entry)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_entry") : NULL;
   void (*say)(void) = plugin ? (void (*)(void))dlsym(plugin, "plugin_say") : NULL;
   if (!entry || !say) {
      fprintf(stderr, "%s\n", dlerror());
      exit(1);
   }
   result = entry(several);
   say();
   dlclose(plugin);
}

static void say_of(const char *how, unsigned long count, const char *name)
{
   printf("%s %lu %s %s\n", how, count, program_invocation_short_name, name);
}

static void say(void)
{
   say_of("calls", count_of_leaf, "leaf");
   say_of("calls", count_of_recursive, "recursive");
   say_of("calls", count_of_even, "even");
   say_of("calls", count_of_odd, "odd");
   say_of("calls", count_of_table_a, "table_a");
   say_of("calls", count_of_table_b, "table_b");
   say_of("calls", count_of_ends_in_call, "ends_in_call");
   say_of("entries", count_of_at_the_end, "at_the_end");
   say_of("calls", count_of_aliased, "aliased");
   say_of("calls", count_of_same_name, "same_name");
   say_of("calls", count_of_twin, "twin");
   say_of("entries", 2 * 3, "loops_to_its_entry");
   say_of("calls", count_of_before_main, "before_main");
   say_of("calls", count_of_compare, "compare");
   say_of("calls", count_of_jumps_out, "jumps_out");
   say_of("calls", count_of_called_back, "called_back");
   if (count_of_in_thread > 0)
      say_of("calls", count_of_in_thread, "in_thread");
   if (count_of_on_signal > 0)
      say_of("entries", count_of_on_signal, "on_signal");
   say_of("calls", 1, "main");
   say_of("absent", count_of_never, "inlined");
   say_of("absent", count_of_never, "never");
   library_say();
   other_say();
}

int main(int argc, char **argv)
{
   if (argc < 2)
      return 2;
   for (int i = 0; i < 100; i++)
      result = leaf(i) + inlined(i);
   result = recursive(several) + even(several) + odd(several);
   call_by_pointers();
   for (int i = 0; i < several; i++)
      result = ends_in_call(i) + at_the_end(i) + aliased(i) + aliased_too(i) + same_name(i) +
               twin(i);
   result = other_calls_its_own(5);
   result = (int)(loops_to_its_entry(3) + loops_to_its_entry(3));
   for (int i = 0; i < several; i++)
      result = library_entry(i) + library_calls_back(called_back, i) + library_chosen(i);
   sort();
   leave_by_jump(several);
   if (argc > 2) {
      use_signals();
      use_threads();
   }
   if (several == 0)
      result = never(1);
   use_plugin(argv[1]);
   say();
   return 0;
}
