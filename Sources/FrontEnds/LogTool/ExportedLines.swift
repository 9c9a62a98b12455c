import ConfabClient
import Clocks
import Timelines
import JSON
import LineProtocol
import MessageLog
import Records
import State

/// `confab log export`: messages in the order of their ids, an object a line. Sections are those of the default gap. In addition
/// each message has the kind of its conversation, where that is not with a person, the ids by which a daemon recognises it in its server's archive, its unknown elements, and whether it was
/// the last one read. Drafts, what is set of conversations, and stanzas without a text, are lines of their own.
struct ExportedLines {
  private let state: State
  private let index: LogIndex
  private let storage: any LogStorage
  private let output: LineOutput
  /// The bare JID of the only conversation that is written; nil: all are.
  private let only: String?
  /// Names of the accounts, where there are several.
  private let names: [UInt32: QuotedText]
  /// The JIDs of the accounts whose owner is known.
  private let owners: [UInt32: QuotedText]
  /// Reads messages that were changed, behind the others.
  private let others: LogReader

  init(_ state: State, _ index: LogIndex, _ storage: any LogStorage, _ output: LineOutput, of only: String?) {
    (self.state, self.index, self.storage, self.output, self.only) = (state, index, storage, output, only)
    names = Self.names(of: state)
    owners = state.accounts.byNumber.compactMapValues { $0.record.jid.isEmpty ? nil : QuotedText($0.record.jid) }
    others = LogReader(storage: storage, chunk: 4096) { _ in true }
  }

  /// - Parameter last: the resources that were bound last. Before one is bound they hold: most accounts have the same for ever.
  func write(_ last: BoundResources) throws(RecoveryError) {
    var bound = last
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    do throws(StorageError) {
      try LogReader(storage: storage, passesOver: { _ in true }).read(&cursor, in: index) { frame in
        bound.note(frame)
        switch try? frame.record() {
        case .message(let message)?: write(message, id: frame.sequence, bound)
        case .payload(let stanza)?: write(stanza, id: frame.sequence)
        default: break
        }
        return output.isOpen
      }
    } catch {
      throw .storage(error)
    }
    writeDrafts()
    writeSettings()
  }

  private func write(_ written: MessageRecord, id: UInt64, _ bound: BoundResources) {
    guard only ?? written.jid == written.jid, !state.isForgotten(written, id: id) else { return }
    var (object, isLastRead) = object(id, written)
    object.account = names[written.account]
    guard let message = present(written, object) else { return }
    if let answered = answered(by: message) {
      object.writeAnswered = {
        answered.write(into: &$1)
        return !answered.isRetracted
      }
    }
    let edits = EarlierEdits(of: message) { try? others.message(numbered: $0, in: index) }
    write(message, object, edits, resource: bound.resource(of: message), isLastRead: isLastRead)
  }

  /// A message as it is now; nil if it turned out to be another text of an earlier one.
  private func present(_ message: MessageRecord, _ object: MessageObject) -> MessageRecord? {
    let timeline = state.existingConversation(message.account, message.jid)?.timeline
    guard let timeline, let row = timeline.row(ofTime: Timestamp(milliseconds: message.time), id: object.id) else {
      return message.details?.replaces == nil ? message : nil
    }
    return timeline[row].flags.contains(.changed) ? try? others.message(timeline[row], in: index) : message
  }

