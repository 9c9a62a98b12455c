/// The Markdown of our own documents, taken apart: what `docs/PROTOCOL.md` uses, and no more.
enum MarkdownBlock: Equatable {
  /// The number of `#`, and the text.
  case heading(Int, String)
  case paragraph(String)
  case item(String)
  /// The lines between two lines of three backticks.
  case code([String])
  case table(header: [String], rows: [[String]])

  /// The blocks of a text, in their order; comments are left out.
  static func blocks(of text: String) -> [MarkdownBlock] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var reader = MarkdownReader(rest: lines[...])
    return reader.readAll()
  }
}

private struct MarkdownReader {
  var rest: ArraySlice<String>

  mutating func readAll() -> [MarkdownBlock] {
    var blocks: [MarkdownBlock] = []
    while let line = rest.popFirst() {
      if line.isEmpty || line.hasPrefix("<!--") { continue }
      blocks.append(block(line))
    }
    return blocks
  }

  private mutating func block(_ line: String) -> MarkdownBlock {
    if line.hasPrefix("#") {
      let level = line.prefix { $0 == "#" }.count
      return .heading(level, String(line.dropFirst(level + 1)))
    }
    if line == "```" { return .code(codeLines()) }
    if line.hasPrefix("| ") { return table(header: line) }
    if line.hasPrefix("- ") { return .item(String(line.dropFirst(2))) }
    return .paragraph(line)
  }

  private mutating func codeLines() -> [String] {
    var lines: [String] = []
    while let line = rest.popFirst(), line != "```" { lines.append(line) }
    return lines
  }

  private mutating func table(header: String) -> MarkdownBlock {
    _ = rest.popFirst()
    var rows: [[String]] = []
    while let line = rest.first, line.hasPrefix("|") {
      rows.append(Self.cells(line))
      rest.removeFirst()
    }
    return .table(header: Self.cells(header), rows: rows)
  }

  /// The cells of `| a | b \| c |`.
  private static func cells(_ line: String) -> [String] {
    let bar = "\u{1}"
    let cells = line.replacing("\\|", with: bar).split(separator: "|", omittingEmptySubsequences: false)
    return cells.dropFirst().dropLast().map { trimmed($0.replacing(bar, with: "|")) }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let front = text.drop { $0 == " " }
    let end = front.lastIndex { $0 != " " }.map { front.index(after: $0) } ?? front.startIndex
    return String(front[..<end])
  }
}
