/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_folder.h: the private folder that the tool writes reports into.
 *
 * It lies beside the report that is asked for, so that a finished one can be renamed into
 * place: a report is complete or absent. A report that is no regular file (a pipe, a
 * terminal) is written to directly, from a folder elsewhere, and gets no siblings: reports
 * of other processes than the first.
 */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <stddef.h>

#include "pr_arena.h"
#include "run_error.h"

struct run_folder {
   const char *path;   /* of the folder, absolute; NULL: not made */
   const char *place;  /* where it is made */
   const char *target; /* of the report, links followed */
   int direct;         /* the descriptor of a report that is written to directly; else -1 */
};

/* One that the tool has finished. */
struct run_finished {
   const char *path;
   const char *suffix; /* "" of the first process, ".1" of its first child and so on */
};

/* Find out where it belongs, and open a report that is written to directly, which can
   take until somebody reads. */
bool run_folder_place(struct run_folder *folder, const char *report, struct pr_arena *arena,
                      struct run_error *error);

/* Make it; whoever does is to remove it, whatever happens. */
bool run_folder_make(struct run_folder *folder, struct pr_arena *arena, struct run_error *error);

/* The tool's option that says where to write. NULL: no memory left. */
const char *run_folder_option(const struct run_folder *folder, struct pr_arena *arena);

/* The reports in it, in the order of their suffixes; *count is 0 if there is none.
   False: it cannot be read. */
bool run_folder_list(const struct run_folder *folder, struct pr_arena *arena,
                     struct run_finished **list, size_t *count, struct run_error *error);

/* The first process's report gets its name, the others' with their suffixes; closes `file`,
   which `path` names. */
bool run_folder_deliver(const struct run_folder *folder, const char *suffix, const char *path,
                        int file, struct pr_arena *arena, struct run_error *error);

/* Remove it and all in it. */
void run_folder_remove(struct run_folder *folder);

#endif
