import Bytes

/// Of which messages of a conversation the user wants to be notified.
package enum NotifyLevel: UInt8, Sendable, CaseIterable {
  case always = 1
  case mentions = 2
  case never = 3

  /// The word of the line protocol.
  package var word: String { "\(self)" }
}

/// What the user has set of a conversation, all of it: the record before is of no account any more.
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
  /// What holds for good; nil: nothing is set.
  package private(set) var lasting: NotifyLevel?
  /// What holds before that, each until it ends; the one that ends first is the last one.
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

  /// What holds at a time, and until when; a nil level: what is usual.
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

// The field numbers stand in docs/LOG-FORMAT.md, "Payloads".
extension SettingsRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.string(2, jid)
    if let lasting { writer.uint(3, UInt64(lasting.rawValue)) }
    for one in temporary { writer.message(4) { one.encode(into: &$0) } }
    if isPinned { writer.bool(5, true) }
    if isArchived { writer.bool(6, true) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, jid: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      case 3: lasting = NotifyLevel(rawValue: try reader.uint(UInt8.self))
      case 4: temporary.append(try reader.message { inner throws(FieldError) in try Temporary(from: &inner) })
      case 5: isPinned = try reader.bool()
      case 6: isArchived = try reader.bool()
      default: break
      }
    }
  }
}

extension SettingsRecord.Temporary {
  fileprivate func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(level.rawValue))
    writer.int(2, until)
  }

  fileprivate init(from reader: inout FieldReader) throws(FieldError) {
    self.init(level: .always, until: 0)
    while let field = try reader.next() {
      switch field {
      case 1: level = NotifyLevel(rawValue: try reader.uint(UInt8.self)) ?? .always
      case 2: until = try reader.int()
      default: break
      }
    }
  }
}
