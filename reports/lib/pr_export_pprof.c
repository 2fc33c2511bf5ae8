/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_pprof.c: metrics of a phase as a pprof profile.
 *
 * A profile.proto message, compressed by gzip as its readers want it: call stacks, innermost
 * frame first, with a number for each metric that is wanted, each metric a sample type. What
 * the format calls a mapping is an object file. It has no addresses and no time: the same
 * report gives the same profile.
 *
 * Of protocol buffers, writing takes little: a message is a row of fields, each a key, which is
 * the field's number and how it is written, and a varint or a length and so many bytes. A field
 * of 0 is left out. Readers need not be told of text twice, but may be: each string stands as
 * often as it is used.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "pr_buffer.h"
#include "pr_stacks.h"

/* Numbers of fields in profile.proto. */
enum {
   PROFILE_SAMPLE_TYPE = 1,
   PROFILE_SAMPLE = 2,
   PROFILE_MAPPING = 3,
   PROFILE_LOCATION = 4,
   PROFILE_FUNCTION = 5,
   PROFILE_STRING_TABLE = 6,
   PROFILE_COMMENT = 13,
   PROFILE_DEFAULT_SAMPLE_TYPE = 14,

   VALUE_TYPE_TYPE = 1,
   VALUE_TYPE_UNIT = 2,

   SAMPLE_LOCATION_ID = 1,
   SAMPLE_VALUE = 2,

   MAPPING_ID = 1,
   MAPPING_FILENAME = 5,
   MAPPING_HAS_FUNCTIONS = 7,
   MAPPING_HAS_FILENAMES = 8,
   MAPPING_HAS_LINE_NUMBERS = 9,

   LOCATION_ID = 1,
   LOCATION_MAPPING_ID = 2,
   LOCATION_LINE = 4,

   LINE_FUNCTION_ID = 1,
   LINE_LINE = 2,

   FUNCTION_ID = 1,
   FUNCTION_NAME = 2,
   FUNCTION_SYSTEM_NAME = 3,
   FUNCTION_FILENAME = 4,
};

/* How a field is written. */
enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

struct writer {
   struct pr_buffer profile;         /* bytes of the whole message */
   struct pr_buffer message, nested; /* of the one that is being made, and of one in it */
   size_t string_count;
   bool exhausted;
   struct pr_frame_set objects, functions, places;
};

/* --- messages ---------------------------------------------------------------------------- */

static void put_byte(struct writer *writer, struct pr_buffer *to, uint8_t byte)
{
   uint8_t *place = pr_buffer_append(to, sizeof byte);
   if (place)
      *place = byte;
   else
      writer->exhausted = true;
}

/* Seven bits each, the lowest first, and a bit that says that more follow. */
static void put_varint(struct writer *writer, struct pr_buffer *to, uint64_t value)
{
   for (; value >= 0x80; value >>= 7)
      put_byte(writer, to, (uint8_t)(value | 0x80));
   put_byte(writer, to, (uint8_t)value);
}

static void put_number(struct writer *writer, struct pr_buffer *to, unsigned field, uint64_t value)
{
   if (value == 0)
      return;
   put_varint(writer, to, field << 3 | WIRE_VARINT);
   put_varint(writer, to, value);
}

static void put_bytes(struct writer *writer, struct pr_buffer *to, unsigned field,
                      const void *bytes, size_t count)
{
   put_varint(writer, to, field << 3 | WIRE_BYTES);
   put_varint(writer, to, count);
   for (size_t b = 0; b < count; b++)
      put_byte(writer, to, ((const uint8_t *)bytes)[b]);
}

/* Put what was made, and leave it empty for the next one. */
static void put_message(struct writer *writer, struct pr_buffer *to, unsigned field,
                        struct pr_buffer *made)
{
   put_bytes(writer, to, field, made->items, made->count);
   pr_buffer_clear(made);
}

/* Its number in the table of strings. */
static uint64_t put_string(struct writer *writer, const char *text)
{
   put_bytes(writer, &writer->profile, PROFILE_STRING_TABLE, text, strlen(text));
   return writer->string_count++;
}

