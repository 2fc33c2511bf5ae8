/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_json.c: json-c, with failures remembered. See pr_json.h. */
#include "pr_json.h"

json_object *pr_json_new(struct pr_json *json, json_object *value)
{
   if (!value)
      json->exhausted = true;
   return value;
}

void pr_json_add(struct pr_json *json, json_object *parent, const char *name, json_object *value)
{
   bool added = parent && (name ? json_object_object_add(parent, name, value) == 0
                                : json_object_array_add(parent, value) == 0);
   if (!added) {
      json->exhausted = true;
      json_object_put(value);
   }
}

json_object *pr_json_add_object(struct pr_json *json, json_object *parent, const char *name)
{
   json_object *value = pr_json_new(json, json_object_new_object());
   if (value)
      pr_json_add(json, parent, name, value);
   return json->exhausted ? NULL : value;
}

json_object *pr_json_add_array(struct pr_json *json, json_object *parent, const char *name)
{
   json_object *value = pr_json_new(json, json_object_new_array());
   if (value)
      pr_json_add(json, parent, name, value);
   return json->exhausted ? NULL : value;
}

void pr_json_add_text(struct pr_json *json, json_object *parent, const char *name,
                      const char *text)
{
   pr_json_add(json, parent, name, text ? pr_json_new(json, json_object_new_string(text)) : NULL);
}

void pr_json_add_bool(struct pr_json *json, json_object *parent, const char *name, bool value)
{
   pr_json_add(json, parent, name, pr_json_new(json, json_object_new_boolean(value)));
}

void pr_json_add_unsigned(struct pr_json *json, json_object *parent, const char *name,
                          uint64_t value)
{
   pr_json_add(json, parent, name, pr_json_new(json, json_object_new_uint64(value)));
}

void pr_json_add_signed(struct pr_json *json, json_object *parent, const char *name, int64_t value)
{
   pr_json_add(json, parent, name, pr_json_new(json, json_object_new_int64(value)));
}

void pr_json_add_value(struct pr_json *json, json_object *parent, const char *name,
                       const struct pr_value *value)
{
   switch (value->kind) {
   case PR_VALUE_UNSIGNED:
      pr_json_add_unsigned(json, parent, name, value->as_unsigned);
      break;
   case PR_VALUE_SIGNED:
      pr_json_add_signed(json, parent, name, value->as_signed);
      break;
   case PR_VALUE_UNAVAILABLE:
      pr_json_add_text(json, parent, name, NULL);
      break;
   }
}

bool pr_json_print(struct pr_json *json, json_object *root, FILE *out)
{
   const char *text = NULL;
   if (!json->exhausted)
      text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY |
                                                     JSON_C_TO_STRING_SPACED |
                                                     JSON_C_TO_STRING_NOSLASHESCAPE);
   if (text) {
      fputs(text, out);
      putc('\n', out);
   }
   json_object_put(root);
   return text != NULL;
}
