package import ConfabClient
import JSON

/// The roster, and who asks to be in it.
package struct ContactList: Equatable, Sendable {
  package private(set) var rows: [ConversationKey: ContactRow] = [:]
  /// How many contacts have a name.
  private var nameCounts: [String: Int] = [:]
  private var incoming: [ContactRow] = []
  private(set) var isLoaded = false
  /// Requests for presence that the daemon did not take, as too many waited.
  package private(set) var requestsLeftOut = 0

  package init() {}

  package subscript(key: ConversationKey) -> ContactRow? { rows[key] }

  mutating func receive(_ row: ContactRow) { incoming.append(row) }

  /// The end of the answer of `roster`.
  mutating func finish(leftOut: Int) {
    (rows, nameCounts, requestsLeftOut, isLoaded) = ([:], [:], leftOut, true)
    for row in incoming { set(row, row.key) }
    incoming = []
  }

  mutating func giveUp() { incoming = [] }

  /// The event `roster`: a contact is new, changed or gone. It does not know presences.
  mutating func take(_ row: ContactRow) {
    guard row.subscription != "remove" else { return set(nil, row.key) }
    var row = row
    if let old = rows[row.key] {
      (row.availability, row.status, row.isBlocked) = (old.availability, old.status, old.isBlocked)
    }
    set(row, row.key)
  }

  private mutating func set(_ row: ContactRow?, _ key: ConversationKey) {
    if let old = rows[key]?.name { nameCounts[old, default: 1] -= 1 }
    rows[key] = row
    if let new = row?.name { nameCounts[new, default: 0] += 1 }
  }

  /// True if the contact is in the roster; somebody who only asks for presence is not.
  func isKnown(_ key: ConversationKey) -> Bool { rows[key]?.isRequest == false }

  /// True if another contact has the name.
  package func isTaken(_ name: String, besides key: ConversationKey) -> Bool {
    (nameCounts[name] ?? 0) > (rows[key]?.name == name ? 1 : 0)
  }

  /// The event `presence`.
  mutating func takePresence(_ object: JSONValue, of key: ConversationKey) { rows[key]?.take(event: object) }

  /// By name, without regard to account or groups: requests first.
  package var requests: [ContactRow] { rows.values.filter(\.isRequest).sorted { $0.key.jid < $1.key.jid } }
}
