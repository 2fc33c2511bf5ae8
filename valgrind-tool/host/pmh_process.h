/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_process.h: the life of the process: threads, signals, fork, exec, end. */
#ifndef PMH_PROCESS_H
#define PMH_PROCESS_H

#include "pub_tool_basics.h"

/* How the process ended, or ends. */
enum pmh_end_kind { PMH_END_EXIT, PMH_END_SIGNAL, PMH_END_EXEC, PMH_END_NOT_YET };

struct pmh_end {
   enum pmh_end_kind kind;
   Int status;        /* PMH_END_EXIT: exit status, PMH_END_SIGNAL: signal number */
   const HChar *path; /* PMH_END_EXEC */
};

/* Register for the events; before the program starts. */
void pmh_process_register(void);

/* When the options are known. */
void pmh_process_begin(void);

/* For VG_(basic_tool_funcs). */
void pmh_process_fini(Int unused);

/* Parts of system calls that belong here, from pmh_syscalls.c. */
void pmh_process_exits(ThreadId tid, Int status, Bool whole_group);
void pmh_process_before_exec(ThreadId tid, const HChar *path);
void pmh_process_exec_failed(ThreadId tid);

#endif
