# SPDX-License-Identifier: GPL-2.0-or-later
# page.awk: what lowdown writes, as a manual page should be.
#
#   lowdown -s -Tman ... PAGE.md | awk -f page.awk
#
# - Code is bold, since terminals have one width for everything, and can be copied: no
#   typographic hyphens or quotes.
# - Lines are neither hyphenated nor stretched: most of what could be is code.
# - Titles of sections are in capitals; definitions are tagged paragraphs.
# - Tables have no boxes, and their last column fills the line.
# - Blocks of code are indented.

# Characters that troff prints as others.
function code(text)
{
   gsub(/-/, "\\-", text)
   gsub(/'/, "\\(aq", text)
   return text
}

# A line in which code stands between \fC or \fB and \fR.
function with_code(text,   result, from, to)
{
   gsub(/\\fC/, "\\fB", text)
   result = ""
   while ((from = index(text, "\\fB")) > 0) {
      to = index(substr(text, from), "\\fR")
      to = to ? from + to - 1 : length(text) + 1
      result = result substr(text, 1, from - 1) code(substr(text, from, to - from))
      text = substr(text, to)
   }
   return result text
}

# The text of a cell, in which @ does not end it.
function cell(text)
{
   gsub(/@/, "\\(at", text)
   return text
}

function read()
{
   if ((getline) <= 0) {
      print "page.awk: the input ends too early" >"/dev/stderr"
      exit 1
   }
}

# The last two lines are held back: what follows may show that they were .LP and a term.
function put(line)
{
   if (held_count == 2)
      print held[1]
   else
      held_count++
   held[1] = held[2]
   held[2] = line
}

BEGIN { print "'\\\" t" }

/^\.TH / {
   put($0)
   put(".nh")
   put(".ad l")
   has_title = 1
   next
}

# The title is on the next line, and a paragraph begins there anyway.
/^\.S[HS]$/ {
   macro = $0
   read()
   is_name = $0 == "NAME"
   put(macro " \"" with_code(macro == ".SH" ? toupper($0) : $0) "\"")
   begins_section = 1
   next
}

begins_section && /^\.[LP]P$/ { next }
{ begins_section = 0 }

# A term: .LP, the term, how far the paragraph is pulled up to it, .IP "" 5n.
/^\.if n \\$/ {
   read()
   if ($0 != ".sp -1v") {
      put(".if n \\")
      put($0)
      next
   }
   while ($0 != ".IP \"\" 5n")
      read()
   if (held[1] !~ /^\.[LP]P$/)
      print held[1]
   held[1] = ".TP"
   next
}

# Cells are between T{ and T}, which is good for what may take several lines: the last column.
/^tab\(\|\) expand allbox;$/ {
   put("tab(@);")
   read()
   columns = split($0, aligned, " ")
   put($0 "x")
   read()
   sub(/\.$/, "x.")
   put($0)
   next
}
columns && /^T\{$/ {
   row = ""
   for (column = 1; column < columns; column++) {
      read()
      if ($0 != "T}|T{") {
         row = row with_code(cell($0))
         read()
      }
      row = row "@"
   }
   put(row "T{")
   next
}
columns && /^\.TE$/ { columns = 0 }

/^\.EX$/ {
   put(".RS 4")
   put($0)
   is_example = 1
   next
}

/^\.EE$/ {
   is_example = 0
   put($0)
   put(".RE")
   put(".nh") # groff's .EE forgets
   next
}

is_example {
   put(code($0))
   next
}

{
   if (is_name)
      sub(/ - /, " \\- ")
   put(with_code($0))
}

END {
   for (i = 3 - held_count; i <= 2; i++)
      print held[i]
   exit !has_title
}
