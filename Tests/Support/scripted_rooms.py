"""Rooms (XEP-0045) on the scripted server for `make bench`: whoever joins is in, and what is said is prepared."""

from random import Random
from uuid import UUID
from xml.sax.saxutils import quoteattr

DISCO = "http://jabber.org/protocol/disco#info"
MUC = "http://jabber.org/protocol/muc"
ARCHIVE = "urn:xmpp:mam:2"
RSM = "http://jabber.org/protocol/rsm"
FEATURES = (
    MUC, "muc_persistent", "muc_open", "muc_semianonymous", ARCHIVE, "urn:xmpp:sid:0", "urn:xmpp:occupant-id:0")
SPEAKERS = 20
PAGE = 50
WORDS = "the quick brown fox jumps over the lazy dog and then sleeps"
OWN = 999_999


class Rooms:
    """All rooms of a service; they have the same occupants, and each has missed messages."""

    def __init__(self, command):
        self._service = command["service"]
        self._occupants = command.get("occupants", SPEAKERS)
        self._missed = command.get("missed", 0)

    def answer(self, element, name, own):
        """What a stanza of `own` to one of the rooms is answered with, in bytes; None where it is for somebody else."""
        to = element.get("to", "")
        room, _, nick = to.partition("/")
        if room.partition("@")[2] != self._service:
            return None
        if name == "presence" and element.get("type") is None:
            return self._joined(room, nick, own)
        if name == "iq":
            return self._asked(element, room, to, own)
        return b""

    def _joined(self, room, nick, own):
        others = "".join(occupant(room, number, own) for number in range(self._occupants))
        self_presence = (
            f"<presence from={quoteattr(room + '/' + nick)} to='{own}'><x xmlns='{MUC}#user'>"
            "<item affiliation='none' role='participant'/><status code='110'/></x>"
            f"<occupant-id xmlns='urn:xmpp:occupant-id:0' id='{_occupant_id(OWN)}'/></presence>")
        return (
            f"{others}{self_presence}<message from='{room}' to='{own}' type='groupchat'><subject/></message>").encode()

    def _asked(self, element, room, to, own):
        head = f"<iq type='result' id={quoteattr(element.get('id', ''))} from={quoteattr(to)} to='{own}'>"
        if element.find(f"{{{DISCO}}}query") is not None:
            features = "".join(f"<feature var='{name}'/>" for name in FEATURES)
            identity = "<identity category='conference' type='text' name='Bench'/>"
            return f"{head}<query xmlns='{DISCO}'>{identity}{features}</query></iq>".encode()
        query = element.find(f"{{{ARCHIVE}}}query")
        return (head + "</iq>").encode() if query is None else self._page(query, head, room, own)

    def _page(self, query, head, room, own):
        after = query.findtext(f"{{{RSM}}}set/{{{RSM}}}after")
        # The first fetch finds one message, which is the anchor of the next one.
        numbers = range(1) if after is None else range(int(after.partition("-")[0]) + 1, self._missed + 1)
        shown = numbers[:PAGE]
        token = query.get("queryid", "")
        results = b"".join(result(number, room, token, own) for number in shown)
        complete = " complete='true'" if len(shown) == len(numbers) else ""
        first, last = (kept(number, room) for number in (shown[0], shown[-1])) if shown else ("", "")
        bounds = f"<first>{first}</first><last>{last}</last>" if shown else ""
        return results + (
            f"{head}<fin xmlns='{ARCHIVE}'{complete}><set xmlns='{RSM}'>{bounds}</set></fin></iq>").encode()


def kept(number, room):
    """The id of a message in the archive of its room."""
    return f"{number}-{UUID(int=Random(f'{room} {number} kept').getrandbits(128), version=4)}"


def result(number, room, token, own):
    """A message out of the archive of its room."""
    stamp = f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z"
    return (
        f"<message from='{room}' to='{own}'><result xmlns='{ARCHIVE}' queryid='{token}' id='{kept(number, room)}'>"
        f"<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='{stamp}'/>").encode() + (
        message(number, room) + b"</forwarded></result></message>")


def occupant(room, number, own):
    """The presence of somebody, about as long as real ones are."""
    return (
        f"<presence from='{room}/speaker{number:02d}' to='{own}'><show>away</show><status>at lunch until two</status>"
        "<c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='https://example.test/client' "
        "ver='q07IKJEyjvHSyhy//CH0CxmKi8w='/>"
        f"<x xmlns='{MUC}#user'><item affiliation='none' role='participant'/></x>"
        f"<occupant-id xmlns='urn:xmpp:occupant-id:0' id='{_occupant_id(number)}'/></presence>")


def message(number, room, recipient=None):
    """A message of one of the speakers, in no order, with UUIDs, and a text as long as one of a person's burst: to a
    recipient, or as the archive has it."""
    random = Random(f"{room} {number}")
    own = str(UUID(int=random.getrandbits(128), version=4))
    speaker = random.randrange(SPEAKERS)
    to = f" to='{recipient}'" if recipient else " xmlns='jabber:client'"
    stanza_id = "" if recipient is None else f"<stanza-id xmlns='urn:xmpp:sid:0' by='{room}' id='{kept(number, room)}'/>"
    return (
        f"<message from='{room}/speaker{speaker:02d}'{to} type='groupchat' id='{own}' xml:lang='en'><body>"
        f"Message {number:08d}: {WORDS}</body>"
        f"<occupant-id xmlns='urn:xmpp:occupant-id:0' id='{_occupant_id(speaker)}'/>{stanza_id}"
        f"<origin-id xmlns='urn:xmpp:sid:0' id='{own}'/></message>").encode()


def _occupant_id(number):
    return f"{number:06d}-3f2a9c8e7d6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f"
