/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_massif.c: the timeline in Massif's format, with who had what at the peak.
 *
 * For ms_print and massif-visualizer. A snapshot is an interval of the timeline: when it
 * begins, and the most that was live in it; the last is the end of the run. The first interval
 * that reached heap.peak is the peak, with the tree of call chains that obtained what was live
 * then, from the allocating function outwards. Heap is what the program requested: there is
 * neither overhead nor stacks. Only the whole run has a timeline.
 *
 * What a node has is what its children have, together. Readers take what follows a number sign
 * for a comment; in names it is written like the bytes that reports cannot hold.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_stacks.h"
#include "pr_text.h"

/* As many frames as Valgrind takes at most: what claims more does not grow with its square. */
enum { INDENT_MAX = 500 };

struct node {
   const struct pr_frame *frame; /* NULL: of chains that end with the parent's */
   uint64_t bytes;
   size_t depth; /* of the root: 0 */
   size_t child_count;
   struct node *first, *next, *parent; /* a child, the next sibling: the largest first */
};

struct tree {
   struct node *nodes; /* the root first */
   size_t count;
   struct node **path; /* of the chain that was added last, root first */
};

static bool make_room(struct tree *tree, const struct pr_stacks *stacks)
{
   size_t frames = 0, deepest = 0;
   for (size_t s = 0; s < stacks->count; s++) {
      frames += stacks->items[s].frame_count;
      if (deepest < stacks->items[s].frame_count)
         deepest = stacks->items[s].frame_count;
   }
   /* One for each frame, one for each chain that ends where others go on, and the root. */
   tree->nodes = calloc(frames + stacks->count + 1, sizeof *tree->nodes);
   tree->path = calloc(deepest + 1, sizeof *tree->path);
   tree->count = 1;
   return tree->nodes && tree->path;
}

static struct node *add_node(struct tree *tree, struct node *parent, const struct pr_frame *frame)
{
   struct node *node = &tree->nodes[tree->count++];
   *node = (struct node){.frame = frame, .parent = parent, .depth = parent->depth + 1};
   return node;
}

/* Does the next chain that is another one go on from this one? */
static bool is_continued(const struct pr_stacks *stacks, size_t index)
{
   const struct pr_stack *stack = &stacks->items[index];
   for (size_t s = index + 1; s < stacks->count; s++) {
      if (pr_stack_common(stack, &stacks->items[s]) < stack->frame_count)
         return false;
      if (stacks->items[s].frame_count > stack->frame_count)
         return true;
   }
   return false;
}

static void add_chains(struct tree *tree, const struct pr_stacks *stacks)
{
   struct node *end = NULL; /* what chains that end where others go on have, is a child, too */
   tree->path[0] = &tree->nodes[0];
   for (size_t s = 0; s < stacks->count; s++) {
      const struct pr_stack *stack = &stacks->items[s];
      size_t shared = s > 0 ? pr_stack_common(stack - 1, stack) : 0;
      for (size_t f = shared; f < stack->frame_count; f++)
         tree->path[f + 1] = add_node(tree, tree->path[f], &stack->frames[f]);
      bool is_as_before = s > 0 && shared == stack->frame_count; /* it cannot be a shorter one */
      if (!is_as_before)
         end = is_continued(stacks, s) ? add_node(tree, tree->path[stack->frame_count], NULL)
                                       : NULL;
      for (size_t f = 0; f <= stack->frame_count; f++)
         tree->path[f]->bytes += pr_stack_value(stacks, stack);
      if (end)
         end->bytes += pr_stack_value(stacks, stack);
   }
}

/* The smallest first; of those that have as much, the last. */
static int compare_nodes(const void *left, const void *right)
{
   const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
   int order = (a->bytes > b->bytes) - (a->bytes < b->bytes);
   return order ? order : (a < b) - (a > b);
}

/* When it is known what each has. False: no memory. */
static bool link_children(struct tree *tree)
{
   struct node **nodes = malloc(tree->count * sizeof *nodes);
   if (!nodes)
      return false;
   for (size_t n = 1; n < tree->count; n++)
      nodes[n - 1] = &tree->nodes[n];
   qsort(nodes, tree->count - 1, sizeof *nodes, compare_nodes);
   for (size_t n = 0; n + 1 < tree->count; n++) {
      struct node *node = nodes[n], *parent = node->parent;
      node->next = parent->first;
      parent->first = node;
      parent->child_count++;
   }
   free(nodes);
   return true;
}

static void put_text(const char *text, FILE *out)
{
   for (;;) {
      size_t bytes = strcspn(text, "#");
      pr_text_write(out, text, bytes);
      if (text[bytes] == '\0')
         return;
      fputs("\\x23", out);
      text += bytes + 1;
   }
}

