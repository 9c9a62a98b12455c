import Clocks
import Conversations
import State
import JSON
import LineProtocol
import MessageLog
import Records

/// `confab log export`: all messages in the order of their ids, as front ends see them, or as text for people. Sections
/// are those of the default gap. In addition each message has the ids by which a daemon recognises it in its server's
/// archive, its unknown elements, and whether it was the last one read. Drafts, what is set of conversations, and stanzas
/// without a text, are lines of their own. There are two passes, because a later record may decide a message's state, and whether it opens a
/// section. Between the passes most conversations are on pages of a temporary file without a name.
struct Export {
  private static let gap = Interval.hours(24)

  private let form: LogRequest.Form
  /// The bare JID of the only conversation that is exported; nil: all are.
  private let conversation: String?
  private let output: LineOutput
  private let complaints: LineOutput
  private let offset: (Timestamp) -> Int

  /// - Parameter offset: seconds east of UTC at a time, for people.
  init(
    _ form: LogRequest.Form, in conversation: String?, _ output: LineOutput, _ complaints: LineOutput,
    offset: @escaping (Timestamp) -> Int
  ) {
    self.conversation = conversation
    (self.form, self.output, self.complaints, self.offset) = (form, output, complaints, offset)
  }

  /// Exports; the exit status.
  func run(_ storage: any LogStorage) throws(LogCommandFailure) -> Int32 {
    do throws(RecoveryError) {
      let state = State(gap: Self.gap, pages: IndexPages(of: LogUUID.nobody, in: storage))
      var bound = BoundResources()
      var recovery = try Recovery(readingAllOf: storage)
      let log = try recovery.run { frame in
        state.apply(frame)
        state.eviction?.evictExcess()
        bound.note(frame)
      }
      let status = complaints.report(log.report)
      for account in state.accounts.unknown {
        complaints.line("confab log: the owner of account \(account.label) is unknown; its messages are exported")
      }
      if let conversation, !state.accounts.all.contains(where: { $0.conversations[conversation] != nil }) {
        complaints.line("confab log: no conversation with \(SafeText.clean(conversation))")
        return LogCommand.broken
      }
      switch form {
      case .jsonLines: try write(storage, log.index, state, bound)
      case .text: ExportedText(state, log.index, storage, output, offset: offset).write(conversation)
      }
      try state.checkPages()
      return status
    } catch {
      throw .log(error)
    }
  }

  private func write(
    _ storage: any LogStorage, _ index: LogIndex, _ state: State, _ last: BoundResources
  ) throws(RecoveryError) {
    let reader = LogReader(storage: storage) { _ in true }
    // Reads messages that were changed, behind the others.
    let others = LogReader(storage: storage, chunk: 4096) { _ in true }
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    // Before one is bound it is the last one: most accounts have the same for ever.
    var bound = last
    let names = names(of: state)
    do throws(StorageError) {
      try reader.read(&cursor, in: index) { frame in
        bound.note(frame)
        switch try? frame.record() {
        case .message(let message)?:
          guard conversation.map({ $0 == message.jid }) ?? true, !state.isForgotten(message, id: frame.sequence) else {
            break
          }
          var (object, isLastRead) = object(frame.sequence, message, state)
          object.account = names[message.account]
          guard let message = present(message, object, state, index, in: others) else { break }
          if let answered = answered(by: message, state, index, in: others) {
            object.writeAnswered = {
              answered.write(into: &$1)
              return !answered.isRetracted
            }
          }
          let edits = EarlierEdits(of: message) { others.message(numbered: $0, in: index) }
          write(message, object, edits, resource: bound.resource(of: message), isLastRead: isLastRead)
        case .payload(let stanza)?:
          if conversation == nil, !state.names(stanza, id: frame.sequence) {
            write(stanza, waits: state.waits(stanza, id: frame.sequence), names[stanza.account])
          }
        default: break
        }
        return output.isOpen
      }
    } catch {
      throw .storage(error)
    }
    writeDrafts(of: state, names)
    writeSettings(of: state, names)
  }

  /// A message as it stands now; nil if it turned out to be another text of an earlier one.
  private func present(
    _ message: MessageRecord, _ object: MessageObject, _ state: State, _ index: LogIndex, in reader: LogReader
  ) -> MessageRecord? {
    let timeline = state.existingConversation(message.account, message.jid)?.timeline
    guard let timeline, let row = timeline.row(ofTime: Timestamp(milliseconds: message.time), id: object.id) else {
      return message.details?.replaces == nil ? message : nil
    }
    return timeline[row].flags.contains(.changed) ? reader.message(timeline[row], in: index) : message
  }

