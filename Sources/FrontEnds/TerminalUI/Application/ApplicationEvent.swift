package import Clocks
package import ConfabClient
package import HelperProtocol
package import Screen

/// An event for the UI.
package enum ApplicationEvent: Equatable, Sendable {
  case input(InputEvent)
  case resized(columns: Int, lines: Int)
  /// The terminal has answered, or not: what it can do by now.
  case capabilities(Capabilities)
  /// The socket is connected; the daemon speaks first.
  case connected
  /// Lines of the daemon that came together, without their LFs.
  case lines([[UInt8]])
  /// Why there is no connection.
  case disconnected(String)
  /// The process has to end, whatever is on the screen: drafts are shared, nothing is asked.
  case ending
  /// The time of `deadline` has come.
  case deadline
  /// The text of the input as the editor left it; nil: it failed, or was left without saving.
  case edited(String?)
  /// A request could not be carried out; the text is a sentence.
  case failed(String)
  /// A wish is done; a sentence.
  case said(String)
  /// Why the files of a message cannot be sent.
  case notOpened(OutgoingText.ID, String)
  /// A picture that was drawn; nil: it cannot be drawn.
  case drawn(Drawing?, WantedFile, DrawingRequest, ConversationKey)
  /// Paths in the input of a conversation are those of files.
  case foundFiles([String], ConversationKey)
  /// The contents of a folder that was asked for.
  case folder(FolderListing)
  /// The preview of a file of this machine; nil: it cannot be drawn.
  case previewed(Drawing?, path: String, DrawingRequest)
  /// An avatar that was drawn, by its hash; nil: it cannot be drawn.
  case drewAvatar(Drawing?, hash: String, DrawingRequest)
  /// The words that are right.
  case spelled([String: Bool])
  /// Suggestions for the spelling of a word.
  case suggestions(String, [String])
  /// `tui.conf` as it is now.
  case settings(SettingsFile)
}

/// An action that the UI asks of its loop.
package enum ApplicationAction: Equatable, Sendable {
  /// Bytes for the daemon.
  case send([UInt8])
  /// A line with files; `notOpened` says that one of them cannot be opened.
  case pass(FileRequest)
  /// Finds out whether all paths are those of files; `foundFiles` answers.
  case lookAt([String], ConversationKey)
  /// Reads a folder; `folder` answers.
  case list(String)
  /// Draws a file of this machine; `previewed` answers.
  case preview(String, DrawingRequest)
  /// Keeps the file that came with the line of the daemon.
  case keep(WantedFile)
  /// Draws the file that came with the line of the daemon; `drawn` answers.
  case draw(WantedFile, DrawingRequest, ConversationKey)
  /// Draws the avatar that came with the line of the daemon; `drewAvatar` answers.
  case drawAvatar(hash: String, DrawingRequest)
  /// Connects to the daemon again, now.
  case connect
  case bell
  /// A notice of the terminal's, by the sequence of the settings.
  case notice(title: String, text: String)
  /// A program of the user's, with its arguments; no shell, nobody waits for it.
  case run([String])
  /// A program that has the terminal until it ends; a key is waited for then.
  case terminal([String])
  /// Turns the mouse on or off: true if the UI takes the mouse; false leaves it to the terminal, to select with.
  case mouse(Bool)
  /// The clipboard of the terminal, and of tmux.
  case copy(String)
  /// The editor of the user with this text; `edited` says what became of it.
  case edit(String)
  /// Finds out whether words are right in any of the languages; `spelled` answers.
  case checkSpelling([String], [String])
  /// Other spellings of a word; `suggestions` answers.
  case suggestSpelling(String, [String])
  case readSettings
  /// Keeps which conversations are open in panes of their own, for the next start.
  case keepPanes([ConversationKey])
  case suspend
  /// Paints everything anew, whatever is on the screen.
  case repaint
  case quit
}

/// Facts that do not change while the UI runs.
package struct ApplicationEnvironment: Sendable {
  /// Seconds east of UTC at a time.
  package var offset: @Sendable (Timestamp) -> Int
  package var words: DateWords
  /// Random, so that keys of messages are of this run only.
  package var token: String
  /// The path of the socket, for people.
  package var socket: String
  /// The account of new conversations and contacts (`--account`); empty: the first one.
  package var account: String
  /// The name or address of the conversation opened at the start; empty for none.
  package var who: String
  /// The user's home; empty if nobody knows it.
  package var home: String
  /// The path of the daemon's configuration, for people.
  package var configuration: String
  /// The conversations that were open in panes of their own when the UI was left.
  package var panes: [ConversationKey]

  package init(
    offset: @escaping @Sendable (Timestamp) -> Int, words: DateWords, token: String, socket: String,
    account: String = "", who: String = "", home: String = "", configuration: String = "",
    panes: [ConversationKey] = []
  ) {
    self.offset = offset
    self.words = words
    self.token = token
    self.socket = socket
    self.account = account
    self.who = who
    self.home = home
    self.configuration = configuration
    self.panes = panes
  }

  package func date(_ time: Timestamp) -> CivilDate { CivilDate(time, offsetSeconds: offset(time)) }
}
