/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_attributes.c: attributes of the element being built. See the header. */
#include "pr_build_attributes.h"

#include <string.h>

/* Handlers ask in the order in which the tool writes, so the search starts behind the
   attribute found last. */
const struct pr_attribute *pr_attribute_find(struct pr_builder *builder, const char *name)
{
   for (size_t i = 0; i < builder->attribute_count; i++) {
      size_t at = builder->attribute_next + i;
      if (at >= builder->attribute_count)
         at -= builder->attribute_count;
      const struct pr_attribute *attribute = &builder->attributes[at];
      if (!attribute->namespace_uri && strcmp(attribute->name, name) == 0) {
         builder->attribute_next = at + 1;
         return attribute;
      }
   }
   return NULL;
}

bool pr_attribute_equals(const struct pr_attribute *attribute, const char *value)
{
   size_t bytes = strlen(value);
   return attribute->value_bytes == bytes && memcmp(attribute->value, value, bytes) == 0;
}

const struct pr_attribute *pr_attribute_require(struct pr_builder *builder, const char *name)
{
   const struct pr_attribute *attribute = pr_attribute_find(builder, name);
   if (!attribute)
      pr_builder_refuse(builder, "<%s> lacks its attribute '%s'", pr_builder_element(builder),
                        name);
   return attribute;
}

static bool refuse_length(struct pr_builder *builder, const struct pr_attribute *attribute)
{
   return pr_builder_refuse(builder, "attribute '%s' of <%s> is longer than %d bytes",
                            attribute->name, pr_builder_element(builder), PR_BUILD_TEXT_BYTES_MAX);
}

bool pr_attribute_copy(struct pr_builder *builder, const struct pr_attribute *attribute,
                       const char **string)
{
   if (attribute->value_bytes > PR_BUILD_TEXT_BYTES_MAX)
      return refuse_length(builder, attribute);
   *string = pr_arena_string(&builder->report->arena, attribute->value, attribute->value_bytes);
   return *string || pr_builder_refuse_memory(builder);
}

bool pr_attribute_take_string(struct pr_builder *builder, const char *name, const char **string)
{
   const struct pr_attribute *attribute = pr_attribute_find(builder, name);
   return !attribute || pr_attribute_copy(builder, attribute, string);
}

bool pr_attribute_require_string(struct pr_builder *builder, const char *name, const char **string)
{
   const struct pr_attribute *attribute = pr_attribute_require(builder, name);
   return attribute && pr_attribute_copy(builder, attribute, string);
}

static bool intern(struct pr_builder *builder, const struct pr_attribute *attribute,
                   const char **string)
{
   if (attribute->value_bytes > PR_BUILD_TEXT_BYTES_MAX)
      return refuse_length(builder, attribute);
   *string = pr_intern_string(&builder->intern, &builder->report->arena, attribute->value,
                              attribute->value_bytes);
   return *string || pr_builder_refuse_memory(builder);
}

bool pr_attribute_take_name(struct pr_builder *builder, const char *name, const char **string)
{
   const struct pr_attribute *attribute = pr_attribute_find(builder, name);
   return !attribute || intern(builder, attribute, string);
}

bool pr_attribute_require_name(struct pr_builder *builder, const char *name, const char **string)
{
   const struct pr_attribute *attribute = pr_attribute_require(builder, name);
   return attribute && intern(builder, attribute, string);
}

bool pr_attribute_refuse_number(struct pr_builder *builder, const struct pr_attribute *attribute,
                                enum pr_number_result result)
{
   enum { SHOWN_BYTES = 40 };
   bool is_long = attribute->value_bytes > SHOWN_BYTES;
   return pr_builder_refuse(
      builder, "attribute '%s' of <%s> is %s: '%.*s%s'", attribute->name,
      pr_builder_element(builder),
      result == PR_NUMBER_OUT_OF_RANGE ? "out of the range of 64 bits" : "not a number",
      is_long ? SHOWN_BYTES : (int)attribute->value_bytes, attribute->value, is_long ? "..." : "");
}

bool pr_attribute_require_number(struct pr_builder *builder, const char *name, uint64_t *number)
{
   const struct pr_attribute *attribute = pr_attribute_require(builder, name);
   if (!attribute)
      return false;
   enum pr_number_result result =
      pr_number_parse_unsigned(attribute->value, attribute->value_bytes, number);
   return result == PR_NUMBER_OK || pr_attribute_refuse_number(builder, attribute, result);
}

bool pr_attribute_require_signed(struct pr_builder *builder, const char *name, int64_t *number)
{
   const struct pr_attribute *attribute = pr_attribute_require(builder, name);
   if (!attribute)
      return false;
   enum pr_number_result result =
      pr_number_parse_signed(attribute->value, attribute->value_bytes, number);
   return result == PR_NUMBER_OK || pr_attribute_refuse_number(builder, attribute, result);
}

bool pr_attribute_take_yes_no(struct pr_builder *builder, const char *name, bool *answer)
{
   const struct pr_attribute *attribute = pr_attribute_find(builder, name);
   if (!attribute)
      return true;
   *answer = pr_attribute_equals(attribute, "yes");
   return *answer || pr_attribute_equals(attribute, "no")
          || pr_builder_refuse(builder, "attribute '%s' of <%s> is neither 'yes' nor 'no'", name,
                               pr_builder_element(builder));
}
