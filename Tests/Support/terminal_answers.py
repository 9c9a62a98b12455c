"""Runs a program at a terminal of its own and answers its questions.

usage: terminal_answers.py QUESTION=ANSWER ... -- PROGRAM [ARGUMENT ...]

Each QUESTION is waited for, in order, then its ANSWER is typed, with Enter behind it. What the terminal showed comes out
here; the exit status is the program's.
"""

import os
import pty
import sys


def main():
    split = sys.argv.index("--")
    answers, command = [word.split("=", 1) for word in sys.argv[1:split]], sys.argv[split + 1:]
    process, terminal = pty.fork()
    if process == 0:
        os.execv(command[0], command)
    shown = b""
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # the program has ended
            break
        shown += data
        if answers and shown.endswith(answers[0][0].encode()):
            os.write(terminal, answers.pop(0)[1].encode() + b"\n")
    sys.stdout.write(shown.decode())
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


sys.exit(main())
