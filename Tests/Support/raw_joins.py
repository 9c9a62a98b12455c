"""Joins rooms as fast as a stream allows: all presences in one write. For `make bench`.

usage: raw_joins.py --port PORT --authority FILE --user NAME --password TEXT --room PATTERN --count N

PATTERN has a `%d` for the room's number. One event: `joined` with `seconds`, from the connection's first byte to the last
room's word that it has taken us.
"""

import argparse
import base64
import socket
import ssl
import time

from lines import emit

HOST = "example.test"
STREAM = f"<stream:stream to='{HOST}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>"
MUC = "http://jabber.org/protocol/muc"


class Stream:
    """A TLS connection of which only the ends of answers are looked at."""

    def __init__(self, options):
        context = ssl.create_default_context(cafile=options.authority)
        self._socket = context.wrap_socket(socket.create_connection(("127.0.0.1", options.port)), server_hostname=HOST)
        self._heard = b""

    def say(self, text):
        self._socket.sendall(text.encode())

    def hear(self, sign, times=1):
        """Reads until a sign has come so often."""
        while self._heard.count(sign) < times:
            data = self._socket.recv(65536)
            if not data:
                raise EOFError(self._heard[-300:])
            self._heard += data
        self._heard = b""


def main():
    options = _options()
    began = time.monotonic()
    stream = Stream(options)
    stream.say(STREAM)
    stream.hear(b"</stream:features>")
    login = base64.b64encode(f"\0{options.user}\0{options.password}".encode()).decode()
    stream.say(f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>{login}</auth>")
    stream.hear(b"<success")
    stream.say(STREAM)
    stream.hear(b"</stream:features>")
    stream.say("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq><presence/>")
    stream.hear(b"</bind>")
    rooms = [options.room % number for number in range(options.count)]
    stream.say("".join(
        f"<presence to='{room}/raw'><x xmlns='{MUC}'><history maxstanzas='0'/></x></presence>" for room in rooms))
    stream.hear(b"code='110'", options.count)
    emit("joined", seconds=time.monotonic() - began)
    stream.say("</stream:stream>")


def _options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    for name in ("authority", "user", "password", "room"):
        parser.add_argument("--" + name, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
