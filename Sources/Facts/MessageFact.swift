import Clocks
import Conversations
package import Records

/// What becomes facts of a message that is not to be sent from here: all that memory holds of it between its append and
/// its sync. What else there is of it stands in the batch.
package struct MessageFact: Sendable {
  package let account: UInt32
  /// The conversation.
  package let jid: String
  let time: Timestamp
  let archiveOrder: UInt32
  let flags: EntryFlags
  let isCounted: Bool
  let owesReceipt: Bool
  /// What it is found by again.
  let archiveID: UInt64?
  let copy: UInt64?

  /// Nil for a message that is to be sent from here.
  package init?(_ message: MessageRecord) {
    guard !message.mine || message.elsewhere else { return nil }
    self.init(any: message)
  }

  /// What any message has in common with these.
  init(any message: MessageRecord) {
    let isFromHere = message.mine && !message.elsewhere
    (account, jid, time) = (message.account, message.jid, Timestamp(milliseconds: message.time))
    (archiveOrder, isCounted, owesReceipt) = (message.archiveOrder, message.isCounted, message.owesReceipt)
    archiveID = message.archiveID.map { TokenHash.of($0) }
    copy = isFromHere ? nil : message.copyToken.map { TokenHash.of($0) }
    var flags = EntryFlags(rawValue: 0)
    if message.mine { flags.insert(.mine) }
    if message.archived { flags.insert(.archived) }
    if message.isMarkable { flags.insert(.markable) }
    if message.elsewhere { flags.state = .sent }
    self.flags = flags
  }
}
