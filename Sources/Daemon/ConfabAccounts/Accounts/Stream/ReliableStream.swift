import Clocks
import State
import Records
import XMPPCore
import XMPPExtensions
import XMPPStream

/// A logged-in stream of an account, with the acknowledgements of XEP-0198 if the server has them: places and queues
/// our stanzas, counts the server's, requests and answers acks, and records what resuming needs. It outlives its link:
/// after a cut it is resumed, or begins anew.
///
/// A stanza leaves once the records that it depends on are durable, in the order of the places. The account's parts
/// send through it; `Account` writes its `output`.
final class ReliableStream: StreamPart {
  /// The state of the server's acknowledgements: none, requested and not decided yet, or enabled.
  enum Mode { case off, requested, on }

  /// The result of an element of XEP-0198.
  enum Outcome {
    case none
    /// It is known whether the server acknowledges: messages may leave.
    case started
    /// The server acknowledged these messages of mine, and perhaps other stanzas.
    case acknowledged([UInt64])
    case failed(StreamFailure)
  }

  /// How long to wait before a request is repeated to a server whose ack did not cover all that was sent.
  static let requestPause = Interval.seconds(5)

  let state: AccountState
  let effects: Effects
  let storage: Storage
  var mode = Mode.off
  var counters = StreamManagement()
  /// The stream as the log has it, or will.
  var record = StreamLogState()
  private(set) var queue = SendQueue()
  var deferred = DeferredStanzas()
  var ackRequests = AckRequests()
  private(set) var ackReplies = AckReplies()
  /// When the account took live messages last, if not only the log says so.
  var lastLive: Timestamp?
  /// The bytes to write when the event is handled.
  var output = StreamOutput()
  var responsiveness = Responsiveness()

  init(_ state: AccountState, _ effects: Effects, _ storage: Storage) {
    (self.state, self.effects, self.storage) = (state, effects, storage)
  }

  // MARK: - Its beginnings

  /// A new stream: nothing of an earlier one goes on.
  func reset() {
    reset(StreamManagement(), mode: .off)
    responsiveness = Responsiveness()
  }

  private func reset(_ counters: StreamManagement, mode: Mode) {
    (self.counters, self.mode, record, output) = (counters, mode, StreamLogState(), StreamOutput())
    (queue, deferred, ackRequests, ackReplies) = (SendQueue(), DeferredStanzas(), AckRequests(), AckReplies())
  }

  /// Enables acknowledgements (section 3).
  func enable() {
    mode = .requested
    output.append(StreamManagementWriter.enable())
  }

  /// The server resumed the stream and has handled this many of our stanzas (section 5). Returns the messages that it
  /// acknowledges, and what has to be sent again, in order.
  ///
  /// - Parameter counters: those of the stream when its link was lost.
  func resume(
    _ counters: StreamManagement, h: UInt32, from log: StreamState
  ) throws(StreamManagement.ImpossibleAcknowledgement) -> (acknowledged: [UInt64], again: [StreamManagement.Stanza]) {
    reset(counters, mode: .on)
    responsiveness.resumed()
    let resumed = try self.counters.resumed(h: h)
    record.resume(log)
    record.unrecordedCount = Int(Int32(bitPattern: self.counters.handled &- log.handled))
    return resumed
  }

  /// The link is lost: what may be resumed. Deferred stanzas count as sent, because their records are pending.
  func suspended() -> StreamManagement {
    for bytes in deferred.takeAll() { counters.place(bytes) }
    return counters
  }

  // MARK: - Sending

  /// The place of the next stanza, if the stream counts them.
  var nextPlace: UInt32? { mode == .off ? nil : counters.place &+ 1 }

  /// The place of the last one of so many next stanzas, which stands for all of them.
  func place(ofLast count: Int) -> UInt32? { nextPlace.map { $0 &+ UInt32(count - 1) } }

  /// Sends a stanza that is no message, behind those that wait, once a record is durable.
  func send(_ stanza: [UInt8], after sequence: UInt64 = 0) {
    let place = mode == .off ? nil : counters.place(stanza)
    queue.append(SendQueue.Entry(bytes: stanza, sequence: sequence, place: place))
    depart()
  }

  /// Sends a message of mine once its record is durable.
  func send(message id: UInt64, _ stanza: [UInt8], after sequence: UInt64) {
    let place = mode == .off ? nil : counters.place(message: id, bytes: stanza.count)
    queue.append(SendQueue.Entry(bytes: stanza, sequence: sequence, place: place, message: id))
  }

  /// Sends the stanzas of a message of mine once its record is durable. The last one stands for all: if that was not
  /// handled, the message goes again as a whole.
  func send(message id: UInt64, _ stanzas: [[UInt8]], after sequence: UInt64) {
    for ahead in stanzas.dropLast() { _ = sendUnkept(ahead, after: sequence) }
    if let last = stanzas.last { send(message: id, last, after: sequence) }
  }

  /// Sends a stanza that its owner sends again after a cut, once a record is durable; returns its place.
  func sendUnkept(_ stanza: [UInt8], after sequence: UInt64 = 0) -> UInt32? {
    let place = mode == .off ? nil : counters.placeUnkept()
    queue.append(SendQueue.Entry(bytes: stanza, sequence: sequence, place: place))
    return place
  }

  /// Nothing more leaves before this record is durable.
  func holdBack(until sequence: UInt64) { queue.barrier = sequence }

  /// Writes the stanzas that may leave, in order: as far as the log has them, and messages as far as the link keeps up.
  func depart() {
    while let first = queue.first, mayLeave(first) {
      queue.removeFirst()
      output.append(first.bytes)
      if first.place != nil { counters.wrote() }
      guard let id = first.message else { continue }
      if mode == .off {
        ackRequests.wantPing(behind: state.outbox.order(of: id))
      } else {
        ackRequests.wroteMessage()
      }
    }
  }

