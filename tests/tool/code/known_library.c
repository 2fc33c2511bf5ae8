/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_library.c: the shared library of known_calls.c; known_calls.h has the terms.
 *
 * KNOWN_PLUGIN: another one, which is loaded when the program runs, and unloaded.
 */
#include "known_calls.h"

#include <stdio.h>

#ifndef KNOWN_PLUGIN

static unsigned long count_of_entry, count_of_inner, count_of_same_name, count_of_choose,
   count_of_chosen, count_of_calls_back;

/* The program has one of this name, too. */
static COUNTED int same_name(int n)
{
   COUNT(same_name);
   return n + 3;
}

/* Visible, so that even the library's own calls go through its linkage table. */
COUNTED int library_inner(int n);
int library_inner(int n)
{
   COUNT(inner);
   return same_name(n) + same_name(n + 1);
}

int library_entry(int n)
{
   COUNT(entry);
   return library_inner(n) ^ library_inner(n + 2) ^ library_inner(n + 4);
}

int library_calls_back(int (*function)(int), int times)
{
   COUNT(calls_back);
   int sum = 0;
   for (int i = 0; i < times; i++)
      sum += function(i);
   return sum;
}

/* Which function library_chosen is, the loader asks when it binds the name. */
static COUNTED int chosen_plain(int n)
{
   COUNT(chosen);
   return n * 5;
}

static int (*choose(void))(int)
{
   COUNT(choose);
   return chosen_plain;
}

int library_chosen(int n) __attribute__((ifunc("choose")));

void library_say(void)
{
   printf("calls %lu known_library.so library_entry\n", count_of_entry);
   printf("calls %lu known_library.so library_inner\n", count_of_inner);
   printf("calls %lu known_library.so library_calls_back\n", count_of_calls_back);
   printf("calls %lu known_library.so same_name\n", count_of_same_name);
   printf("calls %lu known_library.so chosen_plain\n", count_of_chosen);
   printf("calls %lu known_library.so choose\n", count_of_choose);
}

#else

static unsigned long count_of_plugin;

COUNTED int plugin_entry(int n);
int plugin_entry(int n)
{
   COUNT(plugin);
   return n > 0 ? plugin_entry(n - 1) ^ n : 0;
}

void plugin_say(void);
void plugin_say(void)
{
   printf("calls %lu known_plugin.so plugin_entry\n", count_of_plugin);
}

#endif
