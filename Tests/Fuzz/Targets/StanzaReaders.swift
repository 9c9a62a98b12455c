import Clocks
import Crypto
import XML
import XMPPCore
import XMPPExtensions

/// Our own address, the one of the harness's account too.
let own = parsedJID("alice@example.org/confab")

func parsedJID(_ text: String) -> JID {
  guard let jid = try? JID(text) else { preconditionFailure("\(text) is an address") }
  return jid
}

/// What the program makes of stanzas.
func readEveryWay(_ element: Element) {
  checkRoundTrip(element)
  _ = StanzaHeader(element)
  _ = DelayStamp(of: element, own: own)
  _ = StanzaIDs.stanzaID(of: element, by: own.bare)
  _ = StreamManagementElement(element)
  _ = StanzaError(parsing: element)
  _ = StreamError(parsing: element)
  if let presence = Presence(element) { checkWritten(presence.serialized()) }
  checkPayloads(element)
  checkRoster(element)
  checkAnswers(to: element)
  checkEvents(element)
  checkRooms(element)
  checkForms(element)
  checkBookmarks(element)
  if let info = DiscoInfo(element) {
    _ = EntityCapabilities.verification(of: info)
    _ = RoomInfo(info)
  }
}

private func checkRoundTrip(_ element: Element) {
  let bytes = element.serialized()
  var limits = StreamLimits.authenticated
  limits.stanzaBytes = 64 << 20
  limits.tokenBytes = 64 << 20
  hold(Element.parse(bytes, limits: limits) == element, "an element that is written reads the same")
  var within: [UInt8] = []
  hold(
    element.serialize(into: &within, inheriting: "", limit: bytes.count) && within == bytes,
    "what is just within the limit is written")
  hold(
    !element.serialize(into: &within, inheriting: "", limit: bytes.count - 1) && within == bytes,
    "what is over the limit is not")
}

private func checkPayloads(_ element: Element) {
  let bytes = UnknownPayloads.of(element)
  guard let payloads = UnknownPayloads.parse(bytes) else { return hold(false, "kept payloads are read again") }
  hold(payloads.count <= element.children.reduce(0) { count, _ in count + 1 }, "no payload is made up")
}

private func checkRoster(_ element: Element) {
  if let roster = Roster(element) {
    hold(Set(roster.items.map(\.jid)).count == roster.items.count, "each contact is there once")
    for item in roster.items {
      checkWritten(Roster.set(id: "1", jid: item.jid, name: item.name, groups: item.groups))
    }
  }
  if let list = BlockList(element) { for jid in list.jids { checkWritten(BlockList.block(jid, id: "1")) } }
  if let push = RosterPush(element, own: own) { hold(push.item.jid.isBare, "a contact is a bare address") }
}

private func checkRooms(_ element: Element) {
  if let presence = RoomPresence(element) {
    hold(presence.items.count <= 64 && presence.hats.count <= 16, "a presence is bounded")
    hold(presence.statuses.allSatisfy { (100...999).contains($0) }, "a code has three digits")
    if case .nickChange(let nick) = presence.departure { hold(!nick.isEmpty, "a nick is not empty") }
  }
  if let notice = RoomNotice(element) { hold(notice.room.isBare, "a room speaks for itself") }
  _ = DeclinedInvitation(element)
  _ = Moderation.announcement(in: element)
  _ = Moderation.tombstone(in: element)
  _ = SelfPing.outcome(of: element)
  _ = RoomAdministration.items(in: element)
  if let request = VoiceRequest(element) {
    checkWritten(VoiceRequest.answer(true, to: request.nick, request.jid?.description, in: request.room, id: "1"))
  }
  if let from = StanzaHeader(element)?.fromJID, let invitation = RoomInvitation(element, from: from) {
    checkWritten(invitation.direct(to: own, id: "1"))
    checkWritten(invitation.mediated(for: own, id: "1"))
    if let decline = invitation.decline(id: "1") { checkWritten(decline) }
  }
  if let listing = RoomListing(element) {
    hold(Set(listing.rooms.map(\.jid)).count == listing.rooms.count, "each room is there once")
  }
}

private func checkForms(_ element: Element) {
  for child in element.children {
    guard let form = (try? DataForm(child)) ?? (try? DataForm(in: child)) else { continue }
    hold(form.fields.count <= DataForm.mostFields, "a form is bounded")
    let changes = form.fields.compactMap { try? form.change($0.name, to: $0.values) }
    checkWritten(RoomConfiguration.submit(form, changes, to: own, id: "1"))
  }
  if let registration = Registration(element) { checkWritten(registration.submit(nick: "n", to: own, id: "1")) }
}

private func checkBookmarks(_ element: Element) {
  let items = PubSub.items(in: element, of: RoomBookmark.node) ?? []
  let events = MessageParts(of: element).event(of: element)?.items ?? []
  for item in items + events {
    guard var bookmark = RoomBookmark(item) else { continue }
    for setting in ChatNotification.allCases {
      bookmark.notification = setting
      hold(bookmark.notification == setting, "a setting that is written is read")
    }
    checkWritten(bookmark.publish(id: "1"))
  }
  guard let storage = PrivateStorage.bookmarks(in: element) else { return }
  let written = checkWritten(PrivateStorage.store(storage, id: "1"))
  hold(written.flatMap { PrivateStorage.bookmarks(in: $0) } == storage, "bookmarks that are written read the same")
}

private func checkEvents(_ element: Element) {
  guard let event = PersonalEvent(element) ?? MessageParts(of: element).event(of: element) else { return }
  for item in event.items { checkAvatar(item) }
}

private func checkAvatar(_ item: PubSub.Item) {
  if let hash = UserAvatar.hash(of: item) {
    hold([0, 40].contains(hash.utf8.count), "a hash has 40 digits, or is none")
  }
  if let avatar = UserAvatar.avatar(of: item) { hold(avatar.bytes.count <= Avatar.largest, "a picture is bounded") }
}

private func checkAnswers(to element: Element) {
  for asker in [ExtensionContext.Asker.trusted, .stranger] {
    let context = ExtensionContext(softwareVersion: "1", now: Timestamp(milliseconds: 0), asker: asker)
    guard let answer = Registry.answer(iq: element, context: context) else { continue }
    guard let written = checkWritten(answer) else { continue }
    hold(["result", "error"].contains(written.attribute("type")), "an answer is no request")
    hold(written.attribute("id") == element.attribute("id"), "an answer names its request")
    hold(answer.count < 64 << 10, "an answer is short")
  }
}

/// What we write is one well-formed element.
@discardableResult
private func checkWritten(_ bytes: [UInt8]) -> Element? {
  let element = Element.parse(bytes)
  hold(element != nil, "what is written is XML: \(String(decoding: bytes, as: UTF8.self))")
  return element
}
