/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_requests.h: client requests: phases (client/profmem.h), announced blocks
 * (valgrind.h) and gdbserver's monitor commands. */
#ifndef PMH_REQUESTS_H
#define PMH_REQUESTS_H

/* In pre_clo_init. */
void pmh_requests_register(void);

/* After pmh_measure_begin(). */
void pmh_requests_begin(void);

#endif
