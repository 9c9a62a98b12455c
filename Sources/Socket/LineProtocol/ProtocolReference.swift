/// `docs/PROTOCOL.md`, made from the tables: a test compares the two, and makes it anew with `CONFAB_WRITE_DOCS=1`.
package enum ProtocolReference {
  /// The whole document, ending in LF.
  package static func markdown() -> String {
    let parts = [
      introduction, connection, lines, requests, wordsForm, blocks, jsonForm, pipelining, values, answers, errorCodes,
      objects, following, events, rights, verbs, index,
    ]
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// A table of Markdown; cells are escaped as far as ours need it.
  static func table(_ header: [String], _ rows: [[String]]) -> String {
    let line = { (cells: [String]) in "| " + cells.map(cell).joined(separator: " | ") + " |" }
    return ([line(header), line(header.map { _ in "---" })] + rows.map(line)).joined(separator: "\n")
  }

  /// A vertical bar would end a cell, even inside code.
  private static func cell(_ text: String) -> String {
    String(text.flatMap { $0 == "|" ? "\\|" : String($0) })
  }

  /// One line of code.
  static func code(_ text: String) -> String { "`\(text)`" }

  /// A block of code.
  static func block(_ lines: [String]) -> String {
    (["```"] + lines + ["```"]).joined(separator: "\n")
  }
}

// MARK: - From the tables

extension ProtocolReference {
  private static var values: String {
    let kinds: [(ValueKind, String)] = [
      (.integer(0...Int.max), "Decimal digits; the range stands with the option. JSON: a number or such a string."),
      (.id, "The `id` of a message. Written as an integer."),
      (.sequence, "A sequence number, written as an integer, or the word `now`."),
      (.duration, "A whole number and a unit: `1500ms`, `90s`, `30m`, `24h`, `7d`. JSON: a string."),
      (.time, "RFC 3339 with any offset and any fraction: `2026-11-20T09:10:00Z`. Answers use UTC with milliseconds."),
      (.word, "Any string but the empty one; in words without spaces."),
      (.text, "The same, and XML must be able to carry it."),
      (.key, "1 to \(Limits.key) printable ASCII bytes (U+0021 to U+007E)."),
      (.jid, "A JID; bare unless the verb says otherwise."),
      (.choice([]), "One of the words listed."),
      (.words, "All words that follow; JSON: an array of strings."),
      (
        .fields,
        """
        All words that follow, each `KEY=VALUE`: a key that comes again has several values, `KEY=` alone has none. JSON: \
        an object with a string, a boolean, a whole number or an array of strings for each key.
        """
      ),
      (.choices([]), "Some of the words listed, with commas between; JSON: also an array of strings."),
    ]
    return "## Types of values\n\n"
      + table(["type", "form"], kinds.map { [code($0.0.name), $0.1] })
  }

  private static var errorCodes: String {
    let rows = ErrorCode.allCases.map { [code($0.rawValue), $0.meaning] }
    return "## Error codes\n\nCodes are stable; reasons are for people and change.\n\n"
      + table(["code", "meaning"], rows)
  }

  private static var objects: String {
    let parts = ObjectTable.rows.map { row in
      "### \(row.name)\n\n\(row.summary)\n\n"
        + table(["member", "type", "meaning"], row.members.map { [code($0.name), $0.type, $0.meaning] })
    }
    return "## Objects\n\n" + objectsProse + "\n\n" + parts.joined(separator: "\n\n")
  }

  private static var events: String {
    let kinds = table(
      ["event", "durable", "meaning"],
      EventKind.allCases.map { [code($0.rawValue), $0.isDurable ? "yes" : "no", $0.summary] })
    return "## Events\n\n" + eventsProse + "\n\n" + kinds + "\n\n" + block(EventKind.allCases.map(\.example))
  }

  private static var rights: String {
    let rows = Rights.allCases.map { rights in
      let verbs = VerbTable.rows.filter { $0.rights.contains(rights) }.map { code($0.verb.rawValue) }
      return [code(rights.rawValue), rights == .full ? "every verb" : verbs.joined(separator: ", ")]
    }
    return "## Rights\n\n" + rightsProse + "\n\n" + table(["rights", "verbs"], rows)
  }

  private static var index: String {
    "## All verbs\n\n"
      + table(
        ["usage", "does"],
        VerbTable.rows.map { [code(Usage.words($0)), $0.summary] })
  }

  private static var verbs: String {
    let common = VerbTable.commonOptions.map { [code("\($0.name)=\($0.value)"), $0.meaning] }
    return "## Verbs\n\nEvery verb takes these options besides its own:\n\n" + table(["option", "meaning"], common)
      + "\n\n" + VerbTable.rows.map(verb).joined(separator: "\n\n")
  }
}

// MARK: - One verb

extension ProtocolReference {
  private static func verb(_ row: VerbRow) -> String {
    var parts = ["### \(row.verb.rawValue)", block([Usage.words(row)]), row.summary]
    if !row.details.isEmpty { parts.append(row.details) }
    if !row.options.isEmpty {
      parts.append(table(["option", "type", "default", "meaning"], row.options.map(optionCells)))
    }
    if !row.arguments.isEmpty || row.text != nil {
      parts.append(table(["argument", "type", "needed"], argumentCells(row)))
    }
    parts.append(facts(row))
    parts.append(block(exchange(row)))
    return parts.joined(separator: "\n\n")
  }

  private static func optionCells(_ option: OptionRow) -> [String] {
    [
      code(option.name.rawValue), type(option.kind),
      option.isRequired ? "(needed)" : option.defaultText.map(code) ?? "", option.meaning,
    ]
  }

  private static func argumentCells(_ row: VerbRow) -> [[String]] {
    var cells = row.arguments.map { [code($0.name.rawValue), type($0.kind), $0.isOptional ? "no" : "yes"] }
    switch row.text {
    case .required: cells.append([code("text"), "text, not empty", "yes"])
    case .optional: cells.append([code("text"), "text, may be empty", "no"])
    case nil: break
    }
    return cells
  }

  private static func type(_ kind: ValueKind) -> String {
    switch kind {
    case .integer(let range):
      range.upperBound == .max
        ? "integer, from \(range.lowerBound)" : "integer, \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words), .choices(let words): kind.name + ": " + words.map(code).joined(separator: ", ")
    default: kind.name
    }
  }

  private static func facts(_ row: VerbRow) -> String {
    let rights = Rights.allCases.filter(row.rights.contains).map { code($0.rawValue) }
    let errors = row.errors.map { code($0.rawValue) }
    var lines = ["- Rights: \(rights.joined(separator: ", ")). Kind: \(row.kind.rawValue)."]
    switch row.overtaking {
    case .never: break
    case .always: lines.append("- Its answer may come out of order.")
    case .with(let option): lines.append("- With `\(option.rawValue)=` its answer may come out of order.")
    }
    let wanted = row.descriptors
    if wanted.upperBound > 0 {
      let count = wanted.count == 1 ? "\(wanted.upperBound)" : "\(wanted.lowerBound) to \(wanted.upperBound)"
      lines.append("- Descriptors with its line: \(count).")
    }
    if row.givesDescriptor { lines.append("- A descriptor comes with its final line.") }
    if !errors.isEmpty { lines.append("- Errors of its own: \(errors.joined(separator: ", ")).") }
    return lines.joined(separator: "\n")
  }

  private static func exchange(_ row: VerbRow) -> [String] {
    ["> " + row.example] + (row.dataLines + [row.finalLine]).map { "< " + $0 }
  }
}
