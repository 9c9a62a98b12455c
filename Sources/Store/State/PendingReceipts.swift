import Bytes
import Timelines
/// One thing to tell.
package struct PendingReceipt: Sendable, Equatable {
  /// The record by which it is owed.
  package var sequence: UInt64
  /// The message that it is about, and the conversation's bare JID.
  package var id: UInt64
  package var jid: String
  /// A marker, not a receipt.
  package var isMarker = false
}

/// Receipts (XEP-0184) and markers (XEP-0333) that the senders of messages are owed, or markers for our other devices
/// (XEP-0490).
package struct PendingReceipts: Sendable {
  /// More than this is not owed at once: nobody waits for receipts that are as old as that.
  package static let capacity = 10_000

  /// Ordered by the records' numbers. They go mostly from the front.
  package private(set) var entries: ArraySlice<PendingReceipt> = []
  /// The record of the marker of each conversation that has one.
  private var markers: [String: UInt64] = [:]

  /// Entries owed by records behind this one.
  package func entries(after sequence: UInt64) -> ArraySlice<PendingReceipt> { entries[lowerBound(sequence &+ 1)...] }

  /// A marker takes the place of an older one in the same conversation: it says that too.
  mutating func append(_ entry: PendingReceipt) {
    if entry.isMarker, let earlier = markers.updateValue(entry.sequence, forKey: entry.jid) { remove(earlier) }
    entries.append(entry)
    if entries.count > Self.capacity, let first = entries.first { remove(first.sequence) }
  }

  mutating func remove(_ sequence: UInt64) {
    let index = lowerBound(sequence)
    guard index < entries.endIndex, entries[index].sequence == sequence else { return }
    let entry = entries[index]
    if entry.isMarker, markers[entry.jid] == sequence { markers[entry.jid] = nil }
    if index == entries.startIndex { entries.removeFirst() } else { entries.remove(at: index) }
    // Removed entries stay in memory until the slice is replaced.
    if entries.isEmpty { entries = [] }
  }

  private func lowerBound(_ sequence: UInt64) -> Int { entries.partitioningIndex { $0.sequence >= sequence } }
}

// In a checkpoint, behind the account.
extension PendingReceipt {
  func write(into writer: inout FieldWriter) {
    writer.uint(2, sequence)
    writer.uint(3, id)
    writer.string(4, jid)
    writer.bool(5, isMarker)
  }

  mutating func take(_ field: UInt32, _ reader: borrowing FieldReader) throws(FieldError) {
    switch field {
    case 2: sequence = try reader.uint()
    case 3: id = try reader.uint()
    case 4: jid = try reader.string()
    case 5: isMarker = try reader.bool()
    default: break
    }
  }
}
