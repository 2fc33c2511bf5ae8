/* SPDX-License-Identifier: GPL-2.0-or-later */
/* requests.c: phases by request, one lesson each, and what a report of it must say.
 *
 *    requests LESSON
 *
 * Every number is worked out from the program's own calls. Results of the requests
 * are checked on the spot. say.h has the form of what is printed.
 */
#define _GNU_SOURCE
#include "profmem.h"
#include "say.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#define WANT(result, expression) check((expression) == (result), #expression " is not " #result)

static void *obtain(size_t bytes)
{
   void *block = malloc(bytes);
   check(block != NULL, "no memory");
   return block;
}

/* Counted in the test from this function's disassembly. */
void around_nothing(void);
__attribute__((noipa)) void around_nothing(void)
{
   (void)profmem_begin("nothing");
   (void)profmem_end("nothing");
}

static void nothing(void)
{
   static const char *const zeros[] = {
      "heap.growth", "heap.scratch-peak", "heap.retained", "heap.released", "heap.resized",
      "allocations.count", "allocations.bytes", "allocations.zero-size", "allocations.failed",
      "allocations.temporary", "reallocations.count", "reallocations.bytes",
      "reallocations.net-bytes", "reallocations.moved", "reallocations.failed",
      "deallocations.count", "deallocations.bytes", "deallocations.unmatched",
      "deallocations.unseen", "traffic.blocks", "traffic.bytes", "instructions.allocator",
      "syscalls.count"};
   void *kept = obtain(4321);
   around_nothing();
   for (size_t z = 0; z < sizeof zeros / sizeof *zeros; z++)
      expect("nothing", zeros[z], 0);
   expect("nothing", "instructions.client-requests", 1); /* the end's own */
   expect("nothing", "@instances", 1);
   expect_text("nothing", "@kind", "request");
   expect_text("nothing", "@complete", "yes");
   expect_text("nothing", "@parent", "program");
   expect_text("nothing", "@overlapping", "absent");
   expect_text("nothing", "heap.entry:min", "absent");
   free(kept);
}

/* A vector obtained before the phase grows and shrinks inside. */
static void vector(void)
{
   char *values = obtain(1000);
   char *behind = obtain(100); /* so that growing has to move */
   struct profmem_numbers before;
   WANT(PROFMEM_DONE, profmem_begin("grow"));
   WANT(PROFMEM_DONE, profmem_read("grow", &before));
   char *moved = realloc(values, 5000);
   int moves = moved != values;
   values = moved;
   char *scratch = obtain(700);
   moved = realloc(values, 3000);
   moves += moved != values;
   values = moved;
   free(scratch);
   WANT(PROFMEM_DONE, profmem_end("grow"));
   struct profmem_numbers after;
   WANT(PROFMEM_DONE, profmem_read("grow", &after));

   check(moves == 1, "the test needs one resize that moves, and one that does not");
   long long entry = (long long)before.heap_entry.value;
   check(before.heap_entry.available && entry >= 1100, "what lived before");
   expect("grow", "heap.entry", entry);
   expect("grow", "heap.growth", 4700);
   expect("grow", "heap.peak", entry + 4700);
   expect("grow", "heap.exit", entry + 2000);
   expect("grow", "heap.scratch-peak", 4700); /* the vector's 4000 and scratch */
   expect("grow", "heap.resized", 2000);
   expect("grow", "heap.retained", 0);
   expect("grow", "heap.released", 0);
   expect("grow", "heap.move-peak", entry + 5000); /* both places of the vector */
   expect("grow", "allocations.count", 1);
   expect("grow", "allocations.bytes", 700);
   expect("grow", "allocations.temporary", 0); /* a resize came between */
   expect("grow", "reallocations.count", 2);
   expect("grow", "reallocations.moved", 1);
   expect("grow", "reallocations.bytes", 8000);
   expect("grow", "reallocations.net-bytes", 2000);
   expect("grow", "deallocations.bytes", 700);
   check(after.heap_scratch_peak.value == 4700 && after.heap_resized.value == 2000 &&
            after.heap_exit.value - after.heap_entry.value == 2000,
         "the same numbers read back");
   free(values);
   free(behind);
}

