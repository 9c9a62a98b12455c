"""The other person: a slixmpp client driven by JSON lines.

usage: peer.py --jid JID --password PASSWORD --port PORT --ca FILE [--direct] [--priority N] [--receipts]
               [--avatars]

Events:
  {"event":"online","jid"}                          bound, roster fetched, presence sent
  {"event":"message","from","to","type","id","text","xml"}
  {"event":"presence","from","type","show","status"}
  {"event":"roster","items":[{"jid","name","subscription","ask","groups"}]}      the answer to `roster`
  {"event":"disco","from","features"}                the answer to `disco`
  {"event":"receipt","from","about"}                 XEP-0184 for a message of ours; with --receipts
  {"event":"typing","from","state"}                  XEP-0085
  {"event":"displayed","from","about"}               XEP-0333 for a message of ours; with --receipts
  {"event":"avatar-metadata","from","hashes"}        XEP-0084, from a contact; with --avatars
  {"event":"avatar","data"}                          Base64, the answer to `avatar` and `photo`
  {"event":"iq","id","type","xml","canonical"}       the answer to an iq sent by `xml` with an id "test-..."
  {"event":"refused","reason"}                       could not log in
  {"event":"error","command","condition"}            the server refused what a command asked
  {"event":"offline"}                                the stream has ended
Commands:
  {"do":"send","to","text","id"?,"type"?}            one message, the text exactly as given
  {"do":"xml","xml"}                                 one stanza as it is
  {"do":"presence","to"?,"type"?,"show"?,"status"?}  also subscribe, subscribed, unsubscribe, unsubscribed
  {"do":"disco","jid"}                               asks what somebody can do (XEP-0030)
  {"do":"publish-avatar","data"}                     Base64: XEP-0084, data and then metadata
  {"do":"avatar","jid","hash"}                       XEP-0084: the event `avatar` has what the node has
  {"do":"photo","jid"}                               XEP-0054: the event `avatar` has the photo of the card
  {"do":"roster"}; {"do":"quit"}
With --receipts it asks for them, and slixmpp gives them. Subscriptions are answered only by command. It ends with standard input.
"""

import argparse
import asyncio
import base64
import logging
import os
import ssl
import sys
import threading

import lines
from slixmpp import ClientXMPP, JID
from slixmpp.exceptions import XMPPError
from slixmpp.xmlstream import ET, tostring
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath, StanzaPath

CHAT_STATES = "http://jabber.org/protocol/chatstates"


