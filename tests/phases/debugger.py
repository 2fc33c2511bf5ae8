# SPDX-License-Identifier: GPL-2.0-or-later
"""debugger.py: a debugger that stops where it is told and gives monitor commands there.

    debugger.py VGDB PREFIX PID ADDRESSES COMMANDS...

It speaks gdb's remote protocol to the program through vgdb. There are breakpoints at all the
addresses (hex, with commas). COMMANDS, one argument for each stop in turn, are monitor commands
(several by ';', perhaps none). The program is to stop as often, and to run on to its end.
"""

import subprocess
import sys


class Remote:
    def __init__(self, command):
        self.vgdb = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, text):
        data = text.encode()
        self.vgdb.stdin.write(b'$' + data + b'#%02x' % (sum(data) % 256))
        self.vgdb.stdin.flush()

    def answer(self):
        byte = self.vgdb.stdout.read(1)
        while byte != b'$':
            if not byte:
                sys.exit('vgdb has ended')
            byte = self.vgdb.stdout.read(1)
        text = b''
        while (byte := self.vgdb.stdout.read(1)) != b'#':
            text += byte
        self.vgdb.stdout.read(2)
        self.vgdb.stdin.write(b'+')
        self.vgdb.stdin.flush()
        return text.decode()

    def ask(self, text):
        self.send(text)
        return self.answer()

    def monitor(self, command):
        said = self.ask('qRcmd,' + command.encode().hex())
        while said[:1] == 'O' and said != 'OK':
            print(bytes.fromhex(said[1:]).decode(), end='')
            said = self.answer()


vgdb, prefix, pid, addresses, *stops = sys.argv[1:]
remote = Remote([vgdb, '--vgdb-prefix=' + prefix, '--pid=' + pid, '--wait=30'])
remote.ask('?')
for address in addresses.split(','):
    assert remote.ask(f'Z0,{address},1') == 'OK'
for commands in stops:
    assert remote.ask('c').startswith('T05')
    for command in filter(None, commands.split(';')):
        remote.monitor(command)
assert remote.ask('c').startswith('W00')
