/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fork.c: what each of two processes must report of its heap.
 *
 *    fork CHILD PARENT
 *
 * The parent obtains blocks and forks; both obtain and give back more, the
 * child some of its parent's.  Each writes its lines to the file named.  The
 * child's sums begin at the fork, its entry is what lived then.  glibc itself
 * allocates nothing on this path.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long live, peak, obtained, obtained_bytes, given_back;

static void *volatile keep[100];

static void get(int slot, unsigned long bytes)
{
   keep[slot] = malloc(bytes);
   live += bytes;
   obtained++;
   obtained_bytes += bytes;
   if (live > peak)
      peak = live;
}

static void give(int slot, unsigned long bytes)
{
   free(keep[slot]);
   live -= bytes;
   given_back++;
}

static void print(const char *path, unsigned long entry)
{
   char text[512];
   int length = snprintf(text, sizeof text,
                         "heap.entry=%lu\nheap.peak=%lu\nheap.exit=%lu\nallocations.count=%lu\n"
                         "allocations.bytes=%lu\ndeallocations.count=%lu\n"
                         "deallocations.unmatched=0\n",
                         entry, peak, live, obtained, obtained_bytes, given_back);
   int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
   if (file < 0 || write(file, text, (size_t)length) != length)
      _exit(2);
   close(file);
}

int main(int argc, char **argv)
{
   if (argc != 3)
      return 2;
   for (int i = 0; i < 20; i++)
      get(i, 100ul + (unsigned long)i);
   give(0, 100);
   pid_t pid = fork();
   if (pid == 0) {
      unsigned long entry = live;
      peak = live;
      obtained = obtained_bytes = given_back = 0;
      for (int i = 1; i < 10; i++)
         give(i, 100ul + (unsigned long)i);
      for (int i = 30; i < 60; i++)
         get(i, 1000);
      give(31, 1000);
      print(argv[1], entry);
      _exit(5);
   }
   int status;
   waitpid(pid, &status, 0);
   for (int i = 30; i < 40; i++)
      get(i, 50);
   print(argv[2], 0);
   _exit(WIFEXITED(status) ? 4 : 1);
}
