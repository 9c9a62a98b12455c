import Clocks

/// Entries as they lie on a page of the index (docs/LOG-FORMAT.md, "Index"): columns, in which each value takes as many
/// bytes as the largest needs, less the least. So one is found without looking at the others.
package struct PackedEntries: RandomAccessCollection, Sendable {
  /// Time, id, location, archive's order and flags, in this order.
  private typealias Row = InlineArray<5, UInt64>

  private static let headerSize = 48
  /// Behind the last value, since all are read as eight bytes.
  private static let margin = 8

  /// Header, columns, margin, and whatever follows.
  package let bytes: [UInt8]
  private var count16: UInt16
  private var least = Row(repeating: .max)
  private var widths = InlineArray<5, UInt8>(repeating: 0)
  /// The offsets of the columns.
  private var starts = InlineArray<5, Int>(repeating: headerSize)

  package var startIndex: Int { 0 }
  package var endIndex: Int { Int(count16) }

  /// Packs entries, of which there are no more than a chunk has.
  package init(_ entries: [Entry]) {
    count16 = UInt16(entries.count)
    var most = Row(repeating: 0)
    for entry in entries {
      let row = Self.row(entry)
      for column in row.indices {
        least[column] = Swift.min(least[column], row[column])
        most[column] = Swift.max(most[column], row[column])
      }
    }
    if entries.isEmpty { least = Row(repeating: 0) }
    for column in most.indices { widths[column] = Self.width(most[column] - least[column]) }
    bytes = Self.bytes(entries, least, widths)
    for column in 1..<starts.count { starts[column] = starts[column - 1] + Int(widths[column - 1]) * count }
  }

  /// The entries of a page; nil where it is not one of so many.
  package init?(page: [UInt8], count: Int) {
    guard page.count >= Self.headerSize + Self.margin else { return nil }
    (bytes, count16) = (page, UInt16(truncatingIfNeeded: Self.load(page, at: 0)))
    var end = Self.headerSize
    for column in widths.indices {
      widths[column] = page[2 + column]
      least[column] = Self.load(page, at: 8 + 8 * column)
      guard widths[column] <= 8 else { return nil }
      starts[column] = end
      end += Int(widths[column]) * count
    }
    guard count == self.count, end + Self.margin <= page.count else { return nil }
  }

  package subscript(index: Int) -> Entry {
    Entry(
      time: time(at: index), id: value(1, index), location: value(2, index),
      archiveOrder: UInt32(truncatingIfNeeded: value(3, index)),
      flags: EntryFlags(rawValue: UInt16(truncatingIfNeeded: value(4, index))))
  }

  /// Appends the entries of some rows.
  func append(_ rows: Range<Int>, to entries: inout [Entry]) {
    precondition(rows.lowerBound >= 0 && rows.upperBound <= count)
    let (times, ids, locations, orders, flags) = (column(0), column(1), column(2), column(3), column(4))
    for row in rows {
      entries.append(
        Entry(
          time: Self.time(value(times, row)), id: value(ids, row), location: value(locations, row),
          archiveOrder: UInt32(truncatingIfNeeded: value(orders, row)),
          flags: EntryFlags(rawValue: UInt16(truncatingIfNeeded: value(flags, row)))))
    }
  }

  /// The row of a message; nil where there is none of that id.
  func row(ofID id: UInt64) -> Int? {
    let ids = column(1)
    return indices.first { value(ids, $0) == id }
  }

  func time(at index: Int) -> Timestamp { Self.time(value(0, index)) }

  func key(at index: Int) -> Entry.Key {
    Entry.Key(time: time(at: index), id: value(1, index), archiveOrder: UInt32(truncatingIfNeeded: value(3, index)))
  }

  /// The values of a column: their offset, and how to read them.
  private struct Column {
    let start: Int
    let width: Int
    let least: UInt64
    let mask: UInt64
  }

  private func column(_ index: Int) -> Column {
    let width = Int(widths[index])
    let mask = width > 0 ? UInt64.max &>> UInt64(64 - 8 * width) : 0
    return Column(start: starts[index], width: width, least: least[index], mask: mask)
  }

  private func value(_ column: Int, _ index: Int) -> UInt64 {
    precondition(index >= 0 && index < count)
    return value(self.column(column), index)
  }

  /// The value in a row, which there is.
  @inline(__always) private func value(_ column: Column, _ row: Int) -> UInt64 {
    column.least &+ Self.load(bytes, at: column.start &+ row &* column.width) & column.mask
  }

  private static func time(_ value: UInt64) -> Timestamp { Timestamp(milliseconds: Int64(bitPattern: value ^ sign)) }

  /// So that times before 1970 are less than others.
  private static let sign: UInt64 = 1 << 63

  private static func row(_ entry: Entry) -> Row {
    [
      UInt64(bitPattern: entry.time.milliseconds) ^ sign, entry.id, entry.location, UInt64(entry.archiveOrder),
      UInt64(entry.flags.rawValue),
    ]
  }

  private static func width(_ largest: UInt64) -> UInt8 { UInt8((71 - largest.leadingZeroBitCount) / 8) }

  private static func bytes(_ entries: [Entry], _ least: Row, _ widths: InlineArray<5, UInt8>) -> [UInt8] {
    let size = widths.indices.reduce(headerSize + margin) { $0 + Int(widths[$1]) * entries.count }
    var bytes = [UInt8](repeating: 0, count: size)
    store(UInt64(entries.count), in: &bytes, at: 0)
    var start = headerSize
    for column in widths.indices {
      bytes[2 + column] = widths[column]
      store(least[column], in: &bytes, at: 8 + 8 * column)
      guard widths[column] > 0 else { continue }
      // Zeros behind a value are written over by the next one.
      for entry in entries {
        store(row(entry)[column] - least[column], in: &bytes, at: start)
        start += Int(widths[column])
      }
    }
    return bytes
  }

  private static func load(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func store(_ value: UInt64, in bytes: inout [UInt8], at offset: Int) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
    }
  }
}
