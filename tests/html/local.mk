# SPDX-License-Identifier: GPL-2.0-or-later
# tests/html/local.mk: the page of `profmem html`, in a browser.

pm_html_tests = tests/html/page.bats
pm_bats_tests += $(pm_html_tests)

EXTRA_DIST += $(pm_html_tests) \
	tests/html/browser.js \
	tests/html/html.bash \
	tests/html/model.js \
	tests/html/page_baseline.js \
	tests/html/page_large.js \
	tests/html/page_looks.js \
	tests/html/page_names.js \
	tests/html/page_numbers.js \
	tests/html/page_places.js \
	tests/html/page_referee.py \
	tests/html/page_reports.py \
	tests/html/page_use.js

# The driver of the browser, which is fetched once.
pm_clean += clean-html-driver
clean-html-driver:
	rm -rf tests/html/driver tests/html/driver.new
