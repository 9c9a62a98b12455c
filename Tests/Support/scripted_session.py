"""One client's stream at the scripted server: the good server's answers, and the rules that replace them."""

import base64
import binascii
import os
import ssl
import threading
import time
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

import lines
from scripted_archive import ARCHIVE
from scripted_burst import Burst
from scripted_reader import StreamReader
from scripted_rules import encode
from scripted_scram import Refused, exchange
from scripted_wire import Wire

TLS = "urn:ietf:params:xml:ns:xmpp-tls"
SASL = "urn:ietf:params:xml:ns:xmpp-sasl"
SASL_CB = "urn:xmpp:sasl-cb:0"
BIND = "urn:ietf:params:xml:ns:xmpp-bind"
STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas"
SM = "urn:xmpp:sm:3"
DISCO = "http://jabber.org/protocol/disco#info"
ROSTER = "jabber:iq:roster"
STANZA_NAMES = ("message", "presence", "iq")


class Session:
    """Driven by one thread in `run`; `obey` is called from the thread of the commands."""

    def __init__(self, server, connection, number, kind):
        self._server = server
        self._wire = Wire(connection)
        self._number = number
        self._kind = kind
        self._reader = StreamReader(server.lenient)
        self._secure = False
        self._exchange = None
        self._bindings = {}
        self._user = None
        self._managed = False
        self._present = threading.Event()
        self._burst = None
        #: What is to be acknowledged for all of an archive to be.
        self._archived = None
        self._values = {"jid": "", "h": "0", "id": "", "from": "", "to": ""}
        self.jid = None
        #: Stanzas received and sent since <enabled/>.
        self.handled = 0
        self.sent = 0
        #: Held while stanzas are counted and leave: what is counted without it may stand behind what is sent next.
        self.counting = threading.Lock()

    def run(self):
        """Until the client is gone."""
        self._emit("connected", kind=self._kind)
        try:
            if self._ruled("connect"):
                pass
            elif self._kind == "direct":
                self._secure_wire()
            while data := self._wire.receive():
                for kind, element, raw in self._reader.feed(data):
                    self._item(kind, element, raw)
        except (OSError, ssl.SSLError, expat.ExpatError, Refused) as error:
            self._emit("failed", reason=str(error))
        self._wire.cut()
        self._emit("closed", how=self._wire.ended or "failed")

    def obey(self, command):
        """A command that concerns this connection."""
        match command["do"]:
            case "send":
                self._send(encode(command["send"], self._values), command.get("chunk"))
            case "raw":
                self._wire.send_raw(encode(command["send"], self._values))
            case "flood":
                self._flood(encode(command["send"], self._values).decode(), command["count"])
            case "ask":
                self._send(f"<r xmlns='{SM}'/>".encode())
            case "acknowledge":
                self._send(f"<a xmlns='{SM}' h='{command.get('h', self.handled)}'/>".encode())
            case "burst":
                self._burst = Burst(command, self)
            case "go":
                self._burst.go()
            case ending:
                self._finish(ending)

    def send_prepared(self, records, stanzas, ready, segments, pause, times):
        """The burst's bytes, counted like every other stanza."""
        with self.counting:
            self.sent += stanzas
        self._wire.send_prepared(records, ready, segments, pause, times)

    def settle(self):
        """Waits for the initial presence: by then it is known whether stream management is on."""
        if not self._present.wait(60):
            raise TimeoutError("no initial presence")

    @property
    def is_managed(self):
        """Whether stream management is on."""
        return self._managed

    def emit(self, event, **members):
        """An event of this connection."""
        self._emit(event, **members)

    # What came

    def _item(self, kind, element, raw):
        if kind == "header":
            self._emit("header", xml=raw)
            self._header()
        elif kind == "end":
            self._emit("end")
            if not self._ruled("end"):
                self._finish("close")
        else:
            self._element(element, raw)

    def _element(self, element, raw):
        name = element.tag.rpartition("}")[2]
        stage = _stage(element, name)
        if name in STANZA_NAMES and self._managed:
            self.handled = (self.handled + 1) % 2**32
        self._values |= {key: element.get(key, "") for key in ("id", "from", "to")} | {"h": str(self.handled)}
        if not self._server.quiet:
            self._emit("received", stage=stage, xml=raw)
        if stage == "presence" and not self._present.is_set():
            self._present.set()
            self._emit("presence", user=self._user, time=time.time())
        if name == "a":
            self._acknowledged(element)
            self._archive_acknowledged(element)
        if self._burst is not None:
            self._burst.heard(element, name)
        if not self._ruled(stage) and not self._answered_by_room(element, name):
            self._answer(stage, element)

    def _acknowledged(self, element):
        self._emit("acknowledged", h=int(element.get("h", "0")), sent=self.sent)

    def _answered_by_room(self, element, name):
        rooms = self._server.rooms
        data = rooms.answer(element, name, self.jid) if rooms is not None and name in STANZA_NAMES else None
        if data:
            self._send(data)
        return data is not None

    # What the good server answers

    def _header(self):
        if self._exchange is None and not self._secure:
            stage, features = "header", f"<starttls xmlns='{TLS}'><required/></starttls>"
        elif self._user is None:
            stage = "tls-header"
            features = _offer(self._server.mechanisms, self._server.bindings)
        else:
            stage = "bind-header"
            features = f"<bind xmlns='{BIND}'/><sm xmlns='{SM}'/>{self._server.features}"
        if self._ruled(stage):
            return
        identity = binascii.hexlify(os.urandom(8)).decode()
        self._send((
            "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
            f"version='1.0' id='{identity}' from='{self._server.host}' xml:lang='en'>"
            f"<stream:features>{features}</stream:features>").encode())

    def _answer(self, stage, element):
        match stage:
            case "starttls":
                self._send(f"<proceed xmlns='{TLS}'/>".encode())
                self._secure_wire()
            case "auth" | "response":
                self._authenticate(stage, element)
            case "bind":
                self._bind(element)
            case "enable":
                self._send(f"<enabled xmlns='{SM}'/>".encode())
                self._managed, self.handled, self.sent = True, 0, 0
            case "resume":
                self._send(f"<failed xmlns='{SM}'><item-not-found xmlns='{STANZAS}'/></failed>".encode())
            case "r":
                if self._server.acknowledge:
                    self._send(f"<a xmlns='{SM}' h='{self.handled}'/>".encode())
            case "roster-get":
                self._result(element, f"<query xmlns='{ROSTER}'>{self._server.roster}</query>")
            case "roster-set":
                self._result(element, "")
            case "iq" if element.get("type") in ("get", "set"):
                self._answer_iq(element)

    def _answer_iq(self, element):
        if element.find("{urn:xmpp:ping}ping") is not None:
            self._result(element, "")
            return
        if self._server.archive is not None and self._answer_archive(element):
            return
        self._reply(
            element, "error", f"<error type='cancel'><service-unavailable xmlns='{STANZAS}'/></error>")

    def _answer_archive(self, element):
        """Tells of the archive, and answers questions to it; False where the request is for something else."""
        if element.find(f"{{{DISCO}}}query") is not None:
            features = "".join(f"<feature var='{name}'/>" for name in (ARCHIVE, "urn:xmpp:sid:0"))
            self._result(element, f"<query xmlns='{DISCO}'>{features}</query>")
            return True
        query = element.find(f"{{{ARCHIVE}}}query")
        if query is None:
            return False
        data, stanzas, is_last = self._server.archive.answer(
            query, element.get("id", ""), lambda: self._emit("archive-ready"))
        if self._managed:
            self.sent += stanzas
        if is_last:
            self._archived = self.sent
            data += f"<r xmlns='{SM}'/>".encode()
        self._wire.send(data)
        return True

    def _archive_acknowledged(self, element):
        if self._archived is not None and int(element.get("h", "0")) >= self._archived:
            self._archived = None
            self._emit("archive-done", seconds=self._server.archive.seconds)

    def _authenticate(self, stage, element):
        try:
            data = base64.b64decode(element.text or "").decode()
            if stage == "auth":
                self._exchange = exchange(element.get("mechanism"), self._server, self._bindings)
                answer = self._exchange.challenge(data)
                if answer is not None:
                    self._send_sasl("challenge", answer)
                    return
            self._send_sasl("success", self._exchange.finish(data))
            self._user = self._exchange.user
            self._emit(
                "authenticated", user=self._user, mechanism=self._exchange.mechanism, flag=self._exchange.flag)
            self._reader.restart()
        except (Refused, KeyError, ValueError) as refusal:
            condition = str(refusal) if isinstance(refusal, Refused) else "malformed-request"
            self._send(f"<failure xmlns='{SASL}'><{condition}/></failure>".encode())

    def _bind(self, element):
        resource = element.findtext(f"{{{BIND}}}bind/{{{BIND}}}resource") or binascii.hexlify(os.urandom(4)).decode()
        self.jid = f"{self._user}@{self._server.host}/{resource}"
        self._values["jid"] = self.jid
        self._result(element, f"<bind xmlns='{BIND}'><jid>{self.jid}</jid></bind>")
        self._emit("bound", jid=self.jid)

    def _result(self, element, payload):
        self._reply(element, "result", payload)

    def _reply(self, element, kind, payload):
        self._send(f"<iq type='{kind}' id={quoteattr(element.get('id', ''))}>{payload}</iq>".encode())

    def _send_sasl(self, name, text):
        self._send(f"<{name} xmlns='{SASL}'>{base64.b64encode(text.encode()).decode()}</{name}>".encode())

    # Means

    def _ruled(self, stage):
        """Does what a rule says for this stage; False where the good server is to answer (as well)."""
        rule = self._server.rules.take(stage)
        if rule is None:
            return False
        self._send(encode(rule["send"], self._values), rule.get("chunk"))
        if rule["then"] in ("close", "cut", "abort"):
            self._finish(rule["then"])
        return rule["then"] != "default"

    def _secure_wire(self):
        name = []
        self._server.tls.sni_callback = lambda _, asked, __: name.append(asked)
        facts = self._wire.start_tls(self._server.tls, self._reader.take_rest())
        self._emit("secured", name=name[0] if name else None, **facts)
        self._bindings = self._wire.bindings(self._server.keys, self._server.certificate)
        self._secure = True
        self._reader.restart()

    def _finish(self, how):
        match how:
            case "close":
                self._wire.send(b"</stream:stream>")
                self._wire.close()
            case "cut":
                self._wire.cut()
            case "abort":
                self._wire.abort()

    def _send(self, data, chunk=None):
        with self.counting:
            if self._managed and data.startswith((b"<message", b"<presence", b"<iq")):
                self.sent += _count(data)
            self._wire.send(data, chunk or self._server.chunk, self._server.segment)

    def _flood(self, text, count):
        """A text again and again, with `$n` counting; reports how many bytes that were."""
        total, stanzas = 0, _count(text.encode())
        for start in range(0, count, 100):
            numbers = range(start, min(start + 100, count))
            data = "".join(text.replace("$n", str(number)) for number in numbers).encode()
            self.sent += stanzas * len(numbers)
            total += len(data)
            self._wire.send(data)
        self._emit("flooded", bytes=total)

    def _emit(self, event, **members):
        lines.emit(event, connection=self._number, **members)


def _offer(mechanisms, bindings):
    """The features before the login; the types of channel binding are XEP-0440's."""
    names = "".join(f"<mechanism>{name}</mechanism>" for name in mechanisms)
    types = "".join(f"<channel-binding type='{name}'/>" for name in bindings)
    return f"<mechanisms xmlns='{SASL}'>{names}</mechanisms>" + (
        f"<sasl-channel-binding xmlns='{SASL_CB}'>{types}</sasl-channel-binding>" if bindings else "")


def _stage(element, name):
    """The name under which rules know an element."""
    if name != "iq":
        return name
    if element.find(f"{{{BIND}}}bind") is not None:
        return "bind"
    if element.find(f"{{{ROSTER}}}query") is not None and element.get("type") in ("get", "set"):
        return f"roster-{element.get('type')}"
    return "iq"


def _count(data):
    """How many stanzas there are in what a command sends; broken XML counts as one."""
    try:
        return len(ElementTree.fromstring(b"<all>" + data + b"</all>"))
    except ElementTree.ParseError:
        return 1
