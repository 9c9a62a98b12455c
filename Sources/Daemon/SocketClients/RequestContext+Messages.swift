import ConfabAccounts
import Clocks
import Timelines
import State
import JSON
import LineProtocol
import MessageLog
package import Records
import Search
import ConfabConfiguration
import XMPPCore

/// From ids, keys and rows to messages.
extension RequestContext {
  /// The message with an id; nil where that record is none, or is hidden.
  package func message(_ id: UInt64) -> MessageRecord? {
    records.message(id).flatMap { state.isForgotten($0, id: id) ? nil : $0 }
  }

  /// The earlier message of this account with the same idempotency key, sent by the same socket: each `[socket NAME]`
  /// has keys of its own, so that nobody learns or is kept from anything by a key of another.
  func message(
    withKey key: String, of account: Account, _ socket: String?
  ) throws(RequestFailure) -> (id: UInt64, message: MessageRecord)? {
    for id in account.state.key(key, of: socket) {
      let found = records.keyed(id, key)
      try checkRead()
      guard let message = found, message.sender?.socket == socket else { continue }
      return isRecent(message.time) ? (id, message) : nil
    }
    return nil
  }

  /// The message with this key was erased: all that is known of it is that there was one; its id.
  func erased(
    withKey key: String, of account: Account, _ socket: String?
  ) throws(RequestFailure) -> UInt64? {
    let hash = MessageIDHash.of(key: key, of: socket)
    for id in account.state.key(key, of: socket) {
      let found = records.record(id)
      try checkRead()
      guard case .erased(let erased)? = found, erased.key == hash else { continue }
      return isRecent(erased.time ?? 0) ? id : nil
    }
    return nil
  }

  /// Fails if the disk did not give the record that was asked for last: whether a key is new is not known then.
  private func checkRead() throws(RequestFailure) {
    if let failure = records.failure { throw RequestFailure(.storage, "the log cannot be read: \(failure)") }
  }

  /// True if an idempotency key of this time is still valid.
  private func isRecent(_ milliseconds: Int64) -> Bool {
    effects.now.wall - Timestamp(milliseconds: milliseconds) <= keyLifetime
  }

  /// The message of mine that a request names, where who asks may know of it. A hidden one counts as long as it waits
  /// to be sent.
  func ownMessage(
    _ request: Request, of client: Client
  ) throws(RequestFailure) -> (id: UInt64, message: MessageRecord) {
    guard let id = request.id(.id) else { throw RequestFailure(.badArgument, "the id is missing", argument: "id") }
    guard let message = message(id) ?? waiting(id), isVisible(message, to: request), client.socket.mayFollow(message)
    else { throw RequestFailure(.notFound, "no message has the id \(id)", argument: "id") }
    guard message.author.isMe else {
      throw RequestFailure(.badArgument, "message \(id) was not sent by me", argument: "id")
    }
    return (id, message)
  }

  /// The message with an id, hidden or not, that waits to be sent.
  private func waiting(_ id: UInt64) -> MessageRecord? {
    records.message(id).flatMap { state.accounts[$0.account]?.outbox.entry(id) == nil ? nil : $0 }
  }

