import Facts
import Records
import XMPPCore
import XMPPExtensions

/// Whether the silence of our archive about a message of mine proves that the server never got it: only an archive that
/// keeps my messages to that recipient proves anything by not having one (decision 0046).
struct ArchiveTestimony {
  /// Bare JIDs whose roster items had a subscription when the session began. Later ones do not count: when the messages in
  /// question left, these were strangers.
  private let contacts: Set<String>
  /// Bare JIDs to which the archive has shown messages of mine on this stream.
  private var shown: Set<String> = []
  /// The archive's preferences, if it has said any.
  private(set) var preferences: ArchivePreferences?
  /// It was asked for them.
  private(set) var isAsked = false

  /// More recipients than leave messages behind on one stream.
  static let mostShown = 1_000

  /// - Parameter contacts: those of the recipients of unacknowledged messages who are on the roster.
  init(contacts: Set<String>) { self.contacts = contacts }

  /// The archive has a message of mine to this recipient.
  mutating func show(_ jid: String) {
    if shown.count < Self.mostShown { shown.insert(jid) }
  }

  /// The preferences are asked for now. False if they were before.
  mutating func ask() -> Bool {
    defer { isAsked = true }
    return !isAsked
  }

  /// The archive answered; nil: with nothing that can be read, or not in time.
  mutating func receive(_ preferences: ArchivePreferences?) { self.preferences = preferences }

  /// Whether the server never got a message of mine to this recipient (a bare JID) that the archive does not have.
  func isProofBySilence(about jid: String) -> Bool {
    if shown.contains(jid) { return true }
    guard let preferences, let recipient = try? JID(jid) else { return false }
    return preferences.keepsMessages(with: recipient, isOnRoster: contacts.contains(jid))
  }
}

extension AccountFacts {
  /// Contacts with a subscription in some direction, to whom messages left that the server has not acknowledged.
  var unacknowledgedContacts: Set<String> {
    let recipients = Set(outbox.entries.lazy.filter(\.transmitted).map(\.jid))
    return recipients.filter { contacts[$0]?.hasSubscription == true }
  }
}

extension ContactRecord {
  fileprivate var hasSubscription: Bool { ["to", "from", "both"].contains(subscription) }
}
