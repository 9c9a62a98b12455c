"""A TCP relay that counts: how often the client spoke after it had heard something, and how many bytes passed.

usage: counting_proxy.py --to PORT

Events: {"event":"ready","port"}; {"event":"counted","connections","flights","sent","received"}.
Commands: {"do":"count","until":SECONDS?}: what passed on the newest connection before that time (since 1970; by now,
where it is left out), up to the client's last word. {"do":"cut"}: all connections end, without a word; {"event":"cut"}.
{"do":"limit","bytes":[N,...]}: so much passes on each of the next connections, both ways together, before it ends
without a word; where the list ends, connections last. {"do":"freeze","of":["client","server"]}: nothing of what those
say passes on the present connections any more, and they stay open; {"event":"frozen"}.

A flight is a run of the client's bytes between two of the server's. One thread relays everything and does what it is
told, and what the client said before it could have heard the server's next word belongs to the flight before: so the
count is exact, however busy the machine is. (Another thread must not close what this one waits for: the kernel would
keep the connection until something came.)
"""

import argparse
import math
import queue
import select
import socket
import struct
import threading
import time

import lines

CLIENT, SERVER = 0, 1


class Connection:
    """One client's connection and ours to the server, and what passed: (side, time, bytes) in its order."""

    def __init__(self, client, port, limit):
        self.sides = [client, socket.create_connection(("127.0.0.1", port))]
        self.open = {CLIENT, SERVER}
        self._left = limit
        self._passed = []
        for side in self.sides:
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def relay(self, side):
        """Passes on what one side says, or that it says no more."""
        data = _read(self.sides[side])
        if side == SERVER and CLIENT in self.open and _is_readable(self.sides[CLIENT]):
            self.relay(CLIENT)
        if self.open:
            self._pass(side, data)

    def _pass(self, side, data):
        passing = data[:min(len(data), self._left)]
        self._left -= len(passing)
        try:
            if passing:
                self._passed.append((side, time.time(), len(passing)))
                self.sides[1 - side].sendall(passing)
            if not data:
                self.open.discard(side)
                self.sides[1 - side].shutdown(socket.SHUT_WR)
        except OSError:
            self.open.clear()
        if self._left == 0:
            self.cut()
        if not self.open:
            for end in self.sides:
                end.close()

    def cut(self):
        """Ends both sides by a reset."""
        self.open.clear()
        for side in self.sides:
            if side.fileno() >= 0:
                side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                side.close()

    def freeze(self, sides):
        """Nothing of these sides passes any more, and nobody is told."""
        self.open -= sides

    def count(self, until):
        """What passed before a time, up to the client's last word."""
        passed = [(side, size) for side, moment, size in self._passed if moment <= until]
        speakers = [side for side, _ in passed]
        while speakers and speakers[-1] == SERVER:
            speakers.pop()
        passed = passed[:len(speakers)]
        return {
            "flights": list(zip([SERVER, *speakers], speakers)).count((SERVER, CLIENT)),
            "sent": sum(size for side, size in passed if side == CLIENT),
            "received": sum(size for side, size in passed if side == SERVER)}


class Proxy:
    """All connections."""

    def __init__(self, port):
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._connections = []
        self._limits = []
        self._commands = queue.SimpleQueue()
        self._bell, self._ringer = socket.socketpair()
        self.port = self._listener.getsockname()[1]

    def run(self):
        """Until the process ends."""
        while True:
            open_sides = {
                connection.sides[side]: (connection, side)
                for connection in self._connections for side in sorted(connection.open)}
            ready, _, _ = select.select([self._listener, self._bell, *open_sides], [], [])
            for readable in ready:
                self._serve(readable, *open_sides.get(readable, (None, None)))

    def tell(self, command):
        """Hands it a command, from another thread."""
        self._commands.put(command)
        self._ringer.send(b"!")

    def _serve(self, readable, connection, side):
        if readable is self._listener:
            self._accept(self._listener.accept()[0])
        elif readable is self._bell:
            self._bell.recv(1)
            self._obey(self._commands.get())
        elif side in connection.open and _is_readable(readable):
            connection.relay(side)

    def _accept(self, client):
        limit = self._limits.pop(0) if self._limits else math.inf
        try:
            self._connections.append(Connection(client, self._to, limit))
        except OSError:
            client.close()

    def _obey(self, command):
        match command["do"]:
            case "cut":
                for connection in self._connections:
                    connection.cut()
                lines.emit("cut")
            case "freeze":
                sides = {{"client": CLIENT, "server": SERVER}[name] for name in command["of"]}
                for connection in self._connections:
                    connection.freeze(sides)
                lines.emit("frozen")
            case "limit":
                self._limits = [int(number) for number in command["bytes"]]
            case "count":
                newest = self._connections[-1].count(command.get("until", math.inf))
                lines.emit("counted", connections=len(self._connections), **newest)


def _read(connection):
    try:
        return connection.recv(65536)
    except OSError:
        return b""


def _is_readable(connection):
    return bool(select.select([connection], [], [], 0)[0])


def main():
    """Runs until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--to", type=int, required=True)
    proxy = Proxy(parser.parse_args().to)
    threading.Thread(target=proxy.run, daemon=True).start()
    lines.emit("ready", port=proxy.port)
    for command in lines.commands():
        proxy.tell(command)


if __name__ == "__main__":
    main()
