import Bytes

/// The messages of a conversation for which the user wants notifications.
package enum NotifyLevel: UInt8, Sendable, CaseIterable {
  case always = 1
  case mentions = 2
  case never = 3

  /// The word of the line protocol.
  package var word: String { "\(self)" }
}

/// All settings of a conversation; replaces the previous record.
package struct SettingsRecord: Sendable, Equatable {
  /// A level that holds for a time.
  package struct Temporary: Sendable, Equatable {
    package var level: NotifyLevel
    /// Milliseconds since 1970.
    package var until: Int64
  }

  /// More levels that hold for a time are not kept at once.
  package static let mostTemporary = 8

  package var account: UInt32
  /// The conversation's bare JID.
  package var jid: String
  /// The permanent level; nil: none is set.
  package private(set) var lasting: NotifyLevel?
  /// Levels that override it, each until its end; the one that ends first is last.
  package private(set) var temporary: [Temporary] = []
  package var isPinned = false
  package var isArchived = false

  package init(account: UInt32, jid: String) {
    (self.account, self.jid) = (account, jid)
  }

  /// Nothing is set.
  package var isUsual: Bool { self == SettingsRecord(account: account, jid: jid) }

  /// When the first of the levels ends that hold for a time.
  package var nextEnd: Int64? { temporary.last?.until }

  /// The level in force at a time, and its end; a nil level: the default.
  package func notify(at now: Int64) -> (level: NotifyLevel?, until: Int64?) {
    guard let present = temporary.last(where: { $0.until > now }) else { return (lasting, nil) }
    return (present.level, present.until)
  }

  /// Sets a level, for good or for a time: behind that holds again what was before, as far as that lasts longer.
  package mutating func setNotify(_ level: NotifyLevel, until: Int64?) {
    guard let until else { return (lasting, temporary) = (level, []) }
    endNotify(at: until)
    temporary.append(Temporary(level: level, until: until))
    if temporary.count > Self.mostTemporary { temporary.removeFirst() }
  }

  /// Drops the levels that hold no longer than this.
  package mutating func endNotify(at time: Int64) { temporary.removeAll { $0.until <= time } }
}

extension NotifyLevel: FieldValue {
  /// A level that only a later version knows is taken for the usual one.
  static func read(from reader: borrowing FieldReader) throws(FieldError) -> NotifyLevel {
    NotifyLevel(rawValue: try reader.uint(UInt8.self)) ?? .always
  }
}

extension SettingsRecord: FieldGroup {
  init() { self.init(account: 0, jid: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "conversation", &jid)
    try fields.one(
      3, "notify", &lasting,
      "of which messages the user wants to be notified: 1 always, 2 mentions, 3 never; absent: what is usual")
    try fields.many(
      4, "temporary", &temporary,
      "the same for a time; of those that have not ended the one that ends first counts")
    try fields.flag(5, "pinned", &isPinned, "1: it is")
    try fields.flag(6, "archived", &isArchived, "1: it is")
  }
}

extension SettingsRecord.Temporary: FieldGroup, FieldValue {
  init() { self.init(level: .always, until: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "level", &level)
    try fields.one(2, "until", &until)
  }
}
