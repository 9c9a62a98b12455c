"""Messages for `make bench`: encoded beforehand, so that the server's work does not stand in the way."""

import threading
import time
from random import Random
from uuid import UUID

import scripted_rooms as rooms
from scripted_wire import RECORD, cut

PING = b"<iq type='get' id='burst-end' from='example.test'><ping xmlns='urn:xmpp:ping'/></iq>"
ASK = b"<r xmlns='urn:xmpp:sm:3'/>"
SENDERS = 20


class Burst:
    """Sends on a thread of its own, while the session's thread hears the client."""

    def __init__(self, command, session):
        session.settle()
        self._session = session
        self._count = command["count"]
        size = command.get("bytes", 428)
        first, senders = command.get("first", 0), command.get("senders", SENDERS)
        room = command.get("room")
        make = _message if room is None else _archived if command.get("archived") else _said
        messages = [make(first + number, size, session.jid, room or senders) for number in range(self._count)]
        end = PING + (ASK if session.is_managed else b"")
        self._pause = 1 / command["rate"] if "rate" in command else 0
        self._segments = command.get("segments")
        self._times = []
        whole = b"".join([*messages, end])
        self._records = [*messages, end] if self._pause else cut(whole, command.get("records", [RECORD, RECORD]))
        self._go = threading.Event()
        self._answered = False
        self._done = False
        self._acknowledged = not session.is_managed
        with session.counting:
            self._expected = session.sent + self._count + 1
        threading.Thread(target=self._send, daemon=True).start()

    def go(self):
        """The measurement begins."""
        self._started = time.monotonic()
        self._go.set()

    def heard(self, element, name):
        """What the client says may end the measurement."""
        if name == "iq" and element.get("id") == "burst-end":
            self._answered = True
        if name == "a" and int(element.get("h", "0")) >= self._expected:
            self._acknowledged = True
        if self._answered and self._acknowledged and not self._done:
            self._done = True
            self._session.emit("burst-done", seconds=time.monotonic() - self._started, times=self._times)

    def _send(self):
        self._session.send_prepared(self._records, self._count + 1, self._ready, self._segments, self._pause, self._times)

    def _ready(self):
        self._session.emit("burst-ready", bytes=sum(map(len, self._records)))
        self._go.wait()


def _said(number, _, jid, room):
    return rooms.message(number, room, jid)


def _archived(number, _, jid, room):
    return rooms.result(number, room, "0123456789abcdef", jid)


def _message(number, size, jid, senders):
    """One chat message of exactly `size` bytes, as servers with an archive send them: of senders in no order, with UUIDs."""
    random = Random(number)
    own, archived = (str(UUID(int=random.getrandbits(128), version=4)) for _ in range(2))
    contact = f"contact{random.randrange(senders):02d}@example.test"
    head = (
        f"<message from='{contact}/phone' to='{jid}' type='chat' id='{own}' xml:lang='en'><body>"
        f"Message {number:08d}: ")
    tail = (
        f"</body><stanza-id xmlns='urn:xmpp:sid:0' by='{jid.partition('/')[0]}' id='{archived}'/>"
        f"<origin-id xmlns='urn:xmpp:sid:0' id='{own}'/></message>")
    room = size - len(head) - len(tail)
    if room < 0:
        raise ValueError(f"a message needs at least {size - room} bytes")
    words = "the quick brown fox jumps over the lazy dog and then sleeps until noon "
    return (head + (words * (room // len(words) + 1))[:room] + tail).encode()
