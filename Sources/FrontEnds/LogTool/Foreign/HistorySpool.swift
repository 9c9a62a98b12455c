import Clocks
import ConfabClient
import JSON
import Records
import Syscalls

/// The messages of a history on their way to the import, as lines in a file without a name: nothing is imported before all
/// has been read. With it are the counts for the summary.
final class HistorySpool: HistorySink {
  private static let block = 1 << 20
  /// The greatest number of unreadable parts that are reported one by one.
  private static let mostNamed = 100

  private let file: OwnedFD
  private let scratch: String
  private let account: (String?) -> AccountRecord?
  private let complaints: LineOutput
  private var writer = JSONWriter()
  private var size: UInt64 = 0
  private var conversations: Set<String> = []
  /// Messages of accounts that the log does not have, by JID.
  private(set) var homeless: [String: Int] = [:]
  private(set) var count = 0
  private(set) var passed = 0
  private(set) var rejected = 0
  /// The times of the first and the last message, in milliseconds since 1970.
  private(set) var span: ClosedRange<Int64>?

  /// - Parameters:
  ///   - scratch: the directory of the file.
  ///   - account: the account of a history that names this owner.
  init(
    in scratch: String, _ complaints: LineOutput, account: @escaping (String?) -> AccountRecord?
  ) throws(LogCommandFailure) {
    (self.scratch, self.complaints, self.account) = (scratch, complaints, account)
    do throws(Errno) { file = try Files.openTemporary(in: scratch) } catch { throw .copy(scratch, error.text) }
  }

  var conversationCount: Int { conversations.count }

  /// The lines from the beginning; the file is lent.
  var lines: InputLines { InputLines(file.raw) }

  func take(_ message: ForeignMessage) throws(HistoryFailure) {
    guard let account = account(message.owner) else {
      homeless[message.owner ?? "", default: 0] += 1
      return
    }
    count += 1
    conversations.insert(message.conversation)
    span = min(span?.lowerBound ?? message.time, message.time)...max(span?.upperBound ?? message.time, message.time)
    message.write(into: &writer, for: account)
    if writer.count >= Self.block { try flush() }
  }

  func reject(_ place: ForeignPlace, _ reason: String) {
    rejected += 1
    if rejected <= Self.mostNamed { complaints.line("confab import: \(TerminalText.clean(place.text)): \(reason)") }
    if rejected == Self.mostNamed { complaints.line("confab import: further errors are not listed") }
  }

  func pass() { passed += 1 }

  /// Writes what is pending to the file.
  func flush() throws(HistoryFailure) {
    do throws(Errno) { try Files.write(file.raw, writer.bytes, at: size) } catch {
      throw HistoryFailure(file: scratch, reason: error.text)
    }
    size += UInt64(writer.count)
    writer = JSONWriter()
  }
}
