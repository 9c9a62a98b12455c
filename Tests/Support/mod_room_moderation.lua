-- A module for the tests' Prosody, which has none of its own: moderators retract messages in rooms (XEP-0425), by
-- `urn:xmpp:message-moderate:1` and, as older servers do, `:0`. `moderation_versions` says which are announced. The
-- archive keeps what is left of the message.
local jid = require "util.jid";
local st = require "util.stanza";
local now = require "util.datetime".datetime;

local fasten, retract_one, retract_zero = "urn:xmpp:fasten:0", "urn:xmpp:message-retract:1", "urn:xmpp:message-retract:0";
local moderate_one, moderate_zero = "urn:xmpp:message-moderate:1", "urn:xmpp:message-moderate:0";
local archive = module:open_store("muc_log", "archive");
local versions = module:get_option_set("moderation_versions", { 0, 1 });
local get_room_from_jid = module:depends "muc".get_room_from_jid;

module:hook("muc-disco#info", function (event)
	if versions:contains(0) then event.reply:tag("feature", { var = moderate_zero }):up(); end
	if versions:contains(1) then event.reply:tag("feature", { var = moderate_one }):up(); end
end);

local function announcement(version, room, id, by, reason)
	local message = st.message({ from = room.jid, type = "groupchat", id = "moderation-" .. id });
	if version == 1 then
		message:tag("retract", { xmlns = retract_one, id = id }):tag("moderated", { xmlns = moderate_one, by = by }):up();
		if reason then message:text_tag("reason", reason); end
	else
		message:tag("apply-to", { xmlns = fasten, id = id }):tag("moderated", { xmlns = moderate_zero, by = by });
		message:tag("retract", { xmlns = retract_zero }):up();
		if reason then message:text_tag("reason", reason); end
	end
	return message:reset();
end

-- What is left of a message.
local function remains(version, item, by, reason)
	local left = st.message({ from = item.attr.from, type = "groupchat", id = item.attr.id });
	if version == 1 then
		left:tag("retracted", { xmlns = retract_one, stamp = now() }):tag("moderated", { xmlns = moderate_one, by = by }):up();
		if reason then left:text_tag("reason", reason); end
	else
		left:tag("moderated", { xmlns = moderate_zero, by = by }):tag("retracted", { xmlns = retract_zero, stamp = now() }):up();
		if reason then left:text_tag("reason", reason); end
	end
	return left:reset();
end

local function moderate(version, event, id, reason)
	local origin, stanza = event.origin, event.stanza;
	local room = get_room_from_jid(stanza.attr.to);
	local actor = room and room:get_occupant_by_real_jid(stanza.attr.from);
	if not actor or actor.role ~= "moderator" then
		origin.send(st.error_reply(stanza, "auth", "forbidden", "You are no moderator of this room"));
		return true;
	end
	local name = jid.node(room.jid);
	local item, when, with = archive:get(name, id);
	if not item then
		origin.send(st.error_reply(stanza, "modify", "item-not-found"));
		return true;
	end
	archive:set(name, id, remains(version, item, actor.nick, reason), when, with);
	room:broadcast(announcement(version, room, id, actor.nick, reason));
	origin.send(st.reply(stanza));
	return true;
end

module:hook("iq-set/bare/" .. moderate_one .. ":moderate", function (event)
	local request = event.stanza.tags[1];
	return moderate(1, event, request.attr.id, request:get_child_text("reason"));
end);

module:hook("iq-set/bare/" .. fasten .. ":apply-to", function (event)
	local target = event.stanza.tags[1];
	local request = target:get_child("moderate", moderate_zero);
	return request and moderate(0, event, target.attr.id, request:get_child_text("reason"));
end);
