/// How a verb is written, made from its row.
package enum Usage {
  /// In words, on the socket: `send [wait=sent|delivered|displayed] [timeout=30s] [key=TOKEN] TO TEXT`.
  package static func words(_ row: VerbRow) -> String {
    let options = row.options.map { option in
      bracketed("\(option.name.rawValue)=\(placeholder(option))", unless: option.isRequired)
    }
    return ([row.verb.rawValue] + options + positionals(row)).joined(separator: " ")
  }

  /// On the command line: `confab send [--wait=sent|delivered|displayed] ... TO TEXT...`.
  package static func commandLine(_ row: VerbRow) -> String {
    let options = row.options.map { option in
      let value = option.kind.isSwitch ? "" : "=" + placeholder(option)
      return bracketed("--\(commandLineName(option.name))\(value)", unless: option.isRequired)
    }
    // `--jid` is left out, because it is seldom needed.
    let own = row.commandOptions.filter { $0.name != .jid }.map { "[\($0.usage)]" }
    let files = row.descriptors.upperBound == 0 ? [] : row.descriptors.upperBound == 1 ? ["FILE"] : ["FILE ..."]
    let words = ["confab", row.verb.rawValue] + options + own + positionals(row, isCommand: true) + files
    return words.joined(separator: " ")
  }

  /// An option's name on the command line: hyphens for underscores.
  package static func commandLineName(_ name: OptionName) -> String {
    String(name.rawValue.map { $0 == "_" ? "-" : $0 })
  }

  private static func positionals(_ row: VerbRow, isCommand: Bool = false) -> [String] {
    let arguments = row.arguments.map { bracketed(placeholder($0), unless: !$0.isOptional && $0.excludedBy == nil) }
    switch isCommand && !row.endsWithText ? nil : row.text {
    case .required: return arguments + ["TEXT"]
    case .optional: return arguments + ["[TEXT]"]
    case nil: return arguments
    }
  }

  private static func bracketed(_ text: String, unless isRequired: Bool) -> String {
    isRequired ? text : "[\(text)]"
  }

  private static func placeholder(_ option: OptionRow) -> String {
    if let text = option.defaultText, option.kind == .duration || option.name == .limit { return text }
    if option.name == .log { return "UUID" }
    return placeholder(option.kind)
  }

  private static func placeholder(_ argument: ArgumentRow) -> String {
    switch argument.name {
    case .about: "VERB"
    case .emoji: "EMOJI ..."
    case .words: "WORD ..."
    case .fingerprint: "FINGERPRINT"
    case .uri: "URI"
    default: placeholder(argument.kind)
    }
  }

  private static func placeholder(_ kind: ValueKind) -> String {
    switch kind {
    case .integer: "N"
    case .id: "ID"
    case .sequence: "SEQ|now"
    case .duration: "DURATION"
    case .time: "TIME"
    case .word, .text: "NAME"
    case .key: "TOKEN"
    case .jid: "JID"
    case .choice(let words): words.joined(separator: "|")
    case .choices: "A,B,..."
    case .words: "NAME ..."
    case .fields: "KEY=VALUE ..."
    }
  }
}
