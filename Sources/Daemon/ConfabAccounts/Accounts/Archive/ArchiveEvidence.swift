import State
import Records
import XMPPCore
import XMPPExtensions

/// Decides if a message of mine that is missing from our archive never reached the server. Its absence proves that only
/// if the archive keeps my messages to that recipient (decision 0046).
struct ArchiveEvidence {
  /// True if messages continue only after the archive has shown which of the unacknowledged ones arrived.
  var isAwaited = false
  /// Bare JIDs whose roster items had a subscription when the session began. Later ones do not count: they were
  /// strangers when the messages in question were sent.
  private let contacts: Set<String>
  /// Bare JIDs to which the archive has shown a message of mine on this stream.
  private var shown: Set<String> = []
  /// Messages of mine that the archive has shown.
  var arrived: Set<UInt64> = []
  /// The archive's preferences, if it has reported any.
  private(set) var preferences: ArchivePreferences?
  /// True if the preferences were requested.
  private(set) var isAsked = false

  /// At most this many JIDs in `shown`: more recipients than one stream leaves unacknowledged.
  static let mostShown = 1_000

  /// - Parameter contacts: recipients of unacknowledged messages who are on the roster.
  init(contacts: Set<String>) { self.contacts = contacts }

  /// Records that the archive has a message of mine to this recipient.
  mutating func show(_ jid: String) {
    if shown.count < Self.mostShown { shown.insert(jid) }
  }

  /// Marks the preferences as requested; false if they were before.
  mutating func requestPreferences() -> Bool {
    defer { isAsked = true }
    return !isAsked
  }

  /// Takes the archive's answer; nil if it is unreadable or late.
  mutating func receive(_ preferences: ArchivePreferences?) { self.preferences = preferences }

  /// True if a message of mine to this bare JID never reached the server if the archive does not have it.
  func absenceProvesLoss(to jid: String) -> Bool {
    if shown.contains(jid) { return true }
    guard let preferences, let recipient = try? JID(jid) else { return false }
    return preferences.keepsMessages(with: recipient, isOnRoster: contacts.contains(jid))
  }
}

extension AccountState {
  /// Recipients of unacknowledged messages with a subscription in either direction.
  var unacknowledgedContacts: Set<String> {
    let recipients = Set(outbox.entries.lazy.filter(\.transmitted).map(\.jid))
    return recipients.filter { contacts[$0]?.hasSubscription == true }
  }
}

extension ContactRecord {
  fileprivate var hasSubscription: Bool { ["to", "from", "both"].contains(subscription) }
}
