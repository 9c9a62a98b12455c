"""Many connections of one user to a daemon's socket.

usage: crowd.py SOCKET COUNT USER [--text TEXT] [--repeat N]

Connects COUNT times as USER, writes TEXT N times to each, and tells {"event":"connected","greeted":N,"refused":N}: how
many were greeted, and told otherwise. All stay open until standard input ends.
"""

import argparse
import os
import resource
import socket
import sys

import lines

parser = argparse.ArgumentParser()
parser.add_argument("socket")
parser.add_argument("count", type=int)
parser.add_argument("user", type=int)
parser.add_argument("--text", default="")
parser.add_argument("--repeat", type=int, default=1)
options = parser.parse_args()

hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
if os.getuid() != options.user:
    os.setgroups([])
    os.setgid(options.user)
    os.setuid(options.user)
text = options.text.encode() * options.repeat
connections = []
greeted = 0
for _ in range(options.count):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(options.socket)
    line = b""
    while not line.endswith(b"\n"):
        line += connection.recv(1)
    greeted += line.startswith(b'{"confab"')
    connections.append(connection)
    # What does not fit is left: the daemon reads no more.
    connection.setblocking(False)
    try:
        connection.send(text)
    except OSError:
        pass
lines.emit("connected", greeted=greeted, refused=options.count - greeted)
sys.stdin.read()
