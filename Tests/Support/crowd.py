"""Many connections of one user to a daemon's socket.

usage: crowd.py SOCKET COUNT USER [--text TEXT] [--repeat N]

Connects COUNT times as USER, writes TEXT N times to each, and tells {"event":"connected","greeted":N,"refused":N}: how
many were greeted, and told otherwise. All stay open until standard input ends.

Commands: {"do":"write","text":TEXT,"repeat":N} writes so to each, then tells {"event":"written"};
{"do":"count"} tells {"event":"answers","count":N}: how many final lines have come by now.
"""

import argparse
import os
import resource
import socket

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
connections = []
received = []


def write(connection, text):
    """What does not fit is left: the daemon reads no more."""
    try:
        connection.send(text)
    except OSError:
        pass


def read(connection, data):
    """Takes what has come."""
    try:
        while more := connection.recv(1 << 16):
            data += more
    except BlockingIOError:
        pass


greeted = 0
for _ in range(options.count):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(options.socket)
    line = b""
    while not line.endswith(b"\n"):
        line += connection.recv(1)
    greeted += line.startswith(b'{"confab"')
    connections.append(connection)
    received.append(bytearray())
    connection.setblocking(False)
    write(connection, options.text.encode() * options.repeat)
lines.emit("connected", greeted=greeted, refused=options.count - greeted)
for command in lines.commands():
    if command["do"] == "write":
        for connection in connections:
            write(connection, command["text"].encode() * command["repeat"])
        lines.emit("written")
    else:
        for connection, data in zip(connections, received):
            read(connection, data)
        lines.emit("answers", count=sum(data.count(b'"ok":') for data in received))
