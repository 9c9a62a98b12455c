import Clocks
import State

/// The parts of an account that its rooms stand on.
struct RoomSurroundings {
  let stream: ReliableStream
  let requests: Requests
  let presence: PresenceSync
  let outbox: OutboxSender
  let chatStates: ChatStates
  let receipts: Receipts
  /// The account's own.
  let archive: Archive
  let encryption: Encryption
  let makeInbox: (Archive, any RoomSenders) -> Inbox

  var state: AccountState { stream.state }
  var effects: Effects { stream.effects }
  var storage: Storage { stream.storage }
  var now: Instant { effects.now.instant }
}
