import Clocks
import Records
import State
import XMPPExtensions

/// A change of mine that did not reach the recipient: it was refused, or never left.
struct RefusedChange {
  private let record: MessageRecord
  private let change: MessageChange
  private let target: UInt64

  /// Nil: the message is none that changes another one.
  init?(_ message: MessageRecord) {
    guard let target = message.target, let change = message.details?.change else { return nil }
    (self.record, self.change, self.target) = (message, change, target)
  }

  /// Restores what stood there before (XEP-0444, section 4, says so of reactions), unless there is a later change.
  func takeBack(_ finder: MessageFinder, _ effects: Effects) {
    guard let present = finder.present(target, record) else { return }
    var message = record
    (message.author, message.stanzaID, message.archiveID, message.depth) = (.thisDevice, nil, nil, 0)
    message.time = max(effects.now.wall.milliseconds, present.lastChange(by: .thisDevice))
    guard let restored = restored(present, by: message, finder) else { return }
    finder.storage.append(.change(restored))
  }

  private func restored(
    _ present: PresentMessage, by message: MessageRecord, _ finder: MessageFinder
  ) -> MessageRecord? {
    let last = present.message.details?.change
    let isLast: Bool =
      switch change.kind {
      case .reaction: last?.reactions.first { $0.author.isMe }?.time == change.time
      case .edit: last?.retraction == nil && last?.edited == change.time
      case .retraction: last?.retraction?.time == change.time
      case .files, .opened, .encrypted, .rescheduled: false
      }
    guard isLast, let (number, before) = before(finder) else { return nil }
    guard change.kind == .reaction else { return present.restored(to: before, number, by: message) }
    let emoji = before.details?.change?.reactions.first { $0.author.isMe }?.emoji ?? []
    return present.changed(by: ChangeRequest(.reactions(emoji), of: ""), in: message, own: finder.state.record.jid)
  }

  /// The message before this change, and before those that did not arrive either.
  private func before(_ finder: MessageFinder) -> (number: UInt64, message: MessageRecord)? {
    var number = change.previous
    while let message = finder.written(number) {
      guard let change = message.details?.change, change.isSent, finder.hasFailed(number) else {
        return (number, message)
      }
      number = change.previous
    }
    return nil
  }
}