/* outer holds inner, which crosses late: late is open when inner ends. */
static void nested(void)
{
   WANT(PROFMEM_DONE, profmem_begin("outer"));
   void *a = obtain(100);
   WANT(PROFMEM_DONE, profmem_begin("inner"));
   void *b = obtain(1000);
   WANT(PROFMEM_DONE, profmem_begin("late"));
   free(a);
   WANT(PROFMEM_DONE, profmem_end("inner"));
   void *c = obtain(10000);
   free(b);
   WANT(PROFMEM_DONE, profmem_end("outer"));
   free(c);
   WANT(PROFMEM_DONE, profmem_end("late"));

   expect_text("outer", "@parent", "program");
   expect("outer", "heap.growth", 11000);
   expect("outer", "heap.scratch-peak", 11000);
   expect("outer", "heap.retained", 10000);
   expect("outer", "heap.released", 0);
   expect("outer", "allocations.bytes", 11100);
   expect_text("inner", "@parent", "outer");
   expect("inner", "heap.growth", 1000);
   expect("inner", "heap.scratch-peak", 1000);
   expect("inner", "heap.retained", 1000);
   expect("inner", "heap.released", 100);
   /* inner had ended before; outer is open at late's begin and has ended before late. */
   expect_text("late", "@parent", "program");
   expect("late", "heap.growth", 9900);
   expect("late", "heap.scratch-peak", 10000);
   expect("late", "heap.retained", 0);
   expect("late", "heap.released", 1100);
   expect("late", "deallocations.count", 3);
}

/* The same phase five times, in two different parents. */
static void repeated(void)
{
   static const size_t sizes[] = {300, 100, 500, 200, 400};
   void *kept[5];
   for (int i = 0; i < 5; i++) {
      const char *parent = i == 3 ? "second" : "first";
      WANT(PROFMEM_DONE, profmem_begin(parent));
      WANT(PROFMEM_DONE, profmem_begin("step"));
      WANT(PROFMEM_DONE, profmem_begin("always in step"));
      void *scratch = obtain(sizes[i]);
      kept[i] = obtain(10);
      free(scratch);
      WANT(PROFMEM_DONE, profmem_end("always in step"));
      WANT(PROFMEM_DONE, profmem_end("step"));
      WANT(PROFMEM_DONE, profmem_end(parent));
   }
   struct profmem_numbers last;
   WANT(PROFMEM_DONE, profmem_read("step", &last));
   check(last.heap_scratch_peak.value == 410 && last.allocations_count.value == 2,
         "what is read back is the last instance's");

   expect("step", "@instances", 5);
   expect_text("step", "@overlapping", "absent");
   expect_text("step", "@parent", "program"); /* the parents differ */
   expect_text("always in step", "@parent", "step");
   expect("always in step", "@instances", 5);
   expect("first", "@instances", 4);
   expect("second", "@instances", 1);
   expect("step", "heap.scratch-peak", 510);
   expect("step", "heap.scratch-peak:min", 110);
   expect("step", "heap.scratch-peak:max", 510);
   expect("step", "allocations.bytes", 1550);
   expect("step", "allocations.bytes:min", 110);
   expect("step", "allocations.bytes:max", 510);
   expect("step", "heap.retained", 50);
   expect("step", "heap.retained:min", 10);
   expect("step", "heap.retained:max", 10);
   expect("step", "instructions.client-requests", 15);
   expect("step", "heap.growth", 510);
   for (int i = 0; i < 5; i++) {
      char what[64];
      snprintf(what, sizeof what, "allocations.bytes#%d", i + 1);
      expect("step", what, (long long)sizes[i] + 10);
      snprintf(what, sizeof what, "@parent#%d", i + 1);
      expect_text("step", what, i == 3 ? "second" : "first");
      snprintf(what, sizeof what, "@thread#%d", i + 1);
      expect("step", what, 1);
      free(kept[i]);
   }
   expect("step", "instances-listed", 5);
   expect("second", "instances-listed", 0); /* nothing that the phase does not say */
}

/* --- two threads ------------------------------------------------------------ */

