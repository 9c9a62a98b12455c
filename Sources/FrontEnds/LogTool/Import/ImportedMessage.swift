import ConfabClient
import Clocks
import JSON
import LineProtocol
import Records

/// Why a line cannot be imported, in words.
struct LineProblem: Error, Equatable {
  let reason: String
  /// Nor can any other.
  let endsAll: Bool
  /// It is of another owner's history than the account's.
  let isOfAnotherOwner: Bool

  init(_ reason: String, endsAll: Bool = false, isOfAnotherOwner: Bool = false) {
    (self.reason, self.endsAll, self.isOfAnotherOwner) = (reason, endsAll, isOfAnotherOwner)
  }
}

/// A message of `confab log import`: an object, as `export` and the socket print it.
struct ImportedMessage {
  private(set) var record: MessageRecord
  /// Mine: how far it got.
  private(set) var standing = Standing()
  /// True if it is the last message read in its conversation.
  let isLastRead: Bool

  /// - Parameter account: the account of that name in this log; of nil, that of objects that name none.
  init(
    _ object: ImportedObject, account: (String?) throws(LineProblem) -> AccountRecord
  ) throws(LineProblem) {
    let account = try account(try object.text("account"))
    guard let time = try object.time("time") else { throw LineProblem("'time' is missing") }
    guard let text = try object.text("text") else { throw LineProblem("'text' is missing") }
    let kind = try object.kind()
    let sender = try ImportedSender(object, kind, own: account.jid)
    record = MessageRecord(account: account.number, jid: sender.conversation, peer: sender.address, time: time)
    (record.text, record.isHistory) = (text, true)
    record.setAuthor(sender, kind, occupant: try object.name("occupant"))
    (record.isMention, record.isIgnored) = (try object.flag("mention") ?? false, try object.flag("ignored") ?? false)
    isLastRead = try object.flag("read") ?? false
    try readIDs(object)
    try readDetails(object)
    record.details = try object.details(of: record, own: account.jid)
    record.removeRetracted()
    if sender.isMe { try readDelivery(object) }
  }

  /// How far it got, as a record about the message with this number and time.
  func delivery(of id: UInt64, at time: Int64) -> DeliveryRecord {
    var delivery = DeliveryRecord(
      account: record.account, jid: record.jid, time: time, id: id, state: standing.state, failure: standing.failure,
      inDoubt: standing.inDoubt)
    delivery.isHistory = true
    return delivery
  }

  /// Reads the ids by which the daemon recognises an archived copy. If a message of mine has no `stanza_id`, its
  /// `origin_id` serves.
  private mutating func readIDs(_ object: ImportedObject) throws(LineProblem) {
    let originID = try object.name("origin_id")
    record.stanzaID = try object.name("stanza_id") ?? (record.author.isMe ? originID : nil)
    record.originID = originID == record.stanzaID ? nil : originID
    record.archiveID = try object.name("archive_id")
    record.depth = try object.depth()
  }

  private mutating func readDetails(_ object: ImportedObject) throws(LineProblem) {
    record.subject = try object.text("subject")
    record.thread = try object.text("thread")
    record.language = try object.text("lang")
    record.delayed = try object.flag("delayed") ?? false
    record.isUnstyled = try object.flag("unstyled") ?? false
    record.claimedTime = try object.time("claimed_time")
    record.payloads = Array((try object.text("payloads") ?? "").utf8)
    guard let type = try object.text("type") else { return }
    guard ["chat", "normal", "headline"].contains(type) || type == "event" && record.isOfRoom else {
      throw LineProblem("'type' is \(TerminalText.quoted(type)); expected chat, normal or headline")
    }
    record.type = type
  }

  /// Whatever it says, nothing of it is ever sent from here.
  private mutating func readDelivery(_ object: ImportedObject) throws(LineProblem) {
    record.key = try object.key()
    standing.inDoubt = try object.flag("in_doubt") ?? false
    guard let word = try object.text("state") else { return }
    guard let state = DeliveryState.allCases.first(where: { $0.word == word }) else {
      throw LineProblem("'state' is \(TerminalText.quoted(word)), not a state of a message")
    }
    standing.state = state == .queued ? .failed : state
    guard standing.state == .failed else { return }
    let failure = try object.failure() ?? Failure(condition: "undefined-condition")
    standing.failure = state == .queued ? .madeUp : failure
  }
}

extension MessageRecord {
  /// Removes all that a retracted message says, whatever the file has of it: it is shown by nothing, and found by no search.
  /// Its ids stay.
  fileprivate mutating func removeRetracted() {
    guard let retraction = details?.change?.retraction else { return }
    (text, subject, thread, language, payloads, isUnstyled) = ("", nil, nil, nil, [], false)
    var (left, change) = (MessageDetails(), MessageChange(.retraction))
    (change.retraction, change.editIDs) = (retraction, details?.change?.editIDs ?? [])
    left.change = change
    details = left
  }
}

/// How far a message of mine got, as a file says or the log knows; by itself: it was sent.
struct Standing: Equatable {
  var state = DeliveryState.sent
  var failure: Failure?
  var inDoubt = false

  /// It was queued where it was exported: nobody knew yet whether it would leave.
  private var wasQueued: Bool { failure == .madeUp }

  /// True if the file's state of a message adds to the log's: the log knows only that the message was sent, or was
  /// queued when it was exported. A queued message has been sent since, unless an import was cut off before it recorded
  /// that.
  func isNews(to known: Standing, isCutOff: Bool) -> Bool {
    if known.wasQueued { return !wasQueued }
    guard known.state == .sent, !wasQueued || isCutOff else { return false }
    return state != .sent || inDoubt && !known.inDoubt
  }
}
