import ConfabClient

/// The copy view: messages as plain lines, with their links, mentions and topics numbered. A number stays what it is while the
/// view is open.
package struct CopyView: Equatable, Sendable {
  /// The targets of a message as it was when they were numbered.
  private struct Numbered: Equatable, Sendable {
    let text: String
    /// In Unicode scalars of the text.
    let ranges: [Range<Int>]
    let firstNumber: Int
  }

  private var numbered: [UInt64: Numbered] = [:]
  /// By number; nil: the text that it was in is another one now.
  private var targets: [TextTarget?] = []
  /// The digits that were typed.
  private(set) var typed = ""

  package init() {}

  /// Numbers the targets that have no number yet, those of the newest message first.
  mutating func number(_ rows: [MessageRow], in key: ConversationKey) {
    for row in rows.reversed() where numbered[row.id]?.text != row.text {
      let new = row.targets(in: key)
      if let old = numbered[row.id] { forget(old) }
      numbered[row.id] = Numbered(text: row.text, ranges: new.map(\.range), firstNumber: targets.count + 1)
      targets += new
    }
  }

  /// The messages of which targets have numbers, each with its conversation.
  var messages: [(key: ConversationKey, id: UInt64)] { targets.compactMap { $0 }.map { ($0.conversation, $0.message) } }

  /// A message is gone: its numbers lead nowhere.
  mutating func forget(_ id: UInt64) { if let old = numbered.removeValue(forKey: id) { forget(old) } }

  private mutating func forget(_ old: Numbered) {
    for offset in old.ranges.indices { targets[old.firstNumber - 1 + offset] = nil }
  }

  /// The text of a message with a number behind each target.
  func text(of row: MessageRow) -> String {
    guard let own = numbered[row.id], own.text == row.text, !own.ranges.isEmpty else { return row.text }
    var scalars = Array(row.text.unicodeScalars)
    let ranges = own.ranges.enumerated().sorted { $0.element.upperBound > $1.element.upperBound }
    for (index, range) in ranges {
      scalars.insert(contentsOf: " [\(own.firstNumber + index)]".unicodeScalars, at: range.upperBound)
    }
    return String(String.UnicodeScalarView(scalars))
  }

  // MARK: Choosing one

  /// Without an input, letters are the keys of a pager; a number is that of a link.
  mutating func type(_ letter: String) -> KeyOutcome {
    if let digit = letter.first, ("0"..."9").contains(digit) {
      if typed.count < 4 { typed.append(digit) }
      return .taken
    }
    defer { forgetTyped() }
    if let chosen, letter == "o" || letter == "y" {
      return .intent(letter == "o" ? chosen.intent : .copy(chosen.target))
    }
    if letter == "q" { return .closed }
    return Self.pagerKeys[letter].map { .intent(.act($0)) } ?? .taken
  }

  private static let pagerKeys: [String: UserAction] = [
    "k": .lineUp, "j": .lineDown, "b": .pageUp, " ": .pageDown, "g": .firstMessage, "G": .lastMessage,
    "N": .previousHit, "n": .nextHit,
  ]

  mutating func forgetTyped() { typed = "" }

  /// The target of the number that was typed; nil if there is none.
  var chosen: TextTarget? {
    guard let number = Int(typed), targets.indices.contains(number - 1) else { return nil }
    return targets[number - 1]
  }

  /// The text of the status line.
  var words: String {
    if let chosen { return "Link \(typed): o opens it, y copies it. \(chosen.target)" }
    if !typed.isEmpty { return "No link has the number \(typed)." }
    let hint = targets.isEmpty ? "" : "a link's number and o opens it; "
    return "q goes back; \(hint)select with the mouse; j k b g G scroll"
  }
}
