package import Clocks
package import JSON

/// A message as the daemon shows it (`docs/PROTOCOL.md`, "Messages"), as far as front ends show it.
package struct MessageRow: Equatable, Sendable, Identifiable {
  /// How far a message of mine has got.
  package enum Delivery: String, Sendable {
    case queued, sent, delivered, displayed, failed, cancelled
  }

  /// How a contact's name can mislead, as the daemon says it (`nick_is`).
  package enum NameDoubt: String, Sendable {
    /// The contact chose the name, perhaps as somebody else's.
    case claimed
    /// It is `me`, a name of mine, or like an address.
    case alike
  }

  package let id: UInt64
  /// The bare JID of the other side.
  package var conversation: String
  /// Empty while the daemon has one account only.
  package var account: String
  /// Full or bare.
  package var from: String
  /// The contact's name, where there is one.
  package var nick: String?
  /// Why the name does not tell who wrote; nil: the person gave it, and it is nobody else's.
  package var nameDoubt: NameDoubt?
  package var isMine: Bool
  /// It shows that an occupant of a room came or went: nobody said it.
  package var isEvent = false
  /// It is of a room, and names me.
  package var isMention = false
  /// It is of a room, and of somebody whom I ignore.
  package var isIgnored = false
  /// The nicks of those who have displayed it, in a small room.
  package var readers: [String] = []
  /// It was fetched as history: it is never unread.
  package var isHistory = false
  package var time: Timestamp
  package var text: String
  package var subject: String?
  package var opensSection: Bool
  /// The `id` of the message that opens the section.
  package var section: UInt64
  /// The delivery state of a message of mine.
  package var delivery: Delivery?
  /// Why it failed: the condition, then the server's words.
  package var failure: String?
  package var isInDoubt: Bool
  /// True if the message is kept back: by `hold=`, or because it is in doubt.
  package var isHeld: Bool
  /// Time until which `hold=` keeps it back.
  package var heldUntil: Timestamp?
  /// The hits of a search, in Unicode scalars of `text`.
  package var hits: [Range<Int>]
  package var details: ShownDetails
  /// How far its files have got, while they are being sent.
  package var progress: FileProgress?
}

extension MessageRow {
  /// The row of a `message` object; nil if it has no id or no time.
  package init?(_ object: JSONValue) {
    guard let id = object["id"]?.integer, let time = object["time"]?.string.flatMap({ Timestamp(rfc3339: $0) }) else {
      return nil
    }
    self.id = UInt64(clamping: id)
    conversation = object["conversation"]?.string ?? ""
    account = object["account"]?.string ?? ""
    from = object["from"]?.string ?? ""
    nick = object["nick"].flatMap { $0.personName.isEmpty ? nil : $0.personName }
    nameDoubt = object["nick_is"]?.string.flatMap(NameDoubt.init(rawValue:))
    isMine = object["mine"]?.bool ?? false
    isEvent = object["type"]?.string == "event"
    isMention = object["mention"]?.bool ?? false
    isIgnored = object["ignored"]?.bool ?? false
    readers = (object["read_by"]?.array ?? []).compactMap(\.string)
    isHistory = object["history"]?.bool ?? false
    self.time = time
    text = Self.text(of: object)
    subject = object["subject"]?.string
    opensSection = object["opens_section"]?.bool ?? false
    section = UInt64(clamping: object["section"]?.integer ?? id)
    delivery = object["state"]?.string.flatMap(Delivery.init(rawValue:))
    failure = object["failure"].flatMap(Self.failure)
    isInDoubt = object["in_doubt"]?.bool ?? false
    isHeld = object["held"]?.bool ?? false
    heldUntil = object["held_until"]?.string.flatMap { Timestamp(rfc3339: $0) }
    hits = (object["hits"]?.array ?? []).compactMap(Self.hit)
    details = ShownDetails(object, length: object["spans"] == nil ? 0 : text.unicodeScalars.count)
  }

  /// The text; of a message that cannot be read, and of an occupant's coming or going, the words for it.
  private static func text(of object: JSONValue) -> String {
    let text = object["text"]?.string ?? ""
    let hasWords = object["encrypted"]?["error"] != nil || object["type"]?.string == "event"
    guard text.isEmpty, hasWords, object["retracted"] == nil else { return text }
    return object["plain"]?.string ?? ""
  }

  /// The sender on one line: `me`, the name, behind it the address if the name may mislead, or the address.
  package var author: String {
    if isMine { return "me" }
    guard let nick, !nick.isEmpty else { return String(bareSender) }
    return nameDoubt == nil ? nick : "\(nick) <\(bareSender)>"
  }

  /// The sender without the resource.
  package var bareSender: Substring { from.prefix { $0 != "/" } }

  /// The sender, whoever writes to the same conversation: of a room's message with the nick, else without the resource.
  package var speaker: Substring {
    if let nick, !nick.isEmpty, from == "\(conversation)/\(nick)" { return from[...] }
    return bareSender
  }

  /// The text on one line of a list, or what there is instead of one.
  package var preview: String {
    if details.retraction != nil { return "retracted" }
    if let hint = details.spoiler { return hint.isEmpty ? "spoiler" : "spoiler: \(hint)" }
    if details.isAction { return "* " + text.dropFirst(4) }
    let shown = text.isEmpty ? subject ?? "" : text
    guard shown.isEmpty else { return shown }
    return details.forwarded.first?.preview ?? details.attachments.first?.title ?? ""
  }

  /// True if the message failed because its files were not uploaded.
  package var hasUnsentFiles: Bool { delivery == .failed && hasFilesHere }

  /// True if its files were uploaded since it came: no event carries their addresses.
  package var lacksAddresses: Bool { [.sent, .delivered, .displayed].contains(delivery) && hasFilesHere }

  private var hasFilesHere: Bool { isMine && details.attachments.contains { $0.url.isEmpty } }

  /// The words of a `failure` object.
  package static func failure(_ object: JSONValue) -> String? {
    let parts = [object["condition"]?.string, object["text"]?.string].compactMap(\.self).filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  private static func hit(_ pair: JSONValue) -> Range<Int>? {
    guard let bounds = pair.array?.compactMap(\.integer), bounds.count == 2, bounds[0] < bounds[1] else { return nil }
    return Int(clamping: bounds[0])..<Int(clamping: bounds[1])
  }
}
