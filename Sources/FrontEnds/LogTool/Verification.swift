import Bytes
import MessageLog
import Records

/// `confab log verify`: every checksum, every sequence number, every field.
struct Verification {
  /// A record whose frame is sound and whose fields are not.
  private struct Malformed {
    let sequence: UInt64
    let location: LogLocation
    let error: FieldError
  }

  /// No more malformed records than this are named.
  private static let listed = 1000

  private let output: LineOutput

  init(_ output: LineOutput) { self.output = output }

  /// Reads all; the exit status.
  func run(_ storage: any LogStorage) throws(LogCommandFailure) -> Int32 {
    do throws(RecoveryError) {
      var malformed: [Malformed] = []
      var count = 0
      var recovery = try Recovery(readingAllOf: storage)
      let log = try recovery.run { frame in
        guard let error = Self.problem(frame) else { return }
        count += 1
        guard malformed.count < Self.listed else { return }
        malformed.append(Malformed(sequence: frame.sequence, location: frame.location, error: error))
      }
      for record in malformed { output.line(describe(record, in: log.index)) }
      // In an undamaged log every account's own record is there.
      let unknown = log.report.damageCount == 0 ? [] : try AccountsMet(readingAllOf: storage).unknown
      return report(log, malformed: count, unknown: unknown)
    } catch {
      throw .log(error)
    }
  }

  private func report(_ log: RecoveredLog, malformed: Int, unknown accounts: [UInt64]) -> Int32 {
    log.report.damage.forEach { output.line($0.description) }
    if let torn = log.report.torn { output.line(torn.description) }
    for number in accounts { output.line("account #\(number): the owner is unknown; its records are kept") }
    let broken = log.report.damageCount + malformed + accounts.count
    if broken > 0 {
      output.line("the listed records are lost, and all else is served: REPAIR, \"A damaged log\", says what to do")
    }
    output.line(
      Self.counted(log.report.records, "record") + " in " + Self.counted(log.index.segments.count, "segment")
        + ", the last is \(log.index.lastSequence): "
        + (broken == 0 ? "sound" : broken == 1 ? "1 broken place" : "\(broken) broken places"))
    return broken == 0 ? LogCommand.done : LogCommand.broken
  }

  private static func counted(_ count: some BinaryInteger, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }

  /// Returns the first error in the fields of a record.
  private static func problem(_ frame: borrowing LogFrame) -> FieldError? {
    let kind = frame.kind
    do throws(FieldError) {
      try frame.withPayload { payload throws(FieldError) in try Record.check(kind: kind, payload: payload) }
      return nil
    } catch {
      return error
    }
  }

  private func describe(_ record: Malformed, in index: LogIndex) -> String {
    let segment = index.segments.first { $0.ordinal == record.location.ordinal }?.id.description ?? "segment ?"
    return "\(segment), offset \(record.location.offset), record \(record.sequence): \(words(record.error))"
  }

  private func words(_ error: FieldError) -> String {
    switch error {
    case .truncated: "its fields are cut off"
    case .malformed: "its fields are malformed"
    case .wrongType(let number): "field \(number) has a wrong value"
    case .notUTF8(let number): "field \(number) is not UTF-8"
    }
  }
}
