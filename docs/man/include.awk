# SPDX-License-Identifier: GPL-2.0-or-later
# include.awk: what a page takes from another file, so that it is written once.
#
#   awk -f include.awk PAGE.md
#
# A line <!-- WHAT of FILE --> stands for
#
#   sections  a Markdown document without its title, its headings one level up
#   text      any file as it is, as a block of code
#   metrics   the rows of pm_metrics.def, as definitions
#   kinds     the rows of pm_allockinds.def, as a table
#
# FILE is relative to the page's folder.

function text(line)
{
   print(line == "" ? "" : "    " line)
}

function sections(line)
{
   if (line ~ /^##/)
      print substr(line, 2)
   else if (line !~ /^# /)
      print line
}

# PM_METRIC(SYMBOL, "name", "unit", SIGN, OVER_INSTANCES, "meaning")
function metrics(line,   part)
{
   if (split(line, part, "\"") == 7)
      print "`" part[2] "` (" part[4] ")\n: " part[6] "\n"
}

# PM_ALLOCKIND(KIND, "name", DOES, OLD, COUNT, SIZE, OUT), the last four being numbers from 0
function kinds(line,   part, row, column)
{
   gsub(/[")]/, "", line)
   if (split(line, part, ", ") != 7)
      return
   if (!has_heading) {
      print "| kind | block | count | size | pointer | what it does |\n|---|---|---|---|---|---|"
      has_heading = 1
   }
   row = "| `" part[2] "` |"
   for (column = 4; column <= 7; column++)
      row = row " " (part[column] == "NONE" ? "" : part[column] + 1) " |"
   print row " " does[part[3]] " |"
}

function include(what, file,   line, status)
{
   while ((status = (getline line <file)) > 0)
      if (what == "text")
         text(line)
      else if (what == "sections")
         sections(line)
      else if (what == "metrics" && line ~ /^PM_METRIC\(/)
         metrics(line)
      else if (what == "kinds" && line ~ /^PM_ALLOCKIND\(/)
         kinds(line)
   if (status < 0) {
      print FILENAME ":" FNR ": cannot read " file >"/dev/stderr"
      exit 1
   }
   close(file)
}

BEGIN {
   does["OBTAIN"] = "obtains"
   does["RESIZE"] = "resizes"
   does["RESIZE_OR_RELEASE"] = "resizes, or gives back"
   does["RESIZE_IN_PLACE"] = "resizes in place"
   does["RELEASE"] = "gives back"
}

FNR == 1 {
   folder = FILENAME
   sub(/[^\/]*$/, "", folder)
}

/^<!-- (sections|text|metrics|kinds) of .* -->$/ {
   include($2, folder $4)
   next
}

{ print }
