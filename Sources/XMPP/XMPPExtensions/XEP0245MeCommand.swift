/// XEP-0245: a text that says what its author does. It is sent as it is; whoever shows it puts a name in place of the command.
package enum MeCommand {
  /// The text that says so.
  package static func text(_ action: String) -> String { "/me " + action }
}
