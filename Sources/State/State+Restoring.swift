import Bytes
package import Clocks
import Conversations
package import MessageLog
import Records

/// Reading a checkpoint back.
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
    var free = PageAllocator.Free()
    do throws(FieldError) {
      try FieldReader.read(body) { reader throws(FieldError) in try state.read(&reader, &free, file) }
    } catch {
      throw IndexDamage(description: "it is of another version, or not whole: \(error)")
    }
    let pageCount = try pages?.pages(asOf: sequence) ?? 0
    guard free.end == 1 || free.end <= pageCount else {
      throw IndexDamage(description: "it is without its pages")
    }
    state.restored(to: sequence)
    pages?.restored(free, of: sequence)
    return state
  }

  /// Reads up to the mark of the end.
  private func read(
    _ reader: inout FieldReader, _ free: inout PageAllocator.Free, _ file: (any FileVersion)?
  ) throws(FieldError) {
    while let field = try reader.next() {
      switch field {
      case Field.version: if try reader.uint() != Self.checkpointVersion { throw .malformed }
      case Field.record: try reader.message { inner throws(FieldError) in try readRecord(&inner) }
      case Field.conversation: try reader.message { inner throws(FieldError) in try readConversation(&inner, file) }
      case Field.evicted: try reader.message { inner throws(FieldError) in try readEvicted(&inner) }
      case Field.freePages: free = try reader.message { inner throws(FieldError) in try Self.readFree(&inner) }
      case Field.outbox: try reader.message { inner throws(FieldError) in try readOutbox(&inner) }
      case Field.messageIDs: try reader.message { inner throws(FieldError) in try readMessageIDs(&inner) }
      case Field.pendingReceipts:
        let (account, entry) = try reader.message { inner throws(FieldError) in try Self.readPendingReceipt(&inner) }
        accounts[account]?.pendingReceipts.append(entry)
      case Field.unpublishedReads:
        let (account, entry) = try reader.message { inner throws(FieldError) in try Self.readPendingReceipt(&inner) }
        accounts[account]?.unpublishedReads.append(entry)
      case Field.forgotten: try reader.message { inner throws(FieldError) in try readForgotten(&inner) }
      case Field.writtenTo: try reader.message { inner throws(FieldError) in try readWrittenTo(&inner) }
      case Field.waiting: try reader.message { inner throws(FieldError) in try readWaiting(&inner) }
      case Field.refused: try reader.message { inner throws(FieldError) in try readRefused(&inner) }
      case Field.failure: try reader.message { inner throws(FieldError) in try readFailure(&inner) }
      case Field.damage: damage = try reader.message { inner throws(FieldError) in try KnownDamage.read(&inner) }
      case Field.logRange:
        timeRanges.restore(try reader.message { inner throws(FieldError) in try Self.readLogRange(&inner) })
      case Field.end: return
      default: throw .malformed
      }
    }
    throw .truncated
  }

  private func readRecord(_ reader: inout FieldReader) throws(FieldError) {
    var kind: UInt8 = 0
    while let field = try reader.next() {
      if field == 1 { kind = try reader.uint(UInt8.self) }
      if field == 2 { apply(try Record(kind: kind, payload: try reader.bytes()), sequence: 0, location: 0) }
    }
  }

  private func readConversation(_ reader: inout FieldReader, _ file: (any FileVersion)?) throws(FieldError) {
    let conversation = try Conversation.read(&reader, gap: gap, pages: pages, in: file)
    if let account = accounts[conversation.account] { adopt(conversation, into: account) }
  }

  private static func readFree(_ reader: inout FieldReader) throws(FieldError) -> PageAllocator.Free {
    var free = PageAllocator.Free()
    while let field = try reader.next() {
      if field == 1 { free.end = try reader.uint(UInt32.self) }
      if field == 2 { free.pages.append(try reader.uint(UInt32.self)) }
    }
    guard free.end > 0, free.pages.allSatisfy({ $0 > 0 && $0 < free.end }) else { throw .malformed }
    return free
  }

  private static func readLogRange(_ reader: inout FieldReader) throws(FieldError) -> LogRange {
    var first = LogLocation(packed: 0)
    var last: UInt32 = 0
    var earliest: Int64 = 0
    var latest: Int64 = 0
    while let field = try reader.next() {
      switch field {
      case 1: first = LogLocation(packed: try reader.uint())
      case 2: last = try reader.uint(UInt32.self)
      case 3: earliest = try reader.int()
      case 4: latest = try reader.int()
      default: break
      }
    }
    return LogRange(
      ordinal: first.ordinal, first: first.offset, last: last, earliest: Timestamp(milliseconds: earliest),
      latest: Timestamp(milliseconds: latest))
  }

  private func readOutbox(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    var entry = Outbox.Entry(id: 0, location: 0, jid: "", time: Timestamp(milliseconds: 0), transmitted: false)
    var isHeld = false
    var user: UInt32 = 0
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2:
        entry.id = try reader.uint()
        entry.order = entry.id
      case 3: entry.location = try reader.uint()
      case 4: entry.jid = try reader.string()
      case 5: entry.time = Timestamp(milliseconds: try reader.int())
      case 6: entry.transmitted = try reader.bool()
      case 7: entry.inDoubt = try reader.bool()
      case 8: entry.suspicions = try reader.uint(UInt8.self)
      case 9: entry.place = try reader.uint(UInt32.self)
      case 10: entry.expires = Timestamp(milliseconds: try reader.int())
      case 11: entry.heldUntil = Timestamp(milliseconds: try reader.int())
      case 12: entry.order = try reader.uint()
      case 13: isHeld = try reader.bool()
      case 14: entry.target = try reader.uint()
      case 15: entry.fileCount = Int(try reader.uint(UInt32.self))
      case 16: entry.isRewritten = try reader.bool()
      case 17: user = try reader.uint(UInt32.self)
      case 18: entry.share = QueueShare(user: user, units: Int(try reader.uint(UInt32.self)))
      default: break
      }
    }
    if isHeld { accounts[account]?.outbox.hold(entry) } else { accounts[account]?.outbox.append(entry) }
  }

  private static func readPendingReceipt(_ reader: inout FieldReader) throws(FieldError) -> (UInt32, PendingReceipt) {
    var account: UInt32 = 0
    var entry = PendingReceipt(sequence: 0, id: 0, jid: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: entry.sequence = try reader.uint()
      case 3: entry.id = try reader.uint()
      case 4: entry.jid = try reader.string()
      case 5: entry.isMarker = try reader.bool()
      default: break
      }
    }
    return (account, entry)
  }

  private func readRefused(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    while let field = try reader.next() {
      if field == 1 { account = try reader.uint(UInt32.self) }
      if field == 2 { accounts[account]?.refused = try reader.uint() }
    }
  }

  private func readFailure(_ reader: inout FieldReader) throws(FieldError) {
    var account: UInt32 = 0
    var id: UInt64 = 0
    var failure = Failure(condition: "undefined-condition")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: id = try reader.uint()
      case 3: failure.condition = try reader.string()
      case 4: failure.text = try reader.string()
      default: break
      }
    }
    accounts[account]?.setFailure(failure, of: id)
  }
}

extension State {
  fileprivate func readWrittenTo(_ reader: inout FieldReader) throws(FieldError) {
    var (account, jid): (UInt32, String) = (0, "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: jid = try reader.string()
      default: break
      }
    }
    accounts[account]?.writtenTo.insert(jid)
  }
}
