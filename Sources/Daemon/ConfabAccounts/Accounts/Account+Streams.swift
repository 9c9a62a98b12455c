import Clocks
import Records
import SASL
import ConfabConfiguration
import State
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Events of the connector: streams that begin, go on and end.
extension Account: ConnectorDelegate {
  var isAhead: Bool { parts.core.offers.isAhead }

  var streamAge: (age: Interval, isResumed: Bool)? {
    isOnline ? (effects.now.instant - online.since, stream.isResumed) : nil
  }

  func mayConnect() -> Bool {
    guard state.wish.connected, !storage.isStopping else {
      connector.stop(storage.isStopping ? "the daemon is stopping" : "disconnected by command")
      return false
    }
    guard storage.trouble == nil else {
      connector.wait("nothing can be stored now")
      return false
    }
    if let pause = storage.interruption.remaining(at: effects.now.instant) {
      connector.wait("the disk did not read a record", pause: pause)
      return false
    }
    guard resumption.isDurable else {
      resumption.awaitLog()
      connector.waitForLog("storing the last received stanzas")
      return false
    }
    lifecycle.tryBegins()
    return true
  }

  func sendInitialStanzas(streamManagement: Bool, rosterVersioning: Bool) {
    guard let link else { return }
    lifecycle.sendInitialStanzas(streamManagement: streamManagement, rosterVersioning: rosterVersioning)
    parts.core.offers.isAhead = true
    effects.act(.link(link, .write(lifecycle.takeOutput())))
  }

  func begin(_ stream: NegotiatedStream) {
    let pipeliningFailures = connector.takePipeliningFailures()
    if !lifecycle.hasSentInitialStanzas {
      lifecycle.sendInitialStanzas(
        streamManagement: stream.features.streamManagement, rosterVersioning: stream.features.rosterVersioning)
    }
    let unused = stream.login.leavesBindingUnused ? "; channel binding is not used: \(LoginMethod.unknownBinding)" : ""
    goOnline("logged in as \(stream.jid)\(unused)")
    lifecycle.begin(
      stream, isDirect: connector.isDirect, pipeliningFailures: pipeliningFailures, after: resumption.after)
  }

  private func goOnline(_ signedIn: String) {
    online = OnlineStream(signedIn, since: effects.now.instant)
    reporter.report(.online, signedIn)
  }

  func resumed(_ stream: NegotiatedStream, h: UInt32) {
    guard state.stream != nil, let counters = resumption.knownCounters else { return refuseUnknownStream() }
    _ = connector.takePipeliningFailures()
    goOnline("resumed the stream of \(stream.jid)")
    let isRestored = resumption.counters == nil
    // A server whose answer was never read may have resumed the stream without us: ejabberd loses the stream's state if
    // it is asked twice at once. Answers that it owed may never come, and the archive has the messages.
    let keepsAnswers = !isRestored && resumption.attempts <= 1
    resumption.succeeded()
    let end = lifecycle.resume(
      stream, counters, h: h, isDirect: connector.isDirect, isRestored: isRestored, keepsAnswers: keepsAnswers)
    if let end { ended(end) }
  }

  /// Refuses a resumed stream that the log does not know: the counts of stanzas on either side are unknown.
  private func refuseUnknownStream() {
    let reason = "the server resumed a stream that is not in the log"
    reporter.journal(.error, "\(reason); starting a new one")
    resumption.end(isOnline: false)
    connector.lose(reason)
  }

  /// The server does not resume the stream. If it says how many of our stanzas it had handled, those are acknowledged.
  func notResumed(_ condition: String, h: UInt32?) {
    effects.journal(.info, "account \(name): the stream cannot be resumed (\(condition)); starting a new one")
    var counters = resumption.knownCounters
    let acknowledged = h.flatMap { h in (try? counters?.resumed(h: h))?.acknowledged }
    outbox.acknowledged(acknowledged ?? [])
    if acknowledged != nil, let h {
      if resumption.counters == nil { parts.messaging.receipts.restore(state.stream?.unconfirmedReceipts ?? []) }
      parts.messaging.receipts.streamEnded(acknowledged: h)
    }
    resumption.end(handled: acknowledged == nil ? nil : h, isOnline: false)
    storage.queue.hurry()
  }

  func receive(_ item: consuming StreamItem) {
    // Behind damage of the index, or a refused read, nothing is taken: the server keeps it, and the link ends.
    guard storage.isWhole else { return }
    if let end = router.receive(item) { ended(end) }
  }

  /// The stream is over.
  private func ended(_ end: StanzaRouter.End) {
    online.isEndedByServer = true
    switch end {
    case .closed: connector.tryNext(after: "the server closed the stream")
    case .failed(let failure):
      if case .stream(let error) = failure { suspect(error) }
      answer(failure)
      connector.fail(failure)
    }
  }

  /// Notes the first unacknowledged message when a stream error may be its fault. If the server has acknowledged
  /// nothing since the stream was resumed, that may be what is wrong: then no message is to blame, and the next stream
  /// is new.
  private func suspect(_ error: StreamError) {
    guard isOnline, StreamErrorMeaning.of(error.condition).blamesStanza else { return }
    lifecycle.refuseRequestsOfClients(StreamFailure.stream(error).sentence)
    guard stream.responsiveness.isProven else { return resumption.end(isOnline: true) }
    guard let first = outbox.firstUnacknowledged else { return }
    storage.append(.suspicion(SuspicionRecord(account: number, id: first.id)))
  }

  /// Tells the server why we close, if the mistake is its own (RFC 6120, section 4.9).
  private func answer(_ failure: StreamFailure) {
    guard let link, isOnline, let bytes = failure.answer else { return }
    stream.output.append(bytes)
    resumption.end(isOnline: true)
    effects.act(.link(link, .write(lifecycle.takeOutput())))
  }

  func linkLost() {
    let isLeaving = closing?.isLeaving == true
    closing = nil
    guard isOnline else { return }
    flow.linkLost()
    let lasted = effects.now.instant - online.since
    connector.backoff.lasted(lasted)
    if lasted >= Backoff.stable { reporter.forgetTroubles() }
    lifecycle.linkLost()
    let isResumable = resumption.suspend(isLeaving ? parts.messaging.receipts : nil) { lifecycle.recordProgress() }
    if !isResumable { parts.messaging.rooms.streamIsOver() }
    // A link that comes and goes says nothing about the server, which has kept what there was.
    if isResumable, !online.isEndedByServer { connector.backoff.linkWasCut(at: effects.now.instant) }
  }

  func closed() { if status.state != .stopped { connector.connect() } }
}

extension StreamFailure {
  /// The stream error that tells the server its own mistake; nil if it made none.
  fileprivate var answer: [UInt8]? {
    switch self {
    case .xml(let failure): StreamError.closing(failure.streamErrorCondition)
    case .protocolViolation: StreamError.closing("undefined-condition")
    case .impossibleAcknowledgement(let it):
      StreamError.closing(
        "undefined-condition", detail: StreamManagementWriter.tooHigh(h: it.h, sent: it.sent))
    default: nil
    }
  }
}

extension LoginMethod {
  /// Why a login leaves the channel binding unused that the server offers.
  static let unknownBinding = "the server offers no type that this connection supports"
}
