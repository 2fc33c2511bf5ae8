/* SPDX-License-Identifier: BSD-2-Clause */
/* csvstat.c: count, least, median and greatest number of each column of a CSV file.
 *
 *    csvstat FILE
 *
 * The file is read whole and cut into cells where it lies: a table is two blocks, however
 * many cells it has. Quoted cells may hold commas, quotes and line ends (RFC 4180). The
 * first row names the columns; cells that are no numbers are passed over.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_PROFMEM
#include <profmem.h>
#else
#define profmem_begin(name) ((void)0)
#define profmem_end(name) ((void)0)
#endif

struct table {
   char *text;   /* the file; each cell ends with a 0 byte */
   char **cells; /* row by row, into text */
   size_t columns, rows; /* rows without the one of names */
};

static void stop(const char *what)
{
   fprintf(stderr, "csvstat: %s: %s\n", what, strerror(errno));
   exit(1);
}

/* Room for at least wanted elements, in an array that doubles. */
static void *grown(void *array, size_t *room, size_t wanted, size_t size)
{
   if (wanted <= *room)
      return array;
   while (*room < wanted)
      *room = *room ? 2 * *room : 64;
   array = realloc(array, *room * size);
   if (!array)
      stop("no memory");
   return array;
}

static char *text_of(const char *name)
{
   FILE *file = fopen(name, "r");
   char *text = NULL;
   size_t room = 0, bytes = 0, got;

   if (!file)
      stop(name);
   setvbuf(file, NULL, _IONBF, 0);
   do {
      text = grown(text, &room, bytes + 4096, 1);
      got = fread(text + bytes, 1, room - bytes - 1, file);
      bytes += got;
   } while (got);
   if (ferror(file))
      stop(name);
   fclose(file);
   text[bytes] = '\0';
   return text;
}

/* Ends the cell at *at with a 0 byte and takes its quotes away; *at is behind it then. What
   ended it: a comma, a line feed, or the text's own 0 byte. */
static char end_cell(char **at)
{
   char *from = *at, *to = *at, end;

   if (*from == '"') {
      for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
         from += *from == '"';
         *to++ = *from;
      }
      from += *from == '"';
   }
   while (*from && *from != ',' && *from != '\n' && (*from != '\r' || from[1] != '\n'))
      *to++ = *from++;
   from += *from == '\r';
   end = *from;
   *at = end ? from + 1 : from;
   *to = '\0';
   return end;
}

static struct table load(const char *name)
{
   struct table table = {text_of(name), NULL, 0, 0};
   size_t room = 0, cells = 0;
   char *at = table.text, end = '\n';

   while (*at || end == ',') {
      table.cells = grown(table.cells, &room, cells + 1, sizeof *table.cells);
      table.cells[cells++] = at;
      end = end_cell(&at);
      if (end != ',' && !table.columns)
         table.columns = cells;
   }
   if (!cells || cells % table.columns) {
      fprintf(stderr, "csvstat: %s: rows of different lengths\n", name);
      exit(1);
   }
   table.rows = cells / table.columns - 1;
   return table;
}

static void release(struct table *table)
{
   free(table->cells);
   free(table->text);
}

static int by_value(const void *a, const void *b)
{
   const double x = *(const double *)a, y = *(const double *)b;
   return (x > y) - (x < y);
}

static void summarise(const struct table *table)
{
   double *numbers = malloc((table->rows + 1) * sizeof *numbers);

   if (!numbers)
      stop("no memory");
   for (size_t column = 0; column < table->columns; column++) {
      size_t count = 0;
      for (size_t row = 1; row <= table->rows; row++) {
         const char *cell = table->cells[row * table->columns + column];
         char *end;
         numbers[count] = strtod(cell, &end);
         count += end != cell && !*end;
      }
      qsort(numbers, count, sizeof *numbers, by_value);
      if (count)
         printf("%s: %zu numbers, %g to %g, median %g\n", table->cells[column], count,
                numbers[0], numbers[count - 1],
                (numbers[(count - 1) / 2] + numbers[count / 2]) / 2);
   }
   free(numbers);
}

int main(int argc, char **argv)
{
   /* A buffer that stdio obtains has a size that depends on the file system. */
   static char output[4096];
   struct table table;

   if (argc != 2) {
      fprintf(stderr, "usage: csvstat FILE\n");
      return 2;
   }
   setvbuf(stdout, output, _IOFBF, sizeof output);

   profmem_begin("load");
   table = load(argv[1]);
   profmem_end("load");

   profmem_begin("summarise");
   summarise(&table);
   profmem_end("summarise");

   release(&table);
   if (fclose(stdout))
      stop("standard output");
   return 0;
}
