"""An XMPP server that does what a test tells it to, right or wrong, and reports all that the client sends.

usage: scripted_server.py --certificate FILE --key FILE [--host HOST] [--account NAME:PASSWORD ...]
                          [--mechanism SCRAM-... ...] [--binding TYPE ...] [--iterations N] [--scenario FILE] [--tls 1.2|1.3] [--quiet] [--lenient]

It listens on two loopback ports, for STARTTLS and for direct TLS. Without instructions it is a good server: SCRAM,
bind, stream management, roster, ping, and an error to any other iq.

Events (each but the first with "connection", a number that grows):
  ready {starttls,direct}, connected {kind}, secured {version,cipher,alpn,resumed,name}, header {xml},
  authenticated {user,mechanism}, bound {jid}, presence {user,time} (the initial one), received {stage,xml}, acknowledged {h,sent}, end, closed {how},
  failed {reason}; flooded {bytes}; burst-ready {bytes}, burst-done {seconds,times} (when each record of a rate left, by CLOCK_MONOTONIC); taken: a rule, rules or set command is in force
Commands ("connection" defaults to the newest):
  {"do":"rule","on":STAGE,"send":BYTES?,"then":THEN?,"times":N?,"skip":N?,"chunk":N?}
      Answers that stage instead of the server. STAGE: connect, header, tls-header, bind-header, starttls, auth,
      response, bind, enable, resume, roster-get, roster-set, r, a, message, presence, iq, end. THEN: nothing (default), default
      (the good server's answer follows), close, cut, abort. In texts ${id}, ${from}, ${to}, ${jid}, ${h} are filled in.
      An earlier rule comes first. A scenario file holds such commands, one a line.
  {"do":"rules"}                                    forgets every rule
  {"do":"set","acknowledge":BOOL?,"iterations":N?,"mechanisms":[...]?,"bindings":[...]?,"confirms":BOOL?,"faults":[...]?,
   "roster":XML?,"features":XML?,"certificate":PATH?,"chunk":N?,"segment":N?,"quiet":BOOL?}
      chunk, segment: bytes of a TLS record and of a TCP segment. certificate: PATH.pem and PATH.key from now on.
      acknowledge false: no <a/> ever. bindings: the types that it names (XEP-0440). confirms: whether the challenge
      confirms the offer (XEP-0474). faults: nonce, signature, extension, binding (it sees another connection than the
      client), offer (it made another offer than the client got). roster: the items. features: added after login.
  {"do":"send","send":BYTES,"chunk":N?}; {"do":"raw","send":BYTES} around TLS; {"do":"flood","send":TEXT,"count":N}: the
      text N times, $n counting; {"do":"ask"} sends <r/>; {"do":"acknowledge","h":N?}
  {"do":"close"} ends the stream and TLS; {"do":"cut"} ends TCP alone; {"do":"abort"} resets it
  {"do":"burst","count":N,"bytes":428,"records":[LEAST,MOST]?,"segments":[LEAST,MOST]?,"rate":N?}, then {"do":"go"}:
      once the client has sent its initial presence, N messages sealed beforehand in records of 16 KiB or so many bytes, a
      ping and <r/>; at once, in TCP segments of so many bytes, or so many messages a second, each a record of its own.
      Done when the ping is answered and everything acknowledged (where there is stream management).
  {"do":"archive"} gives alice an archive of one message (XEP-0313), {"do":"archive","count":N} so many more; the next
      question is then answered after {"do":"archive-go"}. archive-ready: it waits; archive-done {seconds}: all of it is acknowledged.
  {"do":"rooms","service":DOMAIN,"occupants":N?,"missed":M?} has all rooms of a service: each takes whoever joins, has N
      occupants, and an archive with M messages behind the first one. A "burst" with "room":JID is said in one, with "archived":true comes out of its archive.
BYTES: a text, or a list of texts and of {"text"|"base64","repeat":N?}.
"""

import argparse
import json
import socket
import ssl
import threading

import lines
import ports
from channel_binding import KeyLog
from scripted_archive import Archive
from scripted_rooms import Rooms
from scripted_rules import Rules
from scripted_session import Session
from scripted_wire import RECORD


class Server:
    """What all connections share."""

    def __init__(self, options):
        self.host = options.host
        self.accounts = dict(account.split(":", 1) for account in options.account)
        self.mechanisms = options.mechanism or ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1"]
        self.bindings = options.binding
        self.confirms = False
        self.iterations = options.iterations
        self.faults = ()
        self.acknowledge = True
        self.roster = ""
        self.features = ""
        self.chunk = RECORD
        self.segment = None
        self.quiet = options.quiet
        self.lenient = options.lenient
        self.archive = None
        self.rooms = None
        self.rules = Rules()
        self.keys = KeyLog()
        self._options = options
        self._use(options.certificate, options.key)
        self._sessions = []

    def listen(self, port, kind):
        """Accepts on a thread of its own."""
        listener = socket.create_server(("127.0.0.1", port), backlog=64)
        threading.Thread(target=self._accept, args=(listener, kind), daemon=True).start()

    def _accept(self, listener, kind):
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            session = Session(self, connection, len(self._sessions), kind)
            self._sessions.append(session)
            threading.Thread(target=session.run, daemon=True).start()

    def obey(self, command):
        """Does one command; what cannot be done is reported."""
        match command["do"]:
            case "rule":
                self.rules.add(command)
            case "rules":
                self.rules.clear()
            case "set":
                for name, value in command.items():
                    if name != "do":
                        self._set(name, value)
            case "archive":
                if self.archive is None:
                    self.archive = Archive(f"alice@{self.host}")
                self.archive.grow(command["count"]) if "count" in command else None
            case "rooms":
                self.rooms = Rooms(command)
            case "archive-go":
                self.archive.go()
            case _:
                number = command.get("connection", len(self._sessions) - 1)
                try:
                    self._sessions[number].obey(command)
                except (OSError, IndexError) as error:
                    lines.emit("failed", connection=number, reason=f"{command['do']}: {error}")

    def _set(self, name, value):
        if name == "certificate":
            self._use(f"{value}.pem", f"{value}.key")
        else:
            setattr(self, name, value)

    def _use(self, certificate, key):
        """Shows this certificate from now on."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["xmpp-client"])
        if self._options.tls == "1.2":
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        self.keys.follow(context)
        self.tls, self.certificate = context, certificate


def _options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--host", default="example.test")
    parser.add_argument("--account", action="append", default=[])
    parser.add_argument("--mechanism", action="append")
    parser.add_argument("--binding", action="append", default=[])
    parser.add_argument("--iterations", type=int, default=4096)
    parser.add_argument("--scenario")
    parser.add_argument("--tls", choices=("1.2", "1.3"), default="1.3")
    parser.add_argument("--quiet", action="store_true", help="no `received` events")
    parser.add_argument("--lenient", action="store_true", help="white space may stand in front of a stream header")
    return parser.parse_args()


def main():
    """Runs until standard input ends."""
    options = _options()
    server = Server(options)
    if options.scenario:
        with open(options.scenario, encoding="utf-8") as file:
            for line in file:
                if line.strip():
                    server.obey(json.loads(line))
    starttls, direct = ports.free_ports(2)
    server.listen(starttls, "starttls")
    server.listen(direct, "direct")
    lines.emit("ready", starttls=starttls, direct=direct)
    for command in lines.commands():
        server.obey(command)
        if command["do"] in ("rule", "rules", "set", "archive", "rooms"):
            lines.emit("taken")


if __name__ == "__main__":
    main()
