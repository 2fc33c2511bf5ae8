/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_terminal.c: what the output is, and what it can show. See cmd_terminal.h. */
#include "cmd_terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pr_number.h"

enum {
   WIDTH_DEFAULT = 80, /* of a terminal that does not say */
   WIDTH_MIN = 40,     /* below that a table is no better than a mess */
   WIDTH_MAX = 10000,
};

/* 0: it does not say. */
static size_t width_of_environment(void)
{
   const char *columns = getenv("COLUMNS");
   uint64_t width = 0;
   if (!columns || pr_number_parse_unsigned(columns, strlen(columns), &width) != PR_NUMBER_OK)
      return 0;
   return width < WIDTH_MAX ? (size_t)width : WIDTH_MAX;
}

static size_t width_of_terminal(int descriptor)
{
   struct winsize size = {.ws_col = 0};
   if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
      return size.ws_col;
   return WIDTH_DEFAULT;
}

static bool is_set(const char *name)
{
   const char *value = getenv(name);
   return value && value[0];
}

struct pr_style cmd_terminal_style(FILE *out)
{
   int descriptor = fileno(out);
   bool is_terminal = descriptor >= 0 && isatty(descriptor);
   struct pr_style style = {.width = width_of_environment()};
   if (style.width == 0 && is_terminal)
      style.width = width_of_terminal(descriptor);
   if (style.width && style.width < WIDTH_MIN)
      style.width = WIDTH_MIN;
   style.has_color = is_terminal && !is_set("NO_COLOR") && is_set("TERM")
                     && strcmp(getenv("TERM"), "dumb") != 0;
   return style;
}
