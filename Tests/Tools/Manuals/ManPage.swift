/// A manual page as source of man(7), made from Markdown: headings of the second level are sections, those of the third
/// subsections; the first column of a table is what is explained.
struct ManPage {
  let name: String
  let section: Int
  /// A short description.
  let summary: String
  /// From `## SYNOPSIS` on.
  let markdown: String

  /// The page's date: that of the release that it describes.
  private static let date = "2026-11-21"
  private static let width = 100

  /// The whole source, ending in LF.
  var source: String {
    let title = ".TH \(name.uppercased()) \(section) \(Self.date) \"confab \(Manuals.version)\" Confab"
    let head = [
      ".\\\" Made from the tables in the source by `make docs`. Do not edit: a test compares.", title, ".SH NAME",
      Self.inline("\(name) \\- ", isMarked: false) + Self.inline(summary),
    ]
    var lines = head
    for line in MarkdownBlock.blocks(of: markdown).flatMap(Self.lines) {
      // A heading ends a paragraph by itself.
      let isHeaded = lines.last.map { $0.hasPrefix(".SH") || $0.hasPrefix(".SS") } ?? false
      if line != ".PP" || !isHeaded { lines.append(line) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ block: MarkdownBlock) -> [String] {
    switch block {
    case .heading(1, _): []
    case .heading(2, let text): [".SH \(inline(text.uppercased(), isMarked: false))"]
    case .heading(_, let text): [".SS \(inline(text, isMarked: false))"]
    case .paragraph(let text): [".PP"] + wrapped(inline(text))
    case .item(let text): [".IP \\(bu 2"] + wrapped(inline(text))
    case .code(let lines): [".PP", ".nf", ".RS 4"] + lines.map { guarded(escaped($0)) } + [".RE", ".fi"]
    case .table(let header, let rows): rows.flatMap { row(header, $0) }
    }
  }

  /// The first column, the middle columns with their names, and the last one as the explanation.
  private static func row(_ header: [String], _ cells: [String]) -> [String] {
    let between = zip(header, cells).dropFirst().dropLast().filter { !$0.1.isEmpty }
    let facts = between.map { "\($0): \($1)" }.joined(separator: "; ")
    let explanation = cells.count > 1 ? cells.last ?? "" : ""
    let body = [facts.isEmpty ? "" : facts + ".", explanation].filter { !$0.isEmpty }.joined(separator: " ")
    return [".TP"] + [guarded(inline(cells.first ?? ""))] + wrapped(inline(body.isEmpty ? "-" : body))
  }
}

// MARK: - Text

extension ManPage {
  /// One line of text with its code in bold.
  private static func inline(_ text: String, isMarked: Bool = true) -> String {
    guard isMarked else { return text.contains("\\-") ? text : escaped(text) }
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      let isCode = index % 2 == 1
      return isCode ? "\\fB\(escaped(String(part)))\\fR" : escaped(plain(String(part)))
    }.joined()
  }

  /// Without Markdown's marks for emphasis and the brackets of links.
  private static func plain(_ text: String) -> String { text.replacing("**", with: "") }

  /// Characters that troff would take for something else.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result
  }

  /// A line that troff does not take for a request.
  private static func guarded(_ line: String) -> String {
    line.isEmpty || line.hasPrefix(".") || line.hasPrefix("\\(aq") ? "\\&" + line : line
  }

  /// Lines of a width that people can read, broken at spaces.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.map(guarded)
  }
}
