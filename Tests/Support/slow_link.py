"""A program on a terminal of its own that is far away: what goes to it and what comes from it is late, as by ssh.

usage: slow_link.py MILLISECONDS PROGRAM [ARGUMENT ...]

The terminal has the size of this one, also when that changes. Ends as the program does.
"""

import collections
import fcntl
import os
import pty
import select
import signal
import sys
import termios
import time
import tty

CHUNK = 65536


class Direction:
    """Bytes on their way."""

    def __init__(self, source, target, delay):
        self.source, self.target, self.delay = source, target, delay
        self.pieces = collections.deque()
        self.is_open = True

    def take(self):
        try:
            data = os.read(self.source, CHUNK)
        except OSError:
            data = b""
        if data:
            self.pieces.append((time.monotonic() + self.delay, data))
        else:
            self.is_open = False

    def give(self):
        while self.pieces and self.pieces[0][0] <= time.monotonic():
            data = self.pieces.popleft()[1]
            while data:
                data = data[os.write(self.target, data) :]

    def patience(self):
        return max(0, self.pieces[0][0] - time.monotonic()) if self.pieces else None


def copy_size(terminal):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8)))


def relay(terminal, delay):
    keys, screen = Direction(0, terminal, delay), Direction(terminal, 1, delay)
    while screen.is_open or screen.pieces:
        waits = [wait for wait in (keys.patience(), screen.patience()) if wait is not None]
        ways = [way for way in (keys, screen) if way.is_open]
        ready = select.select([way.source for way in ways], [], [], min(waits, default=None))[0]
        for way in ways:
            if way.source in ready:
                way.take()
        screen.give()
        if screen.is_open:
            keys.give()


def main():
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(sys.argv[2], sys.argv[2:])
    copy_size(terminal)
    signal.signal(signal.SIGWINCH, lambda *_: copy_size(terminal))
    attributes = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        relay(terminal, int(sys.argv[1]) / 1000)
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, attributes)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


main()
