package import JSON

/// Somebody of the roster, or somebody who asks to be (`"request":true`).
package struct ContactRow: Equatable, Sendable {
  /// How available a contact is: the best of its resources.
  package enum Availability: Int, Comparable, Sendable {
    case offline, extendedAway, away, busy, available, chatty

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
  /// Whether the contact waits for `accept` or `deny`.
  package var isRequest: Bool
  /// By resource, those that are online.
  package var presence: [String: Presence]

  package struct Presence: Equatable, Sendable {
    package var availability: Availability
    package var status: String
  }

  /// The row of a `contact` object; nil without a JID.
  package init?(_ object: JSONValue) {
    guard let jid = object["jid"]?.string else { return nil }
    key = ConversationKey(account: object["account"]?.string ?? "", jid: jid)
    name = object["name"]?.string ?? ""
    groups = (object["groups"]?.array ?? []).compactMap(\.string)
    subscription = object["subscription"]?.string ?? "none"
    isRequest = object["request"]?.bool ?? false
    presence = [:]
    for entry in object["presence"]?.array ?? [] {
      guard let availability = entry["show"]?.string.flatMap(Availability.init(show:)) else { continue }
      presence[entry["resource"]?.string ?? ""] = Presence(
        availability: availability, status: entry["status"]?.string ?? "")
    }
  }

  package var availability: Availability { presence.values.map(\.availability).max() ?? .offline }

  /// The status of the resource that is most available.
  var status: String {
    presence.sorted { $0.key < $1.key }.map(\.value).first { $0.availability == availability && !$0.status.isEmpty }?
      .status
      ?? ""
  }
}
