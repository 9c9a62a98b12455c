package import ConfabClient
package import LineProtocol

/// The meaning of a key press, a click or a choice, once the views have looked at it.
package indirect enum Intent: Equatable, Sendable {
  case open(ConversationKey, name: String)
  /// Opens a second conversation beside the one that is open.
  case beside(ConversationKey, name: String)
  /// Opens a conversation at a message.
  case show(ConversationKey, UInt64)
  case popup(Picker.Kind)
  /// Asks for a text, which begins with this one.
  case prompt(Picker.Prompt, text: String)
  /// Looks for a text in a conversation, or in all, in a pop-up that it opens.
  case find(String, ConversationKey?)
  /// Looks for a text in the pop-up that is open, which stays open.
  case search(String, ConversationKey?)
  /// Widens the search of the pop-up to all conversations, or narrows it again.
  case searchElsewhere
  case findMore
  case askSections(ConversationKey)
  case closePopup
  /// Unfolds what is at a path of the pop-up's tree, or folds it.
  case fold([String])
  /// Does an action as if its key was pressed.
  case act(UserAction)
  /// Does an action with the selected message, or the newest one that it may concern, and the words behind its command.
  case actOnMessage(UserAction, words: String)
  /// Goes to a message of a conversation that is open.
  case go(UInt64, ConversationKey)
  /// Unfolds a message, or folds it.
  case unfold(UInt64)
  /// Begins a text about a message.
  case write(WritingPurpose)
  /// Puts a message of mine into the input, to be corrected.
  case correct(MessageRow)
  /// Cancels a message of mine that has not gone out.
  case cancel(MessageRow)
  /// Sends a text about a message, whatever is in the input.
  case sendAbout(String, WritingPurpose)
  case send(String)
  /// Does what a cell of the emoticon keyboard stands for.
  case type(EmoticonKeyboard.Cell)
  /// Puts a text that was sent before into the input.
  case recall(String)
  /// Puts the text of a message that nobody got into the input.
  case writeAgain(String)
  /// Puts the second word in the place of the first in the input.
  case respell(String, String)
  /// Begins a command, for its arguments to be typed.
  case command(String)
  /// Puts a contact into a group, or takes it out.
  case group(ConversationKey, String, isIn: Bool)
  /// Lets somebody see when I am online, and asks for the same.
  case befriend(ConversationKey)
  /// Opens the switcher with a text in it.
  case switchTo(String)
  /// Shows the help, narrowed to a text.
  case help(String)
  /// Something that the daemon is asked for, and the words for it if it fails.
  case request(Request, String)
  /// Joins a room, by a request like that, and opens it.
  case enter(Request, String, ConversationKey)
  /// Sends a text to a conversation, which it opens.
  case sendTo(ConversationKey, String)
  case room(RoomIntent)
  /// Shows my own devices.
  case ownDevices
  /// Asks the server for somebody's devices, or for mine.
  case refreshDevices(ConversationKey)
  /// The lines of the answer are shown.
  case ask(Request)
  /// My reactions to a message are these and no others.
  case react(ConversationKey, UInt64, [String])
  /// Reacts with the first emoticon that a name finds, once the daemon has answered.
  case reactOnceFound(ConversationKey, UInt64, String)
  /// Sends a message with that one inside to a conversation, with a text or without one.
  case forward(UInt64, ConversationKey, text: String?)
  /// Opens a link by the program that is made for it.
  case browse(String)
  case copy(String)
  /// Sends files to a conversation.
  case sendFiles([String], ConversationKey)
  /// Sends the files of a message of mine once more, as a new message.
  case sendAgain(UInt64, ConversationKey)
  /// Shows what is in a folder, to send a file of it.
  case folder(String, ConversationKey)
  /// Sends the files that the words behind `/file` name.
  case sendFileWords(String)
  case saveFileWords(String)
  case fetch(WantedFile, ConversationKey)
  /// The person waits for these files of a message no longer.
  case stopFetching(UInt64, [Int], ConversationKey)
  /// Gets the avatar of somebody, from wherever it is.
  case fetchAvatar(ConversationKey)
  /// Shows all pictures of a message below it.
  case showAll(UInt64, ConversationKey)
  /// Shows a picture on the whole screen.
  case view(FileTarget)
  /// Shows the box alone again.
  case hide(FileTarget)
  case answer(Picker.Prompt, String)
  case confirm(String, Intent)
  case say(String)
  /// Runs a program in this terminal, and comes back when it ends.
  case terminal([String])
  /// Connects to the daemon at once.
  case connect
  case quit
  /// Leaves, whatever is lost.
  case quitAnyway
  case reload
  /// Shows the colours of another scheme.
  case colours(UISettings.Colours)

  /// True if the action cannot be undone: the confirmation then has No in front, so that the same key pressed twice
  /// does nothing.
  var isDestructive: Bool {
    switch self {
    case .request, .quitAnyway, .room(.drop): true
    default: false
    }
  }
}
