import Clocks
import Records
import State

/// Holds messages of mine to a room until it is joined, and completes each when the room has reflected it.
final class RoomOutbox {
  private let room: String
  private let surroundings: RoomSurroundings
  private var fence = RoomFence()
  /// Messages that left since the present join began: the room shows them, or a ping tells that it does not.
  private var left: Set<UInt64> = []
  /// Messages that the room, or a server on the way, does not take now: when each goes again, and how often it has.
  private var refused: [UInt64: (until: Instant, count: Int)] = [:]
  private static let firstPause = Interval.seconds(5)
  private static let longestPause = Interval.minutes(10)
  /// True if the room is joined, and what was said before the join is known.
  private(set) var isRead = false
  /// Messages that went out by this record or a later one did not arrive if the room does not show that they did; nil: it
  /// has not shown all that was said before the join.
  private var provesSince: UInt64?
  /// True if the stream is one with which an earlier process sent: a slow room may yet show that.
  private var mayBeShown = false

  init(_ room: String, _ surroundings: RoomSurroundings) { (self.room, self.surroundings) = (room, surroundings) }

  private var state: AccountState { surroundings.state }
  private var storage: Storage { surroundings.storage }
  private var now: Instant { surroundings.now }

  // MARK: - Going out

  /// True if a message may leave for the room: nothing waits before it.
  var isOpen: Bool {
    guard isRead else { return false }
    let waiting = state.outbox.waiting(for: room)
    return waiting.held.isEmpty && waiting.unreflected.allSatisfy { left.contains($0.id) }
  }

  /// I am in it, and what was said before is here.
  ///
  /// - Parameter provesSince: what went out by this record or a later one and is not here did not arrive; nil: what is
  ///   here may not be all.
  func open(provingSince provesSince: UInt64?) {
    (isRead, self.provesSince) = (true, provesSince)
    if mayBeShown { wait() }
    release()
    surroundings.encryption.peopleMayBeKnown(in: room)
  }

  /// The stream of an earlier process is resumed: what left on it is not lost.
  func earlierProcessSent() { mayBeShown = true }

  /// Waits for the room to show what an earlier process sent on this stream, as for what leaves now.
  private func wait() {
    mayBeShown = false
    let sent = state.outbox.waiting(for: room).unreflected.filter { !$0.isOfEarlierStream }.map(\.id)
    left.formUnion(sent)
    if !sent.isEmpty { fence.sent(at: now) }
  }

  /// The room is being joined, or I am not in it any more: what left before may have arrived.
  func close() {
    (left, isRead, refused) = ([], false, [:])
    fence.reset()
  }

  /// The stream is another one: what left on the one before is lost if the room has not shown it.
  func streamBegan() {
    mayBeShown = false
    close()
  }

  /// Nothing leaves until the room is heard again.
  func pause() { isRead = false }

  /// Releases messages that left before the join and that the room has not reflected, then the held ones.
  func release() {
    guard isRead, storage.mayAppend else { return }
    let waiting = state.outbox.waiting(for: room)
    let lost = waiting.unreflected.filter { !left.contains($0.id) && isUnshown($0.id) }
    for entry in lost where storage.pending.mayBeReleased(entry.id) {
      let refusal = refused[entry.id]
      if let refusal, refusal.until > now { continue }
      if refusal != nil, let expiry = surroundings.outbox.expiry(of: entry), expiry <= now {
        surroundings.outbox.expire(entry)
        continue
      }
      // One that was refused did not arrive.
      if refusal == nil, provesSince.map({ entry.order < $0 }) ?? true { doubt(entry) }
      release(entry.id)
    }
    // Messages that wait for keys leave when those are known.
    for entry in waiting.held where !entry.awaitsKeys && storage.pending.mayBeReleased(entry.id) { release(entry.id) }
  }

  /// Marks a message that goes again, since nothing tells whether the room took it.
  private func doubt(_ entry: Outbox.Entry) {
    let deliveries = surroundings.outbox.deliveries
    guard !entry.inDoubt, let state = deliveries.state(of: entry) else { return }
    deliveries.advance(DeliveryRecord(entry, of: self.state.number, state, inDoubt: true))
  }

  private func release(_ id: UInt64, isRepeat: Bool = false) {
    storage.appendUrgently(.release(ReleaseRecord(account: state.number, id: id, isRepeat: isRepeat)))
  }

  /// A message has left.
  func sent(_ id: UInt64) {
    // A message that is not durable yet is in no outbox.
    left = left.filter { $0 > storage.queue.durable || state.outbox.entry($0) != nil }
    left.insert(id)
    fence.sent(at: now)
  }

  // MARK: - Whether the room took it

  /// The room, or a server on the way, does not take a message now: it goes again after a pause, until it expires; false:
  /// it does not wait for the room.
  func isRefused(_ id: UInt64) -> Bool {
    guard let entry = state.outbox.entry(id), entry.isOfRoom, entry.jid == room, entry.target == nil else {
      return false
    }
    refused = refused.filter { state.outbox.entry($0.key) != nil }
    let count = (refused[id]?.count ?? 0) + 1
    let pause = min(Self.firstPause.milliseconds << min(count - 1, 10), Self.longestPause.milliseconds)
    let due = now.advanced(by: .milliseconds(pause))
    refused[id] = (min(due, surroundings.outbox.expiry(of: entry) ?? due), count)
    left.remove(id)
    return true
  }

  /// When something is to be done.
  var deadline: Instant? { fence.deadline.orEarlier(refused.values.map(\.until).filter { $0 > now }.min()) }

  /// True if the room is to be asked now.
  func isToAsk() -> Bool { fence.tick(unshown, at: now) }

  /// The room has answered to a ping behind what left. What it has not shown goes again once under the same ids, and
  /// fails after that.
  func answered() {
    for id in fence.answered(unshown, at: now).sorted() {
      guard let entry = state.outbox.entry(id) else { continue }
      if entry.repeats == 0 {
        release(id, isRepeat: true)
      } else {
        fail(entry, Failure(condition: "undefined-condition", text: "the room did not show it"))
      }
    }
  }

  /// The room has not answered.
  func unanswered() { fence.unanswered(at: now) }

  /// The messages that the server has, and that the room has not shown.
  private var unshown: Set<UInt64> {
    Set(
      state.outbox.waiting(for: room).unreflected.lazy.map(\.id).filter {
        self.refused[$0] == nil || self.left.contains($0)
      }.filter { self.isUnshown($0) })
  }

  private func isUnshown(_ id: UInt64) -> Bool {
    storage.pending.delivery(of: id).map { $0.state == .sent } ?? true
  }

  /// When the oldest message was written that may not be there; nil: there is none.
  var oldest: Timestamp? { state.outbox.waiting(for: room).unreflected.map(\.time).min() }

  /// Fails all messages: the room is gone, or another one that was created since.
  func failAll(_ text: String) {
    let outbox = state.outbox
    // Messages that are kept back for a time or wait for a file are for the room that was, too. The start of the stream
    // may not be durable yet: what left on an earlier one is in the order until then.
    let all = outbox.entries + outbox.unreflected.values + outbox.held.values
    for entry in all.filter({ $0.isOfRoom && $0.jid == room }).sorted(by: { $0.order < $1.order }) {
      fail(entry, Failure(condition: "gone", text: text))
    }
  }

  private func fail(_ entry: Outbox.Entry, _ failure: Failure) {
    surroundings.outbox.fail(entry, failure)
  }
}
