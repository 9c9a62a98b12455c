import Bytes
import Clocks
import Conversations
import MessageLog

/// A conversation as it lies on a page: found by its key, known by its JID.
struct SleepingRecord {
  /// A hash of the JID that nobody outside can know, and what orders records first.
  var key: UInt64
  /// The other side's bare JID, in UTF-8.
  var jid: [UInt8]
  /// The time of the newest message, milliseconds since 1970; `.min`: there is none.
  var newest: Int64
  /// What `Conversation.write` writes.
  var body: [UInt8]

  /// Bytes of one on a page, at most: what is longer stays in memory. Nobody else can make one so long: not by the longest
  /// JID (RFC 7622, section 3.1) and more messages than are worth a page of their own.
  static let longest = IndexFormat.pageSize / 2

  init(_ conversation: Conversation, key: UInt64) {
    self.key = key
    jid = Array(conversation.jid.utf8)
    newest = conversation.newest?.time.milliseconds ?? .min
    var writer = FieldWriter()
    conversation.write(into: &writer)
    body = writer.bytes
  }

  /// Reads what `write` wrote.
  init(_ reader: inout FieldReader) throws(FieldError) {
    (key, jid, newest, body) = (0, [], .min, [])
    while let field = try reader.next() {
      switch field {
      case 1: key = try reader.fixed64()
      case 2: newest = Int64(bitPattern: try reader.fixed64())
      case 3: jid = try reader.bytes()
      case 4: body = try reader.bytes()
      default: break
      }
    }
  }

  func write(into writer: inout FieldWriter) {
    writer.message(1) {
      $0.fixed64(1, key)
      $0.fixed64(2, UInt64(bitPattern: newest))
      $0.bytes(3, jid)
      $0.bytes(4, body)
    }
  }

  /// Bytes on a page, no less than they are.
  var size: Int { jid.count + body.count + 36 }

  /// Comes before another one.
  func precedes(_ other: SleepingRecord) -> Bool {
    key != other.key ? key < other.key : jid.lexicographicallyPrecedes(other.jid)
  }

  func isSame(as other: SleepingRecord) -> Bool { key == other.key && jid == other.jid }

  /// The key of a JID in a log. Strangers choose JIDs, and do not know the log's UUID.
  static func key(of jid: String, in log: LogUUID) -> UInt64 {
    let seed = log.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return TokenHash.mixed(TokenHash.of(jid, from: seed))
  }
}

/// What is kept in memory of a page of such records, which stand in their order.
struct SleepingPage: Hashable {
  /// The key of the first.
  var first: UInt64
  var page: IndexPage
  /// How many there are.
  var count: UInt16
  /// The time of the newest message of all.
  var newest: Int64

  /// The records on a page's bytes; nil where they are not sound.
  func records(_ bytes: [UInt8]) -> [SleepingRecord]? {
    var records: [SleepingRecord] = []
    records.reserveCapacity(Int(count))
    let isWhole = visit(bytes) { reader throws(FieldError) in
      records.append(try reader.message { inner throws(FieldError) in try SleepingRecord(&inner) })
    }
    return isWhole ? records : nil
  }

  /// The record of a JID; nil where there is none.
  func record(_ bytes: [UInt8], key: UInt64, jid: [UInt8]) -> SleepingRecord? {
    var found: SleepingRecord?
    _ = visit(bytes) { reader throws(FieldError) in
      guard try reader.message({ inner throws(FieldError) in try Self.key(&inner) }) == key else { return }
      let record = try reader.message { inner throws(FieldError) in try SleepingRecord(&inner) }
      if record.jid == jid { found = record }
    }
    return found
  }

  private static func key(_ reader: inout FieldReader) throws(FieldError) -> UInt64? {
    try reader.next() == 1 ? try reader.fixed64() : nil
  }

  /// Goes to each record; false where they are not all there.
  private func visit(_ bytes: [UInt8], _ body: (inout FieldReader) throws(FieldError) -> Void) -> Bool {
    let visited = try? FieldReader.read(bytes) { reader throws(FieldError) in
      var visited = 0
      while visited < Int(count), try reader.next() == 1 {
        try body(&reader)
        visited += 1
      }
      return visited
    }
    return visited == Int(count)
  }
}
