"""An HTTP server that misbehaves by the path that is asked for, on two loopback ports: plain and TLS; and a name server.

usage: hostile_http.py [--certificate FILE --key FILE]

Events (JSON lines): ready (http, http6, https, dns: ports), request (method, target, headers, and of an upload body, its length, and
sha256). The end of its input ends it. Bodies are the bytes 0 to 250 over and over.
"""

import argparse
import gzip
import hashlib
import socket
import socketserver
import ssl
import struct
import threading
from urllib.parse import unquote

import lines

PATTERN = bytes(range(251))
ended = threading.Event()


def pattern(count):
    return (PATTERN * (count // len(PATTERN) + 1))[:count]


def head(status, *headers):
    return "\r\n".join([f"HTTP/1.1 {status} Text", *headers, "", ""]).encode()


def plain(count, said=None, *headers):
    return head(200, f"Content-Length: {count if said is None else said}", *headers) + pattern(count)


def forever(start, piece, pause=0.0):
    """Sends a piece again and again until the client has enough of it."""
    yield start
    while not ended.wait(pause):
        yield piece


def silence():
    ended.wait()
    yield b""


def chunked(count, *headers):
    yield head(200, "Transfer-Encoding: chunked", *headers)
    rest = pattern(count)
    while rest:
        piece, rest = rest[:1000], rest[1000:]
        yield b"%x\r\n%s\r\n" % (len(piece), piece)
    yield b"0\r\nTrailer-Field: x\r\n\r\n"


def compressed(count):
    bomb = gzip.compress(bytes(count), 9)
    return head(200, "Content-Encoding: gzip", f"Content-Length: {len(bomb)}") + bomb


def transfer_compressed(count):
    bomb = gzip.compress(bytes(count), 9)
    return head(200, "Transfer-Encoding: gzip, chunked") + b"%x\r\n%s\r\n0\r\n\r\n" % (len(bomb), bomb)


def redirect(argument):
    status, _, place = argument.partition(",")
    return head(int(status), f"Location: {unquote(place)}", "Content-Length: 100000000000")


# The body of the last PUT to /kept.
kept = bytearray()


def given(body):
    return head(200, f"Content-Length: {len(body)}") + bytes(body)


def damaged(argument):
    place = int(argument) % len(kept)
    return given(kept[:place] + bytes([kept[place] ^ 1]) + kept[place + 1:])


# What follows a request whose path is the key; its query is the argument.
ANSWERS = {
    "/file": lambda n: plain(int(n), None, "Content-Type: image/png"),
    "/typed": lambda n: plain(10, None, "Content-Type: " + unquote(n)),
    "/chunked": lambda n: chunked(int(n)),
    "/until-close": lambda n: head(200) + pattern(int(n)),
    "/short": lambda n: plain(int(n), int(n) + 1000),
    "/long": lambda n: plain(int(n) + 1000, int(n)),
    "/endless": lambda _: forever(head(200), pattern(65536)),
    "/drip": lambda _: forever(head(200), b"x", 0.2),
    "/drip-headers": lambda _: forever(b"HTTP/1.1 200 OK\r\n", b"x", 0.2),
    "/silent": lambda _: silence(),
    "/headers": lambda _: forever(b"HTTP/1.1 200 OK\r\n", b"".join(b"H%d: x\r\n" % n for n in range(1000))),
    "/header": lambda _: forever(b"HTTP/1.1 200 OK\r\nName: ", b"x" * 65536),
    "/continues": lambda _: forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    "/compressed": lambda n: compressed(int(n)),
    "/transfer-compressed": lambda n: transfer_compressed(int(n)),
    "/two-lengths": lambda n: plain(int(n), None, f"Content-Length: {int(n) - 1}"),
    "/bad-length": lambda n: plain(10, unquote(n)),
    "/redirect": redirect,
    "/loop": lambda n: redirect(f"302,/loop?{int(n or 0) + 1}"),
    "/status": lambda n: head(int(n), "Content-Length: 4", "Set-Cookie: a=b") + b"text",
    "/garbage": lambda _: b"\0\xff" * 1000,
    "/old": lambda _: b"<html>HTTP/0.9</html>",
    "/nothing": lambda _: b"",
    "/switch": lambda _: head(101, "Upgrade: chess"),
    "/bad-chunks": lambda _: head(200, "Transfer-Encoding: chunked") + b"zz\r\nx",
    "/kept": lambda _: given(kept),
    "/kept-damaged": damaged,
    "/kept-begun": lambda n: given(kept[:int(n)]),
    "/taken": lambda n: head(int(n or 201), "Content-Length: 4") + b"text",
}


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64


class Handler(socketserver.BaseRequestHandler):
    context = None

    def handle(self):
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if self.server.context:
                self.request = self.server.context.wrap_socket(self.request, server_side=True)
            self.answer()
        except (OSError, ValueError):
            pass

    def answer(self):
        stream = self.request.makefile("rb")
        method, target, version = stream.readline().decode("latin-1").split()
        if not version.startswith("HTTP/"):  # a TLS hello, whose random bytes may split as a request line does
            return
        rows = iter(lambda: stream.readline().decode("latin-1").rstrip("\r\n"), "")
        headers = [line.partition(": ")[::2] for line in rows]
        path, _, argument = target.partition("?")
        members = {}
        if method == "PUT" and path not in ("/early", "/early-taken"):
            members = self.take_body(stream, int(dict(headers)["Content-Length"]), path == "/kept")
        lines.emit("request", method=method, target=target, headers=dict(headers), **members)
        if path in ("/early", "/early-taken"):
            self.request.sendall(head(413 if path == "/early" else 201, "Content-Length: 0"))
        else:
            answer = ANSWERS[path](argument)
            for piece in [answer] if isinstance(answer, bytes) else answer:
                self.request.sendall(piece)
        if self.server.context:
            self.request.unwrap()

    @staticmethod
    def take_body(stream, length, isKept):
        digest, taken = hashlib.sha256(), 0
        if isKept:
            kept.clear()
        while taken < length and (piece := stream.read1(min(65536, length - taken))):
            digest.update(piece)
            if isKept:
                kept.extend(piece)
            taken += len(piece)
        return {"body": taken, "sha256": digest.hexdigest()}


# Hosts, and their addresses of both kinds; of several one answer has each in turn.
NAMES = {
    b"example.test": ("127.0.0.1", None),
    b"other.test": ("127.0.0.1", None),
    b"secret.test": ("127.0.0.1", "::1"),
    b"mapped.test": (None, "::ffff:127.0.0.1"),
    b"link.test": ("169.254.169.254", "fe80::1"),
    b"turning.test": (["192.0.2.1", "127.0.0.1"], None),
}


class NameHandler(socketserver.BaseRequestHandler):
    def handle(self):
        query, connection = self.request
        end = query.index(0, 12)
        labels, place = [], 12
        while place < end:
            labels.append(query[place + 1 : place + 1 + query[place]])
            place += 1 + query[place]
        question = query[12 : end + 5]
        addresses = NAMES.get(b".".join(labels).lower())
        is_ipv6 = question[-4:-2] == b"\0\x1c"
        address = addresses and addresses[is_ipv6]
        if isinstance(address, list):
            address.append(address.pop(0))
            address = address[-1]
        data = address and socket.inet_pton(socket.AF_INET6 if is_ipv6 else socket.AF_INET, address)
        record = b"\xc0\x0c" + question[-4:] + struct.pack(">IH", 60, len(data)) + data if data else b""
        code = 0x8180 if addresses else 0x8183
        connection.sendto(query[:2] + struct.pack(">HHHHH", code, 1, bool(data), 0, 0) + question + record, self.client_address)


def serve_names():
    server = socketserver.ThreadingUDPServer(("127.0.0.1", 0), NameHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class ServerOfIPv6(Server):
    address_family = socket.AF_INET6


def serve(context, server=None):
    server = server or Server(("127.0.0.1", 0), Handler)
    server.context = context
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    options = parser.parse_args()
    ports = {"http": serve(None), "http6": serve(None, ServerOfIPv6(("::1", 0), Handler)), "dns": serve_names()}
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
        ports["https"] = serve(context)
    lines.emit("ready", **ports)
    for _ in lines.commands():
        pass
    ended.set()


if __name__ == "__main__":
    main()
