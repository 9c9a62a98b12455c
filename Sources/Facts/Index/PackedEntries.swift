import Bytes
import Clocks
import Conversations

/// A chunk's entries on its page: each says how it differs from the one before it, some 10 bytes of the 32 that it takes
/// in memory.
enum PackedEntries {
  /// The entries in bytes; the first one differs from one of zeros.
  static func pack(_ entries: [Entry]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(IndexFormat.pageSize)
    var last = Entry(time: Timestamp(milliseconds: 0), id: 0)
    for entry in entries {
      let isOrdered = entry.archiveOrder != last.archiveOrder
      Varint.append(UInt64(entry.flags.rawValue) << 1 | (isOrdered ? 1 : 0), to: &bytes)
      Varint.append(Varint.zigzag(entry.time.milliseconds &- last.time.milliseconds), to: &bytes)
      Varint.append(Varint.zigzag(Int64(bitPattern: entry.id &- last.id)), to: &bytes)
      Varint.append(Varint.zigzag(Int64(bitPattern: entry.location &- last.location)), to: &bytes)
      if isOrdered { Varint.append(UInt64(entry.archiveOrder), to: &bytes) }
      last = entry
    }
    return bytes
  }

  /// So many entries from such bytes, whatever follows them; nil where they are not that.
  static func unpack(_ bytes: [UInt8], count: Int) -> [Entry]? {
    let bytes = bytes.span
    var (offset, entry) = (0, Entry(time: Timestamp(milliseconds: 0), id: 0))
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for _ in 0..<count {
      guard let next = next(bytes, at: &offset, after: entry) else { return nil }
      entry = next
      entries.append(entry)
    }
    return entries
  }

  private static func next(_ bytes: Span<UInt8>, at offset: inout Int, after last: Entry) -> Entry? {
    guard let marks = Varint.read(bytes, at: &offset), let flags = UInt16(exactly: marks >> 1),
      let time = Varint.read(bytes, at: &offset), let id = Varint.read(bytes, at: &offset),
      let location = Varint.read(bytes, at: &offset)
    else { return nil }
    var order = last.archiveOrder
    if marks & 1 != 0 {
      guard let read = Varint.read(bytes, at: &offset).flatMap(UInt32.init(exactly:)) else { return nil }
      order = read
    }
    return Entry(
      time: Timestamp(milliseconds: last.time.milliseconds &+ Varint.unzigzag(time)),
      id: last.id &+ UInt64(bitPattern: Varint.unzigzag(id)),
      location: last.location &+ UInt64(bitPattern: Varint.unzigzag(location)), archiveOrder: order,
      flags: EntryFlags(rawValue: flags))
  }
}
