import LineProtocol

/// The commands that people are shown, after a slash: those of the UI and the daemon's verbs, but for verbs that only programs
/// need. These work as well, where somebody types them.
package enum CommandList {
  package struct Row: Equatable, Sendable {
    package let name: String
    /// The arguments behind the name; may be empty.
    package let arguments: String
    /// The summary of the command.
    package let sentence: String

    /// As it is typed: `/kick NICK [TEXT]`.
    var usage: String { arguments.isEmpty ? "/" + name : "/\(name) \(arguments)" }
  }

  /// The most usual ones first.
  package static let rows = own + verbs

  private static let own: [Row] = [
    Row(name: "open", arguments: "NAME", sentence: "Opens a conversation, by name or address."),
    Row(
      name: "search", arguments: "[TEXT]",
      sentence: "Searches messages, in this conversation first; there Tab widens the search to all."),
    Row(name: "contacts", arguments: "", sentence: "Shows the contacts and who asks to be one."),
    Row(
      name: "group", arguments: "[GROUP]",
      sentence: "Puts the contact of this conversation into a group; without a name, shows its groups."),
    Row(name: "mute", arguments: "", sentence: "Mutes this conversation: for an hour, until tomorrow, for ever."),
    Row(name: "unmute", arguments: "", sentence: "Unmutes this conversation: notices for all its messages again."),
    Row(name: "unpin", arguments: "[ADDRESS]", sentence: "Takes the conversation from the top of the list."),
    Row(
      name: "encrypt", arguments: "[auto|always|never]",
      sentence: "Sets whether messages of this conversation are encrypted; without a word, shows it and the devices."),
    Row(
      name: "devices", arguments: "[NAME|mine]",
      sentence: "Shows the devices of a contact that encrypt, or yours, to compare and trust them."),
    Row(name: "reply", arguments: "[TEXT]", sentence: "Answers the selected message, or the newest one."),
    Row(name: "correct", arguments: "[TEXT]", sentence: "Corrects the selected message of mine, or the newest one."),
    Row(
      name: "at", arguments: "TIME TEXT",
      sentence: "Sends a text later, as in `/at tomorrow 9:00 good morning`; /scheduled lists such texts."),
    Row(name: "react", arguments: "[EMOJI ...]", sentence: "Reacts to the selected message, or the newest one."),
    Row(
      name: "forward", arguments: "[NAME [TEXT]]", sentence: "Forwards the selected message, or the newest one."),
    Row(name: "retract", arguments: "", sentence: "Retracts the selected message; of others, as a moderator."),
    Row(name: "versions", arguments: "", sentence: "Shows what stood in the selected message before it was edited."),
    Row(name: "join", arguments: "[ROOM]", sentence: "Joins a room and opens it, or takes an invitation."),
    Row(name: "part", arguments: "[ROOM]", sentence: "Leaves the room, or declines an invitation; its history stays."),
    Row(name: "topic", arguments: "[TEXT]", sentence: "Sets the topic of the room; without a text, shows it."),
    Row(name: "rooms", arguments: "[SERVICE]", sentence: "Lists the rooms of a service, to look at one and join it."),
    Row(name: "names", arguments: "", sentence: "Shows who is in the room."),
    Row(
      name: "away", arguments: "[TEXT]", sentence: "Says that you are away and why; without a text, that you are back."),
    Row(name: "msg", arguments: "NICK [TEXT]", sentence: "Writes to one in the room alone, or to a contact."),
    Row(name: "invite", arguments: "NAME [TEXT]", sentence: "Invites somebody to the room."),
    Row(name: "kick", arguments: "NICK [TEXT]", sentence: "Takes somebody out of the room, who may come back."),
    Row(name: "ban", arguments: "NICK [TEXT]", sentence: "Bans somebody from the room."),
    Row(name: "whois", arguments: "NICK", sentence: "Shows somebody in the room, and what can be done."),
    Row(
      name: "voice", arguments: "[NICK yes|no]",
      sentence: "Asks for the right to speak in the room, or answers somebody who asks for it."),
    Row(name: "ignore", arguments: "NICK", sentence: "Hides what somebody says in the room; /unignore shows it again."),
    Row(name: "links", arguments: "", sentence: "Lists links, mentions and topics, to open or copy them."),
    Row(
      name: "files", arguments: "",
      sentence: "Lists files of messages, to show, open or save them, or to send them again."),
    Row(name: "view", arguments: "", sentence: "Shows the pictures of the conversation on the whole screen."),
    Row(
      name: "file", arguments: "[PATH ...] [TEXT]",
      sentence: "Sends up to nine files, with a text if you like; without a path, chooses one from a list."),
    Row(
      name: "save", arguments: "[NUMBER] PATH",
      sentence: "Saves a file of the selected message, or of the newest one that has any."),
    Row(name: "emoticon", arguments: "", sentence: "Opens the emoticon keyboard."),
    Row(name: "accounts", arguments: "", sentence: "Shows the accounts and how they are."),
    Row(name: "weaker-login", arguments: "", sentence: VerbTable[.unpin].summary),
    Row(name: "unnick", arguments: "", sentence: "Takes your nickname back."),
    Row(name: "help", arguments: "[WORD]", sentence: "Shows all keys and commands, or those that a word is about."),
    Row(name: "me", arguments: "TEXT", sentence: "Sends what you do, as in `/me waves`."),
    Row(
      name: "theme", arguments: "auto|dark|light|none",
      sentence: "Tries other colours at once; tui.conf keeps them (colours = dark)."),
    Row(
      name: "settings", arguments: "",
      sentence: "Reads tui.conf again (colours, compact lines, keys), and shows what is wrong in it."),
    Row(name: "quit", arguments: "", sentence: "Leaves confab; the daemon stays connected."),
  ]

  private static let shown: [Verb] = [
    .presence, .add, .accept, .deny, .remove, .notify, .pin, .archive, .read, .status, .roster,
    .groups,
    .sections, .verify, .sessionReset, .deviceRemove, .block, .unblock, .blocked, .report, .connect, .disconnect,
    .forgetHistory, .reload, .version,
  ]

  /// Shown once the table of verbs has them.
  private static let later = ["profile", "nick"].compactMap(Verb.init(rawValue:))

  private static let verbs = (shown + later).map { verb in
    let words = Usage.words(VerbTable[verb]).split(separator: " ").dropFirst().map(String.init)
    return Row(
      name: verb.rawValue, arguments: words.filter(isForPeople).map(plain).joined(separator: " "),
      sentence: VerbTable[verb].summary)
  }

  /// Most options are for programs.
  private static func isForPeople(_ word: String) -> Bool {
    !word.contains("=") || ["[name=", "[group=", "[until=", "[all=", "[reason="].contains(where: word.hasPrefix)
  }

  /// The address is that of the conversation that is open, if none is typed.
  private static func plain(_ word: String) -> String { word.contains("JID") ? "[ADDRESS]" : word }

  /// Returns the commands that begin with the word typed after the slash; only the exact one once something follows the
  /// word.
  static func matching(_ typed: String) -> [Row] {
    guard typed.hasPrefix("/"), !typed.contains(where: \.isNewline) else { return [] }
    let word = typed.dropFirst().prefix { $0 != " " }
    if typed.contains(" ") { return rows.filter { $0.name == word } }
    return rows.filter { $0.name.hasPrefix(word) }
  }
}
