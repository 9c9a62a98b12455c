"""A SOCKS5 proxy (RFC 1928, user name and password by RFC 1929) that knows where a few names are.

usage: socks5_proxy.py [--user NAME --password TEXT] [--map HOST:PORT=ADDRESS:PORT ...]

Events: ready {port}, asked {type,host,port,user} for each request. What no map names cannot be reached.
"""

import argparse
import socket
import struct
import threading

import lines

REFUSED, NO_METHOD = 5, 0xFF


def _exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise ConnectionError("closed in the handshake")
        data += more
    return data


def _sign_in(connection, options):
    """Agrees on a method; gives the user's name, or None where there is none."""
    _, count = _exactly(connection, 2)
    methods = _exactly(connection, count)
    wanted = 2 if options.user else 0
    if wanted not in methods:
        connection.sendall(bytes([5, NO_METHOD]))
        raise ConnectionError("no method in common")
    connection.sendall(bytes([5, wanted]))
    if not options.user:
        return None
    _exactly(connection, 1)
    user, password = (_exactly(connection, _exactly(connection, 1)[0]).decode() for _ in range(2))
    is_right = (user, password) == (options.user, options.password)
    connection.sendall(bytes([1, 0 if is_right else 1]))
    if not is_right:
        raise ConnectionError("wrong password")
    return user


def _request(connection):
    """What it is to connect to."""
    _, _, _, kind = _exactly(connection, 4)
    if kind == 3:
        host = _exactly(connection, _exactly(connection, 1)[0]).decode("ascii")
    else:
        family, size = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
        host = socket.inet_ntop(family, _exactly(connection, size))
    (port,) = struct.unpack(">H", _exactly(connection, 2))
    return {1: "ipv4", 3: "name", 4: "ipv6"}[kind], host, port


def _copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def _serve(connection, options, places):
    try:
        user = _sign_in(connection, options)
        kind, host, port = _request(connection)
        lines.emit("asked", type=kind, host=host, port=port, user=user)
        reply = bytes([0, 1, 0, 0, 0, 0, 0, 0])
        place = places.get(f"{host}:{port}")
        if place is None:
            connection.sendall(bytes([5, REFUSED]) + reply)
            return
        server = socket.create_connection(place)
        connection.sendall(bytes([5, 0]) + reply)
        threading.Thread(target=_copy, args=(server, connection), daemon=True).start()
        _copy(connection, server)
    except OSError:
        connection.close()


def _place(text):
    address, port = text.rsplit(":", 1)
    return address, int(port)


def main():
    """Runs until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--user")
    parser.add_argument("--password")
    parser.add_argument("--map", action="append", default=[])
    options = parser.parse_args()
    places = {name: _place(place) for name, place in (entry.split("=", 1) for entry in options.map)}
    listener = socket.create_server(("127.0.0.1", 0))
    lines.emit("ready", port=listener.getsockname()[1])

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=_serve, args=(connection, options, places), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    for _ in lines.commands():
        pass


if __name__ == "__main__":
    main()
