import Clocks
import State
import Records
import ConfabConfiguration
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Decides from durable records whether the next login resumes the last stream of an account (XEP-0198, section 5):
/// after a cut, a crash, an upgrade.
final class StreamResumption {
  /// The number of broken connections over a resumption after which the stream is given up.
  private static let mostFailures = 3

  private let state: AccountState
  private let effects: Effects
  let storage: Storage
  private let stream: ReliableStream
  private let reporter: StatusReporter
  /// The counters of the last stream; nil: only the log knows them, from before a start or a trouble of the disk.
  var counters: StreamManagement?
  /// When its link was lost; of a stream from before a start, when that was.
  private var since: Instant
  /// It goes on only when the log is durable up to this record.
  private(set) var after: UInt64 = 0
  /// How often `<resume/>` was sent for it.
  private(set) var attempts = 0
  /// How often in a row the server ended the connection over it.
  private var failures = 0
  /// True if the address that the server named for resuming was tried.
  private var hasTriedLocation = false
  /// Called when the stream is over.
  var ended: () -> Void = {}
  /// True if the stream is over, even if the log does not say so yet.
  private var isOver = false
  /// True if the end of the stream was given up, perhaps with the server's count: the server is asked again, however late.
  private var isEndLost = false
  /// True if the next try waits for the log.
  private var isLogAwaited = false

  init(_ state: AccountState, _ stream: ReliableStream, _ reporter: StatusReporter, _ effects: Effects) {
    (self.state, self.stream, self.reporter, self.effects) = (state, stream, reporter, effects)
    storage = stream.storage
    since = effects.now.instant
  }

  private func reset() {
    (counters, since, after, attempts, failures) = (nil, effects.now.instant, 0, 0, 0)
    (hasTriedLocation, isEndLost) = (false, false)
  }

  // MARK: - What to resume

  /// The stream to resume with the next login; nil: there is none, or it is too late.
  func offer(of jid: JID, _ isWanted: (JID) -> Bool) -> Negotiator.Resumption? {
    guard !isOver, let stream = state.stream, let id = stream.beginning.id, isEndLost || isKept(stream),
      let bound = try? JID(stream.beginning.jid), bound.isSpelling(of: jid), isWanted(bound)
    else { return nil }
    return Negotiator.Resumption(jid: bound, previousID: id, handled: stream.handled)
  }

  /// The host that the server named for resuming the stream, once, and whether TLS is direct there.
  func takeLocation() -> (host: String, isDirect: Bool)? {
    guard !hasTriedLocation, let stream = state.stream?.beginning, let location = stream.location else { return nil }
    hasTriedLocation = true
    return (location, stream.isDirect)
  }

  /// True if the server still keeps the stream.
  private func isKept(_ stream: StreamState) -> Bool {
    guard let maximum = stream.beginning.maximumSeconds else { return true }
    var elapsed = effects.now.instant - since
    if let left = stream.leftAt, counters == nil {
      elapsed = max(elapsed, effects.now.wall - Timestamp(milliseconds: left))
    }
    return elapsed < .seconds(Int64(maximum))
  }

  /// True if all records of the last stream are durable: a resumption, or a new stream, waits for that.
  var isDurable: Bool { after <= storage.queue.durable }

  /// The next try waits until all of that is durable.
  func awaitLog() {
    storage.queue.hurry()
    isLogAwaited = true
  }

  /// A sync came: whether the try that waits for it can be made now.
  func takeReadiness() -> Bool {
    guard isLogAwaited, isDurable else { return false }
    isLogAwaited = false
    return true
  }

  /// The counters of the last stream, as far as anything has them.
  var knownCounters: StreamManagement? { counters ?? state.restoredCounters }

  // MARK: - Events

  /// The link of the stream is lost: what may be resumed is kept. True if it may be.
  ///
  /// - Parameters:
  ///   - receipts: of a stream that is left in order: those that they have sent are recorded.
  ///   - recordProgress: records all that is new of the stream.
  func suspend(_ receipts: Receipts?, recordProgress: () -> Void) -> Bool {
    reset()
    // Pending records are of this stream: they become durable, or are given up, before the stream goes on.
    if !storage.mayAppend { after = storage.queue.last }
    guard storage.mayAppend, !isOver, stream.record.isResumable else { return false }
    recordProgress()
    if let receipts { stream.recordLeaving(Array(receipts.sent)) }
    counters = stream.suspended()
    after = storage.queue.last
    storage.queue.hurry()
    return true
  }

  /// Records were given up: only what is durable counts. If the end of the stream was among them, the server is asked for
  /// it again, and says again how many stanzas it had handled.
  func forgetUnstored() {
    if isOver { isEndLost = true }
    (counters, after, isOver) = (nil, 0, false)
  }

  /// `<resume/>` is sent.
  func requested() { attempts += 1 }

  /// A login went through: a stream begins or goes on.
  func streamBegins() { isOver = false }

  /// The stream goes on.
  func succeeded() { reset() }

  /// The stream is over, by our will or the server's: nobody is to resume it.
  ///
  /// - Parameter handled: the server's last word on how many of our stanzas it had handled.
  func end(handled: UInt32? = nil, isOnline: Bool) {
    reset()
    isOver = true
    ended()
    guard state.stream != nil || isOnline && stream.record.startedBy != nil, storage.mayAppend else { return }
    var record = StreamRecord(account: state.number)
    (record.isOver, record.settled, record.lastLive) = (true, handled, stream.lastLive?.milliseconds)
    after = storage.append(.stream(record))
  }

  /// Nothing was answered for too long on a resumed stream. If that happens again, a new one is heard.
  func noteSilence() {
    guard stream.responsiveness.wasSilent() else { return }
    reporter.journal(.warning, "the server ignores what is sent on the resumed stream; starting a new one")
    end(isOnline: true)
  }

  /// The server broke off at the resumption: that may be why.
  func noteFailure() {
    failures += 1
    guard failures >= Self.mostFailures else { return }
    reporter.journal(.warning, "the server ends each connection that resumes the stream; it is given up")
    end(isOnline: false)
  }
}

extension AccountState {
  /// The counters of the stream, as far as the log has them.
  fileprivate var restoredCounters: StreamManagement? {
    stream.map { stream in
      StreamManagement(
        ceiling: stream.ceiling, handled: stream.handled,
        messages: outbox.entries.compactMap { entry in entry.place.map { (entry.id, $0) } })
    }
  }
}