  /// The message that another one answers, as it stands now; nil: it is not here.
  private func answered(
    by message: MessageRecord, _ state: State, _ index: LogIndex, in reader: LogReader
  ) -> AnsweredMessage? {
    guard let account = state.accounts[message.account], let reply = message.details?.reply, reply.message != 0,
      let timeline = account.conversations[message.jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: reply.time), id: reply.message),
      let answered = reader.message(timeline[row], in: index)
    else { return nil }
    let from = answered.mine && !answered.elsewhere ? account.record.jid : answered.peer
    var shown = AnsweredMessage(id: reply.message, from: from, text: answered.text)
    shown.isRetracted = answered.details?.change?.retraction != nil
    return shown
  }

  private func writeDrafts(of state: State, _ names: [UInt32: QuotedText]) {
    for account in state.accounts.all {
      for jid in conversation.map({ [$0] }) ?? account.conversations.jids where output.isOpen {
        guard let draft = account.conversations[jid]?.draft, !draft.isEmpty else { continue }
        writeLine {
          $0.member("conversation", jid)
          if let name = names[account.number] { $0.member("account", name) }
          $0.member("draft", draft)
        }
      }
    }
  }

  private func writeSettings(of state: State, _ names: [UInt32: QuotedText]) {
    for account in state.accounts.all {
      for settings in account.settings.byJID.values.sorted(by: { $0.jid < $1.jid })
      where output.isOpen && conversation ?? settings.jid == settings.jid {
        writeLine {
          $0.member("conversation", settings.jid)
          if let name = names[account.number] { $0.member("account", name) }
          settings.write(into: &$0)
        }
      }
    }
  }

  /// Writes a stanza without a text, which a later version may understand.
  private func write(_ stanza: PayloadRecord, waits: Bool, _ account: QuotedText?) {
    writeLine {
      if let account { $0.member("account", account) }
      $0.member("time", Timestamp(milliseconds: stanza.time))
      $0.member("stanza", String(decoding: stanza.xml, as: UTF8.self))
      if let id = stanza.archiveID { $0.member("archive_id", id) }
      if waits, let hash = stanza.waitsFor { $0.member("waits_for", String(hash)) }
      if stanza.depth > 0 { $0.member("depth", stanza.depth) }
    }
  }

  private func writeLine(_ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginObject()
    body(&writer)
    writer.endObject()
    output.write(bytes: SafeText.json(writer.bytes) + [0x0A])
  }

  /// What accounts are called where there are several. An older one whose name is another's, too, is called by its JID: else
  /// an import took its messages for the other's.
  private func names(of state: State) -> [UInt32: QuotedText] {
    guard state.accounts.byNumber.count > 1 else { return [:] }
    return state.accounts.byNumber.mapValues { account in
      let record = account.record
      let isOld = state.accounts.all.contains { $0.record.name == record.name && $0.number > record.number }
      return QuotedText(isOld && !record.jid.isEmpty ? record.jid : account.label)
    }
  }

  /// The message as front ends see it, and whether it is the last one read.
  private func object(_ id: UInt64, _ message: MessageRecord, _ state: State) -> (MessageObject, isLastRead: Bool) {
    var object = MessageObject(id: id)
    let account = state.accounts[message.account]
    object.ownJID = account.map { QuotedText($0.record.jid) }
    if !message.mine { object.nick = account?.shownName(of: message.jid) }
    guard let conversation = account?.conversations[message.jid],
      let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: message.time), id: id)
    else { return (object, false) }
    let (timeline, isLastRead) = (conversation.timeline, conversation.isLastRead(row: row))
    object.placement = timeline.placements(of: row..<row + 1).first
    guard message.mine else { return (object, isLastRead) }
    let flags = timeline[row].flags
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
      edits.write(into: &$0)
      if let resource { $0.member("resource", resource) }
      writeIDs(of: message, into: &$0)
      message.details?.writeHashes(into: &$0)
      if !message.payloads.isEmpty { $0.member("payloads", String(decoding: message.payloads, as: UTF8.self)) }
      if isLastRead { $0.member("read", true) }
    }
  }

  /// Where no origin-id of mine is stated, it is the stanza's.
  private func writeIDs(of message: MessageRecord, into writer: inout JSONWriter) {
    if let id = message.stanzaID, id != message.effectiveOriginID { writer.member("stanza_id", id) }
    if let id = message.archiveID { writer.member("archive_id", id) }
    if let reply = message.details?.reply { writer.member("reply_id", reply.stanzaID) }
    if let id = message.details?.replaces { writer.member("replaces", id) }
    if message.depth > 0 { writer.member("depth", message.depth) }
  }
}

/// By which resource each account sends, as the server shows it to others and in its archive: the one that was bound last.
private struct BoundResources {
  private var resources: [UInt32: String] = [:]

  mutating func note(_ frame: borrowing LogFrame) {
    guard frame.kind == RecordKind.stream.rawValue, case .stream(let stream)? = try? frame.record(),
      let jid = stream.beginning?.jid, let slash = jid.utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return }
    resources[stream.account] = String(jid[jid.utf8.index(after: slash)...])
  }

  func resource(of message: MessageRecord) -> String? {
    message.mine && !message.elsewhere ? resources[message.account] : nil
  }
}
