import Clocks
import Conversations
import Facts
import JSON
import MessageLog
import Records

/// `confab log export`: all messages in the order of their ids, as front ends see them. Sections are those of the default
/// gap. Two passes: a message's state, and whether it opens a section, may be decided by what comes after it.
struct Export {
  private static let gap = Interval.hours(24)

  private let form: LogRequest.Form
  private let output: LineOutput
  private let complaints: LineOutput

  /// How far a message of mine got.
  private struct Delivery {
    var state: DeliveryState
    var inDoubt: Bool
  }

  init(_ form: LogRequest.Form, _ output: LineOutput, _ complaints: LineOutput) {
    self.form = form
    self.output = output
    self.complaints = complaints
  }

  func run(_ storage: any LogStorage) throws(LogCommandFailure) {
    do throws(RecoveryError) {
      let facts = Facts(gap: Self.gap)
      var deliveries: [UInt64: Delivery] = [:]
      var recovery = try Recovery(of: storage, log: nil, mode: .readOnly)
      let log = try recovery.run { frame in
        guard let record = try? frame.record() else { return }
        // What the state does not follow, since it had got further, changes nothing.
        let change = facts.fold(record, sequence: frame.sequence, location: frame.location.packed)
        guard case .delivery(_, let delivery) = change else { return }
        let inDoubt = delivery.inDoubt || deliveries[delivery.id]?.inDoubt == true
        deliveries[delivery.id] = Delivery(state: delivery.state, inDoubt: inDoubt)
      }
      complaints.report(log.report)
      try write(storage, log.index, facts, deliveries)
    } catch {
      throw .log(error)
    }
  }

  private func write(
    _ storage: any LogStorage, _ index: LogIndex, _ facts: Facts, _ deliveries: [UInt64: Delivery]
  ) throws(RecoveryError) {
    let reader = LogReader(storage: storage)
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    do throws(StorageError) {
      try reader.read(&cursor, in: index) { frame in
        if case .message(let message)? = try? frame.record() {
          write(object(frame.sequence, message, facts, deliveries[frame.sequence]))
        }
        return output.isOpen
      }
    } catch {
      throw .storage(error)
    }
  }

  private func object(
    _ id: UInt64, _ message: MessageRecord, _ facts: Facts, _ delivery: Delivery?
  ) -> MessageObject {
    var object = MessageObject(id: id, record: message)
    let account = facts.accounts[message.account]
    if facts.accounts.count > 1 { object.account = account?.record.name }
    object.ownJID = account?.record.jid
    if let timeline = account?.conversations[message.jid]?.timeline,
      let row = timeline.row(ofTime: Timestamp(milliseconds: message.time), id: id)
    {
      object.placement = timeline.placements(of: row..<row + 1).first
    }
    guard message.mine else {
      object.nick = account?.contacts[message.jid]?.name
      return object
    }
    object.state = delivery?.state ?? (message.elsewhere ? .sent : .queued)
    object.inDoubt = delivery?.inDoubt ?? false
    if object.state == .failed { object.failure = account?.failures[id] }
    return object
  }

  private func write(_ object: MessageObject) {
    switch form {
    case .jsonLines:
      var writer = JSONWriter()
      object.write(into: &writer)
      writer.endLine()
      output.write(bytes: SafeText.json(Array(writer.bytes.dropLast())) + [0x0A])
    case .text: output.line(text(object))
    }
  }

  /// `2026-11-20T09:10:00.123Z bob@example.org Bob: hello`, further lines of the text indented.
  private func text(_ object: MessageObject) -> String {
    let record = object.record
    let author = record.mine ? "me" : object.nick ?? record.peer
    let lines = record.text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(SafeText.clean)
    let time = Timestamp(milliseconds: record.time).rfc3339
    return "\(time) \(SafeText.clean(record.jid)) \(SafeText.clean(author)): " + lines.joined(separator: "\n    ")
  }
}
