package import Clocks
import ConfabClient
package import JSON

/// An account and how it is (`status`).
package struct AccountRow: Equatable, Sendable {
  package let name: String
  package var jid: String
  /// `online`, `connecting`, `waiting`, `stopped`, `refused`.
  package var state: String
  /// When it came into that state; nil: the daemon does not say.
  package var since: Timestamp?
  /// A sentence for people; empty if there is nothing to say.
  package var reason: String
  /// The presence that I set: `available`, `chat`, `away`, `xa` or `dnd`, and its words.
  package var show = "available"
  package var status = ""

  /// The row of an `account` object; nil without a name.
  package init?(_ object: JSONValue) {
    guard let name = object["name"]?.string else { return nil }
    self.name = name
    jid = object["jid"]?.string ?? ""
    state = object["state"]?.string ?? ""
    since = object["since"]?.string.flatMap { Timestamp(rfc3339: $0) }
    reason = object["reason"]?.string ?? ""
    if let presence = object["presence"] {
      show = presence["show"]?.string ?? show
      status = presence["status"]?.string ?? ""
    }
  }

  /// `away: at lunch`; empty if I am simply available.
  var presenceWords: String {
    status.isEmpty ? presenceWord : "\(show): \(status)"
  }

  /// `away`; empty if I am available, whatever the words are.
  var presenceWord: String { show == "available" ? "" : show }

  var isOnline: Bool { state == "online" }

  /// How long the presences of those who are there may take after the account came online.
  static let presencesTake = Interval.seconds(10)

  /// When all presences that come with a login are here.
  var presencesDue: Timestamp? { isOnline ? since?.advanced(by: Self.presencesTake) : nil }

  /// The state for people.
  var words: String { AccountFormat.words(ofState: state) }
}
