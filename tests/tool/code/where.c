/* SPDX-License-Identifier: GPL-2.0-or-later */
/* where.c: a library to preload that says where the program's objects are in memory.
 *
 * When the process ends, and before it unmaps an object, it writes a line `object BASE PATH`
 * to standard error for each one that is mapped then: the addresses of a run are those that nm
 * and objdump know, and that base.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

static int say(struct dl_phdr_info *info, size_t bytes, void *own_path)
{
   (void)bytes;
   const char *path = info->dlpi_name[0] != '\0' ? info->dlpi_name : own_path;
   dprintf(STDERR_FILENO, "object %#lx %s\n", (unsigned long)info->dlpi_addr, path);
   return 0;
}

static void __attribute__((destructor)) say_all(void)
{
   char own_path[4096];
   ssize_t length = readlink("/proc/self/exe", own_path, sizeof own_path - 1);
   own_path[length < 0 ? 0 : length] = '\0';
   dl_iterate_phdr(say, own_path);
}

int dlclose(void *handle)
{
   int (*libcs)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
   say_all();
   return libcs(handle);
}
