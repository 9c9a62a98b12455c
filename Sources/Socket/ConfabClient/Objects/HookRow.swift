package import Clocks
package import JSON

/// A hook, as the final line of `status` has it.
package struct HookRow {
  package let name: String
  /// Events that wait for it.
  package let pending: Int64
  package let failingSince: Timestamp?
  /// The error of the last run, while an event fails.
  package let error: String?
  /// The last event that was given up.
  private let givenUp: (number: Int64, error: String)?

  package init?(_ object: JSONValue) {
    guard let name = object["name"]?.string else { return nil }
    (self.name, pending) = (name, object["pending"]?.integer ?? 0)
    failingSince = object["failing_since"]?.string.flatMap { Timestamp(rfc3339: $0) }
    error = object["error"]?.string
    givenUp = object["given_up"].flatMap { event in
      event["seq"]?.integer.map { ($0, event["error"]?.string ?? "") }
    }
  }

  /// The hooks of a final line.
  package static func rows(of final: JSONValue) -> [HookRow] { (final["hooks"]?.array ?? []).compactMap(Self.init) }

  /// The trouble in words, of the hook's own program; nil: there is none.
  ///
  /// - Parameter stamp: shows a time.
  package func trouble(_ stamp: (Timestamp) -> String) -> String? {
    let failing = error.map { error in "fails" + (failingSince.map { " since " + stamp($0) } ?? "") + ": " + error }
    let givenUp = givenUp.map { "gave up event \($0.number): \($0.error)" }
    let words = [failing, givenUp].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}