/* Turns are handed over, so that the order of all events is the program's. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void wait_turn(int mine)
{
   pthread_mutex_lock(&lock);
   while (turn != mine)
      pthread_cond_wait(&changed, &lock);
   pthread_mutex_unlock(&lock);
}

static void next_turn(void)
{
   pthread_mutex_lock(&lock);
   turn++;
   pthread_cond_broadcast(&changed);
   pthread_mutex_unlock(&lock);
}

static void with_other_thread(void *(*other)(void *), void (*main_part)(void))
{
   pthread_t thread;
   turn = 0;
   check(pthread_create(&thread, NULL, other, NULL) == 0, "no thread");
   main_part();
   check(pthread_join(thread, NULL) == 0, "no join");
}

static void *overlapping_other(void *unused)
{
   wait_turn(1);
   WANT(PROFMEM_DONE, profmem_begin("shared"));
   free(obtain(2000));
   next_turn();
   wait_turn(3);
   free(obtain(8000));
   WANT(PROFMEM_DONE, profmem_end("shared"));
   return unused;
}

static void overlapping_main(void)
{
   WANT(PROFMEM_DONE, profmem_begin("shared"));
   free(obtain(1000));
   next_turn();
   wait_turn(2);
   free(obtain(4000));
   WANT(PROFMEM_DONE, profmem_end("shared"));
   next_turn();
}

static void overlapping(void)
{
   with_other_thread(overlapping_other, overlapping_main);
   expect("shared", "@instances", 2);
   expect_text("shared", "@overlapping", "yes");
   expect_text("shared", "@complete", "yes");
   expect_text("shared", "@parent", "program");
   expect_text("shared", "@parent#1", "program");
   expect_text("shared", "@parent#2", "program"); /* the first ended before it */
   expect("shared", "@thread#1", 1);
   expect("shared", "@thread#2", 2);
   expect("shared", "allocations.bytes#1", 7000);
   expect("shared", "allocations.bytes#2", 14000);
   expect("shared", "allocations.bytes", 21000);
   expect("shared", "allocations.temporary", 6);
   expect("shared", "heap.scratch-peak", 8000);
}

static void *wrong_other(void *unused)
{
   wait_turn(1);
   WANT(PROFMEM_DONE, profmem_end("handed over"));
   WANT(PROFMEM_NOT_OPEN, profmem_end("handed over"));
   WANT(PROFMEM_NOT_OPEN, profmem_end("never begun"));
   WANT(PROFMEM_DONE, profmem_begin("own"));
   WANT(PROFMEM_BEGUN_TWICE, profmem_begin("own"));
   next_turn();
   wait_turn(3);
   return unused;
}

static void wrong_main(void)
{
   WANT(PROFMEM_DONE, profmem_begin("handed over"));
   free(obtain(100));
   next_turn();
   wait_turn(2);
   WANT(PROFMEM_DONE, profmem_begin("own"));
   WANT(PROFMEM_DONE, profmem_end("own")); /* its own, not the other's */
   WANT(PROFMEM_DONE, profmem_begin("own"));
   next_turn();
}

static void *third(void *unused)
{
   WANT(PROFMEM_AMBIGUOUS, profmem_end("own"));
   return unused;
}

static void wrong(void)
{
   with_other_thread(wrong_other, wrong_main);
   pthread_t thread; /* "own" is open twice, by main and by a thread that is gone */
   check(pthread_create(&thread, NULL, third, NULL) == 0, "no thread");
   check(pthread_join(thread, NULL) == 0, "no join");
   WANT(PROFMEM_DONE, profmem_end("own"));
   WANT(PROFMEM_DONE, profmem_end("own")); /* the gone thread's, the only one left */

   expect("handed over", "@instances", 1);
   expect_text("handed over", "@complete", "yes");
   expect("handed over", "allocations.bytes", 100);
   expect("handed over", "!phase-ended-by-other-thread", 1);
   expect("handed over", "!phase-ended-without-begin", 1);
   expect("never begun", "@instances", 0);
   expect_text("never begun", "heap.peak", "unavailable");
   expect_text("never begun", "instructions.total", "unavailable");
   expect("never begun", "!phase-ended-without-begin", 1);
   expect("own", "@instances", 3);
   expect_text("own", "@overlapping", "yes");
   expect("own", "@thread#1", 2);
   expect("own", "@thread#2", 1);
   expect("own", "@thread#3", 1);
   expect("own", "!phase-begun-twice", 1);
   expect("own", "!phase-ended-ambiguously", 1);
   expect("own", "!phase-ended-by-other-thread", 1);
}

/* --- own-thread -------------------------------------------------------------- */

/* Executes 2 * rounds + 2 instructions. */
void spin(unsigned rounds);
#ifdef __aarch64__
#define SPIN "mov w1, w0\n1: subs w1, w1, #1\n b.ne 1b\n ret\n"
#else
#define SPIN "movl %edi, %ecx\n1: decl %ecx\n jnz 1b\n ret\n"
#endif
__asm__(".text\n.globl spin\n.type spin, %function\nspin:\n" SPIN ".size spin, .-spin\n");