  /// The message that another one answers, as it is now; nil: it is not here.
  private func answered(by message: MessageRecord) -> AnsweredMessage? {
    guard let account = state.accounts[message.account], let reply = message.details?.reply, reply.message != 0,
      let timeline = account.conversations[message.jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: reply.time), id: reply.message),
      let answered = try? others.message(timeline[row], in: index)
    else { return nil }
    let from = answered.author == .thisDevice ? account.record.jid : answered.peer
    var shown = AnsweredMessage(id: reply.message, from: from, text: answered.text)
    shown.isRetracted = answered.details?.change?.retraction != nil
    return shown
  }

  private func writeDrafts() {
    for account in state.accounts.all {
      for jid in only.map({ [$0] }) ?? account.conversations.jids where output.isOpen {
        guard let draft = account.conversations[jid]?.draft, !draft.isEmpty else { continue }
        writeLine {
          $0.member("conversation", jid)
          writeAccount(account.number, into: &$0)
          $0.member("draft", draft)
        }
      }
    }
  }

  private func writeSettings() {
    for account in state.accounts.all {
      for settings in account.settings.byJID.values.sorted(by: { $0.jid < $1.jid })
      where output.isOpen && only ?? settings.jid == settings.jid {
        writeLine {
          $0.member("conversation", settings.jid)
          writeAccount(account.number, into: &$0)
          settings.write(into: &$0)
        }
      }
    }
  }

  /// Writes a stanza without a text, which a later version may understand.
  private func write(_ stanza: PayloadRecord, id: UInt64) {
    guard only == nil, !state.names(stanza, id: id) else { return }
    let waits = state.waits(stanza, id: id)
    writeLine {
      writeAccount(stanza.account, into: &$0)
      $0.member("time", Timestamp(milliseconds: stanza.time))
      $0.member("stanza", String(decoding: stanza.xml, as: UTF8.self))
      if let id = stanza.archiveID { $0.member("archive_id", id) }
      if waits, let hash = stanza.waitsFor { $0.member("waits_for", String(hash)) }
      if stanza.depth > 0 { $0.member("depth", stanza.depth) }
    }
  }

  /// Names the account, where there are several, and whose it is.
  private func writeAccount(_ number: UInt32, into writer: inout JSONWriter) {
    if let name = names[number] { writer.member("account", name) }
    if let owner = owners[number] { writer.member("account_jid", owner) }
  }

  private func writeLine(_ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginObject()
    body(&writer)
    writer.endObject()
    output.write(bytes: TerminalText.cleanJSON(writer.bytes) + [0x0A])
  }

  /// Names of the accounts, where there are several. An older one whose name is another's, too, is called by its JID: else
  /// an import took its messages for the other's.
  private static func names(of state: State) -> [UInt32: QuotedText] {
    guard state.accounts.byNumber.count > 1 else { return [:] }
    return state.accounts.byNumber.mapValues { account in
      let record = account.record
      let isOld = state.accounts.all.contains { $0.record.name == record.name && $0.number > record.number }
      return QuotedText(isOld && !record.jid.isEmpty ? record.jid : account.label)
    }
  }

  /// The message as front ends see it, and whether it is the last one read.
  private func object(_ id: UInt64, _ message: MessageRecord) -> (MessageObject, isLastRead: Bool) {
    var object = MessageObject(id: id)
    let account = state.accounts[message.account]
    object.ownJID = account.map { QuotedText($0.record.jid) }
    if !message.isMine { object.nick = account?.shownName(of: message.jid) }
    guard let conversation = account?.conversations[message.jid],
      let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: message.time), id: id)
    else { return (object, false) }
    let (timeline, isLastRead) = (conversation.timeline, conversation.isLastRead(row: row))
    object.placement = timeline.placements(of: row..<row + 1).first
    guard message.author.isMe else { return (object, isLastRead) }
    let flags = timeline[row].flags
    object.time = timeline[row].time
    (object.state, object.inDoubt) = (flags.state, flags.contains(.inDoubt))
    if flags.state == .failed { object.failure = account?.failures[id] }
    if flags.state == .queued { object.setHeld(account?.outbox.held[id]) }
    return (object, isLastRead)
  }

  private func write(
    _ message: MessageRecord, _ object: MessageObject, _ edits: EarlierEdits, resource: String?,
    isLastRead: Bool
  ) {
    writeLine {
      object.writeMembers(of: message, into: &$0)
      if let kind = message.kind.word { $0.member("kind", kind) }
      if message.kind == .occupant, message.author.isMe, let id = message.occupantID { $0.member("occupant", id) }
      edits.write(into: &$0)
      if let resource { $0.member("resource", resource) }
      writeIDs(of: message, into: &$0)
      message.details?.writeHashes(into: &$0)
      if !message.payloads.isEmpty { $0.member("payloads", String(decoding: message.payloads, as: UTF8.self)) }
      if let owner = owners[message.account] { $0.member("account_jid", owner) }
      if isLastRead { $0.member("read", true) }
    }
  }

  /// Writes the ids of a message; `stanza_id` is left out if it equals the effective origin-id.
  private func writeIDs(of message: MessageRecord, into writer: inout JSONWriter) {
    if let id = message.stanzaID, id != message.effectiveOriginID { writer.member("stanza_id", id) }
    if let id = message.archiveID { writer.member("archive_id", id) }
    if let reply = message.details?.reply { writer.member("reply_id", reply.stanzaID) }
    if let id = message.details?.replaces { writer.member("replaces", id) }
    if message.depth > 0 { writer.member("depth", message.depth) }
  }
}
