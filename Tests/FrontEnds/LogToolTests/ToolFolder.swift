import Bytes
import Clocks
import ConfabAccounts
import State
import LogFiles
import LogTool
import MessageLog
import Records
import Syscalls
import TestSupport
import Testing
import XMPPCore

/// A data directory with a log in it, and what `confab log` says of it.
struct ToolFolder {
  let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  /// What a run of the tool came to.
  struct Outcome {
    var status: Int32
    var output: String
    var complaints: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Appends the records, one batch each; the daemon's own way.
  func write(_ records: [Record], segmentSize: UInt64 = LogFormat.segmentSize) throws {
    try Self.append(in: path, segmentSize, records.map { record in (record.kind, { record.encode(into: &$0) }) })
  }

  /// Appends a record of any kind with any payload.
  func append(kind: UInt8, _ payload: [UInt8]) throws {
    try Self.append(in: path, LogFormat.segmentSize, [(kind, { $0.bytes += payload })])
  }

  /// Makes a log of one record.
  static func write(in path: String) throws {
    try append(in: path, LogFormat.segmentSize, [(Sample.account.kind, { Sample.account.encode(into: &$0) })])
  }

  private static func append(
    in path: String, _ segmentSize: UInt64, _ records: [(kind: UInt8, body: (inout FieldWriter) -> Void)]
  ) throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    let uuid = try #require(LogUUID(random: [UInt8](0..<16)))
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    var writer = try recovery.run { _ in }.makeWriter(uuid: uuid, segmentSize: segmentSize)
    for record in records {
      writer.append(kind: record.kind, record.body)
      guard let batch = writer.takeBatch() else { continue }
      try batch.perform(on: storage)
      writer.completed(batch)
    }
  }

  /// Shows every record with its number.
  func read(_ body: (UInt64, Record) -> Void) throws {
    var recovery = try Recovery(
      of: DataDirectory.open(path).storage(readOnly: true), log: LogUUID.nobody, mode: .readOnly)
    recovery.ignoreCheckpoint("all is read")
    _ = try recovery.run { frame in
      if let record = Record(reading: frame) { body(frame.sequence, record) }
    }
  }

  /// Writes bytes over the first segment.
  func damage(at offset: UInt64, _ bytes: [UInt8] = [0xFF]) throws {
    let storage = try DataDirectory.open(path).storage(readOnly: false)
    try storage.write(bytes, to: SegmentID(first: 1), at: offset)
  }

  /// As `confabd --addresses` does.
  static func prepare(_ address: String, _ isTyped: Bool) -> PreparedAddress {
    do throws(JIDError) {
      return .address(try isTyped ? JID(typed: address).description : AddressLines.written(address).description)
    } catch {
      return .wrong(error.sentence)
    }
  }

  func run(_ arguments: String...) -> Outcome { run(arguments) }

  /// Where nothing else is said, the zone is UTC.
  func run(
    _ arguments: [String], prepare: @escaping PrepareAddress = Self.prepare,
    offset: @escaping (Timestamp) -> Int = { _ in 0 }
  ) -> Outcome {
    var output: [UInt8] = []
    var complaints: [UInt8] = []
    let out = LineOutput { bytes in
      output += bytes
      return true
    }
    let err = LineOutput { bytes in
      complaints += bytes
      return true
    }
    let status = LogCommand.run(
      arguments, environment: ["STATE_DIRECTORY": path], output: out, complaints: err, prepare: prepare,
      offset: offset)
    out.flush()
    err.flush()
    return Outcome(
      status: status, output: String(decoding: output, as: UTF8.self),
      complaints: String(decoding: complaints, as: UTF8.self))
  }
}

/// An account, and messages in it.
enum Sample {
  static let account = Record.account(AccountRecord(number: 1, name: "home", jid: "ann@example.org"))
  static let time: Int64 = 1_795_165_800_123

  static func message(_ text: String, mine: Bool = false, after seconds: Int64 = 0) -> Record {
    var message = MessageRecord(
      account: 1, jid: "bob@example.org", peer: mine ? "bob@example.org" : "bob@example.org/phone",
      time: time + seconds * 1000)
    message.author = mine ? .thisDevice : .person
    message.text = text
    return .message(message)
  }
}
