# SPDX-License-Identifier: GPL-2.0-or-later
"""terminal.py: a picture, as SVG, of what a command prints on a terminal.

    terminal.py COLUMNS COMMAND ARGUMENT... >PICTURE

The command runs on a terminal of so many columns, in color. What it prints becomes one line of
text each, in the colors of a dark terminal, below a line with the command itself. Every line has
the length that its characters have, whatever font the viewer takes.
"""

import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import termios

ADVANCE, LINE, SIZE, MARGIN = 8.4, 18, 14, 16  # of a character, in pixels

# What a terminal makes of the sequences that profmem writes.
STYLES = {"0": "", "1": "strong", "2": "faint"}

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"\
 height="{height}" role="img">
<title>{title}</title>
<style>
text {{ font: {size}px "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace;
  fill: #d7dde4; white-space: pre; }}
.strong {{ fill: #ffffff; font-weight: bold; }}
.faint {{ fill: #93a0ad; }}
.prompt {{ fill: #6ccf86; }}
</style>
<rect width="{width}" height="{height}" rx="8" fill="#12161b"/>
"""


def on_terminal(columns, command):
    """What the command prints on a terminal. A failure of its own ends this program, too."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("COLUMNS", "NO_COLOR")} | {"TERM": "xterm"}
    child = subprocess.Popen(command, stdout=slave, env=environment)
    os.close(slave)
    printed = b""
    try:
        while piece := os.read(master, 65536):
            printed += piece
    except OSError:  # what Linux says when the last writer has gone
        pass
    if child.wait():
        sys.exit(f"terminal.py: status {child.returncode} of {' '.join(command)}")
    return printed.decode().replace("\r\n", "\n").rstrip("\n")


def pieces_of(line, style):
    """The line as (style, text), and the style that the next one begins with."""
    pieces = []
    for part in re.split(r"(\x1b\[\d*m)", line):
        if part.startswith("\x1b["):
            style = STYLES[part[2:-1]]
        elif part:
            pieces.append((style, part))
    return pieces, style


def text_of(row, pieces):
    length = sum(len(text) for _, text in pieces)
    spans = "".join(f'<tspan class="{style}">{html.escape(text)}</tspan>' if style
                    else html.escape(text) for style, text in pieces)
    return (f'<text x="{MARGIN}" y="{MARGIN + SIZE + row * LINE}" xml:space="preserve"'
            f' textLength="{length * ADVANCE:g}">{spans}</text>\n') if pieces else ""


def main(columns, *command):
    shown = " ".join([os.path.basename(command[0]), *command[1:]])
    rows, style = [[("prompt", "$ "), ("", shown)]], ""
    for line in on_terminal(int(columns), command).split("\n"):
        pieces, style = pieces_of(line, style)
        rows.append(pieces)
    longest = max(sum(len(text) for _, text in row) for row in rows)
    print(HEAD.format(width=round(2 * MARGIN + longest * ADVANCE), size=SIZE,
                      height=2 * MARGIN + len(rows) * LINE, title=html.escape(shown)), end="")
    print("".join(text_of(row, pieces) for row, pieces in enumerate(rows)) + "</svg>")


if __name__ == "__main__":
    main(*sys.argv[1:])
