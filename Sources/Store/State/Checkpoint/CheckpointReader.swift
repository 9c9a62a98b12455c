package import Clocks
package import MessageLog
import Bytes
import Records

/// Reads the body of a checkpoint into an empty state.
struct CheckpointReader {
  private typealias Field = CheckpointField

  private let state: State
  /// The checkpoint; what it says of long conversations is left there.
  private let file: (any FileVersion)?
  fileprivate private(set) var free = PageAllocator.Free()

  fileprivate init(into state: State, _ file: (any FileVersion)?) { (self.state, self.file) = (state, file) }

  /// Reads up to the mark of the end.
  fileprivate mutating func read(_ reader: inout FieldReader) throws(FieldError) {
    while let field = try reader.next() {
      switch field {
      case Field.version: if try reader.uint() != Field.currentVersion { throw .malformed }
      case Field.record: try reader.message { inner throws(FieldError) in try readRecord(&inner) }
      case Field.conversation: try reader.message { inner throws(FieldError) in try readConversation(&inner) }
      case Field.freePages:
        free = try reader.message { inner throws(FieldError) in try PageAllocator.Free.read(&inner) }
      case Field.damage: state.damage = try reader.message { inner throws(FieldError) in try KnownDamage.read(&inner) }
      case Field.logRange:
        state.timeRanges.restore(try reader.message { inner throws(FieldError) in try LogRange.read(&inner) })
      case Field.end: return
      default: try readPart(field, of: reader)
      }
    }
    throw .truncated
  }

  private func readRecord(_ reader: inout FieldReader) throws(FieldError) {
    var kind: UInt8 = 0
    while let field = try reader.next() {
      if field == 1 { kind = try reader.uint(UInt8.self) }
      if field == 2 { state.apply(try Record(kind: kind, payload: try reader.bytes()), sequence: 0, location: 0) }
    }
  }

  private func readConversation(_ reader: inout FieldReader) throws(FieldError) {
    let conversation = try Conversation.read(&reader, gap: state.accounts.gap, pages: state.pages, in: file)
    state.accounts[conversation.account]?.conversations.adopt(conversation)
  }

  private func readPart(_ field: UInt32, of reader: borrowing FieldReader) throws(FieldError) {
    switch field {
    case Field.outbox: try readOutbox(reader)
    case Field.evicted: try readEvicted(reader)
    case Field.messageIDs: try readMessageIDs(reader)
    case Field.pendingReceipts:
      let (account, receipt) = try readReceipt(reader)
      account?.pendingReceipts.append(receipt)
    case Field.unpublishedReads:
      let (account, read) = try readReceipt(reader)
      account?.unpublishedReads.append(read)
    case Field.forgotten: try readForgotten(reader)
    case Field.writtenTo:
      var jid = ""
      try part(reader) { field, inner throws(FieldError) in if field == 2 { jid = try inner.string() } }?
        .contacts.writtenTo.insert(jid)
    case Field.waiting:
      var waiting = WaitingReferences()
      try part(reader) { field, inner throws(FieldError) in
        if field == 2 { try inner.message { change throws(FieldError) in try waiting.read(&change) } }
      }?.waiting = waiting
    case Field.failure: try readFailure(reader)
    default: throw .malformed
    }
  }

  /// Shows the fields of a part of an account but its number; returns the account.
  private func part(
    _ reader: borrowing FieldReader, _ take: (UInt32, borrowing FieldReader) throws(FieldError) -> Void
  ) throws(FieldError) -> AccountState? {
    try reader.message { inner throws(FieldError) in
      var account: AccountState?
      while let field = try inner.next() {
        if field == 1 { account = state.accounts[try inner.uint(UInt32.self)] } else { try take(field, inner) }
      }
      return account
    }
  }

  private func readOutbox(_ reader: borrowing FieldReader) throws(FieldError) {
    var entry = Outbox.Entry(id: 0, location: 0, jid: "", time: Timestamp(milliseconds: 0), transmitted: false)
    var position = Outbox.Position.order
    let account = try part(reader) { field, inner throws(FieldError) in
      if field == 13 {
        position = Outbox.Position(rawValue: try inner.uint(UInt8.self)) ?? .held
      } else {
        try entry.take(field, inner)
      }
    }
    account?.outbox.insert(entry, at: position)
  }

  private func readReceipt(
    _ reader: borrowing FieldReader
  ) throws(FieldError) -> (account: AccountState?, receipt: PendingReceipt) {
    var receipt = PendingReceipt(sequence: 0, id: 0, jid: "")
    let account = try part(reader) { field, inner throws(FieldError) in try receipt.take(field, inner) }
    return (account, receipt)
  }

  private func readForgotten(_ reader: borrowing FieldReader) throws(FieldError) {
    var (jid, history) = ("", Forgotten.History(last: 0))
    let account = try part(reader) { field, inner throws(FieldError) in
      if field == 2 { jid = try inner.string() } else { try history.take(field, inner) }
    }
    // A version that kept no time did not keep whom a domain's forgetting spared.
    if history.time == nil, !jid.contains("@") { history.mayHaveNewer = true }
    account?.forgotten[jid] = history
  }

  private func readFailure(_ reader: borrowing FieldReader) throws(FieldError) {
    var (id, failure) = (UInt64(0), Failure(condition: "undefined-condition"))
    let account = try part(reader) { field, inner throws(FieldError) in
      switch field {
      case 2: id = try inner.uint()
      case 3: failure.condition = try inner.string()
      case 4: failure.text = try inner.string()
      default: break
      }
    }
    account?.failures[id] = failure
  }

  private func readEvicted(_ reader: borrowing FieldReader) throws(FieldError) {
    var (unread, runs) = (0, [Run]())
    let account = try part(reader) { field, inner throws(FieldError) in
      if field == 2 { unread = Int(clamping: try inner.uint()) }
      if field == 3 { runs.append(try inner.message { run throws(FieldError) in try Run.read(&run) }) }
    }
    guard account?.conversations.restore(runs, unread: unread) ?? true else { throw .malformed }
  }

  private func readMessageIDs(_ reader: borrowing FieldReader) throws(FieldError) {
    var (recent, runs) = ([UInt8](), [Run]())
    let account = try part(reader) { field, inner throws(FieldError) in
      if field == 2 { recent = try inner.bytes() }
      if field == 3 { runs.append(try inner.message { run throws(FieldError) in try Run.read(&run) }) }
    }
    guard account?.messageIDs.restore(recent, runs) ?? true else { throw .malformed }
  }
}

extension State {
  /// State from a checkpoint's body; an error if this version did not write it whole.
  ///
  /// - Parameters:
  ///   - pages: those of the index beside it. Without the ones that the checkpoint names it is worth nothing.
  ///   - file: the checkpoint; what it says of long conversations is left there.
  package static func restored(
    from body: [UInt8], sequence: UInt64, gap: Interval, pages: IndexPages? = nil, in file: (any FileVersion)? = nil
  ) throws(IndexDamage) -> State {
    let state = State(gap: gap, pages: pages)
    var checkpoint = CheckpointReader(into: state, file)
    do throws(FieldError) {
      try FieldReader.read(body) { reader throws(FieldError) in try checkpoint.read(&reader) }
    } catch {
      throw IndexDamage(description: "it is of another version, or not whole: \(error)")
    }
    let free = checkpoint.free
    let pageCount = try pages?.pages(asOf: sequence) ?? 0
    guard free.end == 1 || free.end <= pageCount else {
      throw IndexDamage(description: "it is without its pages")
    }
    state.restored(to: sequence)
    pages?.restored(free, of: sequence)
    return state
  }
}