static void put_node(const struct node *node, FILE *out)
{
   int indent = node->depth < INDENT_MAX ? (int)node->depth : INDENT_MAX;
   fprintf(out, "%*sn%zu: %" PRIu64 " ", indent, "", node->child_count, node->bytes);
   if (!node->parent)
      fputs("(what the program requested)", out);
   else if (!node->frame)
      fputs("(no caller known)", out);
   else
      put_text(pr_frame_name(node->frame), out);
   if (node->frame && node->frame->file) {
      fputs(" (", out);
      put_text(node->frame->file, out);
      fprintf(out, ":%" PRIu64 ")", node->frame->line);
   } else if (node->frame && node->frame->object) {
      fputs(" (in ", out);
      put_text(node->frame->object, out);
      putc(')', out);
   }
   putc('\n', out);
}

/* Children behind their parent. */
static void put_nodes(const struct node *node, FILE *out)
{
   while (node) {
      put_node(node, out);
      if (node->first) {
         node = node->first;
         continue;
      }
      while (node && !node->next)
         node = node->parent;
      if (node)
         node = node->next;
   }
}

/* Without call chains in the report, the root alone. */
static bool put_tree(struct pr_stacks *stacks, uint64_t peak_bytes, FILE *out)
{
   struct tree tree;
   bool ok = make_room(&tree, stacks);
   if (ok) {
      pr_stacks_sort(stacks);
      add_chains(&tree, stacks);
      tree.nodes[0].bytes = peak_bytes;
      ok = link_children(&tree);
      if (ok)
         put_nodes(&tree.nodes[0], out);
   }
   free(tree.nodes);
   free(tree.path);
   return ok;
}

static void put_head(const struct pr_report *report, FILE *out)
{
   fprintf(out, "desc: profmem, the most that was live in each %" PRIu64 " instructions\ncmd:",
           report->timeline.interval_instructions);
   for (size_t a = 0; a < report->run.argument_count; a++) {
      char *word = NULL;
      size_t bytes = 0;
      FILE *made = open_memstream(&word, &bytes);
      if (!made)
         return;
      pr_text_puts_word(made, report->run.arguments[a]);
      fclose(made);
      putc(' ', out);
      put_text(word, out);
      free(word);
   }
   fputs("\ntime_unit: i\n", out);
}

static void put_snapshot(size_t number, uint64_t time, uint64_t bytes, const char *tree, FILE *out)
{
   fprintf(out, "#-----------\nsnapshot=%zu\n#-----------\ntime=%" PRIu64 "\nmem_heap_B=%" PRIu64
                "\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=%s\n", number, time, bytes, tree);
}

static bool put_snapshots(const struct pr_report *report, const struct pr_phase *phase,
                          struct pr_stacks *stacks, uint64_t peak_bytes, FILE *out)
{
   const struct pr_timeline *timeline = &report->timeline;
   const struct pr_metric *total =
      pr_metric_list_available(&phase->metrics, PR_METRIC_INSTRUCTIONS_TOTAL);
   bool has_peak = false;
   put_head(report, out);
   for (size_t p = 0; p < timeline->count; p++) {
      bool is_peak = !has_peak && timeline->points[p].most_bytes == peak_bytes;
      put_snapshot(p, p * timeline->interval_instructions, timeline->points[p].most_bytes,
                   is_peak ? "peak" : "empty", out);
      if (is_peak && !put_tree(stacks, peak_bytes, out))
         return false;
      has_peak = has_peak || is_peak;
   }
   put_snapshot(timeline->count,
                total ? total->value.as_unsigned
                      : timeline->count * timeline->interval_instructions,
                timeline->count > 0 ? timeline->points[timeline->count - 1].last_bytes : 0,
                "empty", out);
   return true;
}

enum pr_exported pr_export_massif(const struct pr_report *report,
                                  const struct pr_selection *selection, FILE *out, FILE *notes)
{
   struct pr_stacks stacks;
   const struct pr_phase *phase = pr_selection_phase(selection, report, notes);
   if (!phase || !pr_export_has_value(phase, PR_METRIC_HEAP_PEAK, notes))
      return PR_EXPORT_REFUSED;
   if (strcmp(phase->name, "program") != 0 || !report->timeline.is_listed) {
      pr_export_note_phase(phase, report->timeline.is_listed
                                     ? "the timeline is that of the phase program"
                                     : "the report has no timeline", notes);
      return PR_EXPORT_REFUSED;
   }
   enum pr_exported result = pr_stacks_take(&stacks, report, phase, PR_METRIC_HEAP_PEAK, NULL);
   if (result == PR_EXPORT_REFUSED)
      stacks = (struct pr_stacks){.count = 0};
   else if (result == PR_EXPORT_EXHAUSTED)
      return result;
   uint64_t peak_bytes = pr_phase_metric_by_id(phase, PR_METRIC_HEAP_PEAK)->value.as_unsigned;
   bool ok = put_snapshots(report, phase, &stacks, peak_bytes, out);
   pr_stacks_release(&stacks);
   return ok ? PR_EXPORTED : PR_EXPORT_EXHAUSTED;
}
