import Clocks
import Conversations
import Facts
import Records

/// Many servers stamp whole seconds, and what comes live has milliseconds. What was stamped stands behind what is known to
/// come before it within its second.
extension Session {
  /// A stamped message with the time at which it stands.
  func placed(_ message: MessageRecord) -> MessageRecord {
    guard message.delayed, message.time % 1000 == 0 else { return message }
    var message = message
    let before = message.archived ? archive.run?.previous : newest(within: message)
    if let before = before?.milliseconds, before > message.time, before - message.time < 1000 {
      message.time = before
    } else if archive.run?.course == .backward, message.archived {
      message.depth = archived?.pages ?? 0
    }
    return message
  }

  /// What the server kept for us was sent when we were away: all that is here of its second came before it.
  private func newest(within message: MessageRecord) -> Timestamp? {
    guard let timeline = account.conversations[message.jid]?.timeline else { return nil }
    let row = timeline.firstRow(notBefore: Timestamp(milliseconds: message.time).advanced(by: .seconds(1))) - 1
    return row < 0 ? nil : timeline[row].time
  }
}
