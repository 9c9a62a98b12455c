import Clocks
package import Records

/// What the user has set of an account's conversations, by bare JID: only where something is set, so that most
/// conversations cost nothing.
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
