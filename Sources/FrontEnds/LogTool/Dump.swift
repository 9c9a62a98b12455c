import ConfabClient
import Bytes
import MessageLog
import Records

/// `confab log dump`: one line for each record: number, kind, position (segment's ordinal and offset), fields.
///
///     2 message 1:129 account=1 time=1795165800123 peer="bob@example.org" text="Grüße"
struct Dump {
  private let output: LineOutput
  private let complaints: LineOutput

  init(_ output: LineOutput, _ complaints: LineOutput) {
    (self.output, self.complaints) = (output, complaints)
  }

  /// All records; the exit status.
  func run(_ storage: any LogStorage) throws(LogCommandFailure) -> Int32 {
    do throws(RecoveryError) {
      var recovery = try Recovery(readingAllOf: storage)
      let log = try recovery.run { frame in
        if output.isOpen { output.line(line(frame)) }
      }
      return complaints.report(log.report)
    } catch {
      throw .log(error)
    }
  }

  /// The records with these numbers, without reading the others.
  func run(_ storage: any LogStorage, _ range: ClosedRange<UInt64>) throws(LogCommandFailure) {
    let isFound: Bool
    do throws(RecoveryError) {
      isFound = try lines(storage, range)
    } catch {
      throw .log(error)
    }
    guard isFound else { throw .noRecord(range) }
  }

  /// Writes the lines of a range of records; false if the range holds none.
  private func lines(_ storage: any LogStorage, _ range: ClosedRange<UInt64>) throws(RecoveryError) -> Bool {
    let index = try Recovery(of: storage, log: nil, mode: .readOnly).outline
    let reader = LogReader(storage: storage) { _ in true }
    var isFound = false
    do throws(StorageError) {
      var cursor = try reader.locate(range.lowerBound, in: index)
      try reader.read(&cursor, in: index) { frame in
        guard frame.sequence <= range.upperBound, output.isOpen else { return false }
        guard range.contains(frame.sequence) else { return true }
        isFound = true
        output.line(line(frame))
        return frame.sequence < range.upperBound
      }
    } catch { throw .storage(error) }
    return isFound
  }

  private func line(_ frame: borrowing LogFrame) -> String {
    let row = RecordKind(rawValue: frame.kind).flatMap { Self.rows[$0] }
    var words = ["\(frame.sequence)", row?.name ?? "kind-\(frame.kind)", frame.location.description]
    words += frame.withFields(RecordKind.leadingFields(of: frame.kind)) { Self.fields(&$0, row?.fields ?? []) }
    return words.joined(separator: " ")
  }

  private static let rows = Dictionary(uniqueKeysWithValues: RecordKind.allCases.map { ($0, $0.row) })

  /// Fields with passwords of rooms and keys of files in them: a dump is shown to others.
  private static let secrets: Set<String> = ["password", "invitation", "file-key"]

  private static func fields(_ reader: inout FieldReader, _ known: [RecordField]) -> [String] {
    var words: [String] = []
    var isStated = !reader.hasLeadingFields
    do throws(FieldError) {
      while let number = try reader.next() {
        if number == 1 { isStated = true }
        let field = known.first { $0.number == number }
        let name = field?.name ?? "#\(number)"
        words.append(
          "\(name)=\(secrets.contains(name) ? "(hidden)" : value(reader, field?.form, isOfDetails: name == "details"))")
      }
    } catch {
      words.append("(malformed)")
    }
    return isStated ? words : ["account=\(MessageRecord.usualAccount)"] + words
  }

  /// The present field's value in its own form; in whatever form it has where that is not known or not so.
  private static func value(_ reader: borrowing FieldReader, _ form: RecordField.Form?, isOfDetails: Bool) -> String {
    if isOfDetails, let known = try? MessageDetails.withoutKeys(in: reader) {
      return String(validating: known, as: UTF8.self).map(TerminalText.quoted) ?? hexadecimal(known)
    }
    switch form {
    case .int: if let value = try? reader.int() { return "\(value)" }
    case .text, .bytes, .fields: if let value = try? reader.string() { return TerminalText.quoted(value) }
    case .uint, .hash, nil: break
    }
    if let value = try? reader.uint() { return "\(value)" }
    if let value = try? reader.fixed64() { return "\(value)" }
    if let value = try? reader.string() { return TerminalText.quoted(value) }
    return hexadecimal((try? reader.bytes()) ?? [])
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String { "0x" + Hex.encode(bytes) }
}

extension LineOutput {
  /// Reports damage and a torn tail, and returns the exit status.
  func report(_ report: RecoveryReport) -> Int32 {
    for damage in report.damage { line("confab log: " + damage.description) }
    if let torn = report.torn { line("confab log: " + torn.description) }
    return report.damageCount == 0 ? LogCommand.done : LogCommand.broken
  }
}
