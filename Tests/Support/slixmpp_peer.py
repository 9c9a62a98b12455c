"""A peer of `make bench`: a slixmpp client that joins a room, and throws away what is said there.

usage: slixmpp_peer.py PORT AUTHORITY ROOM

One event: `joined` with the `pid`. It ends with standard input.
"""

import asyncio
import os
import sys

import lines
from slixmpp import ClientXMPP


def main():
    port, authority, room = sys.argv[1:]
    client = ClientXMPP("alice@example.test", "secret-a")
    client.ca_certs = authority
    for plugin in ("xep_0045", "xep_0199"):
        client.register_plugin(plugin)

    async def started(_):
        client.send_presence()
        await client.plugin["xep_0045"].join_muc_wait(room, "alice")
        lines.emit("joined", pid=os.getpid())

    client.add_event_handler("session_start", started)
    client.add_event_handler("groupchat_message", lambda message: message["body"])
    client.loop.add_reader(sys.stdin.fileno(), client.loop.stop)
    client.connect(("127.0.0.1", int(port)), use_ssl=True)
    client.process(forever=True)


if __name__ == "__main__":
    main()
