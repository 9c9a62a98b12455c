import Records

/// The names of a record's fields, as docs/LOG-FORMAT.md has them under "Payloads".
struct RecordLayout {
  /// How the value of a field is to be read.
  enum Form { case uint, int, text }

  let name: String
  let fields: [UInt32: (name: String, form: Form)]

  /// The layout of a kind; nil for one that this version does not know.
  static func of(_ kind: UInt8) -> RecordLayout? { RecordKind(rawValue: kind).map(of) }

  private init(_ name: String, _ fields: (UInt32, String, Form)...) {
    self.name = name
    var table: [UInt32: (String, Form)] = [1: ("account", .uint)]
    for (number, name, form) in fields { table[number] = (name, form) }
    self.fields = table.mapValues { (name: $0.0, form: $0.1) }
  }

  static func of(_ kind: RecordKind) -> RecordLayout { table[kind] ?? RecordLayout("\(kind)") }

  private static let table: [RecordKind: RecordLayout] = [
    .account: .init("account", (2, "name", .text), (3, "jid", .text)),
    .wish: .init("wish", (2, "connected", .uint), (3, "show", .text), (4, "status", .text)),
    .message: .init(
      "message", (2, "time", .int), (3, "flags", .uint), (4, "peer", .text), (5, "conversation", .text),
      (6, "text", .text), (7, "type", .text), (8, "subject", .text), (9, "thread", .text), (10, "language", .text),
      (11, "stanza-id", .text), (12, "origin-id", .text), (13, "archive-id", .text), (14, "key", .text),
      (15, "claimed-time", .int), (16, "payloads", .text), (17, "uid", .uint), (18, "pid", .uint),
      (19, "socket", .text), (20, "depth", .uint), (21, "place", .uint), (22, "expires", .int),
      (23, "held-until", .int),
      (30, "claimed-archive-id", .text)),
    .delivery: .init(
      "delivery", (2, "conversation", .text), (3, "time", .int), (4, "message", .uint), (5, "state", .uint),
      (6, "in-doubt", .uint), (7, "condition", .text), (8, "failure", .text), (9, "held", .uint),
      (10, "imported", .uint)),
    .transmission: .init("transmission", (2, "message", .uint), (3, "place", .uint)),
    .suspicion: .init("suspicion", (2, "message", .uint)),
    .read: .init(
      "read", (2, "conversation", .text), (3, "time", .int), (4, "message", .uint), (5, "marker", .uint),
      (6, "moved-back", .int)),
    .draft: .init("draft", (2, "conversation", .text), (3, "text", .text)),
    .contact: .init(
      "contact", (2, "jid", .text), (3, "name", .text), (4, "group", .text), (5, "subscription", .text),
      (6, "ask", .text), (7, "request", .uint)),
    .rosterVersion: .init("roster-version", (2, "version", .text)),
    .refused: .init("refused", (2, "from", .text), (3, "stanza-id", .text), (4, "size", .uint), (5, "reason", .text)),
    .payload: .init("payload", (2, "time", .int), (3, "xml", .text), (4, "archive-id", .text)),
    .archiveID: .init("archive-id", (2, "message", .uint), (3, "archive-id", .text)),
    .login: .init("login", (2, "mechanism", .text), (3, "channel-binding", .text)),
    .offer: .init(
      "offer", (2, "mechanism", .text), (3, "channel-binding", .text), (4, "stream-management", .uint),
      (5, "roster-versioning", .uint), (6, "setbacks", .uint)),
    .archive: .init(
      "archive", (2, "anchor", .text), (3, "time", .int), (4, "floor", .text), (5, "horizon", .int),
      (6, "pages", .uint),
      (7, "messages", .uint), (8, "place", .int), (20, "ids-since", .uint),
      (21, "proves-since", .uint)),
    .stream: .init(
      "stream", (2, "jid", .text), (3, "id", .text), (4, "maximum", .uint), (5, "location", .text),
      (6, "direct", .uint), (7, "handled", .uint), (8, "ceiling", .uint), (9, "roster", .uint),
      (10, "presence-place", .uint), (11, "presence", .text), (12, "left", .int), (13, "over", .uint),
      (14, "settled", .uint), (20, "keeps-archive-ids", .uint)),
    .cursor: .init("cursor", (2, "name", .text), (3, "position", .uint)),
    .receiptSent: .init("told", (2, "record", .uint)),
    .release: .init("release", (2, "message", .uint)),
    .forgetting: .init("forgetting", (2, "conversation", .text), (3, "archive", .int)),
    .erased: .init(
      "erased", (2, "counted", .uint), (3, "place", .uint), (4, "archive-id", .uint), (5, "copy", .uint),
      (6, "stanza-id", .uint), (7, "key", .uint), (8, "time", .int), (15, "filler", .uint)),
    .gap: .init("gap", (2, "since", .int), (3, "until", .int), (4, "stream-over", .uint)),
    .settings: .init(
      "settings", (2, "conversation", .text), (3, "notify", .uint), (4, "temporary", .text), (5, "pinned", .uint),
      (6, "archived", .uint)),
  ]
}
