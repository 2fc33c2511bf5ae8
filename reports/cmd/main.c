/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c: the program `profmem`. */
#include "cmd_main.h"

int main(int argc, char **argv)
{
   return pr_main(argc, argv, stdin, stdout, stderr);
}
