package import Clocks
package import XMPPCore

/// The present state that answers to requests are made of, handed in by the caller.
package struct ExtensionContext: Sendable {
  /// The kind of requester.
  package enum Asker: Sendable, Hashable {
    /// Our own server, our own account, or a contact who may see our presence.
    case trusted
    /// Anybody else. An answer would tell them that we are online, so they get the one that an absent client's server
    /// gives (RFC 6120, section 13.10.2; XEP-0030, section 8).
    case stranger
  }

  /// Our name for people.
  package var software: String
  package var softwareVersion: String
  /// Left out where nil: what system it is helps nobody but an attacker.
  package var operatingSystem: String?
  package var identity: DiscoInfo.Identity
  /// The address under which our software can be found, for XEP-0115.
  package var capsNode: String
  package var now: Timestamp
  /// The local time zone, in seconds east of UTC.
  package var utcOffsetSeconds: Int
  package var asker: Asker

  package init(
    software: String = "Confab", softwareVersion: String, operatingSystem: String? = nil,
    identity: DiscoInfo.Identity = DiscoInfo.Identity(category: "client", type: "pc", name: "Confab"),
    capsNode: String = "https://confab.invalid/caps", now: Timestamp, utcOffsetSeconds: Int = 0, asker: Asker
  ) {
    self.software = software
    self.softwareVersion = softwareVersion
    self.operatingSystem = operatingSystem
    self.identity = identity
    self.capsNode = capsNode
    self.now = now
    self.utcOffsetSeconds = utcOffsetSeconds
    self.asker = asker
  }
}

extension ExtensionContext.Asker {
  /// Classifies the requester by the address that a request is from.
  ///
  /// - Parameters:
  ///   - sender: nil where the request has none: it is from our own account.
  ///   - own: our own address.
  ///   - maySeePresence: whether the roster lets this bare address see our presence (subscription from or both), or we
  ///     sent it presence.
  package init(sender: JID?, own: JID, maySeePresence: (JID) -> Bool) {
    guard let sender else {
      self = .trusted
      return
    }
    let isOurs = sender.hasSameBare(as: own) || sender == own.server
    self = isOurs || maySeePresence(sender.bare) ? .trusted : .stranger
  }
}
