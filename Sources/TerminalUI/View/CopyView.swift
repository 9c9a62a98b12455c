/// The copy view: messages as plain lines, with their links numbered. A number stays what it is while the view is open.
package struct CopyView: Equatable, Sendable {
  /// The links of a message as it was when they were numbered.
  private struct Links: Equatable, Sendable {
    let text: String
    /// In Unicode scalars of the text.
    let ranges: [Range<Int>]
    let firstNumber: Int
  }

  private var links: [UInt64: Links] = [:]
  private var targets: [String] = []
  /// The digits that were typed.
  private(set) var typed = ""

  package init() {}

  /// Numbers the links that have no number yet, those of the newest message first.
  mutating func number(_ rows: [MessageRow]) {
    for row in rows.reversed() where links[row.id]?.text != row.text {
      let ranges = LinkFinder.links(in: row.text)
      links[row.id] = Links(text: row.text, ranges: ranges, firstNumber: targets.count + 1)
      guard !ranges.isEmpty else { continue }
      let scalars = Array(row.text.unicodeScalars)
      targets += ranges.map { String(String.UnicodeScalarView(scalars[$0])) }
    }
  }

  /// The text of a message with a number behind each link.
  func text(of row: MessageRow) -> String {
    guard let links = links[row.id], links.text == row.text, !links.ranges.isEmpty else { return row.text }
    var scalars = Array(row.text.unicodeScalars)
    for (index, range) in links.ranges.enumerated().reversed() {
      scalars.insert(contentsOf: " [\(links.firstNumber + index)]".unicodeScalars, at: range.upperBound)
    }
    return String(String.UnicodeScalarView(scalars))
  }

  // MARK: Choosing one

  mutating func type(_ digit: Character) {
    if typed.count < 4 { typed.append(digit) }
  }

  mutating func forgetTyped() { typed = "" }

  /// The link of the number that was typed; nil if there is none.
  var chosen: String? {
    guard let number = Int(typed), targets.indices.contains(number - 1) else { return nil }
    return targets[number - 1]
  }

  /// What the status line says.
  var words: String {
    if let chosen { return "Link \(typed): o opens it, y copies it. \(chosen)" }
    if !typed.isEmpty { return "No link has the number \(typed)." }
    let hint = targets.isEmpty ? "" : "a link's number and o opens it; "
    return "q goes back; \(hint)select with the mouse; j k b g G scroll"
  }
}
