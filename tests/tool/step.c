/* SPDX-License-Identifier: GPL-2.0-or-later */
/* step.c: how many instructions does a program retire?  The processor says.
 *
 *    step [-a FILE] PROGRAM [ARGUMENTS...]
 *
 * The referee of the instruction metrics.  It shares no code and no idea with
 * the tool: it single-steps the native program under ptrace and counts.
 * Standard output gets one `name=value` line per metric; the program's own
 * output goes where it always goes.  FILE gets a line `ADDRESS EXECUTIONS
 * ITERATIONS` for each instruction that was executed, the address hexadecimal.
 *
 * Terms, as the report's format defines them:
 *   instructions.total       user-mode instructions retired, from the process's
 *                            first to its last.  The exit system call has
 *                            retired although no stop follows it.  A faulting
 *                            instruction has not.
 *   rep string instruction   one instruction, retired when control leaves it.
 *                            With the trap flag set a processor stops after
 *                            each pass over its body, the instruction pointer
 *                            unmoved until the last; a fault inside leaves it
 *                            unfinished, and a restart goes on with it.
 *   rep-iterations           passes over the body: by how much the count
 *                            register went down.
 *   rep-ended-by-condition   repe and repne executions after whose last pass
 *                            the zero flag forbids another, whether or not the
 *                            count ran out with it.
 *   client-requests          executions of Valgrind's magic sequence, which
 *                            are five ordinary instructions here.
 *   syscalls.count           system call instructions, the last one included.
 *
 * What each stop means (kernel/signal.c and arch/x86 say so, and the programs
 * whose count follows from their source confirm it in instructions.bats):
 *   SIGTRAP, TRAP_TRACE      one instruction, or one pass of a rep, was executed
 *   SIGTRAP, TRAP_BRKPT      the same, and it was a system call
 *   SIGTRAP, code SIGTRAP    a handler was entered, nothing was executed
 *   another signal           about to be delivered, nothing was executed
 *
 * One thread, one process: anything else is refused, since the order of
 * threads would be the kernel's.  Cost: some microseconds for each instruction.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define ZERO_FLAG (UINT64_C(1) << 6)

struct counts {
   uint64_t total;
   uint64_t unfinished_rep; /* address of the rep that the last step left unfinished, or 0 */
   uint64_t rep_iterations;
   uint64_t rep_ended_by_condition;
   uint64_t client_requests;
   uint64_t syscalls;
};

/* What the bytes at the instruction pointer are. */
struct instruction {
   bool is_rep;            /* a string instruction with a repeat prefix */
   bool is_conditional;    /* ... and cmps or scas: the zero flag can end it */
   bool while_zero_set;    /* repe rather than repne; only if is_conditional */
   uint64_t count_mask;    /* which part of rcx counts; only if is_rep */
   bool is_client_request; /* the first of the five instructions of one */
   bool is_syscall;
};

static void __attribute__((noreturn, format(printf, 1, 2)))
fail(const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   fputs("step: error: ", stderr);
   vfprintf(stderr, format, arguments);
   fputc('\n', stderr);
   va_end(arguments);
   exit(125);
}

static bool is_string_opcode(uint8_t opcode)
{
   return (opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf);
}

static struct instruction decode(const uint8_t *code, size_t length)
{
   /* rol $3, $13, $61, $51 on rdi, then xchg rbx with itself: valgrind.h */
   static const uint8_t request[] = {0x48, 0xc1, 0xc7, 0x03, 0x48, 0xc1, 0xc7, 0x0d, 0x48, 0xc1,
                                     0xc7, 0x3d, 0x48, 0xc1, 0xc7, 0x33, 0x48, 0x87, 0xdb};
   struct instruction found = {.count_mask = UINT64_MAX};
   found.is_client_request =
      length >= sizeof request && memcmp(code, request, sizeof request) == 0;
   found.is_syscall = length >= 2 && code[0] == 0x0f && code[1] == 0x05;

