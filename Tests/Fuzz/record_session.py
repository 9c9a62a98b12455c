"""Records what a real Prosody says in one session, as seeds of the fuzzers; run it once when there is more to record.

usage: python3 Tests/Fuzz/record_session.py

The account and all that is said are made up here. Writes Tests/Fuzz/Seeds/stream/prosody and
Tests/Fuzz/Seeds/stanzas/prosody.
"""

import base64
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile

_FUZZ = os.path.dirname(os.path.abspath(__file__))
_HEADER = "<stream:stream to='example.test' xmlns='jabber:client' " \
    "xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"

# Each is said once its forerunner has been answered by what the pattern finds.
_SCRIPT = (
    ("<iq id='b' type='set'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>r</resource></bind></iq>", "id='b'"),
    ("<enable xmlns='urn:xmpp:sm:3' resume='true'/>", "<enabled"),
    ("<iq id='r1' type='get'><query xmlns='jabber:iq:roster' ver=''/></iq>", "id='r1'"),
    ("<presence><priority>1</priority><status>here &amp; \u00fcberall</status></presence>", "</presence>"),
    ("<iq id='r2' type='set'><query xmlns='jabber:iq:roster'><item jid='bob@example.test' name='B&lt;b'>"
     "<group>Friends</group></item></query></iq>", "id='r2'"),
    ("<presence to='bob@example.test' type='subscribe'/>", "subscribe"),
    ("<message to='alice@example.test' type='chat' id='m1'><body>h\u00e9llo &gt; \U0001f600</body></message>", "m1"),
    ("<message to='nobody@example.test' type='chat' id='m2'><body>x</body></message>", "m2"),
    ("<iq id='d' type='get' to='example.test'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>", "id='d'"),
    ("<iq id='v' type='get' to='example.test'><query xmlns='jabber:iq:version'/></iq>", "id='v'"),
    ("<iq id='c' type='set'><enable xmlns='urn:xmpp:carbons:2'/></iq>", "id='c'"),
    ("<iq id='a' type='set'><query xmlns='urn:xmpp:mam:2'/></iq>", "id='a'"),
    ("<iq id='n' type='get'><nothing xmlns='urn:x'/></iq>", "id='n'"),
    ("<r xmlns='urn:xmpp:sm:3'/>", "<a "),
    ("</stream:stream>", "</stream:stream>"),
)


class Session:
    """One connection, with all that came on it since the last restart of the stream."""

    def __init__(self, port, authority):
        context = ssl.create_default_context(cafile=authority)
        self._socket = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="example.test")
        self.heard = b""

    def say(self, text, pattern):
        """Says something and reads until the pattern has come behind it."""
        start = len(self.heard)
        self._socket.sendall(text.encode())
        while not re.search(pattern.encode(), self.heard[start:]):
            bytes_read = self._socket.recv(65536)
            if not bytes_read:
                sys.exit(f"the server closed after {text}")
            self.heard += bytes_read


def _record(port, authority):
    session = Session(port, authority)
    session.say(_HEADER, "</stream:features>")
    plain = base64.b64encode(b"\0alice\0secret").decode()
    session.say(f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>{plain}</auth>", "<success")
    session.heard = b""
    session.say(_HEADER, "</stream:features>")
    for text, pattern in _SCRIPT:
        session.say(text, pattern)
    return session.heard


def _write(name, content):
    with open(f"{_FUZZ}/Seeds/{name}", "wb") as file:
        file.write(content)


def main():
    """Starts a server, talks to it, and writes the seeds."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        server = subprocess.Popen(
            ["python3", f"{_FUZZ}/../Support/private_prosody.py", "--folder", f"{folder}/prosody",
             "--account", "alice:secret", "--account", "bob:secret"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        ready = json.loads(server.stdout.readline())
        heard = _record(ready["direct"], ready["ca"])
        server.stdin.close()
        server.wait()
    # The first byte says which limits and that the header is there, the second how the rest is cut.
    _write("stream/prosody", b"\x01\x05" + heard)
    stanzas = heard[heard.index(b">", heard.index(b"<stream:stream")) + 1:].removesuffix(b"</stream:stream>")
    _write("stanzas/prosody", stanzas)


if __name__ == "__main__":
    main()
