/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_attribute.h: an attribute as the XML parser hands it over.
 *
 * Valid only during the call that brings it. The value is not NUL-terminated:
 * most values are parsed or compared and never copied.
 */
#ifndef PR_ATTRIBUTE_H
#define PR_ATTRIBUTE_H

#include <stddef.h>

struct pr_attribute {
   const char *name;          /* without prefix */
   const char *namespace_uri; /* NULL: none, as all attributes of a report */
   const char *value;
   size_t value_bytes;
};

#endif
