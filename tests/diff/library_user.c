/* SPDX-License-Identifier: GPL-2.0-or-later */
/* library_user.c: a program that uses a library, for tests of `profmem diff`. */
unsigned library_work(unsigned count);

int main(void)
{
   return library_work(1000) == 1;
}
