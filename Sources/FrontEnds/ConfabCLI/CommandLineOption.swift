/// An option of `confab` itself, before or behind a command.
package struct CommandLineOption: Sendable {
  /// With its hyphens.
  package let name: String
  /// The placeholder of its value; nil if it has none.
  package let value: String?
  /// For people, as a phrase.
  package let meaning: String

  package static let all: [CommandLineOption] = [
    CommandLineOption(
      name: "--socket", value: "PATH",
      meaning: "the daemon's socket; else $CONFAB_SOCKET, then $XDG_RUNTIME_DIR/confab/socket if it exists, then "
        + "/run/confab/socket"),
    CommandLineOption(
      name: "--account", value: "NAME", meaning: "the account, by name or JID; needed if several are configured"),
    CommandLineOption(
      name: "--json", value: nil, meaning: "show the daemon's answer unchanged, one JSON object a line"),
    CommandLineOption(
      name: "--no-ui", value: nil, meaning: "without a command, show the overview instead of the terminal UI"),
    CommandLineOption(
      name: "--plain", value: nil,
      meaning: "without a command, the terminal UI line by line, for screen readers and braille"),
    CommandLineOption(name: "--help", value: nil, meaning: "show this help, or more about one command"),
    CommandLineOption(name: "--version", value: nil, meaning: "show the version of this program"),
  ]

  /// `--socket PATH`
  package var usage: String { value.map { "\(name) \($0)" } ?? name }
}
