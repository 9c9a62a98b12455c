-- A module for the tests' Prosody: says in the log when a client's initial presence came, before it is acted upon, and
-- when a stream of its was resumed, before the client can have heard of it, so that a clock tells what passed
-- until then (Tests/Support/counting_proxy.py).
local now = require "socket".gettime;

module:hook("pre-presence/bare", function (event)
	local session, to, kind = event.origin, event.stanza.attr.to, event.stanza.attr.type;
	if to == nil and kind == nil and not session.presence then
		module:log("info", "initial presence of %s at %.6f", session.username, now());
	end
end, 1000);

module:hook("smacks-hibernation-end", function (event)
	module:log("info", "resumption of %s at %.6f", event.resumed.username, now());
end, 1000);
