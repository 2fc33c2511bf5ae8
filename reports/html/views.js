/* SPDX-License-Identifier: GPL-2.0-or-later */
/* views.js: the interactive views of the page. The data and the elements that they work on are
 * described at the top of report.xsl.
 */
(function () {
   'use strict';
}());