  /// The row of a message in a conversation; throws `not-found` if it is not one of its messages.
  func row(of id: UInt64, in conversation: Conversation, argument: String) throws(RequestFailure) -> Int {
    // Without the log, where the message would have to be looked for.
    if let row = conversation.timeline.likelyRow(ofID: id) { return row }
    if let message = message(id), message.account == conversation.account, message.jid == conversation.jid,
      let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: message.time), id: id)
    {
      return row
    }
    throw RequestFailure(
      .notFound, "message \(id) is not in the conversation with \(conversation.jid)", argument: argument)
  }

  /// The request's `account=` does not exclude it.
  func isVisible(_ message: MessageRecord, to request: Request) -> Bool {
    request.account == nil || (try? account(of: request))?.number == message.account
  }

  /// How far a message of mine got.
  func status(of id: UInt64, at place: MessagePlace) -> DeliveryStatus {
    if place.isChange { return status(ofChange: id, place) }
    guard let account = state.accounts[place.account], let conversation = account.conversations[place.jid],
      let row = conversation.timeline.row(ofTime: place.time, id: id)
    else { return hiddenStatus(of: id, place) }
    let flags = conversation.timeline[row].flags
    return DeliveryStatus(state: flags.state, failure: account.failures[id], inDoubt: flags.contains(.inDoubt))
  }

  /// The status of a sent change: only clients that waited for it learn if it arrived.
  private func status(ofChange id: UInt64, _ place: MessagePlace) -> DeliveryStatus {
    let account = state.accounts[place.account]
    if let entry = account?.outbox.entry(id) { return DeliveryStatus(state: .queued, inDoubt: entry.inDoubt) }
    let failure = account?.failures[id]
    return DeliveryStatus(state: failure == nil ? .sent : .failed, failure: failure)
  }

  /// The status of a hidden message: it waits, arrived or failed, and no more is known.
  private func hiddenStatus(of id: UInt64, _ place: MessagePlace) -> DeliveryStatus {
    guard let account = state.accounts[place.account], account.forgotten.hides(id, of: place.jid),
      account.outbox.entry(id) == nil
    else { return DeliveryStatus(state: .queued) }
    let failure = account.failures[id]
    return DeliveryStatus(state: failure == nil ? .sent : .failed, failure: failure)
  }

  /// The context that the messages of a conversation share in front ends, as of now.
  func surroundings(account number: UInt32, _ jid: String) -> Surroundings {
    let account = state.accounts[number]
    var object = MessageObject(id: 0)
    object.conversation = QuotedText(jid)
    object.account = shownName(of: number).map(QuotedText.init)
    object.nick = account?.shownName(of: jid)
    object.ownJID = account.map { QuotedText($0.record.jid) }
    object.writeSpans = emoticons.spanWriter(naming: (account?.contacts[jid]?.name).map { [($0, jid)] } ?? [])
    var surroundings = Surroundings(context: self, account: account, nick: object.nick, jid: jid, object: object)
    surroundings.readers = readers(of: jid, account)
    return surroundings
  }

  /// How far others in a room have displayed it; in larger ones nobody's marker is shown.
  private func readers(of jid: String, _ account: AccountState?) -> [RoomReaderRecord] {
    guard let account, let known = account.roomReaders.byRoom[jid] else { return [] }
    let isLarge = accounts.numbered(account.number)?.parts.messaging.rooms[jid]?.isLarge ?? false
    return isLarge ? [] : known.filter { !$0.isMine }
  }

  /// True if the record that a search found is the message's present one.
  func isPresent(_ hit: SearchHit) -> Bool {
    guard let message = records.written(hit.number, at: hit.location),
      let timeline = state.existingConversation(hit.account, message.jid)?.timeline,
      let row = timeline.row(ofTime: hit.key.time, id: hit.key.id)
    else { return false }
    return timeline[row].location == hit.location
  }

  /// Writes the message that another one of the conversation answers, as it stands now.
  fileprivate func writeAnswered(
    by reply: MessageReply, of account: AccountState, in jid: String, into writer: inout JSONWriter
  ) -> Bool {
    var mayQuote = true
    // Messages that are answered on one page mostly stand close behind each other.
    if let (id, entry) = place(of: reply, account, jid),
      records.withMessage(
        entry, ahead: HistoryPage.closeBy, in: storage.queue.index,
        { mayQuote = AnsweredMessage.write(id, $0, own: account.record.jid, into: &writer) })
    {
      return mayQuote
    }
    AnsweredMessage(notHere: reply).write(into: &writer)
    return true
  }

  /// The message that a reply answers; it may have come after the reply.
  private func place(of reply: MessageReply, _ account: AccountState, _ jid: String) -> (UInt64, Entry)? {
    guard let timeline = account.conversations[jid]?.timeline else { return nil }
    if reply.message != 0 {
      let row = timeline.row(ofTime: Timestamp(milliseconds: reply.time), id: reply.message)
      if let row { return (reply.message, timeline[row]) }
    }
    return account.messageIDs.ids(.copy, MessageIDHash.ofNamed(reply.stanzaID, in: jid)).prefix(4).lazy
      .compactMap { self.place(ofAnswered: $0, reply.stanzaID, jid, timeline) }.first
  }

  private func place(
    ofAnswered id: UInt64, _ stanzaID: String, _ jid: String, _ timeline: Timeline
  ) -> (UInt64, Entry)? {
    guard let record = records.record(id), record.isNamed(stanzaID, in: jid), let message = records.changed(id) else {
      return nil
    }
    let first = message.target ?? id
    return timeline.row(ofTime: Timestamp(milliseconds: message.time), id: first).map { (first, timeline[$0]) }
  }
}

/// The values that the messages of one conversation have in common for a front end.
struct Surroundings {
  fileprivate let context: RequestContext
  fileprivate let account: AccountState?
  fileprivate let nick: ShownName?
  fileprivate let jid: String
  /// The object of the message that it was turned to last: one for all of a page.
  private var object: MessageObject
  /// Others in a small room, and how far they have displayed it.
  fileprivate var readers: [RoomReaderRecord] = []

  fileprivate init(
    context: RequestContext, account: AccountState?, nick: ShownName?, jid: String, object: MessageObject
  ) {
    (self.context, self.account, self.nick, self.jid, self.object) = (context, account, nick, jid, object)
  }

  /// Writes the members of a message of the conversation.
  mutating func write(
    _ entry: Entry, _ message: borrowing MessageView, _ placement: Placement, into writer: inout JSONWriter
  ) {
    turn(to: entry, isMine: message.isMine, placement: placement, hasDetails: message.hasDetails)
    object.writeMembers(of: message, into: &writer)
  }

  /// Makes `object` that of a message of the conversation.
  private mutating func turn(to entry: Entry, isMine: Bool, placement: Placement?, hasDetails: Bool) {
    if hasDetails, object.writeAnswered == nil { object.writeAnswered = answerWriter }
    let state = isMine ? entry.flags.state : nil
    (object.id, object.time) = (entry.id, entry.time)
    object.placement = placement
    if !readers.isEmpty {
      object.readers = readers.filter { $0.covers(entry.id, at: entry.time.milliseconds) }.map(\.nick)
    }
    object.nick = isMine ? nil : nick
    object.state = state
    object.inDoubt = isMine && entry.flags.contains(.inDoubt)
    object.isHistory = entry.flags.contains(.history)
    object.setHeld(state == .queued ? account?.outbox.held[entry.id] : nil)
    object.failure = state == .failed ? account?.failures[entry.id] : nil
  }

  /// The object of a message at a row of the conversation.
  func object(
    at row: Int, in timeline: Timeline, of message: borrowing some DetailedMessage & ~Copyable
  ) -> MessageObject {
    var surroundings = self
    let placement = timeline.placements(of: row..<row + 1).first
    surroundings.turn(
      to: timeline[row], isMine: message.isMine, placement: placement, hasDetails: message.hasDetails)
    return surroundings.object
  }

  /// Writes the message that one of the conversation answers; made where one may answer.
  private var answerWriter: AnsweredMessage.Writer? {
    account.map { [context, jid] account in
      { context.writeAnswered(by: $0, of: account, in: jid, into: &$1) }
    }
  }
}
