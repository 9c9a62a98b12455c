package import JSON

/// Somebody of the roster, or somebody who asks to be (`"request":true`).
package struct ContactRow: Equatable, Sendable {
  /// How available a contact is.
  package enum Availability: Int, Comparable, Sendable {
    case blocked, offline, extendedAway, away, busy, available, chatty

    package static func < (left: Availability, right: Availability) -> Bool { left.rawValue < right.rawValue }

    /// By `show`; nil if there is no such value.
    package init?(show: String) {
      switch show {
      case "available": self = .available
      case "chat": self = .chatty
      case "away": self = .away
      case "xa": self = .extendedAway
      case "dnd": self = .busy
      case "unavailable", "offline": self = .offline
      default: return nil
      }
    }
  }

  package let key: ConversationKey
  package var name: String
  package var groups: [String]
  package var subscription: String
  /// True if we asked to see the presence and have no answer yet.
  package var isAsked: Bool
  /// True if the contact waits for `accept` or `deny`.
  package var isRequest: Bool
  /// The availability of the resource that the daemon names first, with its status; nil until a presence has come.
  package var availability: Availability?
  package var status = ""
  /// True if I block the contact or its domain: its presence does not come then.
  package var isBlocked = false

  /// The row of a `contact` object; nil without a JID.
  package init?(_ object: JSONValue) {
    guard let jid = object["jid"]?.string else { return nil }
    key = ConversationKey(account: object["account"]?.string ?? "", jid: jid)
    name = object["name"]?.personName ?? ""
    groups = (object["groups"]?.array ?? []).compactMap(\.string)
    subscription = object["subscription"]?.string ?? "none"
    isAsked = object["ask"]?.string == "subscribe"
    isRequest = object["request"]?.bool ?? false
    isBlocked = object["blocked"]?.bool ?? false
    take(presence: object["presence"]?.array?.first ?? object)
  }

  /// Takes the event `presence`.
  package mutating func take(event: JSONValue) {
    isBlocked = event["blocked"]?.bool ?? false
    take(presence: event)
  }

  /// Takes `show` and `status` of a resource or of the event `presence`; without them the contact is offline, unless
  /// `presence_known` says that this is not known.
  private mutating func take(presence: JSONValue) {
    let isKnown = presence["presence_known"]?.bool ?? true
    availability = isKnown ? presence["show"]?.string.flatMap(Availability.init(show:)) ?? .offline : nil
    status = [nil, .offline].contains(availability) ? "" : presence["status"]?.string ?? ""
  }

  /// True if the contact asks for a subscription that we asked it for before (RFC 6121, section 3.1.3).
  package var isAwaited: Bool { isRequest && (isAsked || isSeen) }

  /// True if the contact lets us see its presence; otherwise the presence is unknown.
  package var isSeen: Bool { ["to", "both"].contains(subscription) }

  /// `away: at lunch`: in words, for rows that have room; empty if nothing is known.
  ///
  /// - Parameter isOnline: whether the account is online; else nobody knows presences.
  package func presenceWords(isOnline: Bool) -> String {
    if isBlocked { return Availability.blocked.words }
    if !isSeen, [nil, .offline].contains(availability) || !isOnline {
      return isAsked ? "asked, no answer yet" : "not asked for presence"
    }
    guard isOnline, let availability else { return "" }
    return status.isEmpty ? availability.words : "\(availability.words): \(status)"
  }
}

extension ContactRow.Availability {
  /// In words, for rows that have room.
  package var words: String {
    switch self {
    case .chatty: "free for chat"
    case .available: "available"
    case .away: "away"
    case .extendedAway: "away for long"
    case .busy: "do not disturb"
    case .offline: "offline"
    case .blocked: "blocked"
    }
  }
}
