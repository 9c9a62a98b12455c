-- A module for the tests' Prosody: says in the log when a client's initial presence came, before it is acted upon, so
-- that a clock tells what passed until then (Tests/Support/counting_proxy.py).
local now = require "socket".gettime;

module:hook("pre-presence/bare", function (event)
	local session, to, kind = event.origin, event.stanza.attr.to, event.stanza.attr.type;
	if to == nil and kind == nil and not session.presence then
		module:log("info", "initial presence of %s at %.6f", session.username, now());
	end
end, 1000);
