import Bytes

/// A page of message ids in their order (docs/LOG-FORMAT.md, "Index"): first all keys, then all ids, each in as few
/// bytes as the largest of them needs, so that a key is found without looking at the others.
enum MessageIDPage {
  static let headerSize = 24

  /// How full a page is.
  struct Extent: RunPageExtent {
    private(set) var count = 0
    private(set) var first: UInt64 = 0
    private var last: UInt64 = 0
    private(set) var lowestID: UInt64 = .max
    private var highestID: UInt64 = 0

    mutating func add(_ entry: MessageIDEntry) {
      if count == 0 { first = entry.key }
      last = entry.key
      count += 1
      lowestID = min(lowestID, entry.id)
      highestID = max(highestID, entry.id)
    }

    var keyWidth: Int { Self.width(last &- first) }
    var idWidth: Int { Self.width(highestID &- lowestID) }
    var size: Int { headerSize + count * (keyWidth + idWidth) }

    private static func width(_ largest: UInt64) -> Int { max(1, (71 - largest.leadingZeroBitCount) / 8) }
  }

  /// The page of message ids; there is at least one.
  static func pack(_ messageIDs: [MessageIDEntry], _ extent: Extent) -> [UInt8] {
    let (keyWidth, idWidth) = (extent.keyWidth, extent.idWidth)
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: IndexFormat.pageSize) { page in
      page.append(UInt64(extent.count), width: 4)
      page.append(UInt64(keyWidth), width: 2)
      page.append(UInt64(idWidth), width: 2)
      page.append(extent.first, width: 8)
      page.append(extent.lowestID, width: 8)
      for entry in messageIDs { page.append(entry.key &- extent.first, width: keyWidth) }
      for entry in messageIDs { page.append(entry.id &- extent.lowestID, width: idWidth) }
      page.append(repeating: 0, count: IndexFormat.pageSize - page.count)
    }
    return bytes
  }

  /// All message ids of a page.
  static func unpack(_ bytes: [UInt8]) throws(FieldError) -> [MessageIDEntry] {
    let bytes = bytes.span
    let shape = try Shape(bytes)
    var messageIDs: [MessageIDEntry] = []
    messageIDs.reserveCapacity(shape.count)
    for place in 0..<shape.count {
      messageIDs.append(MessageIDEntry(key: shape.key(bytes, place), id: shape.id(bytes, place)))
    }
    return messageIDs
  }

  /// Calls `body` with the message ids of a key until it returns false; whether all had their turn.
  static func visit(_ key: UInt64, on bytes: [UInt8], _ body: (MessageIDEntry) -> Bool) throws(FieldError) -> Bool {
    let bytes = bytes.span
    let shape = try Shape(bytes)
    var (low, high) = (0, shape.count)
    while low < high {
      let middle = (low + high) / 2
      if shape.key(bytes, middle) < key { low = middle + 1 } else { high = middle }
    }
    while low < shape.count, shape.key(bytes, low) == key {
      guard body(MessageIDEntry(key: key, id: shape.id(bytes, low))) else { return false }
      low += 1
    }
    return true
  }

  /// The layout of a page.
  private struct Shape {
    let count: Int
    private let keyWidth: Int
    private let idWidth: Int
    private let first: UInt64
    private let lowestID: UInt64

    init(_ bytes: Span<UInt8>) throws(FieldError) {
      guard bytes.count == IndexFormat.pageSize else { throw .truncated }
      count = Int(bytes.load(at: 0, width: 4))
      (keyWidth, idWidth) = (Int(bytes.load(at: 4, width: 2)), Int(bytes.load(at: 6, width: 2)))
      (first, lowestID) = (bytes.load(at: 8, width: 8), bytes.load(at: 16, width: 8))
      guard 1...8 ~= keyWidth, 1...8 ~= idWidth, headerSize + count * (keyWidth + idWidth) <= bytes.count else {
        throw .malformed
      }
    }

    func key(_ bytes: Span<UInt8>, _ place: Int) -> UInt64 {
      first &+ bytes.load(at: headerSize + place * keyWidth, width: keyWidth)
    }

    func id(_ bytes: Span<UInt8>, _ place: Int) -> UInt64 {
      lowestID &+ bytes.load(at: headerSize + count * keyWidth + place * idWidth, width: idWidth)
    }
  }
}
