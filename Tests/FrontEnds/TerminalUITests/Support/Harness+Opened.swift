import JSON
import TerminalUI

/// A conversation with Bob that is open on the screen.
extension Harness {
  static func opened(unread: Int = 0, read: UInt64 = 0, columns: Int = 80, lines: Int = 24, count: Int = 2) -> Harness {
    let ui = Harness(columns: columns, lines: lines)
    ui.connect(conversations: [
      conversation("bob@example.org", name: "Bob", unread: unread, count: count, read: read)
    ])
    ui.press("Enter")
    return ui
  }

  static let two = [
    message(1, "hello", mine: true, minutes: -60, opens: true), message(2, "how are you?", minutes: -5),
  ]

  static func rows(_ ids: ClosedRange<UInt64>) -> [String] {
    ids.map { message($0, "line \($0)", minutes: Int($0), opens: $0 == 1) }
  }

  /// The answer to the `status` among these requests, without an account: what is typed goes out from then on.
  static func noAccounts(_ requests: [JSONValue]) -> PlainEvent {
    let tag = requests.last { $0["verb"]?.string == "status" }?["tag"]?.integer ?? -1
    return .lines([Array(#"{"ok":true,"tag":\#(tag)}"#.utf8)])
  }
}