  private func mayLeave(_ entry: SendQueue.Entry) -> Bool {
    guard !responsiveness.isDoubted, max(entry.sequence, queue.barrier) <= storage.queue.durable else { return false }
    if entry.message != nil { return output.takesMessages }
    // A stanza that the log does not know cannot be resumed.
    guard record.isResumable, record.isStarted, let place = entry.place, let stream = state.stream else { return true }
    return !place.isBeyond(stream.ceiling)
  }

  /// The link has handed all it had to the kernel.
  func drained() {
    output.drained()
    depart()
  }

  /// Takes the bytes to write, behind at most one `<r/>`.
  func takeOutput() -> [UInt8] {
    if ackRequests.takeNeed(counters), mode == .on { request() }
    if ackRequests.takeRequest(behind: counters.sentCount) { output.append(StreamManagementWriter.request()) }
    expectProgress()
    return output.take()
  }

  /// Bytes that wait for the disk or for the server. A server that makes us answer faster than that is not read.
  var unsentBytes: Int { output.outstanding + deferred.byteCount + queue.otherBytes }

  /// True if the server has not acknowledged all messages of mine that were sent, or are about to be.
  var isAwaitingAck: Bool {
    queue.hasMessages || (mode == .on ? counters.isAwaited : ackRequests.isPingWanted)
  }

  var hasQueuedMessages: Bool { queue.hasMessages }

  var isResumed: Bool { record.isResumed }

  /// Bytes of messages of mine that are not acknowledged.
  var messageBytes: Int { max(counters.messageBytes, queue.messageBytes) }

  // MARK: - Acks

  /// Requests an ack unless an answer is awaited.
  func request() {
    guard !ackRequests.isAwaited else { return }
    awaitAnswer()
    ackRequests.wantRequest()
  }

  /// The server owes an answer to `<r/>` or `<enable/>` from now on.
  func awaitAnswer() {
    let now = effects.now.instant
    ackRequests.await(
      until: now.advanced(by: responsiveness.patience), atMost: now.advanced(by: KeepAlive.longestPatience))
  }

  /// Asks the server for a sign of life: an ack, or a pong.
  func probe() {
    switch mode {
    case .on where !ackRequests.isAwaited: request()
    case .on, .requested: ackRequests.wantRepeat()
    case .off: ackRequests.wantPing()
    }
  }

  /// Handles an element of XEP-0198.
  ///
  /// - Parameter isAhead: our first stanzas were sent before the resource was bound.
  func receive(_ element: StreamManagementElement, isAhead: Bool) -> Outcome {
    switch element {
    case .enabled(let id, let maximum, let location) where mode == .requested:
      return start(.on) { ($0.id, $0.maximumSeconds, $0.location) = (id, maximum, location) }
    case .failed where mode == .requested && isAhead:
      return .failed(.notAsExpected("it refused stream management before the resource was bound"))
    case .failed where mode == .requested:
      counters = StreamManagement()
      return start(.off)
    case .request where mode == .on:
      ackReplies.requested(at: effects.now.instant)
      if isComplete { reply() }
      return .none
    case .answer(let h) where mode == .on: return acknowledge(h)
    default: return .failed(.protocolViolation("an invalid stream management element"))
    }
  }

  private func start(_ mode: Mode, _ describe: (inout StreamRecord.Beginning) -> Void = { _ in }) -> Outcome {
    recordStart(describe)
    self.mode = mode
    if ackRequests.answered() { probe() }
    return .started
  }

  private func acknowledge(_ h: UInt32) -> Outcome {
    let last = counters.acknowledgedCount
    let ids: [UInt64]
    do { ids = try counters.acknowledged(h: h) } catch { return .failed(.impossibleAcknowledgement(error)) }
    if h != last || h == counters.sentCount, responsiveness.answered() { depart() }
    if ackRequests.answered() {
      probe()
    } else if counters.isAwaited {
      // Messages that were written behind the last `<r/>` need another one at once. A server that is merely not as far
      // gets a pause: no `<r/>` for each `<a/>`.
      let isBehind = counters.sentCount == ackRequests.coveredCount
      if isBehind {
        ackRequests.wantRepeat(at: effects.now.instant.advanced(by: Self.requestPause))
      } else {
        request()
      }
    }
    return .acknowledged(ids)
  }

  /// Answers `<r/>` with the count of durable stanzas (section 4).
  func reply() {
    ackReplies.reply(covered, isComplete: isComplete)
    output.append(StreamManagementWriter.answer(handled: covered))
  }

  /// A sync came: what depends on it leaves, and the server gets the ack that it waits for.
  func synced() {
    noteStarted()
    while let stanza = deferred.takeFirst(upTo: storage.queue.durable) { send(stanza) }
    if deferred.takeFollowUp() { probe() }
    depart()
    if ackReplies.isOwed, covered != ackReplies.lastCount { reply() }
  }

  var deadline: Instant? { ackReplies.due.orEarlier(ackRequests.repeatDue) }

  /// Sends what a late reply or a repeated request owes.
  func tick() {
    let now = effects.now.instant
    if let due = ackReplies.due, due <= now { reply() }
    if let due = ackRequests.repeatDue, due <= now { request() }
  }

  /// The last ack and the end of the stream, unless it is left to be resumed.
  func close(leaving: Bool) {
    if mode == .on { reply() }
    if !leaving { output.append(Array("</stream:stream>".utf8)) }
  }
}
