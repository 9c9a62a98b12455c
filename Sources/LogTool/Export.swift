import Clocks
import Conversations
import Facts
import JSON
import MessageLog
import Records

/// `confab log export`: all messages in the order of their ids, as front ends see them, or as people know it. Sections are those of the default
/// gap. Two passes: a message's state, and whether it opens a section, may be decided by what comes after it. In between
/// conversations are where a daemon has them, most of it on pages of a file, which has no name and does not stay.
struct Export {
  private static let gap = Interval.hours(24)

  private let form: LogRequest.Form
  private let output: LineOutput
  private let complaints: LineOutput

  init(_ form: LogRequest.Form, _ output: LineOutput, _ complaints: LineOutput) {
    self.form = form
    self.output = output
    self.complaints = complaints
  }

  /// Exports; the exit status.
  func run(_ storage: any LogStorage) throws(LogCommandFailure) -> Int32 {
    do throws(RecoveryError) {
      let facts = Facts(gap: Self.gap, pages: IndexPages(of: LogUUID.nobody, in: storage))
      var recovery = try Recovery(readingAllOf: storage)
      let log = try recovery.run { frame in
        facts.fold(frame)
        facts.makeRoom()
      }
      facts.mendPages { log.index }
      let status = complaints.report(log.report)
      for account in facts.unknownAccounts {
        complaints.line("confab log: whose account \(account.label) is, is lost; its messages are here all the same")
      }
      switch form {
      case .jsonLines: try write(storage, log.index, facts)
      case .text: ExportedText(facts, log.index, storage, output).write()
      }
      return status
    } catch {
      throw .log(error)
    }
  }

  private func write(
    _ storage: any LogStorage, _ index: LogIndex, _ facts: Facts
  ) throws(RecoveryError) {
    let reader = LogReader(storage: storage) { _ in true }
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    do throws(StorageError) {
      try reader.read(&cursor, in: index) { frame in
        if case .message(let message)? = try? frame.record(), !facts.isForgotten(message, id: frame.sequence) {
          write(message, object(frame.sequence, message, facts))
        }
        return output.isOpen
      }
    } catch {
      throw .storage(error)
    }
  }

  private func object(_ id: UInt64, _ message: MessageRecord, _ facts: Facts) -> MessageObject {
    var object = MessageObject(id: id)
    let account = facts.accounts[message.account]
    if facts.accounts.count > 1 { object.account = account.map { QuotedText($0.label) } }
    object.ownJID = account.map { QuotedText($0.record.jid) }
    if !message.mine { object.nick = account?.contacts[message.jid]?.name.map(QuotedText.init) }
    guard let timeline = account?.conversations[message.jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: message.time), id: id)
    else { return object }
    object.placement = timeline.placements(of: row..<row + 1).first
    guard message.mine else { return object }
    let flags = timeline[row].flags
    (object.state, object.inDoubt) = (flags.state, flags.contains(.inDoubt))
    if flags.state == .failed { object.failure = account?.failures[id] }
    return object
  }

  private func write(_ message: MessageRecord, _ object: MessageObject) {
    var writer = JSONWriter()
    object.write(message, into: &writer)
    writer.endLine()
    output.write(bytes: SafeText.json(Array(writer.bytes.dropLast())) + [0x0A])
  }
}
