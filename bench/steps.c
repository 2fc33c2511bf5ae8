/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.c: which instructions a process executes, one by one, from some moment on.
 *
 *    steps ADDRESS PASSES STEPS COMMAND...
 *
 * The command is started, and what it executes in its place; when the instruction at ADDRESS
 * (hexadecimal) is reached for the PASSES-th time, the next STEPS instructions are executed
 * singly, and each one's address goes to standard output, a line each. Then the process is
 * killed. Its own standard output is lost.
 *
 * ADDRESS is of a program without position-independent code, as tools of Valgrind are: a
 * breakpoint is put there in every image that has it. Status 1: the process ended before.
 * x86 only, whose breakpoints are one byte.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

struct breakpoint {
   unsigned long address;
   long word; /* what stands there; valid if is_set */
   int is_set;
};

static void set(pid_t process, struct breakpoint *breakpoint)
{
   errno = 0;
   long word = ptrace(PTRACE_PEEKTEXT, process, breakpoint->address, 0);
   breakpoint->is_set = errno == 0;
   if (!breakpoint->is_set)
      return; /* another image */
   breakpoint->word = word;
   ptrace(PTRACE_POKETEXT, process, breakpoint->address, (word & ~0xffL) | 0xcc);
}

/* The process has just executed the breakpoint: let it execute what stood there next. */
static void step_back(pid_t process, struct breakpoint *breakpoint)
{
   struct user_regs_struct registers;
   ptrace(PTRACE_GETREGS, process, 0, &registers);
   registers.rip = breakpoint->address;
   ptrace(PTRACE_SETREGS, process, 0, &registers);
   ptrace(PTRACE_POKETEXT, process, breakpoint->address, breakpoint->word);
   breakpoint->is_set = 0;
}

static int has_ended(int status)
{
   return WIFEXITED(status) || WIFSIGNALED(status);
}

/* Execute one instruction. */
static int step(pid_t process)
{
   int status;
   ptrace(PTRACE_SINGLESTEP, process, 0, 0);
   return waitpid(process, &status, 0) == process && !has_ended(status);
}

static int is_at(pid_t process, unsigned long address)
{
   struct user_regs_struct registers;
   ptrace(PTRACE_GETREGS, process, 0, &registers);
   return registers.rip == address;
}

/* Run until the breakpoint was reached that often. 0: the process ended before. */
static int reach(pid_t process, struct breakpoint *breakpoint, long passes)
{
   int status, signal = 0;
   while (passes > 0) {
      ptrace(PTRACE_CONT, process, 0, signal);
      if (waitpid(process, &status, 0) != process || has_ended(status))
         return 0;
      signal = WSTOPSIG(status);
      if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
         set(process, breakpoint);
      } else if (signal == SIGTRAP && breakpoint->is_set &&
                 is_at(process, breakpoint->address + 1)) {
         step_back(process, breakpoint);
         if (--passes > 0) {
            if (!step(process))
               return 0;
            set(process, breakpoint);
         }
      } else {
         continue; /* the process's own signal */
      }
      signal = 0;
   }
   return 1;
}

int main(int argc, char **argv)
{
   if (argc < 5) {
      fprintf(stderr, "usage: steps ADDRESS PASSES STEPS COMMAND...\n");
      return 2;
   }
   struct breakpoint breakpoint = {.address = strtoul(argv[1], NULL, 16)};
   pid_t process = fork();
   if (process == 0) {
      int nothing = open("/dev/null", O_WRONLY);
      dup2(nothing, STDOUT_FILENO);
      ptrace(PTRACE_TRACEME, 0, 0, 0);
      execvp(argv[4], argv + 4);
      _exit(127);
   }
   int status;
   if (waitpid(process, &status, 0) != process || has_ended(status))
      return 1;
   ptrace(PTRACE_SETOPTIONS, process, 0, PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
   set(process, &breakpoint);
   if (!reach(process, &breakpoint, atol(argv[2])))
      return 1;
   for (long left = atol(argv[3]); left > 0; left--) {
      struct user_regs_struct registers;
      ptrace(PTRACE_GETREGS, process, 0, &registers);
      printf("%llx\n", registers.rip);
      if (!step(process))
         return 1;
   }
   kill(process, SIGKILL);
   return 0;
}