/* --- the profile ------------------------------------------------------------------------- */

static void put_types(struct writer *writer, const struct pr_stacks *stacks, size_t count)
{
   for (size_t m = 0; m < count; m++) {
      const struct pr_metric_info *metric = &pr_metrics[stacks[m].metric->id];
      uint64_t name = put_string(writer, metric->name);
      put_number(writer, &writer->message, VALUE_TYPE_TYPE, name);
      put_number(writer, &writer->message, VALUE_TYPE_UNIT, put_string(writer, metric->unit));
      put_message(writer, &writer->profile, PROFILE_SAMPLE_TYPE, &writer->message);
      if (m == 0)
         put_number(writer, &writer->profile, PROFILE_DEFAULT_SAMPLE_TYPE, name);
   }
}

/* Numbered from 1, as all that is referred to. */
static uint64_t id_of(const struct pr_frame_set *set, const struct pr_frame *frame)
{
   return 1 + pr_frame_set_find(set, frame);
}

/* A number for each of the metrics, 0 but for the one that it is a stack of. */
static void put_sample(struct writer *writer, const struct pr_stack *stack, size_t metric,
                       size_t metric_count, uint64_t value)
{
   for (size_t f = 0; f < stack->frame_count; f++)
      put_varint(writer, &writer->nested, id_of(&writer->places, &stack->frames[f]));
   put_message(writer, &writer->message, SAMPLE_LOCATION_ID, &writer->nested);
   for (size_t m = 0; m < metric_count; m++)
      put_varint(writer, &writer->nested, m == metric ? value : 0);
   put_message(writer, &writer->message, SAMPLE_VALUE, &writer->nested);
   put_message(writer, &writer->profile, PROFILE_SAMPLE, &writer->message);
}

static void put_objects(struct writer *writer)
{
   static const unsigned known[] = {MAPPING_HAS_FUNCTIONS, MAPPING_HAS_FILENAMES,
                                    MAPPING_HAS_LINE_NUMBERS};
   for (size_t o = 0; o < writer->objects.count; o++) {
      const struct pr_frame *frame = writer->objects.items[o];
      if (!frame->object)
         continue;
      put_number(writer, &writer->message, MAPPING_ID, o + 1);
      put_number(writer, &writer->message, MAPPING_FILENAME, put_string(writer, frame->object));
      /* Readers look for what is not known in files of that name. */
      for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
         put_number(writer, &writer->message, known[k], 1);
      put_message(writer, &writer->profile, PROFILE_MAPPING, &writer->message);
   }
}

static void put_functions(struct writer *writer)
{
   for (size_t f = 0; f < writer->functions.count; f++) {
      const struct pr_frame *frame = writer->functions.items[f];
      uint64_t name = put_string(writer, pr_frame_name(frame));
      put_number(writer, &writer->message, FUNCTION_ID, f + 1);
      put_number(writer, &writer->message, FUNCTION_NAME, name);
      put_number(writer, &writer->message, FUNCTION_SYSTEM_NAME, name);
      if (frame->file)
         put_number(writer, &writer->message, FUNCTION_FILENAME,
                    put_string(writer, frame->file));
      put_message(writer, &writer->profile, PROFILE_FUNCTION, &writer->message);
   }
}

static void put_places(struct writer *writer)
{
   for (size_t p = 0; p < writer->places.count; p++) {
      const struct pr_frame *frame = writer->places.items[p];
      put_number(writer, &writer->message, LOCATION_ID, p + 1);
      if (frame->object)
         put_number(writer, &writer->message, LOCATION_MAPPING_ID, id_of(&writer->objects, frame));
      put_number(writer, &writer->nested, LINE_FUNCTION_ID, id_of(&writer->functions, frame));
      put_number(writer, &writer->nested, LINE_LINE, frame->file ? frame->line : 0);
      put_message(writer, &writer->message, LOCATION_LINE, &writer->nested);
      put_message(writer, &writer->profile, PROFILE_LOCATION, &writer->message);
   }
}

