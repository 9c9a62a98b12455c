"""An archive (XEP-0313) for `make bench`: its pages are made of pieces encoded beforehand."""

import threading
import time

ARCHIVE = "urn:xmpp:mam:2"
RSM = "http://jabber.org/protocol/rsm"
SENDERS = 20
#: Seconds between two messages.
STEP = 25


class Archive:
    """Of one account. It begins with one message; `grow` adds those that came while nobody was there."""

    def __init__(self, account):
        self._account = account
        self._items = []
        self._go = threading.Event()
        self._go.set()
        self._started = None
        self._append(1)

    def grow(self, count):
        """So many more; the next question waits for `go`."""
        self._append(count)
        self._go.clear()

    def go(self):
        """The measurement begins."""
        self._started = time.monotonic()
        self._go.set()

    @property
    def seconds(self):
        """Since the measurement began."""
        return time.monotonic() - self._started

    def answer(self, query, iq_id, ready):
        """All that answers a question, and how many stanzas that are; whether it was the last one of a measurement."""
        if not self._go.is_set():
            ready()
            self._go.wait()
        token = query.get("queryid", "").encode()
        rsm = query.find(f"{{{RSM}}}set")
        most = int(rsm.findtext(f"{{{RSM}}}max", "100"))
        after = rsm.findtext(f"{{{RSM}}}after")
        first = int(after) + 1 if after else 0
        last = min(first + most, len(self._items))
        if rsm.find(f"{{{RSM}}}before") is not None:
            first, last = max(0, len(self._items) - most), len(self._items)
        is_complete = last == len(self._items)
        complete = " complete='true'" if is_complete else ""
        bounds = f"<first>{first}</first><last>{last - 1}</last>" if last > first else ""
        end = (
            f"<iq type='result' id='{iq_id}' from='{self._account}'><fin xmlns='{ARCHIVE}'{complete}>"
            f"<set xmlns='{RSM}'>{bounds}</set></fin></iq>").encode()
        results = [head + token + tail for head, tail in self._items[first:last]]
        return b"".join([*results, end]), len(results) + 1, is_complete and self._started is not None

    def _append(self, count):
        now = time.time()
        start = len(self._items)
        for number in range(start, start + count):
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - (start + count - number) * STEP))
            self._items.append(_result(number, stamp, self._account))


def _result(number, stamp, account):
    """One result without the question's token: what stands before that, and behind it."""
    contact = f"contact{number % SENDERS:02d}@example.test"
    text = f"Message {number:08d}: the quick brown fox jumps over the lazy dog and then sleeps until noon"
    return (
        f"<message from='{account}'><result xmlns='{ARCHIVE}' queryid='".encode(),
        (f"' id='{number}'><forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='{stamp}'/>"
         f"<message xmlns='jabber:client' from='{contact}/phone' to='{account}' type='chat' id='archived-{number:08d}'>"
         f"<body>{text}</body></message></forwarded></result></message>").encode())
