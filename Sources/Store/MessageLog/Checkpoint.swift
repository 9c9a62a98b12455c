import Bytes

/// A state of the engine as of a record, so that a start need not read the log from its beginning. Derived: without it
/// everything is found again in the log (docs/LOG-FORMAT.md, "Checkpoint").
package struct Checkpoint: Equatable, Sendable {
  /// The log that it belongs to.
  package var log: LogUUID
  /// The last record that it covers; 0 if none.
  package var sequence: UInt64
  /// The place behind that record: `LogWriter.durableEnd`.
  package var location: LogLocation
  /// The state, in the engine's own form, in pieces: what is large is never copied.
  package var pieces: [[UInt8]]

  /// The state in one piece.
  package var body: [UInt8] { pieces.count == 1 ? pieces[0] : Array(pieces.joined()) }

  package init(log: LogUUID, sequence: UInt64, location: LogLocation, body: [UInt8]) {
    self.init(log: log, sequence: sequence, location: location, pieces: [body])
  }

  package init(log: LogUUID, sequence: UInt64, location: LogLocation, pieces: [[UInt8]]) {
    (self.log, self.sequence, self.location, self.pieces) = (log, sequence, location, pieces)
  }

  /// The result of reading a checkpoint.
  enum Reading: Equatable {
    case none
    /// It is there and cannot be used, for this reason.
    case ignored(String)
    case found(Checkpoint)
  }

  package static let fileName = "checkpoint"
  private static let magic = Array("ConfabC\n".utf8)
  /// The offset of the body in the file.
  package static let headSize = 56
  /// Far above any state that fits into memory; a file that is larger is not ours.
  private static let limit = 1 << 30

  /// Replaces the checkpoint that is there. May be called on the writer's thread.
  package func write(to storage: any LogStorage) throws(StorageError) {
    try storage.replaceFile(Self.fileName, with: encoded)
  }

  /// Reads the checkpoint that is there, whatever log it belongs to.
  static func read(from storage: any LogStorage) throws(StorageError) -> Reading {
    do throws(StorageError) {
      guard let bytes = try storage.readFile(fileName, limit: limit) else { return .none }
      return decode(bytes)
    } catch {
      // It is derived: whatever it is that cannot be read, the log has all of it.
      return .ignored(error.cause == .tooLarge ? "it is too large" : error.description)
    }
  }

  /// The file: head, body, checksum of both.
  var encoded: [[UInt8]] {
    var bytes = Self.magic + [UInt8](repeating: 0, count: Self.headSize - 8)
    bytes.put(LogFormat.major, at: 8)
    bytes.put(LogFormat.minor, at: 10)
    bytes.replaceSubrange(16..<32, with: log.bytes)
    bytes.put(sequence, at: 32)
    bytes.put(location.packed, at: 40)
    bytes.put(UInt64(pieces.reduce(0) { $0 + $1.count }), at: 48)
    let covered = [bytes] + pieces
    var end: [UInt8] = [0, 0, 0, 0]
    end.put(covered.reduce(0) { CRC32C.checksum($1, continuing: $0) }, at: 0)
    return covered + [end]
  }

  static func decode(_ bytes: consuming [UInt8]) -> Reading {
    guard bytes.count >= headSize + 4, Array(bytes[..<8]) == magic else { return .ignored("it is no checkpoint") }
    guard CRC32C.checksum(bytes[..<(bytes.count - 4)]) == bytes.get(UInt32.self, at: bytes.count - 4),
      bytes.get(UInt64.self, at: 48) == UInt64(bytes.count - headSize - 4),
      let owner = LogUUID(bytes: Array(bytes[16..<32]))
    else { return .ignored("it is damaged") }
    guard LogFormat.readable.contains(bytes.get(UInt16.self, at: 8)) else { return .ignored("it has another format") }
    let sequence = bytes.get(UInt64.self, at: 32)
    guard sequence < UInt64.max >> 1 else { return .ignored("it is damaged") }
    let location = LogLocation(packed: bytes.get(UInt64.self, at: 40))
    // In its place: it may be large.
    bytes.removeLast(4)
    bytes.removeFirst(headSize)
    return .found(Checkpoint(log: owner, sequence: sequence, location: location, body: bytes))
  }
}
