/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_attributes.h: attributes of the element being built.
 *
 * `take` leaves its result as it is if there is no such attribute, `require`
 * refuses the report then. Both refuse a value that is not of the kind asked
 * for. False: the report is refused.
 */
#ifndef PR_BUILD_ATTRIBUTES_H
#define PR_BUILD_ATTRIBUTES_H

#include "pr_build.h"

/* NULL: the element has no such attribute; pr_attribute_require refuses. */
const struct pr_attribute *pr_attribute_find(struct pr_builder *builder, const char *name);
const struct pr_attribute *pr_attribute_require(struct pr_builder *builder, const char *name);

bool pr_attribute_equals(const struct pr_attribute *attribute, const char *value);

/* A copy in the report's arena. */
bool pr_attribute_copy(struct pr_builder *builder, const struct pr_attribute *attribute,
                       const char **string);
bool pr_attribute_take_string(struct pr_builder *builder, const char *name, const char **string);
bool pr_attribute_require_string(struct pr_builder *builder, const char *name,
                                 const char **string);

/* The same of a name that other elements repeat: see pr_intern.h. */
bool pr_attribute_take_name(struct pr_builder *builder, const char *name, const char **string);
bool pr_attribute_require_name(struct pr_builder *builder, const char *name, const char **string);

/* There is no "take" for numbers: one that is missing must not become 0. */
bool pr_attribute_require_number(struct pr_builder *builder, const char *name, uint64_t *number);
bool pr_attribute_require_signed(struct pr_builder *builder, const char *name, int64_t *number);
bool pr_attribute_take_yes_no(struct pr_builder *builder, const char *name, bool *answer);

/* Say of a number why it was refused; always false. */
bool pr_attribute_refuse_number(struct pr_builder *builder, const struct pr_attribute *attribute,
                                enum pr_number_result result);

#endif