static void *own_other(void *unused)
{
   wait_turn(1);
   spin(5000000);
   next_turn();
   return unused;
}

static struct profmem_numbers own_numbers;

static void own_main(void)
{
   WANT(PROFMEM_DONE, profmem_begin("mine"));
   next_turn();
   wait_turn(2);
   spin(1000000);
   WANT(PROFMEM_DONE, profmem_end("mine"));
   WANT(PROFMEM_DONE, profmem_read("mine", &own_numbers));
}

/* What the threads do beside spinning (condition variables) is little. */
static void own_thread(void)
{
   with_other_thread(own_other, own_main);
   unsigned long long own = own_numbers.instructions_own_thread.value;
   unsigned long long total = own_numbers.instructions_total.value;
   check(own >= 2000002 && own < 2100000, "own-thread holds what its thread did");
   check(total >= 12000004 && total < 12200000, "total holds what both did");
   expect("mine", "instructions.own-thread", (long long)own);
   expect("mine", "instructions.total", (long long)total);
}

/* --- not as it should be ------------------------------------------------------ */

static void open_at_exit(void)
{
   WANT(PROFMEM_DONE, profmem_begin("left open"));
   WANT(PROFMEM_DONE, profmem_begin("too"));
   WANT(PROFMEM_BEGUN_TWICE, profmem_begin("left open"));
   WANT(PROFMEM_BEGUN_TWICE, profmem_begin("left open"));
   (void)!obtain(123);
   expect("left open", "@instances", 1);
   expect_text("left open", "@complete", "no");
   expect_text("left open", "@parent", "program");
   expect("left open", "allocations.bytes", 123);
   expect("left open", "heap.retained", 123);
   expect("left open", "!phase-open-at-end", 1);
   expect("left open", "!phase-begun-twice", 2);
   expect("too", "@instances", 1);
   expect_text("too", "@complete", "no");
   expect_text("too", "@parent", "left open");
   expect("too", "!phase-open-at-end", 1);
   _exit(0);
}

static void *begins_program(void *unused)
{
   WANT(PROFMEM_BEGUN_TWICE, profmem_begin("program"));
   return unused;
}

/* The phase that everything is in cannot be used for something else. */
static void program_itself(void)
{
   struct profmem_numbers numbers;
   pthread_t thread;
   check(pthread_create(&thread, NULL, begins_program, NULL) == 0, "no thread");
   check(pthread_join(thread, NULL) == 0, "no join");
   WANT(PROFMEM_BEGUN_TWICE, profmem_begin("program"));
   WANT(PROFMEM_NOT_OPEN, profmem_end("program"));
   WANT(PROFMEM_DONE, profmem_read("program", &numbers));
   check(numbers.instructions_total.available && numbers.instructions_total.value > 1000,
         "program is read");
   expect("program", "@instances", 1);
   expect_text("program", "@complete", "yes");
   expect("program", "!phase-begun-twice", 2);
   expect("program", "!phase-ended-without-begin", 1);
}

/* A page with nothing behind it. */
static char *lone_page(void)
{
   char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   check(pages != MAP_FAILED && munmap(pages + 4096, 4096) == 0, "no page");
   return pages;
}

static void begin_end(const char *name)
{
   WANT(PROFMEM_DONE, profmem_begin(name));
   WANT(PROFMEM_DONE, profmem_end(name));
}

