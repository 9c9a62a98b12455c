import Clocks
import Facts
import Names
import Records
import SASL
import Settings
import XML
import XMPPCore
import XMPPStream

/// From nothing to a session.
extension Account {
  /// Starts a connection where there is none, if the user wants one.
  func connect() {
    switch phase {
    case .idle, .waiting: break
    case .resolving, .connecting, .negotiating, .online, .closing: return
    }
    networkHasChanged = false
    redirects = 0
    guard facts.wish.connected, !storage.isStopping else {
      phase = .idle
      return report(.stopped, storage.isStopping ? "the daemon is stopping" : "disconnected by command")
    }
    guard storage.trouble == nil else { return wait("nothing can be stored at the moment") }
    guard isLastStreamDurable() else { return }
    let domain: String
    switch serverName {
    case .success(let name): domain = name
    case .failure(let error): return refuse("\(jid.domain) is not a domain's name: \(error.reason)")
    }
    if let location = takeLocation() { return start(ConnectionPlan(location, then: nil)) }
    switch WayIn(settings, domain: domain) {
    case .none(let reason): refuse(reason)
    case .plan(let plan): start(plan)
    case .lookUp(let domain):
      openLink().map { effects.act(.link($0, .resolve(domain: domain))) }
      enter(.resolving, "looking up \(jid.domain)")
    }
  }

  /// One event of the link.
  func handle(_ event: LinkEvent) {
    switch event {
    case .resolved(let services): resolved(services)
    case .opened(let remote): opened(remote)
    case .secured(let facts): secured(facts)
    case .received(let bytes): received(bytes)
    case .drained: session?.drained()
    case .closed(let reason): closed(reason)
    }
  }

  /// What the login needs of the password is there, or cannot be had.
  func derived(_ derived: Derived) {
    guard case .negotiating = phase else { return }
    stepDeadline = effects.now.instant.advanced(by: Self.stepPatience)
    switch derived {
    case .credential(let credential): negotiate(.derived(credential: credential))
    case .failed(let reason): refuse(reason)
    }
  }

  private func resolved(_ services: Services) {
    guard case .resolving = phase, case .success(let domain) = serverName else { return }
    do {
      start(try ConnectionPlan(services, domain: domain, tls: settings.tls, random: effects.random))
    } catch {
      lose(error.sentence)
    }
  }

  /// Tries the first place of a plan.
  func start(_ plan: ConnectionPlan) {
    var plan = plan
    guard let candidate = plan.next() else { return lose("there is nowhere to connect to") }
    place = candidate
    status.server = "\(candidate.host):\(candidate.port)"
    openLink().map {
      effects.act(.link($0, .connect(host: candidate.host, port: candidate.port, proxy: settings.proxy?.ascii)))
    }
    enter(.connecting(plan, candidate), "connecting to \(candidate.host):\(candidate.port)")
    stepDeadline = effects.now.instant.advanced(by: connectPatience)
  }

  /// Tries the next place of the plan, or waits where there is none.
  func moveOn(after reason: String, pause: Interval = .zero) {
    switch phase {
    case .connecting(let plan, _) where !plan.candidates.isEmpty,
      .negotiating(_, let plan, _) where !plan.candidates.isEmpty:
      complain(reason, of: reason)
      dropLink()
      start(plan)
    default: lose(reason, pause: pause)
    }
  }

  private func opened(_ remote: String) {
    guard case .connecting(let plan, let candidate) = phase, let link else { return }
    status.server = remote
    let negotiator = Negotiator(
      .init(
        jid: jid, resource: resource, tls: candidate.direct ? .direct : .startTLS, nonce: effects.token(bytes: 24),
        iqIDPrefix: effects.token(bytes: 9), pin: facts.login?.pin, allowsPlain: settings.plain == .allow,
        pipelining: pipelining, resumption: resumption()))
    enter(.negotiating(negotiator, plan, candidate), "securing the connection to \(remote)")
    if candidate.direct {
      effects.act(.link(link, .startTLS(tlsRequest(alpn: true))))
    } else {
      negotiate(.connected)
    }
  }

