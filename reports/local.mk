# SPDX-License-Identifier: GPL-2.0-or-later
# reports/local.mk: the program `profmem`: a library that knows reports, and a
# thin file per subcommand on top of it.

bin_PROGRAMS += profmem
noinst_LIBRARIES += reports/libpr.a

PR_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE \
	-I$(top_srcdir)/reports/lib -I$(top_srcdir)/reports/cmd -I$(top_srcdir)/reports/run \
	-I$(top_srcdir)/valgrind-tool/core \
	-DRUN_PLATFORM='"$(VG_PLATFORM)"' -DRUN_LAUNCHER='"$(VALGRIND)"' \
	-DRUN_TOOL_FOLDER='"$(profmemtoolsdir)"' -DRUN_VALGRIND_TOOLS='"$(VALGRIND_TOOLS_DIR)"'
PR_CFLAGS = $(AM_CFLAGS) $(LIBXML2_CFLAGS) $(POPT_CFLAGS) $(LIBMD_CFLAGS) $(JSON_C_CFLAGS) \
	$(ZLIB_CFLAGS) $(LIBXSLT_CFLAGS)
PR_LIBS = $(LIBXSLT_LIBS) $(LIBXML2_LIBS) $(POPT_LIBS) $(LIBMD_LIBS) $(JSON_C_LIBS) $(ZLIB_LIBS)

# The library, and with it the commands without main(): tests link both.
pr_library_sources = \
	reports/lib/pr_annotations.c \
	reports/lib/pr_arena.c reports/lib/pr_arena.h \
	reports/lib/pr_attribute.h \
	reports/lib/pr_breakdown.c reports/lib/pr_breakdown.h \
	reports/lib/pr_buffer.c reports/lib/pr_buffer.h \
	reports/lib/pr_build.c reports/lib/pr_build.h \
	reports/lib/pr_build_attributes.c reports/lib/pr_build_attributes.h \
	reports/lib/pr_build_breakdown.c reports/lib/pr_build_breakdown.h \
	reports/lib/pr_build_names.c reports/lib/pr_build_names.h \
	reports/lib/pr_build_phase.c reports/lib/pr_build_phase.h \
	reports/lib/pr_build_shape.c reports/lib/pr_build_shape.h \
	reports/lib/pr_check.c reports/lib/pr_check.h \
	reports/lib/pr_classes_text.h \
	reports/lib/pr_diagnostics.c reports/lib/pr_diagnostics.h \
	reports/lib/pr_diff.c reports/lib/pr_diff.h \
	reports/lib/pr_explain.c reports/lib/pr_explain.h reports/lib/pr_explain_callers.c \
	reports/lib/pr_explain_metrics.c \
	reports/lib/pr_export.c reports/lib/pr_export.h \
	reports/lib/pr_export_benchmarks.c \
	reports/lib/pr_export_callgrind.c \
	reports/lib/pr_export_csv.c \
	reports/lib/pr_export_dhat.c \
	reports/lib/pr_export_folded.c \
	reports/lib/pr_export_json.c reports/lib/pr_export_json.h \
	reports/lib/pr_export_massif.c \
	reports/lib/pr_export_openmetrics.c \
	reports/lib/pr_export_pprof.c \
	reports/lib/pr_export_speedscope.c \
	reports/lib/pr_html.c reports/lib/pr_html.h \
	reports/lib/pr_html_assets.h \
	reports/lib/pr_html_breakdowns.c \
	reports/lib/pr_html_changes.c \
	reports/lib/pr_html_coverage.c \
	reports/lib/pr_html_data.c reports/lib/pr_html_data.h \
	reports/lib/pr_html_explanation.c \
	reports/lib/pr_html_head.c \
	reports/lib/pr_html_lists.c reports/lib/pr_html_lists.h \
	reports/lib/pr_html_names.c \
	reports/lib/pr_html_node.c reports/lib/pr_html_node.h \
	reports/lib/pr_html_phases.c \
	reports/lib/pr_html_shape.c \
	reports/lib/pr_html_table.c reports/lib/pr_html_table.h \
	reports/lib/pr_html_view.c reports/lib/pr_html_view.h \
	reports/lib/pr_identities.c reports/lib/pr_identities.h \
	reports/lib/pr_intern.c reports/lib/pr_intern.h \
	reports/lib/pr_junit.c \
	reports/lib/pr_limits.c reports/lib/pr_limits.h \
	reports/lib/pr_limits_amount.c reports/lib/pr_limits_amount.h \
	reports/lib/pr_limits_parse.c \
	reports/lib/pr_limits_phase.c reports/lib/pr_limits_phase.h \
	reports/lib/pr_limits_tighten.c reports/lib/pr_limits_tighten.h \
	reports/lib/pr_json.c reports/lib/pr_json.h \
	reports/lib/pr_code_check.c reports/lib/pr_code_check.h \
	reports/lib/pr_lines.c reports/lib/pr_lines.h \
	reports/lib/pr_load.c reports/lib/pr_load.h \
	reports/lib/pr_markdown.c \
	reports/lib/pr_metric.c reports/lib/pr_metric.h \
	reports/lib/pr_nearest.c reports/lib/pr_nearest.h \
	reports/lib/pr_notes.c reports/lib/pr_notes.h \
	reports/lib/pr_number.c reports/lib/pr_number.h \
	reports/lib/pr_outside.c reports/lib/pr_outside.h \
	reports/lib/pr_piece.c reports/lib/pr_piece.h \
	reports/lib/pr_pairing.c reports/lib/pr_pairing.h \
	reports/lib/pr_pairing_guess.c reports/lib/pr_pairing_guess.h \
	reports/lib/pr_pairing_key.c reports/lib/pr_pairing_key.h \
	reports/lib/pr_pairing_lines.c \
	reports/lib/pr_places.c reports/lib/pr_places.h \
	reports/lib/pr_plumbing.c reports/lib/pr_plumbing.h \
	reports/lib/pr_relation.c reports/lib/pr_relation.h \
	reports/lib/pr_render.h \
	reports/lib/pr_render_breakdown.c reports/lib/pr_render_breakdown.h \
	reports/lib/pr_render_chain.c reports/lib/pr_render_chain.h \
	reports/lib/pr_render_diff.c reports/lib/pr_render_diff.h \
	reports/lib/pr_render_diff_shape.c \
	reports/lib/pr_render_explain.c \
	reports/lib/pr_render_functions.c \
	reports/lib/pr_render_metrics.c \
	reports/lib/pr_render_pairs.c \
	reports/lib/pr_render_outside.c \
	reports/lib/pr_render_part.c reports/lib/pr_render_part.h \
	reports/lib/pr_render_phases.c \
	reports/lib/pr_render_shape.c \
	reports/lib/pr_render_sites.c \
	reports/lib/pr_render_text.c reports/lib/pr_render_text.h \
	reports/lib/pr_render_threads.c \
	reports/lib/pr_report.c reports/lib/pr_report.h \
	reports/lib/pr_schema.c reports/lib/pr_schema.h \
	reports/lib/pr_schema_text.h \
	reports/lib/pr_shape.c reports/lib/pr_shape.h \
	reports/lib/pr_shape_check.c reports/lib/pr_shape_check.h \
	reports/lib/pr_stacks.c reports/lib/pr_stacks.h \
	reports/lib/pr_style.c reports/lib/pr_style.h \
	reports/lib/pr_table.c reports/lib/pr_table.h \
	reports/lib/pr_text.c reports/lib/pr_text.h \
	reports/lib/pr_totals.c reports/lib/pr_totals.h \
	reports/lib/pr_tree.c reports/lib/pr_tree.h \
	reports/lib/pr_unlike.c reports/lib/pr_unlike.h \
	reports/lib/pr_verdict.c reports/lib/pr_verdict.h \
	reports/lib/pr_verdict_text.c
