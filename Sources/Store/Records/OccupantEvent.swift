/// The coming or going of an occupant of a room, as a message of the conversation shows it.
public struct OccupantEvent: Sendable, Equatable {
  /// The kinds of changes.
  package static let changes: Set<String> = ["joined", "left", "nick", "kicked", "banned"]

  /// One of `changes`.
  public var change: String
  public var nick: String
  /// The nick before.
  public var was: String?
  public var jid: String?
  public var affiliation: String?
  public var role: String?
  public var occupantID: String?
  /// The person who took the occupant out.
  public var by: String?
  public var reason: String?

  public init(_ change: String, nick: String) { (self.change, self.nick) = (change, nick) }

  /// A sentence for logs.
  public var sentence: String {
    let reason = reason.map { " (\($0))" } ?? ""
    let by = by.map { " by \($0)" } ?? ""
    return switch change {
    case "joined": "\(nick) joined"
    case "nick": "\(was ?? "somebody") is now \(nick)"
    case "kicked": "\(nick) was kicked\(by)\(reason)"
    case "banned": "\(nick) was banned\(by)\(reason)"
    default: "\(nick) left\(reason)"
    }
  }
}

extension OccupantEvent: FieldGroup, FieldValue {
  init() { self.init("", nick: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "change", &change, "`joined`, `left`, `nick`, `kicked` or `banned`")
    try fields.one(2, "nick", &nick)
    try fields.one(3, "was", &was, "the nick before")
    try fields.one(4, "jid", &jid)
    try fields.one(5, "affiliation", &affiliation)
    try fields.one(6, "role", &role)
    try fields.one(7, "occupant", &occupantID)
    try fields.one(8, "by", &by, "who took the occupant out")
    try fields.one(9, "reason", &reason)
  }
}
