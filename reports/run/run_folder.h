/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_folder.h: the private folder that the tool writes reports into.
 *
 * It lies among temporary files, under a name that nobody else has chosen. Beside the
 * report that is asked for, often the program's working directory, a program that lists
 * files would see it, under another name in each run.
 *
 * When the program has ended, a finished report is written beside its place and then
 * renamed: a report is complete or absent. One that is no regular file (a pipe, a
 * terminal) is written to directly, and gets no siblings: reports of other processes than
 * the first.
 */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <stddef.h>

#include "pr_arena.h"
#include "run_error.h"

struct run_folder {
   const char *path;   /* of the folder, absolute; NULL: not made */
   const char *place;  /* the folder that the report belongs into; NULL if `direct` */
   const char *target; /* of the report, links followed */
   int direct;         /* the descriptor of a report that is written to directly; else -1 */
};

/* One that the tool has finished. */
struct run_finished {
   const char *path;
   const char *suffix; /* "" of the first process, ".1" of its first child and so on */
};

/* Find out where the report belongs and whether it can be written there, and open one that
   is written to directly, which can take until somebody reads. */
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

/* A new file beside the report's place, in the private folder if that is `direct`, to be
   written and then delivered. Whoever does not deliver it unlinks it. -1: an error. */
int run_folder_open(const struct run_folder *folder, struct pr_arena *arena, const char **path,
                    struct run_error *error);

/* The first process's report gets its name, the others' with their suffixes; closes `file`,
   which `path` names. */
bool run_folder_deliver(const struct run_folder *folder, const char *suffix, const char *path,
                        int file, struct pr_arena *arena, struct run_error *error);

/* Remove it and all in it. */
void run_folder_remove(struct run_folder *folder);

#endif
