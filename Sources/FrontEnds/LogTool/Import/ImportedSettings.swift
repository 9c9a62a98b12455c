import Clocks
import JSON
import Records

/// A line's settings of a conversation: `{"conversation":JID,"settings":{"notify":"mentions",
/// "temporary":[{"notify":"never","until":TIME}],"pinned":true,"archived":true}}`.
struct ImportedSettings {
  private let level: NotifyLevel?
  private let temporary: [(level: NotifyLevel, until: Int64)]
  private let (isPinned, isArchived): (Bool, Bool)

  init(_ value: JSONValue) throws(LineProblem) {
    guard value.members != nil else { throw LineProblem("'settings' is not an object") }
    level = try value["notify"].map { member throws(LineProblem) in try Self.level(member) }
    var temporary: [(level: NotifyLevel, until: Int64)] = []
    for one in value["temporary"]?.array ?? [] {
      guard let level = one["notify"], let until = one["until"]?.string.flatMap({ Timestamp(rfc3339: $0) }) else {
        throw LineProblem("'settings.temporary' needs 'notify' and 'until', an RFC 3339 time")
      }
      temporary.append((try Self.level(level), until.milliseconds))
    }
    self.temporary = temporary
    (isPinned, isArchived) = (value["pinned"]?.bool ?? false, value["archived"]?.bool ?? false)
  }

  private static func level(_ value: JSONValue) throws(LineProblem) -> NotifyLevel {
    guard let level = NotifyLevel.allCases.first(where: { $0.word == value.string }) else {
      throw LineProblem("'settings.notify' is none of \(NotifyLevel.allCases.map(\.word).joined(separator: ", "))")
    }
    return level
  }

  func record(_ account: UInt32, _ jid: String) -> SettingsRecord {
    var record = SettingsRecord(account: account, jid: jid)
    if let level { record.setNotify(level, until: nil) }
    for one in temporary { record.setNotify(one.level, until: one.until) }
    (record.isPinned, record.isArchived) = (isPinned, isArchived)
    return record
  }
}

extension SettingsRecord {
  /// Writes the member `settings`.
  func write(into writer: inout JSONWriter) {
    writer.object("settings") { object in
      if let lasting { object.member("notify", lasting.word) }
      if !temporary.isEmpty {
        object.array("temporary") { array in
          for one in temporary {
            array.beginObject()
            array.member("notify", one.level.word)
            array.member("until", Timestamp(milliseconds: one.until).rfc3339)
            array.endObject()
          }
        }
      }
      if isPinned { object.member("pinned", true) }
      if isArchived { object.member("archived", true) }
    }
  }
}