pr_run_sources = \
	reports/run/run_control.c reports/run/run_control.h \
	reports/run/run_copy.c reports/run/run_copy.h \
	reports/run/run_environment.c reports/run/run_environment.h \
	reports/run/run_error.c reports/run/run_error.h \
	reports/run/run_folder.c reports/run/run_folder.h \
	reports/run/run_identity.c reports/run/run_identity.h \
	reports/run/run_init.c reports/run/run_init.h \
	reports/run/run_list.c reports/run/run_list.h \
	reports/run/run_listed.c reports/run/run_listed.h \
	reports/run/run_program.c reports/run/run_program.h \
	reports/run/run_relay.c reports/run/run_relay.h \
	reports/run/run_rewrite.c reports/run/run_rewrite.h \
	reports/run/run_session.c reports/run/run_session.h \
	reports/run/run_stack.c reports/run/run_stack.h \
	reports/run/run_streams.c reports/run/run_streams.h \
	reports/run/run_valgrind.c reports/run/run_valgrind.h \
	reports/run/run_request.h
pr_command_sources = $(pr_run_sources) \
	reports/cmd/cmd_check.c reports/cmd/cmd_check.h \
	reports/cmd/cmd_command.c reports/cmd/cmd_command.h \
	reports/cmd/cmd_complete.c reports/cmd/cmd_complete.h \
	reports/cmd/cmd_diff.c reports/cmd/cmd_diff.h \
	reports/cmd/cmd_export.c reports/cmd/cmd_export.h \
	reports/cmd/cmd_gate.c reports/cmd/cmd_gate.h \
	reports/cmd/cmd_help.c reports/cmd/cmd_help.h \
	reports/cmd/cmd_html.c reports/cmd/cmd_html.h \
	reports/cmd/cmd_input.c reports/cmd/cmd_input.h \
	reports/cmd/cmd_limits.c reports/cmd/cmd_limits.h \
	reports/cmd/cmd_main.c reports/cmd/cmd_main.h \
	reports/cmd/cmd_output.c reports/cmd/cmd_output.h \
	reports/cmd/cmd_run.c reports/cmd/cmd_run.h reports/cmd/cmd_run_options.def \
	reports/cmd/cmd_run_list.c reports/cmd/cmd_run_list.h \
	reports/cmd/cmd_show.c reports/cmd/cmd_show.h \
	reports/cmd/cmd_table.c \
	reports/cmd/cmd_terminal.c reports/cmd/cmd_terminal.h \
	reports/cmd/cmd_tighten.c reports/cmd/cmd_tighten.h \
	reports/cmd/cmd_validate.c reports/cmd/cmd_validate.h \
	reports/cmd/cmd_verdict.c reports/cmd/cmd_verdict.h
