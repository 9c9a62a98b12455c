import Clocks
package import Records

/// The user's settings of an account's conversations, by bare JID. Conversations without settings have no entry and
/// cost nothing.
package final class ConversationSettings {
  package private(set) var byJID: [String: SettingsRecord] = [:]
  /// When the next level ends that holds for a time, in milliseconds since 1970.
  package private(set) var ends: [String: Int64] = [:]

  package subscript(jid: String) -> SettingsRecord? { byJID.isEmpty ? nil : byJID[jid] }

  func apply(_ record: SettingsRecord) {
    byJID[record.jid] = record.isUsual ? nil : record
    ends[record.jid] = record.nextEnd
  }
}