static void names(void)
{
   static char most[256], more[257];
   memset(most, 'm', 255);
   memset(more, 'm', 256);
   begin_end(most);
   WANT(PROFMEM_NAME_TOO_LONG, profmem_begin(more));
   WANT(PROFMEM_NAME_TOO_LONG, profmem_end(more));
   WANT(PROFMEM_NAME_TOO_LONG, profmem_begin_n(more, ~0UL - 1));
   WANT(PROFMEM_NAME_TOO_LONG, profmem_begin_n(more, 256));
   expect(most, "@instances", 1);
   expect("-", "!phase-name-too-long", 4);

   begin_end("gr\xc3\xb6\xc3\x9f" "e \xe6\x97\xa5\xe6\x9c\xac");
   expect("gr\xc3\xb6\xc3\x9f" "e \xe6\x97\xa5\xe6\x9c\xac", "@instances", 1);
   WANT(PROFMEM_NAME_NOT_UTF8, profmem_begin("a\xff" "b"));
   WANT(PROFMEM_NAME_NOT_UTF8, profmem_begin("\xc0\x80"));     /* an overlong form */
   WANT(PROFMEM_NAME_NOT_UTF8, profmem_begin("\xed\xa0\x80")); /* half a surrogate pair */
   WANT(PROFMEM_NAME_NOT_UTF8, profmem_begin("cut \xe6\x97"));
   WANT(PROFMEM_NAME_NOT_UTF8, profmem_end("\xf5\x80\x80\x80"));
   WANT(PROFMEM_NAME_NOT_UTF8, profmem_begin_n("a\0b", 3)); /* no text holds a zero */
   WANT(PROFMEM_NAME_NOT_UTF8, profmem_begin_n("a\0b", 3));
   expect("-", "!phase-name-not-utf8", 7);

   begin_end("<a href=\"x\">&amp;'</a>]]>");
   expect("<a href=\"x\">&amp;'</a>]]>", "@instances", 1);
   begin_end("\x1b[31mred\x1b[0m\a");
   expect("\\x1b[31mred\\x1b[0m\\x07", "@instances", 1);
   begin_end("\\x1b");
   expect("\\x5cx1b", "@instances", 1);
   begin_end("tab\tline\nreturn\r");
   expect("tab\xe2\x90\x89line\xe2\x90\x8areturn\xe2\x90\x8d", "@instances", 1);
   begin_end("");
   expect("", "@instances", 2);
   WANT(PROFMEM_DONE, profmem_begin_n(NULL, 0));
   WANT(PROFMEM_DONE, profmem_end_n("ignored", 0));

   /* A part of a longer text, and text that is changed after the begin. */
   WANT(PROFMEM_DONE, profmem_begin_n("partly", 4));
   WANT(PROFMEM_DONE, profmem_end("part"));
   expect("part", "@instances", 1);
   char changing[] = "before";
   WANT(PROFMEM_DONE, profmem_begin(changing));
   memcpy(changing, "after!", 6);
   WANT(PROFMEM_DONE, profmem_end("before"));
   expect("before", "@instances", 1);

   WANT(PROFMEM_NAME_UNREADABLE, profmem_begin(NULL));
   WANT(PROFMEM_NAME_UNREADABLE, profmem_begin((char *)8));
   WANT(PROFMEM_NAME_UNREADABLE, profmem_end((char *)~0UL));
   WANT(PROFMEM_NAME_UNREADABLE, profmem_begin_n((char *)~0UL - 3, 8));
   char *page = lone_page();
   memcpy(page + 4096 - 5, "last", 5);
   begin_end(page + 4096 - 5);
   expect("last", "@instances", 1);
   page[4095] = '!';
   WANT(PROFMEM_NAME_UNREADABLE, profmem_begin(page + 4096 - 5));
   WANT(PROFMEM_NAME_UNREADABLE, profmem_begin_n(page + 4096 - 5, 6));
   WANT(PROFMEM_DONE, profmem_begin_n(page + 4096 - 5, 5));
   WANT(PROFMEM_DONE, profmem_end_n(page + 4096 - 5, 5));
   expect("last!", "@instances", 1);
   check(mprotect(page, 4096, PROT_NONE) == 0, "mprotect");
   WANT(PROFMEM_NAME_UNREADABLE, profmem_begin(page));
   expect("-", "!phase-name-unreadable", 7);
}

/* Into some other memory than a struct of today. */
static int read_phase(void *numbers, size_t bytes)
{
   return profmem_request_(PROFMEM_REQUEST_READ, (unsigned long)"phase", ~0UL,
                           (unsigned long)numbers, bytes);
}

