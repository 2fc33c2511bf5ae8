/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_complete.h: what may stand next on a command line, for shells.
 *
 *    profmem --complete -- WORD...
 *
 * WORD... is a command line behind `profmem`, up to the word that is to be completed, which may
 * be empty; words are as bash splits them, so `=` and `:` may be words of their own. The first
 * line of the answer says what can stand for the last word:
 *
 *    words       one of the lines that follow; one that ends in = or : goes on behind that
 *    files       the name of a file
 *    folders     the name of a folder
 *    program N   a program with its arguments, which begins with WORD number N, from 1
 *
 * It follows from the tables of commands and options alone, so a new option needs nothing here.
 * In the argument of an option as help shows it, words in small letters stand for themselves;
 * what words in capitals stand for is a row in cmd_complete.c, and those without a row can be
 * anything.
 *
 * Not for people, so help does not list it; docs/bash-completion/profmem asks.
 */
#ifndef CMD_COMPLETE_H
#define CMD_COMPLETE_H

#include "cmd_command.h"

/* words: ended by NULL. program_options: those before the command. */
enum cmd_status cmd_complete(const char *const *words, const struct poptOption *program_options,
                             const struct cmd_streams *streams);

#endif
