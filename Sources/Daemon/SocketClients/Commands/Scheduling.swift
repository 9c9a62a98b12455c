import ConfabAccounts
import Clocks
import JSON
import LineProtocol
import Records
import State
import Timelines

/// `scheduled` and `reschedule`: messages of mine that are sent later.
extension Command {
  static let scheduling: [Verb: Handler] = [
    .scheduled: { try $0.scheduled() },
    .reschedule: { try $0.reschedule() },
  ]

  /// Lists the messages that are kept back until a time, the earliest first.
  private func scheduled() throws(RequestFailure) {
    let jid = try request.string(.jid).map { _ throws(RequestFailure) in try bareJID() }
    var writer = JSONWriter()
    for account in try context.accounts(of: request) {
      let entries = account.state.outbox.held.values.filter {
        $0.heldUntil != nil && $0.target == nil && (jid == nil || $0.jid == jid)
      }
      for entry in entries.sorted(by: { ($0.heldUntil ?? $0.time, $0.id) < ($1.heldUntil ?? $1.time, $1.id) }) {
        write(entry, of: account, into: &writer)
      }
    }
    Answer.ok(request.tag, into: &writer)
    answer(writer.bytes)
  }

  private func write(_ entry: Outbox.Entry, of account: Account, into writer: inout JSONWriter) {
    guard let timeline = account.state.conversations[entry.jid]?.timeline,
      let row = timeline.row(ofTime: entry.time, id: entry.id), let message = context.records.message(timeline[row])
    else { return }
    let object = context.surroundings(account: account.number, entry.jid).object(at: row, in: timeline, of: message)
    Answer.data("message", request.tag, into: &writer) { object.writeMembers(of: message, into: &$0) }
  }

  private func reschedule() throws(RequestFailure) {
    let at = try request.futureTime(context.effects.now.wall)
    guard at != nil || request.text != nil else {
      throw RequestFailure(.badArgument, "nothing to change: give a time (at=) or a text", argument: "at")
    }
    if request.text?.isEmpty == true {
      throw RequestFailure(.badArgument, "the text is empty; cancel takes the message back", argument: "text")
    }
    try reschedule(to: at, text: request.text)
  }

  /// Changes the time or the text of a message that is kept back until a time; nil leaves it unchanged.
  func reschedule(to time: Timestamp?, text: String?) throws(RequestFailure) {
    let target = try known(request.id(.id), "id")
    let (id, account) = (target.present.id, target.account)
    guard let entry = account.state.outbox.held[id], let before = entry.heldUntil, entry.target == nil,
      account.outbox.deliveries.mayLeave(id), !context.storage.pending.isReleased(id)
    else {
      throw RequestFailure(.notFound, "message \(id) is not kept back for a time", argument: "id")
    }
    try context.checkStorage()
    var request = MessageRecord(
      account: account.number, jid: entry.jid, peer: entry.jid, time: context.effects.now.wall.milliseconds)
    request.author = .thisDevice
    store(
      .change(target.present.rescheduled(to: time ?? before, text: text, by: request)),
      then: .status(id, MessagePlace(target.present.message)))
  }
}

extension Request {
  /// The time of `at=`, which must be in the future.
  func futureTime(_ now: Timestamp) throws(RequestFailure) -> Timestamp? {
    guard let time = time(.at) else { return nil }
    guard time > now else {
      throw RequestFailure(.badArgument, "\(time.rfc3339) is in the past; give a later time", argument: "at")
    }
    return time
  }
}
