/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_patterns.h: the phases that --phase-fn declares. */
#ifndef PMH_PATTERNS_H
#define PMH_PATTERNS_H

#include "pmh_symbols.h"

/* Declare them, in the order of the options. */
void pmh_patterns_begin(struct pmh_phase_pattern **patterns, UInt *count);

/* The process has ended: those that were never entered are in trouble. */
void pmh_patterns_end(void);

/* Why a phase has no instance, if it is a pattern's and has none; else NULL. */
const HChar *pmh_pattern_trouble(const struct pm_declared *declared);

#endif
