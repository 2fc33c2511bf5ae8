# SPDX-License-Identifier: GPL-2.0-or-later
# tests/cli/local.mk: the report program from outside.

pm_cli_tests = \
	tests/cli/help.bats \
	tests/cli/refused.bats \
	tests/cli/show.bats \
	tests/cli/streams.bats \
	tests/cli/validate.bats
pm_bats_tests += $(pm_cli_tests)

EXTRA_DIST += $(pm_cli_tests) tests/cli/cli.bash \
	tests/cli/golden/help-help.txt \
	tests/cli/golden/help-show.txt \
	tests/cli/golden/help-validate.txt \
	tests/cli/golden/help.txt \
	tests/cli/golden/show-hello.txt \
	tests/cli/golden/show-hostile-names.txt \
	tests/cli/golden/show-phase.txt \
	tests/cli/golden/show-phases.txt \
	tests/cli/golden/show-stripped.txt

# Reports: good ones are valid, bad ones are refused or invalid (the tests say which),
# unsupported ones are of another format.
EXTRA_DIST += \
	tests/fixtures/bad/bad-blank.xml \
	tests/fixtures/bad/bad-complete-maybe.xml \
	tests/fixtures/bad/bad-control-character.xml \
	tests/fixtures/bad/bad-doctype-external.xml \
	tests/fixtures/bad/bad-doctype.xml \
	tests/fixtures/bad/bad-empty.xml \
	tests/fixtures/bad/bad-entity-bomb-in-attribute.xml \
	tests/fixtures/bad/bad-entity-bomb.xml \
	tests/fixtures/bad/bad-entity-external.xml \
	tests/fixtures/bad/bad-entity-parameter.xml \
	tests/fixtures/bad/bad-entity-undeclared.xml \
	tests/fixtures/bad/bad-foreign-massif.out \
	tests/fixtures/bad/bad-foreign-namespace.xml \
	tests/fixtures/bad/bad-foreign-root.xml \
	tests/fixtures/bad/bad-format-missing.xml \
	tests/fixtures/bad/bad-format-word.xml \
	tests/fixtures/bad/bad-format-zero.xml \
	tests/fixtures/bad/bad-frame-inlined-maybe.xml \
	tests/fixtures/bad/bad-frame-without-function.xml \
	tests/fixtures/bad/bad-frame-without-line.xml \
	tests/fixtures/bad/bad-function-listed-twice.xml \
	tests/fixtures/bad/bad-function-missing.xml \
	tests/fixtures/bad/bad-function-named-twice.xml \
	tests/fixtures/bad/bad-function-rep-iterations-word.xml \
	tests/fixtures/bad/bad-function-without-instructions.xml \
	tests/fixtures/bad/bad-function-without-name.xml \
	tests/fixtures/bad/bad-identity-exit.xml \
	tests/fixtures/bad/bad-identity-far-from-zero.xml \
	tests/fixtures/bad/bad-identity-functions-instructions.xml \
	tests/fixtures/bad/bad-identity-functions-others.xml \
	tests/fixtures/bad/bad-identity-functions-rep-iterations.xml \
	tests/fixtures/bad/bad-identity-instance-exit.xml \
	tests/fixtures/bad/bad-identity-instance-peak.xml \
	tests/fixtures/bad/bad-identity-instances-at-peak.xml \
	tests/fixtures/bad/bad-identity-instances-first.xml \
	tests/fixtures/bad/bad-identity-instances-last.xml \
	tests/fixtures/bad/bad-identity-instances-listed-above-max.xml \
	tests/fixtures/bad/bad-identity-instances-listed-below-min.xml \
	tests/fixtures/bad/bad-identity-instances-max.xml \
	tests/fixtures/bad/bad-identity-instances-maximum.xml \
	tests/fixtures/bad/bad-identity-instances-min.xml \
	tests/fixtures/bad/bad-identity-instances-more-than-there-are.xml \
	tests/fixtures/bad/bad-identity-instances-number-zero.xml \
	tests/fixtures/bad/bad-identity-instances-order.xml \
	tests/fixtures/bad/bad-identity-instances-signed-sum.xml \
	tests/fixtures/bad/bad-identity-instances-sum.xml \
	tests/fixtures/bad/bad-identity-peak-below-exit.xml \
	tests/fixtures/bad/bad-identity-program-instructions.xml \
	tests/fixtures/bad/bad-identity-range.xml \
	tests/fixtures/bad/bad-identity-sites-none.xml \
	tests/fixtures/bad/bad-identity-sites-others.xml \
	tests/fixtures/bad/bad-identity-sites-peak-blocks.xml \
	tests/fixtures/bad/bad-identity-sites-peak.xml \
	tests/fixtures/bad/bad-identity-sites-retained.xml \
	tests/fixtures/bad/bad-identity-sites-temporary.xml \
	tests/fixtures/bad/bad-identity-sites-traffic-blocks.xml \
	tests/fixtures/bad/bad-identity-sites-traffic-bytes.xml \
	tests/fixtures/bad/bad-instance-metric-neither.xml \
	tests/fixtures/bad/bad-instance-metric-twice.xml \
	tests/fixtures/bad/bad-instance-without-number.xml \
	tests/fixtures/bad/bad-instances-missing.xml \
	tests/fixtures/bad/bad-metric-twice.xml \
	tests/fixtures/bad/bad-metric-without-name.xml \
	tests/fixtures/bad/bad-min-without-max.xml \
	tests/fixtures/bad/bad-mismatched-tags.xml \
	tests/fixtures/bad/bad-not-xml.xml \
	tests/fixtures/bad/bad-others-twice.xml \
	tests/fixtures/bad/bad-others-without-number.xml \
	tests/fixtures/bad/bad-phase-twice.xml \
	tests/fixtures/bad/bad-phase-without-name.xml \
	tests/fixtures/bad/bad-schema-end-of-other-kind.xml \
	tests/fixtures/bad/bad-schema-namespaced-attribute.xml \
	tests/fixtures/bad/bad-schema-namespaced-element.xml \
	tests/fixtures/bad/bad-schema-no-arguments.xml \
	tests/fixtures/bad/bad-schema-no-phases.xml \
	tests/fixtures/bad/bad-schema-order.xml \
	tests/fixtures/bad/bad-schema-stable-difference-alone.xml \
	tests/fixtures/bad/bad-schema-text.xml \
	tests/fixtures/bad/bad-schema-unit-missing.xml \
	tests/fixtures/bad/bad-schema-unit.xml \
	tests/fixtures/bad/bad-schema-unknown-attribute.xml \
	tests/fixtures/bad/bad-schema-unknown-element.xml \
	tests/fixtures/bad/bad-schema-unknown-metric.xml \
	tests/fixtures/bad/bad-schema-unknown-phase-kind.xml \
	tests/fixtures/bad/bad-schema-upper-case-build-id.xml \
	tests/fixtures/bad/bad-signed-below-64-bits.xml \
	tests/fixtures/bad/bad-signed-minus-zero.xml \
	tests/fixtures/bad/bad-signed-past-64-bits.xml \
	tests/fixtures/bad/bad-site-id-past-64-bits.xml \
	tests/fixtures/bad/bad-site-listed-twice.xml \
	tests/fixtures/bad/bad-site-missing.xml \
	tests/fixtures/bad/bad-site-named-twice.xml \
	tests/fixtures/bad/bad-site-names-missing.xml \
	tests/fixtures/bad/bad-site-without-id.xml \
	tests/fixtures/bad/bad-site-without-peak.xml \
	tests/fixtures/bad/bad-status-missing.xml \
	tests/fixtures/bad/bad-truncated-in-attribute.xml \
	tests/fixtures/bad/bad-truncated.xml \
	tests/fixtures/bad/bad-two-roots.xml \
	tests/fixtures/bad/bad-undeclared-prefix.xml \
	tests/fixtures/bad/bad-unknown-metric-twice.xml \
	tests/fixtures/bad/bad-unstable-without-difference.xml \
	tests/fixtures/bad/bad-value-and-reason.xml \
	tests/fixtures/bad/bad-value-blank.xml \
	tests/fixtures/bad/bad-value-empty.xml \
	tests/fixtures/bad/bad-value-far-past-64-bits.xml \
	tests/fixtures/bad/bad-value-fraction.xml \
	tests/fixtures/bad/bad-value-hexadecimal.xml \
	tests/fixtures/bad/bad-value-leading-zero.xml \
	tests/fixtures/bad/bad-value-negative.xml \
	tests/fixtures/bad/bad-value-nor-reason.xml \
	tests/fixtures/bad/bad-value-past-64-bits.xml \
	tests/fixtures/bad/bad-value-plus.xml \
	tests/fixtures/good/good-hostile-names.xml \
	tests/fixtures/good/good-instances-two-of-three.xml \
	tests/fixtures/good/good-instances.xml \
	tests/fixtures/good/good-lists.xml \
	tests/fixtures/good/good-phases.xml \
	tests/fixtures/good/good-small.xml \
	tests/fixtures/good/good-stripped.xml \
	tests/fixtures/unsupported/unsupported-format-2-of-other-elements.xml \
	tests/fixtures/unsupported/unsupported-format-2.xml \
	tests/fixtures/unsupported/unsupported-format-huge.xml
