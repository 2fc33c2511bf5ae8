/* SPDX-License-Identifier: GPL-2.0-or-later */
/* items.c: a list of items with names, for tests of `profmem diff`.
 *
 * -DREGRESSION: each name is copied once more before it is stored.
 */
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1000 };

struct item {
   struct item *next;
   char *name;
};

__attribute__((noinline)) static char *copy_text(const char *text)
{
   char *copy = malloc(strlen(text) + 1);
   return copy ? strcpy(copy, text) : NULL;
}

__attribute__((noinline)) static struct item *add_item(struct item *list, const char *name)
{
   struct item *item = malloc(sizeof *item);
   if (!item)
      return list;
#ifdef REGRESSION
   char *trimmed = copy_text(name);
   item->name = copy_text(trimmed);
   free(trimmed);
#else
   item->name = copy_text(name);
#endif
   item->next = list;
   return item;
}

__attribute__((noinline)) static void free_items(struct item *list)
{
   while (list) {
      struct item *next = list->next;
      free(list->name);
      free(list);
      list = next;
   }
}

int main(void)
{
   char name[] = "item 0";
   struct item *list = NULL;
   for (int i = 0; i < ITEMS; i++) {
      name[5] = (char)('0' + i % 10);
      list = add_item(list, name);
   }
   free_items(list);
   return 0;
}
