package import Clocks
package import ConfabClient

/// The inputs of all conversations, and what was sent before.
package struct Composer: Sendable {
  /// One conversation's input.
  package struct Field: Sendable {
    package var editor = InputEditor()
    package var purpose: WritingPurpose?
    /// The draft as the daemon has it.
    package var shared = ""
    /// The text of the input when it was the draft last: an input that has another text was changed here since.
    var settled = ""
    /// True if the draft changed elsewhere while somebody typed here: the input follows it after a moment.
    var isOvertaken = false
    /// True if a message with that text was sent elsewhere, so that the draft is about to be cleared.
    var isSentElsewhere = false
    /// True if the text was written for another log, so that it is no draft of this one.
    var isKeptHere = false
    /// When something was changed here last.
    package var changedAt: Instant?
    /// When the draft is shared, if nothing is typed until then.
    package var shareAt: Instant?
    package var typing = TypingReport()
  }

  /// vi's keys, where they are the setting.
  var vi = ViKeys()
  var spelling = SpellingWords()
  package private(set) var fields: [ConversationKey: Field] = [:]
  /// The texts sent before, the newest last.
  private var history: [String] = []
  /// The texts sent in this run, the newest first.
  var sent: [String] { history.reversed() }
  /// The index in `history` that is shown, and what was in the input before.
  private var recalled: (index: Int, kept: String)?

  private static let historyLength = 100
  /// Bytes of all texts of the history.
  private static let historySize = 1 << 20
  /// A draft is shared when nothing was typed for so long.
  static let draftPause = Interval.seconds(1)
  /// The pause after which typing here has ended: a text typed elsewhere may then replace the input.
  private static let idlePause = Interval.seconds(5)

  package init() {}

  package subscript(key: ConversationKey) -> Field {
    get { fields[key] ?? Field() }
    set { fields[key] = newValue }
  }

  /// A conversation is opened: its shared draft is its text, unless something was typed here.
  package mutating func open(_ key: ConversationKey, draft: String) {
    if fields[key] == nil { fields[key] = Field(editor: InputEditor(draft), shared: draft, settled: draft) }
  }

  /// Other accounts: inputs of conversations that are gone go with them.
  mutating func move(_ key: (ConversationKey) -> ConversationKey?) {
    let kept = fields.compactMap { old, field in key(old).map { ($0, field) } }
    fields = Dictionary(kept) { $1 }
  }

  /// The shared draft changed: by us, or elsewhere. A text not shared yet stays, and a text being typed here stays
  /// until typing pauses; a text that was sent elsewhere is removed.
  package mutating func take(draft: String, of key: ConversationKey, at now: Instant) {
    guard var field = fields[key], !field.isKeptHere else { return }
    let isIdle = field.changedAt.map { now - $0 >= Self.idlePause } ?? true
    if field.isSentElsewhere, draft.isEmpty { field.letGoSent() } else if isIdle { field.follow(draft) }
    field.isOvertaken = field.editor.input.text == field.settled && field.settled != draft
    (field.shared, field.isSentElsewhere) = (draft, false)
    fields[key] = field
  }

  /// When the input of a conversation takes the draft over that was changed elsewhere; nil: there is none, or somebody wrote
  /// here since.
  func followDue(of key: ConversationKey) -> Instant? {
    let field = self[key]
    guard field.isOvertaken, field.editor.input.text == field.settled else { return nil }
    return field.changedAt?.advanced(by: Self.idlePause)
  }

  /// Takes the draft over.
  mutating func follow(_ key: ConversationKey) {
    self[key].follow(self[key].shared)
    self[key].isOvertaken = false
  }

  /// A message of mine came, from here or elsewhere. If it begins with the draft, the draft goes from the input, so that it is
  /// not sent twice; what was typed behind it here stays.
  mutating func sent(_ text: String, in key: ConversationKey) {
    guard var field = fields[key], !field.settled.isEmpty else { return }
    if !field.shared.isEmpty {
      field.isSentElsewhere = text == field.shared || text.hasPrefix(field.settled)
    } else if text.hasPrefix(field.settled) {
      field.letGoSent()
    }
    fields[key] = field
  }

  /// Begins a text about a message.
  mutating func write(_ purpose: WritingPurpose, in key: ConversationKey) {
    if self[key].purpose?.isCorrection == true { giveUpPurpose(key) }
    self[key].purpose = purpose
  }

  /// The input is for a message of its own again.
  mutating func giveUpPurpose(_ key: ConversationKey) {
    let isCorrection = self[key].purpose?.isCorrection == true
    self[key].purpose = nil
    if isCorrection { self[key].editor = InputEditor() }
  }

  /// Takes the draft to send to the daemon; nil if the daemon has it, or it exceeds `limit` bytes. That of a command or a
  /// correction is empty.
  mutating func takeDraft(of key: ConversationKey, limit: Int) -> String? {
    let field = self[key]
    if field.isKeptHere { return nil }
    let text = field.editor.input.text
    let isCommand = text.hasPrefix("/") && SlashCommand.text(text) == nil
    let draft = isCommand || field.purpose?.isCorrection == true ? "" : text
    guard draft.utf8.count <= limit, followDue(of: key) == nil else { return nil }
    if draft == text { self[key].settled = draft }
    guard draft != field.shared else { return nil }
    (self[key].shared, self[key].isSentElsewhere) = (draft, false)
    return draft
  }

  /// In the first line: what was sent before; else a line up. Down likewise.
  mutating func moveLine(_ step: Int, in key: ConversationKey) {
    let input = self[key].editor.input
    let isEdge = step < 0 ? input.lineStart == 0 : input.lineEnd == input.letters.count
    if isEdge { recall(step, in: key) } else { self[key].editor.input.moveLine(step) }
  }

  /// Takes the text out, to be sent. A text written elsewhere meanwhile becomes the draft.
  package mutating func take(_ key: ConversationKey) -> String {
    let text = self[key].editor.input.text
    self[key].editor = InputEditor()
    self[key].settled = ""
    (self[key].purpose, self[key].isKeptHere) = (nil, false)
    self[key].shareAt = nil
    recalled = nil
    if history.last != text { remember(text) }
    return text
  }

  /// Adds a text to the history, which loses its oldest ones beyond its bounds.
  private mutating func remember(_ text: String) {
    history.append(text)
    var size = history.reduce(0) { $0 + $1.utf8.count }
    while history.count > Self.historyLength || size > Self.historySize { size -= history.removeFirst().utf8.count }
  }

  /// Puts a text that could not be stored back into the input, in front of text typed meanwhile.
  package mutating func giveBack(_ text: String, to key: ConversationKey, _ purpose: WritingPurpose? = nil) {
    let rest = self[key].editor.input.text
    if rest.isEmpty { self[key].purpose = purpose }
    self[key].editor.input.set(rest.isEmpty ? text : text + "\n" + rest)
  }

  /// Puts a text of mine into the input, to be corrected; a slash that it begins with is no command.
  mutating func correct(_ row: MessageRow, in key: ConversationKey) {
    let isAction = SlashCommand.text(row.text) == row.text
    self[key].editor = InputEditor((isAction ? "" : "/") + row.text)
    self[key].purpose = .correction(row.id, text: row.text)
  }

  /// A message was changed. A correction in which nothing was typed yet begins with the text as it is.
  mutating func follow(_ row: MessageRow, in key: ConversationKey) {
    guard let purpose = self[key].purpose, purpose.messageID == row.id, purpose.following(row) != purpose else {
      return
    }
    if isUntouchedCorrection(key) { correct(row, in: key) }
    self[key].purpose = purpose.following(row)
  }

  /// A message is gone: a text about it becomes a message of its own. A correction in which nothing was typed yet goes with it.
  ///
  /// - Returns: whether there is such a text.
  mutating func letGo(_ id: UInt64, in key: ConversationKey) -> Bool {
    guard self[key].purpose?.messageID == id else { return false }
    if isUntouchedCorrection(key) { self[key].editor = InputEditor() }
    self[key].purpose = nil
    return true
  }

  private func isUntouchedCorrection(_ key: ConversationKey) -> Bool {
    guard case .correction(_, let text)? = self[key].purpose else { return false }
    return text == SlashCommand.text(self[key].editor.input.text) ?? ""
  }

  /// The connection is gone: the daemon said by itself that nobody types here any more.
  mutating func forgetTyping() {
    for key in fields.keys { fields[key]?.typing = TypingReport() }
  }

  /// Another log: what was written for the one before is shared with this one once somebody goes on writing it, and the messages
  /// that it was about are not there.
  mutating func keepHere() {
    fields = fields.filter { !$0.value.editor.input.isEmpty }
      .mapValues { Field(editor: $0.editor, isKeptHere: true, changedAt: $0.changedAt) }
  }

  /// True if there are texts that no daemon has as drafts.
  var keepsTexts: Bool { fields.values.contains { $0.isKeptHere && !$0.editor.input.isEmpty } }

  /// Shows what was sent before, or what was being typed again.
  package mutating func recall(_ step: Int, in key: ConversationKey) {
    let kept = recalled?.kept ?? self[key].editor.input.text
    let index = (recalled?.index ?? history.count) + step
    guard (0...history.count).contains(index), !history.isEmpty else { return }
    recalled = index == history.count ? nil : (index, kept)
    self[key].editor.input.set(index == history.count ? kept : history[index])
  }
}

extension Composer.Field {
  /// Takes the draft over, unless the input was changed here since it was the draft, or is for a correction.
  fileprivate mutating func follow(_ draft: String) {
    guard purpose?.isCorrection != true, editor.input.isEmpty || editor.input.text == settled else { return }
    editor.input.set(draft)
    settled = draft
  }

  /// The draft was sent elsewhere: its letters go, and what was typed behind them stays.
  fileprivate mutating func letGoSent() {
    let letters = Array(settled)
    guard purpose?.isCorrection != true, editor.input.letters.starts(with: letters) else { return }
    editor.input.set(String(editor.input.letters.dropFirst(letters.count).drop(while: \.isWhitespace)))
    settled = ""
  }
}
