"""A terminal program on a terminal of the test's own: what it costs to start, and for each key.

Commands: start (argv, environment, columns, lines), keys (text), wait (milliseconds), stop. Each is answered by an event of
its name, sent when the program has written nothing for a while: bytes written, milliseconds from the command to the last byte,
CPU of the program in microseconds, anonymous KiB, wake-ups.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

from lines import commands, emit

# No program under measurement is silent so long while it paints.
QUIET_SECONDS = 0.25


class Run:
    """A program and the master's end of its terminal."""

    def __init__(self, argv, environment, columns, lines):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(argv[0], argv, {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def cpu(self):
        """Microseconds of all threads that live."""
        total = 0
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1000

    def status(self, name):
        with open(f"/proc/{self.pid}/status") as file:
            for line in file:
                if line.startswith(name + ":"):
                    return int(line.split()[1])
        return 0

    def settle(self, quiet, at_least=0.0):
        """Reads until the program is quiet; bytes, and when the last one came."""
        count, start = 0, time.monotonic()
        last = start
        while True:
            patience = max(quiet, start + at_least - time.monotonic())
            if not select.select([self.fd], [], [], patience)[0]:
                return count, last
            try:
                data = os.read(self.fd, 1 << 16)
            except OSError:
                return count, last
            if not data:
                return count, last
            count, last = count + len(data), time.monotonic()

    def measure(self, event, action, quiet=QUIET_SECONDS, at_least=0.0):
        before = (self.cpu(), self.status("voluntary_ctxt_switches"))
        start = time.monotonic()
        action()
        count, last = self.settle(quiet, at_least)
        emit(event, bytes=count, ms=(last - start) * 1000, cpu_us=self.cpu() - before[0], anonymous_kib=self.status("RssAnon"),
             wakeups=self.status("voluntary_ctxt_switches") - before[1])


def main():
    run = None
    for command in commands():
        if command["do"] == "start":
            start = time.monotonic()
            run = Run(command["argv"], command.get("environment", {}), command["columns"], command["lines"])
            count, last = run.settle(QUIET_SECONDS, at_least=0.5)
            emit("start", bytes=count, ms=(last - start) * 1000, cpu_us=run.cpu(), anonymous_kib=run.status("RssAnon"), pid=run.pid)
        elif command["do"] == "keys":
            text = command["text"].encode()
            run.measure("keys", lambda: os.write(run.fd, text))
        elif command["do"] == "wait":
            run.measure("wait", lambda: None, quiet=0, at_least=command["ms"] / 1000)
        elif command["do"] == "stop":
            os.kill(run.pid, signal.SIGTERM)
            run.settle(0.1)
            os.waitpid(run.pid, 0)
            os.close(run.fd)
            emit("stop")


main()
