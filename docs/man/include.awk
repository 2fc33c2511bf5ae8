# SPDX-License-Identifier: GPL-2.0-or-later
# include.awk: what a page takes from another document, so that it is written once.
#
#   awk -f include.awk PAGE.md
#
# A line <!-- sections of FILE --> stands for a Markdown document without its title, its
# headings one level up; <!-- text of FILE --> for any file as it is, as a block of code.
# FILE is relative to the page's folder.

function include(file, kind,   line, status)
{
   while ((status = (getline line <(folder file))) > 0) {
      if (kind == "text")
         print(line == "" ? "" : "    " line)
      else if (line ~ /^##/)
         print substr(line, 2)
      else if (line !~ /^# /)
         print line
   }
   if (status < 0) {
      print FILENAME ":" FNR ": cannot read " file >"/dev/stderr"
      exit 1
   }
   close(folder file)
}

FNR == 1 {
   folder = FILENAME
   sub(/[^\/]*$/, "", folder)
}

/^<!-- (sections|text) of .* -->$/ {
   include($4, $2)
   next
}

{ print }
