package import XML
package import XMPPCore

/// XEP-0441: an archive's preferences, which say whose messages it keeps. The daemon reads and never changes them.
package struct ArchivePreferences: Sendable, Equatable {
  /// The archive's policy for messages with JIDs that are in neither list.
  private enum Default: String {
    case always, never, roster
  }

  private let byDefault: Default
  private let always: Set<JID>
  /// Bare JIDs and domains whose messages are never kept.
  private let never: Set<JID>

  /// Reads the `<prefs/>` of an answer; nil if it is missing, or its default is unknown.
  package init?(_ iq: Element) {
    guard let prefs = iq.child("prefs", Namespace.archive),
      let byDefault = prefs.attribute("default").flatMap({ Default(rawValue: $0) })
    else { return nil }
    self.byDefault = byDefault
    always = Set(Self.jids("always", prefs))
    // A full JID in the list may cover some messages of its bare JID, or all: servers differ.
    never = Set(Self.jids("never", prefs).map(\.bare))
  }

  private static func jids(_ list: StaticString, _ prefs: Element) -> [JID] {
    prefs.children(list, Namespace.archive).flatMap { $0.children("jid", Namespace.archive) }
      .compactMap { try? JID($0.text) }
  }

  /// Requests an account's preferences.
  package static func request(to account: JID, id: String) -> [UInt8] {
    IQ.get(to: account.description, id: id) { $0.empty("prefs", xmlns: Namespace.archive) }
  }

  /// True if the archive keeps the messages exchanged with a contact.
  ///
  /// - Parameters:
  ///   - jid: a bare JID.
  ///   - isOnRoster: whether a contact has a subscription in either direction; some servers count no others.
  package func keepsMessages(with jid: JID, isOnRoster: Bool) -> Bool {
    if never.contains(jid) || never.contains(jid.server) { return false }
    if always.contains(jid) { return true }
    switch byDefault {
    case .always: return true
    case .roster: return isOnRoster
    case .never: return false
    }
  }
}
