/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_names.h: what the rows of breakdowns stand for.
 *
 * The root's sites, functions, lines and instructions. An id names one of them, and every row of a
 * phase has one that is there: a report whose numbers belong to nobody is refused.
 */
#ifndef PR_BUILD_NAMES_H
#define PR_BUILD_NAMES_H

#include "pr_build.h"

/* Handlers of the elements' starts and ends; false: the report is refused. */
bool pr_build_names_start(struct pr_builder *builder);
bool pr_build_site_start(struct pr_builder *builder);
bool pr_build_site_end(struct pr_builder *builder);
bool pr_build_frame_start(struct pr_builder *builder);
bool pr_build_function_start(struct pr_builder *builder);
bool pr_build_line_start(struct pr_builder *builder);
bool pr_build_code_file_start(struct pr_builder *builder);
bool pr_build_instruction_start(struct pr_builder *builder);

/* After the last element: each row finds what it stands for. */
bool pr_build_names_finish(struct pr_builder *builder);

#endif
