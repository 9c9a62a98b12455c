import Bytes
import MessageLog
import Testing

extension LogFrame {
  /// The text that `TestLog` writes into its records.
  var text: String {
    let text = try? withFields { reader throws(FieldError) in
      while let number = try reader.next() { if number == 1 { return try reader.string() } }
      return ""
    }
    return text ?? "no text"
  }
}

extension LogReader {
  /// The first record with this number or a higher one, found by that.
  func first(from number: UInt64, in index: LogIndex) throws(StorageError) -> (sequence: UInt64, text: String)? {
    var cursor = try locate(number, in: index)
    var found: (UInt64, String)?
    try read(&cursor, in: index) { frame in
      found = (frame.sequence, frame.text)
      return false
    }
    return found
  }
}

/// A log of texts over a storage, opened as the daemon opens it.
struct TestLog {
  static let kind: UInt8 = 20
  static let uuid = LogUUID("6f1c1c3e-8a55-4b43-9a0e-0123456789ab") ?? LogUUID(random: [UInt8](repeating: 0, count: 16))

  let storage: any LogStorage
  var writer: LogWriter
  /// What was in it when it was opened.
  let report: RecoveryReport
  let read: [UInt64: String]
  /// The same, in the order in which it came.
  let order: [UInt64]
  /// The last record that the checkpoint covered, which it started from.
  let startedAfter: UInt64

  init(_ storage: any LogStorage, segmentSize: UInt64 = LogFormat.segmentSize) throws {
    let uuid = try #require(Self.uuid)
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    startedAfter = recovery.checkpoint?.sequence ?? 0
    var read: [UInt64: String] = [:]
    var order: [UInt64] = []
    let log = try recovery.run { frame in
      read[frame.sequence] = frame.text
      order.append(frame.sequence)
    }
    (self.storage, self.read, self.order, report) = (storage, read, order, log.report)
    writer = log.makeWriter(uuid: uuid, segmentSize: segmentSize)
  }

  /// Appends the texts, without writing them.
  @discardableResult mutating func append(_ texts: [String]) -> [UInt64] {
    texts.map { text in writer.append(kind: Self.kind) { $0.string(1, text) } }
  }

  /// Appends the texts and makes them durable; their numbers.
  mutating func write(_ texts: [String]) throws -> [UInt64] {
    let numbers = append(texts)
    try flush()
    return numbers
  }

  /// Writes all that is pending. A failure is told to the writer, and thrown.
  mutating func flush() throws(StorageError) {
    while let batch = writer.takeBatch() { try perform(batch) }
  }

  /// The next batch, or after a failure that which makes it good; an error if there is none.
  mutating func take() throws -> LogBatch {
    let batch = writer.state == .idle ? writer.takeBatch() : writer.recoverIntoNewSegment()
    return try #require(batch)
  }

  mutating func perform(_ batch: LogBatch) throws(StorageError) {
    do throws(StorageError) {
      try batch.perform(on: storage)
    } catch {
      writer.failed(batch, error)
      throw error
    }
    writer.completed(batch)
  }
}