   uint8_t repeat = 0;
   size_t at = 0;
   for (; at < length; at++) {
      uint8_t byte = code[at];
      if (byte == 0xf2 || byte == 0xf3)
         repeat = byte;
      else if (byte == 0x67)
         found.count_mask = UINT32_MAX;
      else if (byte != 0x66 && byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26 &&
               byte != 0x64 && byte != 0x65)
         break;
   }
   if (at < length && (code[at] & 0xf0) == 0x40)
      at++; /* REX */
   if (repeat == 0 || at >= length || !is_string_opcode(code[at]))
      return found;
   uint8_t width_free = code[at] & 0xfe;
   found.is_rep = true;
   found.is_conditional = width_free == 0xa6 || width_free == 0xae;
   found.while_zero_set = repeat == 0xf3;
   return found;
}

/* ---- Each instruction. */

struct place {
   uint64_t address;
   uint64_t executions;
   uint64_t iterations;
};

static void *places; /* a tree of them, by address */

static int compare_places(const void *left, const void *right)
{
   const struct place *a = left, *b = right;
   return a->address < b->address ? -1 : a->address > b->address;
}

static struct place *place_at(uint64_t address)
{
   const struct place key = {.address = address};
   struct place *const *found = tfind(&key, &places, compare_places);
   if (found != NULL)
      return *found;
   struct place *place = malloc(sizeof *place);
   if (place == NULL)
      fail("out of memory");
   *place = key;
   if (tsearch(place, &places, compare_places) == NULL)
      fail("out of memory");
   return place;
}

static FILE *places_file;

static void write_place(const void *node, VISIT visit, int depth)
{
   (void)depth;
   const struct place *place = *(struct place *const *)node;
   if (visit == postorder || visit == leaf)
      fprintf(places_file, "%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", place->address,
              place->executions, place->iterations);
}

static void write_places(const char *path)
{
   places_file = fopen(path, "w");
   if (places_file == NULL)
      fail("cannot write '%s': %s", path, strerror(errno));
   twalk(places, write_place);
   if (fclose(places_file) != 0)
      fail("cannot write '%s': %s", path, strerror(errno));
}

/* ---- Stepping. */

static struct user_regs_struct registers_of(pid_t pid)
{
   struct user_regs_struct registers;
   if (ptrace(PTRACE_GETREGS, pid, NULL, &registers) != 0)
      fail("cannot read registers: %s", strerror(errno));
   return registers;
}

/* The instruction that comes next.  Bytes are read as far as the page after
 * the instruction pointer is mapped: an instruction may be the last in its page. */
static struct instruction instruction_at(pid_t pid, uint64_t address)
{
   uint8_t code[32];
   size_t in_page = 4096 - address % 4096;
   size_t first = in_page < sizeof code ? in_page : sizeof code;
   struct iovec local = {code, sizeof code};
   struct iovec remote[2] = {{(void *)address, first},
                             {(void *)(address + first), sizeof code - first}};
   ssize_t length = process_vm_readv(pid, &local, 1, remote, first < sizeof code ? 2 : 1, 0);
   return decode(code, length < 0 ? 0 : (size_t)length);
}

static void count_step(struct counts *counts, const struct instruction *instruction,
                       const struct user_regs_struct *before, const struct user_regs_struct *after)
{
   if (instruction->is_syscall)
      counts->syscalls++;
   if (instruction->is_client_request)
      counts->client_requests++;
   struct place *place = place_at(before->rip);
   if (!instruction->is_rep) {
      counts->total++;
      place->executions++;
      return;
   }
   uint64_t passes = (before->rcx & instruction->count_mask) - (after->rcx & instruction->count_mask);
   counts->rep_iterations += passes;
   place->iterations += passes;
   /* A processor may stop once more between the last pass and leaving.  A
    * count of zero leaves without any pass, and without a look at the flag. */
   bool any_pass = passes > 0 || counts->unfinished_rep == before->rip;
   counts->unfinished_rep = after->rip == before->rip ? before->rip : 0;
   if (counts->unfinished_rep != 0)
      return;
   counts->total++;
   place->executions++;
   if (instruction->is_conditional && any_pass &&
       ((after->eflags & ZERO_FLAG) != 0) != instruction->while_zero_set)
      counts->rep_ended_by_condition++;
}

