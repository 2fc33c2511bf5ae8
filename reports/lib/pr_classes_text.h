/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_classes_text.h: what is in each class of instructions, in the words of the tool's
 * pm_mix.h, from which the build makes pr_classes_text.c.
 */
#ifndef PR_CLASSES_TEXT_H
#define PR_CLASSES_TEXT_H

extern const char pr_classes_text[]; /* lines for people */

#endif
