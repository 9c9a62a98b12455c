/// The command line of `confab-ui`; `confab` passes its own on.
package struct InterfaceOptions: Equatable, Sendable {
  /// An error in the command line, for people.
  package struct Failure: Error, Equatable, Sendable {
    package let reason: String
  }

  /// `--socket`
  package var socket: String?
  /// `--account`
  package var account: String?
  /// `--open`: the name or address of the conversation that is opened.
  package var who: String?
  /// `--plain`: lines one after the other, for screen readers.
  package var isPlain = false
  /// `--keys`: prints the keys, and that is all (`confab help keys`).
  package var listsKeys = false
  /// `--check-settings`: prints what is wrong in `tui.conf`, and that is all (`confab doctor`).
  package var checksSettings = false

  package init() {}

  /// - Parameter arguments: without the program's name; nil stands for one that is not UTF-8.
  package init(_ arguments: [String?]) throws(Failure) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard let argument else { throw Failure(reason: "an argument is not UTF-8") }
      if argument == "--plain" {
        isPlain = true
      } else if argument == "--keys" {
        listsKeys = true
      } else if argument == "--check-settings" {
        checksSettings = true
      } else if let value = try Self.value("--socket", argument, &rest) {
        socket = value
      } else if let value = try Self.value("--account", argument, &rest) {
        account = value
      } else if let value = try Self.value("--open", argument, &rest) {
        who = value
      } else {
        throw Failure(reason: "unknown option '\(argument)'; confab-ui is started by confab")
      }
    }
  }

  /// The value of `--name=value` or `--name value`; nil if the argument is another one.
  private static func value(
    _ name: String, _ argument: String, _ rest: inout ArraySlice<String?>
  ) throws(Failure) -> String? {
    if argument.hasPrefix(name + "=") { return String(argument.dropFirst(name.count + 1)) }
    guard argument == name else { return nil }
    guard let value = rest.popFirst() ?? nil else { throw Failure(reason: "\(name) needs a value") }
    return value
  }

  /// The options as arguments of `confab`.
  var arguments: [String] {
    (socket.map { ["--socket=" + $0] } ?? []) + (account.map { ["--account=" + $0] } ?? [])
  }
}
