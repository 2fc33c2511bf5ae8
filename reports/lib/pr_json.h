/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_json.h: json-c for those who build values piece by piece.
 *
 * A failed allocation is remembered: whoever builds adds on, and looks once, at the end.
 */
#ifndef PR_JSON_H
#define PR_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "pr_report.h"

struct pr_json {
   bool exhausted; /* memory ran out: what was built is not complete */
};

/* The parent takes the value over, under that name or as its next element. NULL: null. */
void pr_json_add(struct pr_json *json, json_object *parent, const char *name, json_object *value);

/* New members of an object, new elements of an array; the parent owns them. */
json_object *pr_json_add_object(struct pr_json *json, json_object *parent, const char *name);
json_object *pr_json_add_array(struct pr_json *json, json_object *parent, const char *name);

/* NULL as text: null. */
void pr_json_add_text(struct pr_json *json, json_object *parent, const char *name,
                      const char *text);
void pr_json_add_bool(struct pr_json *json, json_object *parent, const char *name, bool value);
void pr_json_add_unsigned(struct pr_json *json, json_object *parent, const char *name,
                          uint64_t value);
void pr_json_add_signed(struct pr_json *json, json_object *parent, const char *name,
                        int64_t value);

/* A metric's number, or null. */
void pr_json_add_value(struct pr_json *json, json_object *parent, const char *name,
                       const struct pr_value *value);

/* A new value; NULL, which is remembered, if there is none. */
json_object *pr_json_new(struct pr_json *json, json_object *value);

/* Print what was built and give it back. False: memory ran out, and nothing is printed. */
bool pr_json_print(struct pr_json *json, json_object *root, FILE *out);

#endif
