"""Runs a program at a terminal of its own and answers its questions.

usage: terminal_answers.py QUESTION=ANSWER ... -- PROGRAM [ARGUMENT ...]

Each QUESTION is waited for, in order, then its ANSWER is typed, with Enter behind it. What the terminal showed comes out
here; the exit status is the program's.
"""

import os
import pty
import re
import signal
import sys

ENDED = b"\0ended %d\0"


def lead(command):
    """Runs the program below the leader of the terminal's session, which stays: where a leader ends, the kernel throws
    away what the terminal has not passed on."""
    process = os.fork()
    if process == 0:
        os.execv(command[0], command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(1, ENDED % os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    while True:
        signal.pause()


def main():
    split = sys.argv.index("--")
    answers, command = [word.split("=", 1) for word in sys.argv[1:split]], sys.argv[split + 1:]
    leader, terminal = pty.fork()
    if leader == 0:
        lead(command)
    shown = b""
    ended = None
    while ended is None:
        shown += os.read(terminal, 4096)
        if answers and shown.endswith(answers[0][0].encode()):
            os.write(terminal, answers.pop(0)[1].encode() + b"\n")
        ended = re.search(ENDED.replace(b"%d", b"(-?[0-9]+)"), shown)
    os.kill(leader, signal.SIGKILL)
    sys.stdout.write(shown[:ended.start()].decode())
    return int(ended[1])


sys.exit(main())