static int by_object(const struct pr_frame *a, const struct pr_frame *b)
{
   if (!a->object || !b->object)
      return (a->object != NULL) - (b->object != NULL);
   return strcmp(a->object, b->object);
}

static void put_profile(struct writer *writer, const struct pr_phase *phase,
                        const struct pr_stacks *stacks, size_t count)
{
   writer->exhausted =
      !pr_frame_set_make(&writer->objects, stacks, count, by_object) ||
      !pr_frame_set_make(&writer->functions, stacks, count, pr_frame_by_function) ||
      !pr_frame_set_make(&writer->places, stacks, count, pr_frame_by_place);
   if (writer->exhausted)
      return;
   put_string(writer, ""); /* which comes first */
   put_types(writer, stacks, count);
   put_number(writer, &writer->profile, PROFILE_COMMENT, put_string(writer, phase->name));
   for (size_t m = 0; m < count; m++)
      for (size_t s = 0; s < stacks[m].count; s++)
         put_sample(writer, &stacks[m].items[s], m, count,
                    pr_stack_value(&stacks[m], &stacks[m].items[s]));
   put_objects(writer);
   put_functions(writer);
   put_places(writer);
}

/* --- gzip -------------------------------------------------------------------------------- */

/* False: no memory. */
static bool compress_to(FILE *out, struct pr_buffer *bytes)
{
   enum { GZIP = 16, MEMORY_LEVEL = 8 };
   z_stream stream = {.next_in = bytes->items, .avail_in = (uInt)bytes->count};
   uint8_t piece[16384];
   int result = Z_OK;
   if (bytes->count > (uInt)-1 ||
       deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP, MEMORY_LEVEL,
                    Z_DEFAULT_STRATEGY) != Z_OK)
      return false;
   while (result == Z_OK) {
      stream.next_out = piece;
      stream.avail_out = sizeof piece;
      result = deflate(&stream, Z_FINISH);
      fwrite(piece, 1, sizeof piece - stream.avail_out, out);
   }
   deflateEnd(&stream);
   return result == Z_STREAM_END;
}

/* --- the format -------------------------------------------------------------------------- */

/* False, which is noted: the format's numbers are signed. */
static bool fits(const struct pr_phase *phase, const struct pr_stacks *stacks, FILE *notes)
{
   if (stacks->metric->value.as_unsigned <= INT64_MAX)
      return true;
   pr_export_note(phase, stacks->metric, "the format ends at 2^63 - 1", notes);
   return false;
}

static enum pr_exported write_profile(const struct pr_phase *phase, const struct pr_stacks *stacks,
                                      size_t count, FILE *out)
{
   struct writer writer = {.string_count = 0};
   put_profile(&writer, phase, stacks, count);
   bool ok = !writer.exhausted && compress_to(out, &writer.profile);
   pr_buffer_release(&writer.profile);
   pr_buffer_release(&writer.message);
   pr_buffer_release(&writer.nested);
   free(writer.objects.items);
   free(writer.functions.items);
   free(writer.places.items);
   return ok ? PR_EXPORTED : PR_EXPORT_EXHAUSTED;
}

enum pr_exported pr_export_pprof(const struct pr_report *report,
                                 const struct pr_selection *selection, FILE *out, FILE *notes)
{
   const struct pr_phase *phase = pr_selection_phase(selection, report, notes);
   size_t wanted = pr_selection_metric_count(selection), count = 0;
   if (!phase)
      return PR_EXPORT_REFUSED;
   struct pr_stacks *stacks = malloc(wanted * sizeof *stacks);
   enum pr_exported result = stacks ? PR_EXPORTED : PR_EXPORT_EXHAUSTED;
   while (result == PR_EXPORTED && count < wanted) {
      result = pr_stacks_take(&stacks[count], report, phase, pr_selection_metric(selection, count),
                              notes);
      if (result == PR_EXPORTED && !fits(phase, &stacks[count++], notes))
         result = PR_EXPORT_REFUSED;
   }
   if (result == PR_EXPORTED)
      result = write_profile(phase, stacks, count, out);
   while (count > 0)
      pr_stacks_release(&stacks[--count]);
   free(stacks);
   return result;
}
