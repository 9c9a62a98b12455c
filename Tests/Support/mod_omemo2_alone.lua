-- A module for the tests' Prosody: nodes of the legacy version of OMEMO are not to be had, and not to be made, so that
-- clients encrypt by `urn:xmpp:omemo:2` alone.
local st = require "util.stanza";

local pubsub = "http://jabber.org/protocol/pubsub";

module:hook("iq/bare/" .. pubsub .. ":pubsub", function (event)
	local request = event.stanza:get_child("pubsub", pubsub).tags[1];
	local node = request and request.attr.node;
	if not node or not node:find("eu.siacs.conversations.axolotl", 1, true) then return; end
	event.origin.send(st.error_reply(event.stanza, "cancel", "item-not-found"));
	return true;
end, 100);
