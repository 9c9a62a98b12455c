/// The commands of the plain mode.
extension PlainApplication {
  func help() {
    say(
      "A line is sent to the open conversation. A number or a name opens one while none is open; behind "
        + "/list a number always does. Lines that are pasted at once are one message, behind a question.")
    for (name, sentence) in Self.commands { say("/\(name): \(sentence)") }
    say("Each message is said with its number, as #1. Commands about a message take the number:")
    for command in MessageCommand.allCases { say("\(command.usage): \(command.sentence)") }
    for row in CommandList.rows where !Self.isOwn(row.name) && !Self.painted.contains(row.name) {
      say("/\(row.name)\(row.arguments.isEmpty ? "" : " " + row.arguments): \(row.sentence)")
    }
  }

  /// True if a word without a slash is that of a command.
  static func isCommand(_ word: String) -> Bool {
    isOwn(word) || CommandList.rows.contains { $0.name == word } || word == "help"
  }

  private static func isOwn(_ name: String) -> Bool {
    MessageCommand(rawValue: name) != nil || commands.contains { $0.0.prefix { $0 != " " } == name }
  }

  /// Commands that need a screen.
  private static let painted: Set<String> = ["settings", "help", "links", "emoticon", "files", "view"]

  private static let commands = [
    ("list", "Lists the conversations by number."), ("open NAME", "Opens a conversation, by name or address."),
    ("next", "Opens the next one with unread messages."), ("more", "Says the messages before those that were said."),
    ("search TEXT", "Finds messages; in the open conversation, else in all."),
    ("file PATH ... [TEXT]", "Sends up to nine files, with a text if you like."),
    ("mute", "Mutes the conversation until /unmute; /notify until=TIME never, until that time."),
    ("close", "Closes the conversation."),
    ("yes", "Does what the line before asked; /no leaves it, as does any other line."),
    ("quit", "Leaves."),
  ]
}
