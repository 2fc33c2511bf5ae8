/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_queue.c: two producers and two consumers around a bounded queue of allocated items.
 * Prints the sum of what was consumed, which is known, and how often a consumer had to
 * wait, which depends on who runs when. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 4000, ROOM = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int *queue[ROOM];
static int first, count, taken;
static long sum, waits;

static void *produce(void *start)
{
   for (int i = 0; i < ITEMS; i++) {
      int *item = malloc(sizeof *item * (size_t)(1 + i % 50));
      *item = i + (int)(long)start;
      pthread_mutex_lock(&lock);
      while (count == ROOM)
         pthread_cond_wait(&changed, &lock);
      queue[(first + count++) % ROOM] = item;
      pthread_cond_broadcast(&changed);
      pthread_mutex_unlock(&lock);
   }
   return NULL;
}

static void *consume(void *unused)
{
   (void)unused;
   for (;;) {
      pthread_mutex_lock(&lock);
      while (count == 0 && taken < 2 * ITEMS) {
         waits++;
         pthread_cond_wait(&changed, &lock);
      }
      if (count == 0)
         break;
      int *item = queue[first];
      first = (first + 1) % ROOM;
      count--;
      taken++;
      sum += *item;
      pthread_cond_broadcast(&changed);
      pthread_mutex_unlock(&lock);
      free(item);
   }
   pthread_mutex_unlock(&lock);
   return NULL;
}

int main(void)
{
   pthread_t threads[4];
   pthread_create(&threads[0], NULL, produce, (void *)0L);
   pthread_create(&threads[1], NULL, produce, (void *)100000L);
   pthread_create(&threads[2], NULL, consume, NULL);
   pthread_create(&threads[3], NULL, consume, NULL);
   for (int t = 0; t < 4; t++)
      pthread_join(threads[t], NULL);
   printf("sum %ld waits %ld\n", sum, waits);
   return sum == 2L * ITEMS * (ITEMS - 1) / 2 + 100000L * ITEMS ? 0 : 1;
}