class Peer(ClientXMPP):
    """One session; every event that a test may wait for becomes a line."""

    def __init__(self, options):
        super().__init__(options.jid, options.password)
        self.roster.auto_authorize = None
        self.roster.auto_subscribe = False
        self.ca_certs = options.ca
        self.ssl_context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.priority = options.priority
        for plugin in ("xep_0030", "xep_0199", "xep_0203"):
            self.register_plugin(plugin)
        if options.avatars:
            self.register_plugin("xep_0054")
            self.register_plugin("xep_0084")
            self.add_event_handler("avatar_metadata_publish", self._avatar_metadata)
        if options.receipts:
            self.register_plugin("xep_0184", {"auto_ack": True, "auto_request": True})
            self.register_plugin("xep_0333")
            self.add_event_handler("receipt_received", self._receipt)
            self.add_event_handler("marker_displayed", self._displayed)
        self.add_event_handler("session_start", self._started)
        self.add_event_handler("message", self._message)
        # slixmpp reports messages with a body alone.
        reactions = MatchXPath("{jabber:client}message/{urn:xmpp:reactions:0}reactions")
        self.register_handler(Callback("reactions", reactions, self._message))
        for state in ("active", "composing", "paused", "inactive", "gone"):
            path = MatchXPath("{jabber:client}message/{%s}%s" % (CHAT_STATES, state))
            self.register_handler(Callback(state, path, self._chat_state))
        for kind in ("result", "error"):
            self.register_handler(Callback(f"iq {kind}", StanzaPath(f"iq@type={kind}"), self._iq))
        # slixmpp names the event of a presence that shows more than "available" by what it shows.
        for kind in (
                "available", "away", "chat", "dnd", "xa", "unavailable", "error", "subscribe", "subscribed",
                "unsubscribe", "unsubscribed"):
            self.add_event_handler(f"presence_{kind}", self._presence)
        self.add_event_handler("failed_all_auth", self._refused)
        self.add_event_handler("ssl_invalid_chain", self._refused)
        self.add_event_handler("connection_failed", self._refused)
        self.add_event_handler("disconnected", self._ended)

    async def _started(self, _):
        await self.get_roster()
        self.send_presence(ppriority=self.priority)
        # The answer shows that the server has processed the presence.
        await self.get_roster()
        lines.emit("online", jid=self.boundjid.full)

    def _message(self, message):
        lines.emit(
            "message", to=message["to"].full, type=message["type"], id=message["id"], text=message["body"],
            xml=tostring(message.xml), **{"from": message["from"].full})

    def _iq(self, iq):
        if iq["id"].startswith("test-"):
            plain = ET.tostring(iq.xml, encoding="unicode")
            lines.emit(
                "iq", id=iq["id"], type=iq["type"], xml=tostring(iq.xml), canonical=ET.canonicalize(plain))

    def _chat_state(self, message):
        for child in message.xml:
            namespace, _, state = child.tag.removeprefix("{").partition("}")
            if namespace == CHAT_STATES:
                lines.emit("typing", state=state, **{"from": message["from"].full})

    def _receipt(self, message):
        lines.emit("receipt", about=message["receipt"], **{"from": message["from"].full})

    def _displayed(self, message):
        lines.emit("displayed", about=message["displayed"]["id"], **{"from": message["from"].full})

    def _presence(self, presence):
        lines.emit(
            "presence", type=presence.xml.get("type", "available"), show=presence["show"], status=presence["status"],
            **{"from": presence["from"].full})

    def _avatar_metadata(self, message):
        infos = message.xml.iter("{urn:xmpp:avatar:metadata}info")
        lines.emit(
            "avatar-metadata", hashes=[info.get("id") for info in infos], **{"from": message["from"].full})

    def _refused(self, reason):
        lines.emit("refused", reason=str(reason))

    def _ended(self, _):
        lines.emit("offline")

    async def obey(self, command):
        """Does one command; what the server refuses becomes an event."""
        try:
            await self._obey(command)
        except XMPPError as error:
            lines.emit("error", command=command, condition=error.condition)

    async def _obey(self, command):
        match command["do"]:
            case "send":
                message = self.make_message(
                    mto=JID(command["to"]), mbody=command["text"], mtype=command.get("type", "chat"))
                message["id"] = command.get("id", self.new_id())
                message.send()
            case "xml":
                self.send_raw(command["xml"])
            case "presence":
                self.send_presence(
                    pto=command.get("to"), ptype=command.get("type"), pshow=command.get("show"),
                    pstatus=command.get("status"))
            case "disco":
                info = await self.plugin["xep_0030"].get_info(jid=command["jid"], cached=False)
                features = sorted(info["disco_info"]["features"])
                lines.emit("disco", features=features, **{"from": info["from"].full})
            case "publish-avatar":
                data = base64.b64decode(command["data"])
                avatars = self["xep_0084"]
                await avatars.publish_avatar(data)
                await avatars.publish_avatar_metadata(
                    {"id": avatars.generate_id(data), "type": "image/gif", "bytes": len(data)})
            case "avatar":
                answer = await self["xep_0084"].retrieve_avatar(JID(command["jid"]), command["hash"])
                self._report_avatar(answer["pubsub"]["items"]["item"]["avatar_data"]["value"])
            case "photo":
                card = await self["xep_0054"].get_vcard(JID(command["jid"]))
                self._report_avatar(card["vcard_temp"]["PHOTO"]["BINVAL"])
            case "roster":
                await self._report_roster()
            case "quit":
                await self.disconnect(wait=2)

    def _report_avatar(self, data):
        lines.emit("avatar", data=base64.b64encode(data).decode())

    async def _report_roster(self):
        answer = await self.get_roster()
        items = [
            {"jid": jid.full, "name": item["name"], "subscription": item["subscription"], "ask": item["ask"],
             "groups": list(item["groups"])} for jid, item in answer["roster"]["items"].items()]
        lines.emit("roster", items=items)


def _read_commands(loop, peer):
    """Hands commands to the loop; when the test is gone, so are we."""
    for command in lines.commands():
        asyncio.run_coroutine_threadsafe(peer.obey(command), loop)
    os._exit(0)


def _options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jid", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--ca", required=True)
    parser.add_argument("--direct", action="store_true")
    parser.add_argument("--priority", type=int, default=0)
    parser.add_argument("--receipts", action="store_true")
    parser.add_argument("--avatars", action="store_true")
    parser.add_argument("--debug", action="store_true")
    return parser.parse_args()


def main():
    """Runs until standard input ends or the session does."""
    options = _options()
    logging.basicConfig(level=logging.DEBUG if options.debug else logging.ERROR, stream=sys.stderr)
    peer = Peer(options)
    peer.connect(("127.0.0.1", options.port), use_ssl=options.direct, force_starttls=not options.direct)
    threading.Thread(target=_read_commands, args=(peer.loop, peer), daemon=True).start()
    peer.process(forever=False)


if __name__ == "__main__":
    main()