static void reads(void)
{
   struct profmem_numbers numbers;
   WANT(PROFMEM_NOT_OPEN, profmem_read("not yet", &numbers));
   check(!numbers.heap_peak.available, "nothing to read");
   static char more[257];
   memset(more, 'm', 256);
   WANT(PROFMEM_NAME_TOO_LONG, profmem_read(more, &numbers));
   WANT(PROFMEM_NAME_NOT_UTF8, profmem_read("\xff", &numbers));
   WANT(PROFMEM_NAME_UNREADABLE, profmem_read((char *)8, &numbers));
   expect("-", "!phase-name-unreadable", 1);

   WANT(PROFMEM_DONE, profmem_begin("phase"));
   void *block = obtain(100);
   WANT(PROFMEM_DONE, profmem_read("phase", &numbers));
   check(numbers.heap_retained.available && numbers.heap_retained.value == 100 &&
            numbers.heap_exit.value == numbers.heap_entry.value + 100,
         "so far");
   void *large = obtain(900);
   free(large);
   free(block);
   WANT(PROFMEM_DONE, profmem_end("phase"));
   WANT(PROFMEM_DONE, profmem_read("phase", &numbers));
   check(numbers.heap_retained.value == 0 && numbers.heap_growth.value == 1000 &&
            numbers.allocations_count.value == 2 && numbers.deallocations_bytes.value == 1000 &&
            numbers.traffic_bytes.value == 1000 && numbers.syscalls_count.available,
         "the ended one");
   check(numbers.instructions_total.value ==
            numbers.instructions_allocator.value + numbers.instructions_program.value,
         "the sum");

   /* An older program's struct, and a newer one's. */
   struct profmem_value three[4] = {{7, 7}, {7, 7}, {7, 7}, {7, 7}};
   WANT(PROFMEM_DONE, read_phase(three, 3 * sizeof *three));
   check(three[2].value == numbers.heap_peak.value && three[3].value == 7, "three members");
   struct {
      struct profmem_numbers known;
      struct profmem_value later;
   } newer = {.later = {0, 0}};
   WANT(PROFMEM_DONE, read_phase(&newer, sizeof newer));
   check(newer.known.syscalls_count.available && !newer.later.available, "a newer struct");

   /* Nothing is written where nothing may be. */
   WANT(PROFMEM_NAME_UNREADABLE, read_phase((void *)8, sizeof numbers));
   WANT(PROFMEM_NAME_UNREADABLE, read_phase((void *)"a text of 32 bytes, not writable.", 32));
   WANT(PROFMEM_NAME_UNREADABLE, read_phase(lone_page() + 4096 - 16, 32));
   expect("phase", "@instances", 1);
}

static void begins_and_ends(int signal)
{
   (void)signal;
   WANT(PROFMEM_DONE, profmem_end("until a handler"));
   WANT(PROFMEM_DONE, profmem_begin("from a handler"));
}

/* What is open changes inside a handler, whose end brings back the registers of before. */
static void in_handler(void)
{
   check(signal(SIGUSR1, begins_and_ends) != SIG_ERR, "no handler");
   WANT(PROFMEM_DONE, profmem_begin("until a handler"));
   free(obtain(100));
   check(raise(SIGUSR1) == 0, "no signal");
   for (size_t bytes = 1; bytes <= 1000; bytes++)
      free(obtain(bytes));
   WANT(PROFMEM_DONE, profmem_end("from a handler"));
   expect("until a handler", "allocations.count", 1);
   expect("from a handler", "allocations.count", 1000);
}

/* Nothing of a request may be seen by a program that nobody watches. */
static void unwatched(void)
{
   struct profmem_numbers numbers;
   memset(&numbers, 0xff, sizeof numbers);
   check(profmem_watching() == 0, "watched");
   WANT(PROFMEM_NOT_WATCHING, profmem_begin("a"));
   WANT(PROFMEM_NOT_WATCHING, profmem_read("a", &numbers));
   check(!numbers.heap_entry.available && !numbers.syscalls_count.available, "not available");
   WANT(PROFMEM_NOT_WATCHING, profmem_end("a"));
   WANT(PROFMEM_NOT_WATCHING, profmem_begin((char *)8));
   say("unwatched\n");
}

static void watched(void)
{
   check(profmem_watching() == 1, "not watched");
   say("watched\n");
}

static const struct {
   const char *name;
   void (*run)(void);
} lessons[] = {
   {"nothing", nothing},
   {"vector", vector},
   {"nested", nested},
   {"repeated", repeated},
   {"overlapping", overlapping},
   {"wrong", wrong},
   {"own-thread", own_thread},
   {"open-at-exit", open_at_exit},
   {"program", program_itself},
   {"names", names},
   {"reads", reads},
   {"handler", in_handler},
   {"unwatched", unwatched},
   {"watched", watched},
};

int main(int argc, char **argv)
{
   for (size_t l = 0; argc == 2 && l < sizeof lessons / sizeof *lessons; l++)
      if (strcmp(argv[1], lessons[l].name) == 0) {
         lessons[l].run();
         return 0;
      }
   stop("usage: requests LESSON");
}
