import Clocks
import Conversations
import Facts
import Records

/// My own messages that come back to me.
extension Session {
  /// It is one message, and it is known; one to my own JID is delivered now, which no copy says of it. False where it is
  /// another.
  func takeEcho(_ message: MessageRecord, _ way: IncomingMessage.Way, _ turn: Turn) -> Bool {
    guard message.mine, let known = sentFromHere(message, turn) else { return false }
    let (id, sent) = (known.id, known.record)
    guard way == .live, let conversation = account.conversations[sent.jid],
      let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: sent.time), id: id),
      conversation.timeline[row].flags.state < .delivered, settled.insert(id).inserted
    else { return true }
    turn.append(
      .delivery(
        DeliveryRecord(
          account: account.record.number, jid: sent.jid, time: sent.time, id: id, state: .delivered)))
    return true
  }
}
