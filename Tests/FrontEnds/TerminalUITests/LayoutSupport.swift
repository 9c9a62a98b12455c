import Clocks
import ConfabClient
import JSON
import Screen
@testable import TerminalUI

/// What the tests of the layout share: contexts, rows and lines as plain text.
enum LayoutSupport {
  static func context(
    _ width: Int, compact: Bool = false, _ kind: ColourScheme.Kind = .dark, widths: WidthModel = .clusters
  ) -> LayoutContext {
    LayoutContext(
      width: width, isCompact: compact, widths: widths, emoji: .yes, scheme: ColourScheme(kind), words: .english,
      takeBackKey: "Alt-X")
  }

  /// A message by what it has beside the usual, as JSON members.
  static func message(_ text: String, mine: Bool = false, _ members: [String: JSONValue] = [:]) -> MessageRow {
    let usual: [String: JSONValue] = [
      "id": .integer(1), "time": .string("2026-11-25T14:05:00.000Z"), "text": .string(text), "mine": .bool(mine),
      "conversation": .string("bob@example.org"),
      "from": .string(mine ? "alice@example.org" : "bob@example.org/phone"),
    ]
    let all = usual.merging(members) { $1 }
    guard let row = MessageRow(.object(all.map { JSONMember($0.key, $0.value) })) else { preconditionFailure("no row") }
    return row
  }

  static let date = CivilDate(Timestamp(milliseconds: 1_795_615_500_000))
}

extension StyledLine {
  /// The letters, without the spaces at the end.
  var plain: String {
    var text = cells.map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }
}
