/// The table of actions, in the order of help.
package enum ActionTable {
  private static let everywhere = Set(KeyContext.allCases)
  private static let panes: Set<KeyContext> = [.list, .conversation]
  private static let lists: Set<KeyContext> = [.list, .popup]
  private static let input: Set<KeyContext> = [.conversation, .popup]

  package static let rows: [ActionRow] = general + moving + numbers + conversations + rooms + messages + writing

  /// The actions that everybody needs every day, for the documents.
  package static let everyDay: [UserAction] = [
    .open, .send, .newline, .back, .switcher, .nextUnread, .search, .contacts, .help, .quit,
  ]

  package static subscript(action: UserAction) -> ActionRow? { rows.first { $0.action == action } }

  private static let general: [ActionRow] = [
    ActionRow(.help, ["F1", "Alt-H"], in: everywhere, "Shows the keys (help)."),
    ActionRow(
      .quit, ["Ctrl-Q", "F10", "C-x C-c"], in: everywhere, "Leaves confab (quit); the daemon stays connected."),
    ActionRow(.back, ["Esc", "Ctrl-G"], in: everywhere, "Goes back: closes what is open, or to the list."),
    ActionRow(
      .switcher, ["F2", "Alt-K", "Ctrl-T"], in: everywhere,
      "Opens any conversation or contact by a part of its name (switch)."),
    ActionRow(
      .search, ["F3", "Ctrl-S", "C-x s"], in: everywhere,
      "Searches messages, in a conversation this one first; there Tab widens the search to all (search)."),
    ActionRow(
      .nextUnread, ["Alt-A", "F4", "C-x n"], in: panes,
      "Goes to the next conversation with unread messages; without any, to an invitation."),
    ActionRow(
      .nextMention, ["Alt-Shift-M", "C-x @"], in: panes,
      "Goes to the next message that names you: in this room, else in the next one."),
    ActionRow(
      .contacts, ["F5", "Alt-C"], in: everywhere, "Shows the contacts by group; adds, accepts or removes them."),
    ActionRow(.accounts, ["F6", "Alt-S"], in: everywhere, "Shows the accounts and how they are."),
    ActionRow(
      .lastNotice, ["F12", "C-x !"], in: everywhere, "Shows the last notice of the status line again, and all of it."),
    ActionRow(.redraw, ["Ctrl-L"], in: everywhere, "Paints the screen again."),
    ActionRow(.suspend, ["Ctrl-Z"], in: everywhere, "Suspends confab; the shell's `fg` comes back."),
  ]

  private static let moving: [ActionRow] = [
    ActionRow(.up, ["Up", "Ctrl-P"], in: lists, "Moves the cursor up."),
    ActionRow(.down, ["Down", "Ctrl-N"], in: lists, "Moves the cursor down."),
    ActionRow(.open, ["Enter"], in: lists, "Opens the row at the cursor."),
    ActionRow(.top, ["Home"], in: [.list], "Goes to the first row."),
    ActionRow(.bottom, ["End"], in: [.list], "Goes to the last row."),
    ActionRow(.pageUp, ["PageUp", "Alt-V"], in: everywhere, "Scrolls a page up."),
    ActionRow(.pageDown, ["PageDown", "Ctrl-V"], in: everywhere, "Scrolls a page down."),
    ActionRow(.otherPane, ["Shift-Tab", "C-x o"], in: everywhere, "Moves between the list and the conversations."),
    ActionRow(
      .beside, ["Alt-T", "C-x b"], in: panes,
      "Opens a second conversation beside the one that is open; with several, moves to the next."),
    ActionRow(
      .split, ["Alt-Shift-S", "C-x 2"], in: panes,
      "Opens another conversation in a pane of its own, if the screen has space for one."),
    ActionRow(.closePane, ["Alt-Q", "C-x 0"], in: panes, "Closes the conversation; those beside it get its space."),
  ]

  private static let numbers = UserAction.listRows.enumerated().map { index, action in
    ActionRow(action, ["Alt-\(index + 1)"], in: panes, "Opens row \(index + 1) of the list.")
  }

  private static let conversations: [ActionRow] = [
    ActionRow(.markRead, ["Alt-R"], in: panes, "Marks the conversation read without opening it."),
    ActionRow(.markUnread, ["Alt-U"], in: panes, "Marks unread from the selected message on."),
    ActionRow(.readAll, ["C-x r"], in: panes, "Marks everything read."),
    ActionRow(
      .mute, ["F8", "Alt-M"], in: panes,
      "Mutes the conversation for an hour, until tomorrow or for ever, or unmutes it (unmute)."),
    ActionRow(.pin, ["F7", "Alt-P"], in: panes, "Pins the conversation to the top of the list, or unpins it."),
    ActionRow(.showArchive, ["C-x v"], in: [.list], "Shows the archived conversations, or hides them."),
    ActionRow(.showStrangers, ["C-x g"], in: [.list], "Shows the people you do not know, or hides them."),
    ActionRow(
      .devices, ["Alt-Shift-D", "C-x d"], in: panes,
      "Shows how the conversation is encrypted, and the devices of the contact and yours: to compare their fingerprints, "
        + "trust, distrust or remove them (encryption, lock, keys)."),
    ActionRow(.archive, ["F9", "C-x a"], in: panes, "Archives the conversation, or takes it back."),
  ]

  private static let rooms: [ActionRow] = [
    ActionRow(
      .room, ["Alt-Shift-I", "C-x ?"], in: panes,
      "Opens the menu of the room: topic, invite, nick, notices, configuration, leave."),
    ActionRow(
      .members, ["Alt-Shift-U", "C-x w"], in: panes,
      "Lists who is in the room: to write to one alone, to name, ignore, kick or ban one."),
    ActionRow(
      .occupantPane, ["Alt-Shift-L", "C-x q"], in: panes,
      "Shows the occupants of the room at its right, or hides them; needs 100 columns."),
    ActionRow(
      .showIgnored, ["C-x k"], in: [.conversation], "Shows what ignored people say in the room, or hides it again."),
  ]

  private static let messages: [ActionRow] = [
    ActionRow(.lineUp, ["Ctrl-Up", "Shift-Up"], in: [.conversation], "Scrolls a line up."),
    ActionRow(.lineDown, ["Ctrl-Down", "Shift-Down"], in: [.conversation], "Scrolls a line down."),
    ActionRow(.firstMessage, ["Alt-Home", "Alt-<"], in: [.conversation], "Goes to the first message."),
    ActionRow(.lastMessage, ["Alt-End", "Alt->", "Ctrl-End"], in: [.conversation], "Goes to the newest message."),
    ActionRow(.previousSection, ["Alt-PageUp", "Alt-{"], in: [.conversation], "Goes to the section before."),
    ActionRow(.nextSection, ["Alt-PageDown", "Alt-}"], in: [.conversation], "Goes to the section after."),
    ActionRow(.sections, ["Alt-G"], in: [.conversation], "Lists the sections of the conversation."),
    ActionRow(.jumpToDate, ["Alt-J"], in: [.conversation], "Goes to a date."),
    ActionRow(
      .jumpBack, ["Ctrl-O", "C-x Left"], in: [.conversation],
      "Goes back to where you were before a date, a section, a hit or the first message."),
    ActionRow(.selectUp, ["Alt-Up"], in: [.conversation], "Selects the message above."),
    ActionRow(.selectDown, ["Alt-Down"], in: [.conversation], "Selects the message below."),
    ActionRow(
      .previousLink, ["Alt-Shift-Up", "C-x Up"], in: [.conversation],
      "Selects the link, mention or topic above; with an empty input Enter opens it, copies it or searches for it."),
    ActionRow(
      .nextLink, ["Alt-Shift-Down", "C-x Down"], in: [.conversation], "Selects the link, mention or topic below."),
    ActionRow(.nextHit, ["Alt-N"], in: [.conversation], "Goes to the next message that the search found."),
    ActionRow(.previousHit, ["Alt-Shift-N"], in: [.conversation], "Goes to the one before."),
    ActionRow(.unfold, ["Alt-O"], in: [.conversation], "Opens a folded message or a spoiler, or folds it."),
    ActionRow(.copy, ["Alt-W"], in: [.conversation], "Copies the selected message to the clipboard."),
    ActionRow(
      .copyView, ["Alt-Y"], in: [.conversation],
      "Shows the messages as plain lines, to be selected with the mouse; there a link's number and `o` opens it, `y` "
        + "copies it."),
    ActionRow(
      .cancelMessage, ["Alt-X"], in: [.conversation],
      "Takes back the newest message that has not gone out, or the selected one: what has gone out is retracted. If its "
        + "files are being fetched, stops that."),
    ActionRow(.reply, ["Ctrl-R"], in: [.conversation], "Answers the selected message, or the newest one (reply)."),
    ActionRow(
      .react, ["Alt-+", "C-x +"], in: [.conversation], "Reacts to the selected message, or the newest one (react)."),
    ActionRow(
      .forward, ["Alt-Shift-F", "C-x f"], in: [.conversation],
      "Forwards the selected message, or the newest one, to another conversation (forward)."),
    ActionRow(
      .answered, ["Alt-Shift-R", "C-x j"], in: [.conversation], "Goes to the message that the selected one answers."),
    ActionRow(
      .versions, ["Alt-Shift-V", "C-x h"], in: [.conversation], "Shows what stood in an edited message before."),
    ActionRow(
      .links, ["Alt-L", "C-x l"], in: [.conversation],
      "Lists the links, mentions and topics of the selected message, or of those on the screen, to open or copy them."),
    ActionRow(
      .files, ["Alt-Shift-A", "C-x p"], in: [.conversation],
      "Lists the files of the selected message, or of those on the screen, to show, open or save them, copy "
        + "their addresses or send them again; Enter in an empty input does so for the selected message (attachments, pictures)."
    ),
    ActionRow(
      .view, ["Alt-Shift-W", "C-x i"], in: [.conversation],
      "Shows the pictures of the conversation on the whole screen, from the selected message or the newest picture on: "
        + "n and p turn, s saves, o opens, x stops fetching, Enter offers more (viewer)."),
  ]

  private static let writing: [ActionRow] = [
    ActionRow(
      .attach, ["Alt-Shift-T", "C-x t"], in: [.conversation], "Chooses a file of this machine to send (file)."),
    ActionRow(.send, ["Enter"], in: [.conversation], "Sends the message."),
    ActionRow(.newline, ["Alt-Enter", "Ctrl-J", "Shift-Enter"], in: [.conversation], "Begins a new line."),
    ActionRow(
      .correct, ["Up"], in: [.conversation],
      "In an empty input: takes the selected message, or my last one, to correct it; as Ctrl-P if there is none."),
    ActionRow(
      .emoticon, ["Alt-E", "C-x m"], in: input, "Opens the emoticon keyboard, or closes it (emoticon)."),
    ActionRow(
      .complete, ["Tab"], in: everywhere,
      "Behind a slash, completes a command, a name or a path; in an empty input, moves to the list and back; "
        + "in a pop-up, does the second thing."),
    ActionRow(
      .editor, ["C-x e", "C-x C-e"], in: [.conversation], "Edits the text in $EDITOR; it is not sent by that."),
    ActionRow(
      .spelling, ["Alt-I", "Alt-$"], in: [.conversation],
      "Offers other spellings of the word at the cursor, or of the underlined one before it."),
    ActionRow(.left, ["Left", "Ctrl-B"], in: input, "Moves a letter left."),
    ActionRow(.right, ["Right", "Ctrl-F"], in: input, "Moves a letter right."),
    ActionRow(.wordLeft, ["Alt-B", "Alt-Left", "Ctrl-Left"], in: input, "Moves a word left."),
    ActionRow(.wordRight, ["Alt-F", "Alt-Right", "Ctrl-Right"], in: input, "Moves a word right."),
    ActionRow(.lineStart, ["Home", "Ctrl-A"], in: input, "Moves to the start of the line."),
    ActionRow(
      .lineEnd, ["End", "Ctrl-E"], in: input, "Moves to the end of the line, in an empty input to the newest message."),
    ActionRow(.deleteBack, ["Backspace"], in: input, "Deletes the letter before the cursor."),
    ActionRow(.deleteForward, ["Delete", "Ctrl-D"], in: input, "Deletes the letter at the cursor."),
    ActionRow(.killWordBack, ["Ctrl-W", "Alt-Backspace"], in: input, "Cuts the word before the cursor."),
    ActionRow(.killWordForward, ["Alt-D"], in: input, "Cuts the word at the cursor."),
    ActionRow(.killToEnd, ["Ctrl-K"], in: input, "Cuts to the end of the line."),
    ActionRow(.killToStart, ["Ctrl-U"], in: input, "Cuts to the start of the line."),
    ActionRow(.yank, ["Ctrl-Y"], in: input, "Puts back what was cut."),
    ActionRow(.undo, ["Ctrl-_", "C-x u"], in: input, "Takes the last change of the input back."),
    ActionRow(.previousInput, ["Ctrl-P"], in: [.conversation], "In the first line: the message sent before."),
    ActionRow(
      .findInput, ["C-x C-r"], in: [.conversation],
      "Finds a message that you sent before by a part of it, and puts it into the input; with `keys = bash` by Ctrl-R."),
    ActionRow(.nextInput, ["Down", "Ctrl-N"], in: [.conversation], "In the last line: the message sent after."),
  ]
}
