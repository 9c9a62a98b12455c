/// The commands that are no verbs.
extension ArgumentReader {
  mutating func local(_ command: LocalCommand) throws(UsageFailure) {
    // Its reader is another.
    if command == .log {
      guard !hasCommonOptions else {
        throw UsageFailure("options of confab log must come after 'log'; see confab log --help")
      }
      return invocation.action = .log(try remaining())
    }
    if command == .import {
      guard !hasCommonOptions else {
        throw UsageFailure("options of confab import must come after 'import'; see confab import --help")
      }
      let words = try remaining()
      let isHelp = words.contains { ["--help", "-h", "help"].contains($0) }
      return invocation.action = isHelp ? .localHelp(command) : .log(["import"] + words)
    }
    var request = LocalRequest(command)
    while let argument = try peek() {
      if argument == "--help" || argument == "-h" { return invocation.action = .localHelp(command) }
      if try commonOption() { continue }
      try localOption(argument, into: &request)
    }
    invocation.action = .local(request)
  }

  private mutating func localOption(_ argument: String, into request: inout LocalRequest) throws(UsageFailure) {
    for option in request.command.options {
      guard let text = try option.value == nil ? flag(option.name) : value(of: option.name) else { continue }
      guard request.options.updateValue(text, forKey: option.name) == nil else {
        throw UsageFailure("\(argument) is given twice")
      }
      return
    }
    let name = request.command.rawValue
    throw UsageFailure("confab \(name) does not take '\(argument)'; see confab \(name) --help")
  }

  /// Takes the option `--name`; its value is empty.
  private mutating func flag(_ name: String) throws(UsageFailure) -> String? {
    guard try peek() == "--" + name else { return nil }
    rest = rest.dropFirst()
    return ""
  }
}
