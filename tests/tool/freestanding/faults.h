/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults.h: functions with one instruction each that may fault (faults.S).
 *
 * Before and after it stand others, so that a fault ends a stretch in its
 * middle.  name_fault is the instruction's address, name_after the next one's.
 */
#ifndef FAULTS_H
#define FAULTS_H

#define FAULT_SITE(name) extern char name##_fault[], name##_after[]

long load_word(const void *from);
FAULT_SITE(load_word);
void store_word(void *to);
FAULT_SITE(store_word);
/* Adds 3 to *to: reads, then writes. */
void add_word(void *to);
FAULT_SITE(add_word);
/* Loads 16 bytes with movaps, which wants them aligned. */
void load_aligned(const void *from);
FAULT_SITE(load_aligned);
/* The quotient of 1000 and divisor, plus 1.  The divisor stays in ecx. */
int divide(int dividend, int divisor);
FAULT_SITE(divide);
void illegal(void);
FAULT_SITE(illegal);
/* Copies with rep movsq, or fills with rep stosb. */
void copy_words(void *to, const void *from, unsigned long words);
FAULT_SITE(copy_words);
void fill_bytes(void *to, int value, unsigned long bytes);
FAULT_SITE(fill_bytes);
/* Compares with repe cmpsb; the bytes left. */
unsigned long compare_bytes(const void *left, const void *right, unsigned long bytes);
FAULT_SITE(compare_bytes);
/* Calls through the pointer at where; pushes onto and returns from another stack. */
void call_through(void *where);
FAULT_SITE(call_through);
void push_onto(void *stack);
FAULT_SITE(push_onto);

#endif
