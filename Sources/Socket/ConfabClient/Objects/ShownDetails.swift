package import Clocks
import JSON

/// A message's references, and its changes since it was sent (`docs/PROTOCOL.md`, "message").
package struct ShownDetails: Equatable, Sendable {
  /// Time of the last edit.
  package var edited: Timestamp?
  package var retraction: Retraction?
  /// The message that it answers.
  package var reply: ShownReply?
  package var reactions: [Reaction] = []
  /// The messages inside.
  package var forwarded: [ShownForward] = []
  /// True if the text begins with `/me ` and says what its author does (XEP-0245).
  package var isAction = false
  /// Sorted by their starts; one may contain others.
  package var spans: [MarkedSpan] = []
  package var attachments: [ShownAttachment] = []
  /// The hint of a text that its reader opens (XEP-0382); nil: the text is open.
  package var spoiler: String?
  package var seal = ShownSeal.none

  package init() {}

  /// - Parameter length: of the text, in Unicode scalars.
  init(_ object: JSONValue, length: Int) {
    edited = object["edited"]?.string.flatMap { Timestamp(rfc3339: $0) }
    retraction = object["retracted"].map(Retraction.init)
    reply = object["reply_to"].map(ShownReply.init)
    reactions = (object["reactions"]?.array ?? []).compactMap(Reaction.init)
    forwarded = ShownForward.all(in: object)
    isAction = object["me"]?.bool ?? false
    spoiler = object["spoiler"]?.string
    seal = ShownSeal(object)
    attachments = (object["attachments"]?.array ?? []).map(ShownAttachment.init)
    spans = (object["spans"]?.array ?? []).compactMap { MarkedSpan($0, length: length) }
  }

  /// Its files, and behind them those of the messages inside, in the order in which `fetch` counts them; changed, they are
  /// as many.
  package var files: [ShownAttachment] {
    get { attachments + forwarded.flatMap(\.files) }
    set {
      var rest = newValue[...]
      attachments.replace(from: &rest)
      for index in forwarded.indices { forwarded[index].replaceFiles(from: &rest) }
    }
  }

  /// My own reactions, in the order in which they are shown.
  package var myReactions: [String] { reactions.filter(\.isMine).map(\.emoji) }
}

/// A retraction: its author and reason (XEP-0424, XEP-0425).
package struct Retraction: Equatable, Sendable {
  package var by: String
  /// Empty if none was given.
  package var reason: String

  init(_ object: JSONValue) {
    by = object["by"]?.string ?? ""
    reason = object["reason"]?.string ?? ""
  }
}

/// The message that another one answers (XEP-0461), as it is now.
package struct ShownReply: Equatable, Sendable {
  /// nil if the daemon does not have it.
  package var id: UInt64?
  package var from: String
  package var text: String

  init(_ object: JSONValue) {
    id = object["id"]?.integer.map { UInt64(clamping: $0) }
    from = object["from"]?.string ?? ""
    text = object["text"]?.string ?? ""
  }
}

/// One emoji below a message, and who chose it (XEP-0444).
package struct Reaction: Equatable, Sendable {
  package var emoji: String
  /// JIDs or nicks.
  package var people: [String]
  package var isMine: Bool

  init?(_ object: JSONValue) {
    guard let emoji = object["emoji"]?.string, !emoji.isEmpty else { return nil }
    self.emoji = emoji
    people = (object["from"]?.array ?? []).compactMap(\.string)
    isMine = object["mine"]?.bool ?? false
  }
}

/// A message inside another one (XEP-0297), by the word of its sender.
package struct ShownForward: Equatable, Sendable {
  package var from: String
  package var time: Timestamp?
  package var text: String
  package var attachments: [ShownAttachment]
  package var forwarded: [ShownForward]

  fileprivate var files: [ShownAttachment] { attachments + forwarded.flatMap(\.files) }

  /// Deeper ones are not shown.
  private static let deepest = 3

  static func all(in object: JSONValue, depth: Int = 1) -> [ShownForward] {
    guard depth <= deepest else { return [] }
    return (object["forwarded"]?.array ?? []).map { ShownForward($0, depth: depth) }
  }

  private init(_ object: JSONValue, depth: Int) {
    from = object["from"]?.string ?? ""
    time = object["time"]?.string.flatMap { Timestamp(rfc3339: $0) }
    text = object["text"]?.string ?? ""
    attachments = (object["attachments"]?.array ?? []).map(ShownAttachment.init)
    forwarded = Self.all(in: object, depth: depth + 1)
  }

  var preview: String { "Forwarded: " + (text.isEmpty ? attachments.first?.title ?? "" : text) }

  fileprivate mutating func replaceFiles(from rest: inout ArraySlice<ShownAttachment>) {
    attachments.replace(from: &rest)
    for index in forwarded.indices { forwarded[index].replaceFiles(from: &rest) }
  }
}

extension [ShownAttachment] {
  /// Takes as many as there are from the beginning of others.
  fileprivate mutating func replace(from rest: inout ArraySlice<ShownAttachment>) {
    let count = count
    self = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
  }
}

/// A part of a text that is more than text.
package struct MarkedSpan: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case link, mention, topic, emoticon, strong, emphasis, strike, code, preformatted, quote
  }

  package var kind: Kind
  /// In Unicode scalars of the text.
  package var range: Range<Int>
  /// A URI, a JID or nick, a topic, what an emoticon stands for; empty for styling.
  package var target: String

  /// nil for a kind of a later version.
  init?(_ object: JSONValue, length: Int) {
    guard let kind = object["kind"]?.string.flatMap(Kind.init(rawValue:)),
      let start = object["start"]?.integer, let end = object["end"]?.integer,
      start >= 0, start < end, end <= length
    else { return nil }
    self.kind = kind
    range = Int(start)..<Int(end)
    target = object["target"]?.string ?? ""
  }
}