static pid_t start(char **arguments)
{
   pid_t pid = fork();
   if (pid < 0)
      fail("cannot fork: %s", strerror(errno));
   if (pid == 0) {
      ptrace(PTRACE_TRACEME, 0, NULL, NULL);
      execv(arguments[0], arguments);
      fprintf(stderr, "step: error: cannot run '%s': %s\n", arguments[0], strerror(errno));
      _exit(127);
   }
   int status;
   if (waitpid(pid, &status, 0) != pid)
      fail("cannot wait: %s", strerror(errno));
   if (WIFEXITED(status))
      exit(WEXITSTATUS(status));
   long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                  PTRACE_O_TRACEVFORK;
   if (!WIFSTOPPED(status) || ptrace(PTRACE_SETOPTIONS, pid, NULL, options) != 0)
      fail("cannot trace '%s'", arguments[0]);
   return pid;
}

/* Runs the stopped process to its end; its wait status. */
static int count_until_end(pid_t pid, struct counts *counts)
{
   int signal_to_deliver = 0;
   for (;;) {
      struct user_regs_struct before = registers_of(pid);
      struct instruction instruction = instruction_at(pid, before.rip);
      int status;
      if (ptrace(PTRACE_SINGLESTEP, pid, NULL, signal_to_deliver) != 0 ||
          waitpid(pid, &status, 0) != pid)
         fail("cannot step: %s", strerror(errno));
      signal_to_deliver = 0;
      if (WIFEXITED(status)) {
         counts->total++;
         counts->syscalls++;
         place_at(before.rip)->executions++;
      }
      if (!WIFSTOPPED(status))
         return status;
      if (status >> 16 != 0)
         fail("the program starts a thread, a process or another program");
      if (WSTOPSIG(status) != SIGTRAP) {
         signal_to_deliver = WSTOPSIG(status);
         continue;
      }
      siginfo_t why;
      if (ptrace(PTRACE_GETSIGINFO, pid, NULL, &why) != 0)
         fail("cannot ask for the stop's reason: %s", strerror(errno));
      if (why.si_code == TRAP_TRACE || why.si_code == TRAP_BRKPT) {
         struct user_regs_struct after = registers_of(pid);
         count_step(counts, &instruction, &before, &after);
      } else if (why.si_code != SIGTRAP) {
         fail("a trap of the program's own (code %d) is not supported", why.si_code);
      }
   }
}

int main(int argc, char **argv)
{
   const char *places_path = argc > 2 && strcmp(argv[1], "-a") == 0 ? argv[2] : NULL;
   char **arguments = argv + (places_path != NULL ? 3 : 1);
   if (arguments[0] == NULL)
      fail("usage: step [-a FILE] PROGRAM [ARGUMENTS...]");
   struct counts counts = {0};
   int status = count_until_end(start(arguments), &counts);
   if (places_path != NULL)
      write_places(places_path);
   printf("instructions.total=%" PRIu64 "\n", counts.total);
   printf("instructions.rep-iterations=%" PRIu64 "\n", counts.rep_iterations);
   printf("instructions.rep-ended-by-condition=%" PRIu64 "\n", counts.rep_ended_by_condition);
   printf("instructions.client-requests=%" PRIu64 "\n", counts.client_requests);
   printf("syscalls.count=%" PRIu64 "\n", counts.syscalls);
   if (WIFSIGNALED(status))
      printf("end=signal %d\n", WTERMSIG(status));
   else
      printf("end=exit %d\n", WEXITSTATUS(status));
   return fclose(stdout) == 0 ? 0 : 125;
}
