import Bytes
import Clocks
import Timelines
import MessageLog

/// A conversation as it lies on a page: found by its key, known by its JID.
struct EvictedRecord: RunRecord {
  /// A hash of the JID that nobody outside can know, and what orders records first.
  var key: UInt64
  /// The other side's bare JID, in UTF-8.
  var jid: [UInt8]
  /// The time of the newest message, milliseconds since 1970; `.min`: there is none.
  var rank: Int64
  /// The output of `Conversation.write`.
  var body: [UInt8]

  /// The longest record on a page, in bytes: longer ones stay in memory. Strangers cannot make one so long: neither the
  /// longest JID (RFC 7622, section 3.1) nor many messages do, since those get a page of their own.
  static let longest = IndexFormat.pageSize / 2

  init(_ conversation: Conversation, key: UInt64) {
    self.key = key
    jid = Array(conversation.jid.utf8)
    rank = conversation.newest?.time.milliseconds ?? .min
    var writer = FieldWriter()
    conversation.write(into: &writer)
    body = writer.bytes
  }

  /// Reads what `write` wrote.
  init(_ reader: inout FieldReader) throws(FieldError) {
    (key, jid, rank, body) = (0, [], .min, [])
    while let field = try reader.next() {
      switch field {
      case 1: key = try reader.fixed64()
      case 2: rank = Int64(bitPattern: try reader.fixed64())
      case 3: jid = try reader.bytes()
      case 4: body = try reader.bytes()
      default: break
      }
    }
  }

  func write(into writer: inout FieldWriter) {
    writer.message(1) {
      $0.fixed64(1, key)
      $0.fixed64(2, UInt64(bitPattern: rank))
      $0.bytes(3, jid)
      $0.bytes(4, body)
    }
  }

  /// Bytes on a page, no less than they are.
  var size: Int { jid.count + body.count + 36 }

  func precedes(_ other: EvictedRecord) -> Bool {
    key != other.key ? key < other.key : jid.lexicographicallyPrecedes(other.jid)
  }

  func isSame(as other: EvictedRecord) -> Bool { key == other.key && jid == other.jid }

  /// The key of a JID in a log. Strangers choose JIDs, and do not know the log's UUID.
  static func key(of jid: String, in log: LogUUID) -> UInt64 {
    let seed = log.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return MessageIDHash.mixed(MessageIDHash.of(jid, from: seed))
  }
}

// Records on a page: 1 (many) a record, behind 2 their number.
extension EvictedRecord {
  static var mostOfKey: Int { .max }

  struct Extent: RunPageExtent {
    /// Some bytes for the number of records.
    private(set) var size = 4

    mutating func add(_ record: EvictedRecord) { size += record.size }
  }

  static func pack(_ records: [EvictedRecord], _ extent: Extent) -> [UInt8] {
    var writer = FieldWriter()
    writer.uint(2, UInt64(records.count))
    for record in records { record.write(into: &writer) }
    return writer.bytes + Array(repeating: 0, count: IndexFormat.pageSize - writer.bytes.count)
  }

  static func unpack(_ page: [UInt8]) throws(FieldError) -> [EvictedRecord] {
    var records: [EvictedRecord] = []
    _ = try visit(page) { reader throws(FieldError) in
      records.append(try reader.message { inner throws(FieldError) in try EvictedRecord(&inner) })
      return true
    }
    return records
  }

  static func visit(_ key: UInt64, on page: [UInt8], _ body: (EvictedRecord) -> Bool) throws(FieldError) -> Bool {
    try visit(page) { reader throws(FieldError) in
      guard try reader.message({ inner throws(FieldError) in try Self.key(&inner) }) == key else { return true }
      return body(try reader.message { inner throws(FieldError) in try EvictedRecord(&inner) })
    }
  }

  private static func key(_ reader: inout FieldReader) throws(FieldError) -> UInt64? {
    try reader.next() == 1 ? try reader.fixed64() : nil
  }

  /// Goes to each record until `body` returns false; whether all had their turn.
  private static func visit(
    _ page: [UInt8], _ body: (inout FieldReader) throws(FieldError) -> Bool
  ) throws(FieldError) -> Bool {
    try FieldReader.read(page) { reader throws(FieldError) in
      guard try reader.next() == 2 else { throw .malformed }
      for _ in 0..<(try reader.uint()) {
        guard try reader.next() == 1 else { throw .malformed }
        if !(try body(&reader)) { return false }
      }
      return true
    }
  }
}
