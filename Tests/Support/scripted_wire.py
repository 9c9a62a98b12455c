"""One TCP connection of the scripted server, plain or TLS over memory BIOs, so that every record is ours to cut."""

import random
import socket
import ssl
import struct
import threading
import time

RECORD = 16384


class Wire:
    """Bytes to and from one client. Several threads may send; one receives."""

    def __init__(self, connection):
        self._socket = connection
        self._tls = None
        self._sending = threading.Lock()
        self._state = threading.Lock()
        #: The beginning of the handshake as the client sent it.
        self.client_hello = b""
        #: How the client's bytes ended: "tls-close" (close_notify), "eof" or "reset"; None while they come.
        self.ended = None

    def start_tls(self, context, received=b""):
        """The server's side of the handshake; returns what it agreed on."""
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._incoming.write(received)
        self.client_hello = received
        tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self._socket.sendall(self._outgoing.read())
                more = self._socket.recv(65536)
                if not more:
                    raise ConnectionError("closed during the TLS handshake") from None
                self._incoming.write(more)
                self.client_hello += more
            except ssl.SSLError:
                self._socket.sendall(self._outgoing.read())
                raise
        self._socket.sendall(self._outgoing.read())
        self._tls = tls
        return {"version": tls.version(), "cipher": tls.cipher()[0], "alpn": tls.selected_alpn_protocol(),
                "resumed": tls.session_reused}

    def bindings(self, keys, certificate):
        """The channel bindings of the connection."""
        return keys.bindings(self._tls, self.client_hello, certificate)

    def receive(self):
        """The client's next bytes; none at the end, and `ended` says how."""
        while True:
            if self._tls is not None:
                try:
                    with self._state:
                        return self._tls.read(65536)
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLZeroReturnError:
                    self.ended = "tls-close"
                    return b""
            try:
                raw = self._socket.recv(65536)
            except OSError:
                self.ended = "reset"
                return b""
            if not raw:
                self.ended = "eof"
                return b""
            if self._tls is None:
                return raw
            with self._state:
                self._incoming.write(raw)

    def send(self, data, chunk=RECORD, segment=None):
        """Sends all of it, in pieces (TLS records) of at most `chunk` bytes, each in TCP segments of `segment` bytes."""
        with self._sending:
            for start in range(0, len(data), chunk):
                sealed = self._sealed(data[start:start + chunk])
                for place in range(0, len(sealed), segment or len(sealed)):
                    self._socket.sendall(sealed[place:place + (segment or len(sealed))])

    def send_raw(self, data):
        """Bytes beside TLS, where there is TLS."""
        with self._sending:
            self._socket.sendall(data)

    def send_prepared(self, records, ready, segments=None, pause=0, times=None):
        """Seals each record first, calls `ready`, then sends all in one go, or in TCP segments of so many bytes, or one
        record every `pause` seconds: when each left is added to `times`."""
        with self._sending:
            sealed = [self._sealed(record) for record in records]
            if not pause:
                sealed = [b"".join(sealed)]
            if segments:
                sealed = cut(sealed[0], segments)
            ready()
            start = time.monotonic()
            for number, data in enumerate(sealed):
                if pause:
                    time.sleep(max(0, start + number * pause - time.monotonic()))
                    times.append(time.monotonic())
                self._socket.sendall(data)

    def _sealed(self, data):
        if self._tls is None:
            return data
        with self._state:
            self._tls.write(data)
            return self._outgoing.read()

    def close(self):
        """Orderly: close_notify where there is TLS, then the end of our bytes."""
        with self._sending:
            try:
                if self._tls is not None:
                    with self._state:
                        try:
                            self._tls.unwrap()
                        except ssl.SSLError:
                            pass
                        farewell = self._outgoing.read()
                    self._socket.sendall(farewell)
                self._socket.shutdown(socket.SHUT_WR)
            except OSError:
                pass

    def cut(self):
        """The end of TCP without close_notify, both ways."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def abort(self):
        """A reset."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # A thread that is blocked in recv would keep the socket open.
        self._socket.shutdown(socket.SHUT_RD)
        self._socket.close()


def cut(data, sizes):
    """Pieces of at least and at most so many bytes, the same every time."""
    chooser, pieces, start = random.Random(1), [], 0
    while start < len(data):
        end = start + chooser.randint(*sizes)
        pieces.append(data[start:end])
        start = end
    return pieces
