# SPDX-License-Identifier: GPL-2.0-or-later
# docs/local.mk: what is installed for people and for other tools.

dist_pkgdata_DATA = docs/profmem-report.rng
dist_doc_DATA = docs/profmem-report-format.md