  private func tlsRequest(alpn: Bool) -> TLSRequest {
    // What is no name was refused before, and would match no certificate.
    defer { resumesTLS = false }
    return TLSRequest(
      domain: (try? serverName.get()) ?? jid.domain, authorityFile: settings.caFile, alpn: alpn, account: name,
      resumes: resumesTLS)
  }

  private func secured(_ facts: TLSFacts) {
    guard case .negotiating(let negotiator, let plan, let candidate) = phase else { return }
    isSecured = true
    status.tls = "\(facts.version) \(facts.cipher)" + (facts.isResumed ? " (resumed)" : "")
    enter(.negotiating(negotiator, plan, candidate), "signing in to \(jid.domain)")
    negotiate(.secured(facts))
  }

  private func received(_ bytes: [UInt8]) {
    status.lastHeard = effects.now.wall
    unsynced.receive(bytes.count)
    var items: [StreamItem] = []
    let rosterID = (session ?? greeted)?.iqs.rosterID
    if parser.partedAnswerID != rosterID { parser.partedAnswerID = rosterID }
    parser.feed(bytes, into: &items)
    let current = parser
    // However it ends: what stood behind the last element of this link is nothing to the next one.
    defer { hasMoreItems = false }
    for index in items.indices {
      // A new parser means a new stream: whatever stands behind the element that ended the old one is nobody's.
      guard link != nil, current === parser else { return }
      hasMoreItems = index + 1 < items.count
      // Taken out: what is looked at in its place is copied.
      var item = StreamItem.end
      swap(&item, &items[index])
      receive(item)
    }
  }

  private func receive(_ item: consuming StreamItem) {
    if let session {
      if let end = session.receive(item) { ended(end) }
      return
    }
    switch phase {
    case .negotiating:
      stepDeadline = effects.now.instant.advanced(by: Self.stepPatience)
      negotiate(.item(item))
    case .closing: if case .end = item { link.map { effects.act(.link($0, .close)) } }
    case .online, .idle, .waiting, .resolving, .connecting: break
    }
  }

  private func negotiate(_ input: Negotiator.Input) {
    guard case .negotiating(var negotiator, let plan, let candidate) = phase else { return }
    let (step, wasResuming) = (negotiator.step, negotiator.isResuming)
    var actions: [Negotiator.Action] = []
    negotiator.handle(input, into: &actions)
    if negotiator.isResuming, !wasResuming { suspension.attempts += 1 }
    if step == .resuming, case .fail = actions.last { noteSetback() }
    phase = .negotiating(negotiator, plan, candidate)
    for action in actions {
      if case .newParser(let limits) = action {
        let isClean = parser.pendingBytes == 0 && !hasMoreItems
        parser = StreamParser(limits: limits)
        hasMoreItems = false
        // Said before it was the server's turn: forged, or a violation (RFC 6120, 5.4.3.3).
        guard isClean else { return negotiate(.leftover) }
      } else {
        perform(action)
      }
    }
  }

  private func perform(_ action: Negotiator.Action) {
    guard let link else { return }
    switch action {
    case .send(let bytes): effects.act(.link(link, .write(bytes)))
    case .newParser: break
    case .startTLS: effects.act(.link(link, .startTLS(tlsRequest(alpn: false))))
    case .derive(let request):
      stepDeadline = effects.now.instant.advanced(by: Self.keyPatience)
      effects.act(.link(link, .derive(account: name, request)))
    case .greet(let streamManagement, let rosterVersioning):
      greet(streamManagement: streamManagement, rosterVersioning: rosterVersioning)
    case .resumed(let stream, let handled): resumed(stream, h: handled)
    case .notResumed(let condition, let handled): notResumed(condition, h: handled)
    case .ready(let stream): begin(stream)
    case .fail(let failure): fail(failure)
    }
  }

  @discardableResult
  private func openLink() -> LinkID? {
    if let link { effects.act(.link(link, .abort)) }
    parser = StreamParser(limits: .unauthenticated)
    greeted = nil
    (isPaused, isSecured) = (false, false)
    link = LinkID(effects.freshNumber())
    return link
  }

  private func enter(_ phase: Phase, _ reason: String) {
    self.phase = phase
    stepDeadline = effects.now.instant.advanced(by: Self.stepPatience)
    report(.connecting, reason)
  }
}
