import ConfabAccounts
import ConfabConfiguration
import MessageLog
import Records

/// The pending events of a hook: the numbers of their records, oldest first, found by reading the log.
struct HookQueue {
  /// The result of a scan.
  enum Progress {
    case done
    /// More records remain to be read.
    case more
    /// The log could not be read, or the state is not fully loaded.
    case stuck
  }

  /// The greatest number of pending events in memory; later events are found when these are handled.
  static let most = 1000
  /// The number of 64 KiB ranges of the log that one scan reads.
  private static let rangesOfTurn = 8

  private(set) var numbers: [UInt64] = []
  /// The number of the last record that was read.
  private(set) var scanned: UInt64
  private var cursor: LogCursor?

  /// - Parameter position: the number of the record after which the scan begins.
  init(after position: UInt64) { scanned = position }

  mutating func removeFirst() { numbers.removeFirst() }

  /// Continues to read the log, and enqueues the events that the hook wants.
  mutating func scan(_ context: RequestContext, _ filter: HookFilter) -> Progress {
    let before = self
    defer { if scanned >= context.storage.queue.durable { cursor = nil } }
    for _ in 0..<Self.rangesOfTurn {
      guard scanned < context.storage.queue.durable, numbers.count < Self.most else { return .done }
      let start = scanned
      readRange(context, filter)
      guard context.storage.isWhole else {
        self = before
        return .stuck
      }
      if scanned == start { return .stuck }
    }
    return scanned < context.storage.queue.durable ? .more : .done
  }

  private mutating func readRange(_ context: RequestContext, _ filter: HookFilter) {
    do {
      var cursor = try self.cursor ?? context.records.cursor(after: scanned)
      var records: [(sequence: UInt64, record: Record)] = []
      try context.records.read(&cursor, limit: 64 << 10) { records.append(($0, $1)) }
      for (sequence, record) in records where sequence > scanned && filter.wants(record, sequence: sequence) {
        numbers.append(sequence)
      }
      (scanned, self.cursor) = (max(scanned, cursor.sequence - 1), cursor)
    } catch {
      context.effects.journal(.error, .damage, "reading the log for a hook failed: \(error)")
    }
  }
}
