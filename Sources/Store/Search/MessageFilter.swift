import Bytes
import Clocks
import Timelines
import MessageLog
import Records

/// Decides over records in the log, without making anything of them that is not needed.
struct MessageFilter {
  let query: SearchQuery
  private let conversation: [UInt8]?
  private let sender: [UInt8]?

  init(_ query: SearchQuery) {
    self.query = query
    conversation = query.conversation.map { Array($0.utf8) }
    sender = query.sender.map { Array($0.utf8) }
  }

  /// The fields of a record that the filter needs, without its text.
  private struct Facts {
    var account = MessageRecord.usualAccount
    var time: Int64 = 0
    var flags: UInt64 = 0
    var depth: UInt32 = 0
    /// The message that a change changes; nil for a message.
    var target: UInt64?
    /// The peer's bare JID is the conversation, or the sender, that is wanted.
    var isWithPeer = false
    var isFromPeer = false
    /// The conversation that is stated, if one is, is the one that is wanted.
    var isStated: Bool?
  }

  /// The message's account and place in the order, where it is one that is wanted; its text is not looked at.
  func candidate(_ frame: borrowing LogFrame) -> (account: UInt32, key: Entry.Key)? {
    guard RecordKind.isMessage(frame.kind), let facts = facts(of: frame),
      !MessageRecord.isIgnored(flags: facts.flags), let own = query.jid(of: facts.account)
    else { return nil }
    if conversation != nil, !(facts.isStated ?? facts.isWithPeer) { return nil }
    let isMine = MessageRecord.isMine(flags: facts.flags)
    if sender != nil, !(isMine ? own == query.sender : facts.isFromPeer) { return nil }
    let order = MessageRecord.archiveOrder(
      isStamped: MessageRecord.isStamped(flags: facts.flags), depth: facts.depth)
    let key = Entry.Key(
      time: Timestamp(milliseconds: facts.time), id: facts.target ?? frame.sequence, archiveOrder: order)
    return query.admits(key) ? (facts.account, key) : nil
  }

  private func facts(of frame: borrowing LogFrame) -> Facts? {
    try? frame.withFields(RecordKind.leadingFields(of: frame.kind)) { reader throws(FieldError) in
      var facts = Facts()
      while let number = try reader.next() {
        switch number {
        case 1: facts.account = try reader.uint(UInt32.self)
        case 2: facts.time = try reader.int()
        case 3: facts.flags = try reader.uint()
        case 4:
          if let conversation { facts.isWithPeer = reader.withBytes { Self.isBare(conversation, of: $0) } ?? false }
          if let sender { facts.isFromPeer = reader.withBytes { Self.isBare(sender, of: $0) } ?? false }
        case 5:
          if let conversation { facts.isStated = reader.withBytes { Self.isEqual(conversation, $0) } ?? false }
        case 20: facts.depth = try reader.uint(UInt32.self)
        case 25: facts.target = try reader.uint()
        default: break
        }
      }
      return facts
    }
  }

  /// True if the text of a message matches.
  func holds(_ frame: borrowing LogFrame, _ matcher: TextMatcher) -> Bool {
    let holds = try? frame.withFields(RecordKind.leadingFields(of: frame.kind)) { reader throws(FieldError) in
      while let number = try reader.next() {
        if number == 6 { return reader.withBytes { matcher.matches($0) } ?? false }
      }
      return false
    }
    return holds ?? false
  }

  private static func isBare(_ jid: [UInt8], of peer: RawSpan) -> Bool {
    let count = jid.count
    guard peer.byteCount >= count, isEqual(jid, peer.extracting(first: count)) else { return false }
    return peer.byteCount == count || peer.extracting(droppingFirst: count).isAt(UInt8(ascii: "/"))
  }

  private static func isEqual(_ bytes: [UInt8], _ other: RawSpan) -> Bool {
    unsafe bytes.count == other.byteCount && other.withUnsafeBytes { unsafe $0.elementsEqual(bytes) }
  }
}

extension RawSpan {
  /// True if the text begins with this byte.
  fileprivate func isAt(_ byte: UInt8) -> Bool { unsafe withUnsafeBytes { unsafe $0.first == byte } }
}
