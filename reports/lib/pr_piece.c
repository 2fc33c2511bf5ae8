/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_piece.c: a piece of text that is printed into memory. See pr_piece.h. */
#include "pr_piece.h"

#include <stdbool.h>
#include <stdlib.h>

FILE *pr_piece_open(struct pr_piece *piece)
{
   *piece = (struct pr_piece){.text = NULL};
   piece->stream = open_memstream(&piece->text, &piece->bytes);
   return piece->stream;
}

const char *pr_piece_text(struct pr_piece *piece)
{
   if (!piece->stream)
      return NULL;
   bool ok = !ferror(piece->stream);
   ok = fclose(piece->stream) == 0 && ok;
   piece->stream = NULL;
   return ok ? piece->text : NULL;
}

void pr_piece_release(struct pr_piece *piece)
{
   if (piece->stream)
      fclose(piece->stream);
   free(piece->text);
   *piece = (struct pr_piece){.text = NULL};
}