pr_generated_sources = reports/lib/pr_classes_text.c reports/lib/pr_html_assets.c \
	reports/lib/pr_schema_text.c

# What the page of `profmem html` is made of. Scripts in the order in which they need each other.
pr_html_template = reports/html/report.xsl
pr_html_styles = reports/html/report.css reports/html/views.css
pr_html_scripts = \
	reports/html/view_number.js \
	reports/html/view_scale.js \
	reports/html/view_report.js \
	reports/html/view_tree.js \
	reports/html/view_dom.js \
	reports/html/view_state.js \
	reports/html/view_colors.js \
	reports/html/view_bars.js \
	reports/html/view_icicle.js \
	reports/html/view_bar.js \
	reports/html/view_phases.js \
	reports/html/view_timeline.js \
	reports/html/view_pictures.js \
	reports/html/view_mix.js \
	reports/html/view_histograms.js \
	reports/html/view_threads.js \
	reports/html/views.js
pr_html_assets = $(pr_html_template) $(pr_html_styles) $(pr_html_scripts)
EXTRA_DIST += $(pr_html_assets)

reports_libpr_a_SOURCES = $(pr_library_sources) $(pr_command_sources)
nodist_reports_libpr_a_SOURCES = $(pr_generated_sources)
reports_libpr_a_CPPFLAGS = $(PR_CPPFLAGS)
reports_libpr_a_CFLAGS = $(PR_CFLAGS)

profmem_SOURCES = reports/cmd/main.c
profmem_CPPFLAGS = $(PR_CPPFLAGS)
profmem_CFLAGS = $(PR_CFLAGS)
profmem_LDADD = reports/libpr.a $(PR_LIBS)

# The schema as C, so that the program always finds the one of its own version.
reports/lib/pr_schema_text.c: docs/profmem-report.rng
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { \
	   echo '/* pr_schema_text.c: made from docs/profmem-report.rng. */' && \
	   echo '#include "pr_schema_text.h"' && \
	   echo 'const char pr_schema_text[] =' && \
	   $(SED) -e 's/[\\"]/\\&/g' -e 's/.*/   "&\\n"/' '$(top_srcdir)/docs/profmem-report.rng' && \
	   echo '   ;' && \
	   echo 'const size_t pr_schema_text_bytes = sizeof pr_schema_text - 1;'; \
	} >$@.new && mv $@.new $@

# The definitions of the classes of instructions: the comment of the header that has them.
reports/lib/pr_classes_text.c: valgrind-tool/core/pm_mix.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { \
	   echo '/* pr_classes_text.c: made from valgrind-tool/core/pm_mix.h. */' && \
	   echo '#include "pr_classes_text.h"' && \
	   echo 'const char pr_classes_text[] =' && \
	   $(SED) -n -e '/^ \* Classes overlap/,/^ \*\//{' -e '/^ \*\//d' -e 's/^ \* \{0,1\}//' \
	      -e 's/[\\"]/\\&/g' -e 's/.*/   "&\\n"/p' -e '}' \
	      '$(top_srcdir)/valgrind-tool/core/pm_mix.h' && \
	   echo '   ;'; \
	} >$@.new && mv $@.new $@

# The files of the page as C, so that the program needs none beside it.
reports/lib/pr_html_assets.c: $(pr_html_assets)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ( \
	   echo '/* pr_html_assets.c: made from the files of reports/html. */' && \
	   echo '#include "pr_html_assets.h"' && \
	   cd '$(top_srcdir)' && \
	   as_text() { \
	      echo "const char pr_html_$$1[] =" && shift && \
	      $(SED) -e 's/[\\"?]/\\&/g' -e 's/.*/   "&\\n"/' "$$@" && \
	      echo '   ;'; \
	   } && \
	   as_text template $(pr_html_template) && \
	   as_text styles $(pr_html_styles) && \
	   as_text script $(pr_html_scripts) \
	) >$@.new && mv $@.new $@
CLEANFILES += $(pr_generated_sources)
