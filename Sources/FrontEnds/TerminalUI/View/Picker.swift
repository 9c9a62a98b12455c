package import ConfabClient
package import LineProtocol

/// A pop-up: a list to choose from, with an input that narrows it, asks for a text, or looks for one.
package struct Picker: Equatable, Sendable {
  /// The kind of the list or of the input.
  package enum Kind: Equatable, Sendable {
    case switcher
    /// Chooses a second conversation.
    case beside
    case help
    case accounts
    /// The next steps of somebody without a daemon or an account.
    case firstSteps
    /// A tree of groups, contacts and sections.
    case contacts
    /// The actions on a contact, or on somebody who asks to be one.
    case contact(ConversationKey)
    /// The account that makes this request, which adds somebody.
    case adding(Request)
    /// The groups that a contact is in, or could be in.
    case groups(ConversationKey)
    case sections(ConversationKey)
    case search(SearchScope)
    case mute(ConversationKey)
    /// Reacts to a message.
    case react(ConversationKey, UInt64)
    /// Chooses where a message is forwarded to; its text is shown.
    case forward(UInt64, String)
    /// Links, mentions and topics.
    case targets([TextTarget])
    /// The things that can be done with one of them.
    case target(TextTarget)
    /// Files of messages, and the things that can be done with one.
    case files([FileTarget])
    case file(FileTarget)
    /// Chooses a file of this machine that is to be sent.
    case folder(String, ConversationKey)
    case room(RoomPopup)
    case device(DevicePopup)
    /// Finds a text that was sent before.
    case sent(ConversationKey)
    /// Suggestions for the spelling of a word.
    case spelling(String, [String])
    /// The whole of a notice.
    case notice(String)
    /// The errors in `tui.conf`.
    case wrongSettings([String])
    /// The lines of the answer to a verb about a message, or about none.
    case answer(String, UInt64?)
    /// A question with a text for an answer.
    case prompt(Prompt)
    /// A question with yes or no for an answer.
    case confirm(String, Intent)
  }

  package enum Prompt: Equatable, Sendable {
    case addContact
    case jumpToDate(ConversationKey)
    case rename(ConversationKey)
    /// A group that the contact is put into.
    case group(ConversationKey)
    case saveFile(FileTarget)
    case room(RoomQuestion, ConversationKey)
    /// An address with the keys of devices, in the account of a conversation.
    case verify(ConversationKey)
    /// A command, from the list.
    case command

    package var title: String {
      switch self {
      case .addContact: "Add a contact: its address, then its name"
      case .jumpToDate: "Go to a date: 2026-11-20, 2026-11-20 14:05, yesterday, monday"
      case .rename(let key): "A name for \(key.jid)"
      case .group(let key): "A group for \(key.jid)"
      case .saveFile(let target): "Save \(target.file.title) as"
      case .room(let question, _): question.title
      case .verify: "Verify keys: paste the address that the other device shows"
      case .command: "Command"
      }
    }
  }

  package let kind: Kind
  package var editor = InputEditor()
  /// The choices that the query leaves.
  package private(set) var items: [PickerItem] = []
  package private(set) var cursor = 0
  package private(set) var top = 0
  /// The unfolded items of a tree, by their paths.
  private(set) var unfolded: Set<[String]> = []
  /// The query of a search whose results are shown.
  package var searched = ""

  package init(_ kind: Kind, text: String = "") {
    self.kind = kind
    editor = InputEditor(text)
  }

  /// Lines of a page that the next one shows again: an item may have several.
  static let pageOverlap = 6

  package var query: String { editor.input.text }

  /// The other scope for the search; nil if this is no search, or one that was begun in no conversation.
  var otherScope: SearchScope? { if case .search(let scope) = kind { scope.other } else { nil } }

  /// True if the query narrows a list: then an empty one means that nothing fits.
  var isNarrowed: Bool {
    switch kind {
    case .search, .prompt(.addContact), .prompt(.jumpToDate), .prompt(.rename), .prompt(.group), .prompt(.saveFile),
      .prompt(.room), .prompt(.verify):
      false
    default: !query.isEmpty
    }
  }

  package var chosen: PickerItem? { items.indices.contains(cursor) ? items[cursor] : nil }

  /// New items; the cursor stays on what it was on.
  package mutating func update(_ items: [PickerItem]) {
    // Lines of a text are all alike, and the cursor moves over them one by one.
    let old = chosen.flatMap { $0.intent == nil && $0.path.isEmpty ? nil : $0 }
    self.items = items
    let same = old.flatMap { old in items.firstIndex { $0.intent == old.intent && $0.path == old.path } }
    cursor = same ?? min(cursor, max(0, items.count - 1))
    skipHeaders(1)
  }

  package mutating func move(_ step: Int) {
    cursor = min(max(0, cursor + step), max(0, items.count - 1))
    skipHeaders(step)
  }

  /// Goes to the item of a line, whichever of its lines that is.
  package mutating func point(at line: Int) {
    guard items.indices.contains(line) else { return }
    cursor = items[...line].lastIndex { !$0.isContinuation } ?? line
    skipHeaders(1)
  }

  // MARK: A tree

  mutating func toggle(_ path: [String]) {
    if unfolded.remove(path) == nil { unfolded.insert(path) }
  }

  mutating func unfold() {
    if let path = chosen?.path, !path.isEmpty { unfolded.insert(path) }
  }

  /// Folds what is at the cursor, or else what it belongs to.
  mutating func fold() {
    guard let path = chosen?.path, !path.isEmpty else { return }
    if unfolded.remove(path) != nil { return }
    let parent = Array(path.dropLast())
    guard unfolded.remove(parent) != nil else { return }
    cursor = items.firstIndex { $0.path == parent } ?? cursor
  }

  /// `3 of 40`
  var position: String {
    let choices = items.indices.filter { items[$0].intent != nil }
    guard !choices.isEmpty else { return "\(cursor + 1) of \(items.count)" }
    return "\(choices.count { $0 <= cursor }) of \(choices.count)"
  }

  /// Another query: the first of what fits is chosen.
  package mutating func reset() { (items, cursor, top) = ([], 0, 0) }

  /// The cursor is on something that can be chosen.
  private mutating func skipHeaders(_ step: Int) {
    let way = step < 0 ? -1 : 1
    var index = cursor
    while items.indices.contains(index), items[index].intent == nil { index += way }
    if !items.indices.contains(index) {
      let last = way > 0 ? items.lastIndex { $0.intent != nil } : items.firstIndex { $0.intent != nil }
      index = last ?? cursor
    }
    cursor = index
  }

  package mutating func settle(height: Int) {
    guard height > 0 else { return }
    let end = cursor + items.dropFirst(cursor + 1).prefix(while: \.isContinuation).count
    top = min(max(top, end - height + 1), cursor)
    top = max(0, min(top, items.count - height))
    // A header above the first choice is shown with it.
    if cursor < height, top <= cursor, items.prefix(cursor).allSatisfy({ $0.intent == nil }) { top = 0 }
  }
}

/// One line of a pop-up.
package struct PickerItem: Equatable, Sendable {
  package var title: String
  /// At the right, or behind the title.
  package var detail: String
  /// The intent of choosing it; nil for a header.
  package var intent: Intent?
  /// The intent of the second key (Tab).
  package var more: Intent?
  /// Unicode scalars of the title that were looked for.
  package var hits: [Range<Int>] = []
  /// Its path in a tree; empty if it has none.
  var path: [String]
  /// True if it is a further line of the item above.
  package var isContinuation = false

  package init(
    _ title: String, _ detail: String = "", _ intent: Intent? = nil, more: Intent? = nil, path: [String] = []
  ) {
    self.title = title
    self.detail = detail
    self.intent = intent
    self.more = more
    self.path = path
  }
}
