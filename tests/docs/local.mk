# SPDX-License-Identifier: GPL-2.0-or-later
# tests/docs: what the documents say is what the programs do.

pm_bats_tests += \
	tests/docs/completion.bats \
	tests/docs/inner.bats \
	tests/docs/man.bats \
	tests/docs/comparison.bats \
	tests/docs/manual.bats
EXTRA_DIST += \
	tests/docs/complete_in_bash.py \
	tests/docs/completion.bats \
	tests/docs/inner.bats \
	tests/docs/named_things.py \
	tests/docs/man.bats \
	tests/docs/comparison.bats \
	tests/docs/document_links.py \
	tests/docs/follow_document.py \
	tests/docs/manual.bats \
	tests/docs/picture_text.py
