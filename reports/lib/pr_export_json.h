/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_json.h: what `profmem export --format=json` writes, for who puts it into more. */
#ifndef PR_EXPORT_JSON_H
#define PR_EXPORT_JSON_H

#include "pr_export.h"
#include "pr_json.h"

/* The report as an object, which the caller owns; if memory runs out, json says so. */
json_object *pr_json_of_report(struct pr_json *json, const struct pr_report *report,
                               const struct pr_selection *selection);

#endif
