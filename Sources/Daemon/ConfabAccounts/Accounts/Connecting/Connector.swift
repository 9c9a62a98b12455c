import Bytes
import Clocks
import State
import AddressPreparation
import Records
import SASL
import ConfabConfiguration
import XML
import XMPPCore
import XMPPStream

/// Connects an account: looks its server up, connects, secures, logs in, waits and tries again; follows redirects. A
/// state machine: link events come in, link actions go out.
package final class Connector {
  /// The phase of a connection.
  enum Phase {
    /// Not connected, and not to be until told so.
    case idle
    /// The next try is due at this time.
    case waiting(until: Instant)
    case resolving
    case connecting
    /// TLS of direct TLS, or negotiation.
    case negotiating
    case online
    /// Closed by us; the other side has a moment to close too.
    case closing
  }

  /// The present try.
  struct Attempt {
    /// Places that were not tried yet.
    var plan: ConnectionPlan?
    /// The address of the present link.
    var place: ConnectionPlan.Candidate?
    /// True if the server of the present link has proved its identity.
    var isSecured = false
    /// How often servers have redirected us since the plan was made.
    var redirects = 0
    /// True if the network changed since the try began.
    var networkHasChanged = false
    /// True if nothing is pipelined, because that failed.
    var isCautious = false
  }

  /// The results of earlier logins.
  struct Login {
    /// The resource that is this account's: configured, or a stable one.
    var ownResource: String
    /// The resource to bind: its own, unless another session has that.
    var resource: String
    var conflicts = ResourceConflicts()
    /// True if the server has accepted the present password.
    var hasSucceeded = false
    /// True if the next handshake may resume the last one's TLS session, because the login that followed it went
    /// through. After anything else the server shows its certificate again.
    var resumesTLS = false
  }

  /// How long each step towards a stream may take.
  static let stepPatience = Interval.seconds(30)
  /// How long the password's key may take: longer than a password command does.
  private static let keyPatience = Interval.seconds(90)
  /// How long connecting may take; a proxy has to find and reach the server in it.
  private var connectPatience: Interval { settings.proxy == nil ? Self.stepPatience : .seconds(90) }

  let jid: JID
  let state: AccountState
  let effects: Effects
  let reporter: StatusReporter
  let resumption: StreamResumption
  var settings: AccountSettings
  weak var delegate: (any ConnectorDelegate)?
  var phase = Phase.idle
  private(set) var link: LinkID?
  private(set) var stream: ClientStream?
  var attempt = Attempt()
  var login: Login
  var backoff = Backoff()
  /// When the present step has taken too long.
  var stepDeadline: Instant?

  init(
    _ settings: AccountSettings, _ jid: JID, resource: String, _ state: AccountState, _ resumption: StreamResumption,
    _ reporter: StatusReporter, _ effects: Effects
  ) {
    (self.settings, self.jid, self.state, self.effects) = (settings, jid, state, effects)
    (self.resumption, self.reporter) = (resumption, reporter)
    login = Login(ownResource: resource, resource: resource)
  }

  /// The JID's domain as DNS and certificates have it.
  private var serverName: Result<String, DomainNameError> {
    Result { () throws(DomainNameError) in try DomainName.ascii(jid.domain) }
  }

  var isOnline: Bool { if case .online = phase { true } else { false } }

  /// The earliest time at which something is due before the stream is negotiated, or while it closes.
  var deadline: Instant? {
    switch phase {
    case .idle, .online: nil
    case .waiting(let until): until
    case .resolving, .connecting, .negotiating, .closing: stepDeadline
    }
  }

  /// Does what is due.
  func tick() {
    guard let deadline, deadline <= effects.now.instant else { return }
    switch phase {
    case .idle, .online: break
    case .waiting: connect()
    case .closing: forgetLink()
    case .resolving: lose("looking up \(jid.domain) took more than 30 seconds")
    case .connecting:
      let seconds = connectPatience.milliseconds / 1000
      tryNext(after: "connecting to \(attempt.place?.host ?? "") took more than \(seconds) seconds")
    case .negotiating: tryNext(after: "the server took more than 30 seconds to answer during the login")
    }
  }

  // MARK: - Looking up and connecting

  /// Starts a connection if there is none and the account wants one.
  func connect() {
    switch phase {
    case .idle, .waiting: break
    case .resolving, .connecting, .negotiating, .online, .closing: return
    }
    (attempt.networkHasChanged, attempt.redirects) = (false, 0)
    guard delegate?.mayConnect() == true else { return }
    let domain: String
    switch serverName {
    case .success(let name): domain = name
    case .failure(let error): return refuse("\(jid.domain) is not a domain name: \(error.reason)")
    }
    if let place = resumptionPlace() { return start(ConnectionPlan(place, then: nil)) }
    switch ServerLocation(settings, domain: domain) {
    case .none(let reason): refuse(reason)
    case .plan(let plan): start(plan)
    case .lookUp(let domain):
      effects.act(.link(openLink(), .resolve(domain: domain)))
      enter(.resolving, "looking up \(jid.domain)")
    }
  }

  /// The place that the server named for resuming the stream, if it is to be resumed.
  private func resumptionPlace() -> ConnectionPlan.Candidate? {
    guard resumable != nil, let (host, isDirect) = resumption.takeLocation() else { return nil }
    return place(at: host, isDirect: isDirect)
  }

  private var resumable: Negotiator.Resumption? { resumption.offer(of: jid, isWanted) }

  /// True if a bound JID has the resource that is configured now, if any is.
  func isWanted(_ bound: JID) -> Bool {
    settings.resource == nil || bound.resource?.hasPrefix(login.ownResource) == true
  }

  /// One event of the link.
  func handle(_ event: LinkEvent) {
    switch event {
    case .resolved(let services): resolved(services)
    case .opened(let remote): opened(remote)
    case .secured(let tls): secured(tls)
    case .received(let bytes):
      // Looked up once: the reference is weak.
      let delegate = delegate
      stream?.receive(bytes, perform) { item in received(item, delegate) }
    case .drained: break
    case .closed(let reason): closed(reason)
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
    guard let place = plan.next() else { return lose("the server has no address") }
    (attempt.plan, attempt.place) = (plan, place)
    reporter.status.server = "\(place.host):\(place.port)"
    effects.act(
      .link(openLink(), .connect(host: place.host, port: place.port, proxy: settings.proxy?.ascii)))
    enter(.connecting, "connecting to \(place.host):\(place.port)")
    stepDeadline = effects.now.instant.advanced(by: connectPatience)
  }

  private func opened(_ remote: String) {
    guard case .connecting = phase, let link, let place = attempt.place else { return }
    reporter.status.server = remote
    let stream = ClientStream(
      .init(
        jid: jid, resource: login.resource, tls: place.direct ? .direct : .startTLS, nonce: effects.token(bytes: 24),
        iqIDPrefix: effects.token(bytes: 9), pin: state.server.login?.pin, allowsPlain: settings.plain == .allow,
        pipelining: pipelining, resumption: resumable))
    self.stream = stream
    enter(.negotiating, "securing the connection to \(remote)")
    if place.direct {
      effects.act(.link(link, .startTLS(tlsRequest(alpn: true))))
    } else {
      stream.negotiate(.connected, perform)
    }
  }

  private func tlsRequest(alpn: Bool) -> TLSRequest {
    // A domain without a name was refused before, and would match no certificate.
    defer { login.resumesTLS = false }
    return TLSRequest(
      domain: (try? serverName.get()) ?? jid.domain, authorityFile: settings.caFile, alpn: alpn, account: settings.name,
      resumes: login.resumesTLS)
  }

  // MARK: - Negotiating

  private func secured(_ tls: TLSFacts) {
    guard case .negotiating = phase else { return }
    attempt.isSecured = true
    reporter.status.tls = "\(tls.version) \(tls.cipher)" + (tls.isResumed ? " (resumed)" : "")
    enter(.negotiating, "logging in to \(jid.domain)")
    stream?.negotiate(.secured(tls), perform)
  }

  /// The login's use of the password is there, or cannot be had.
  package func derived(_ derived: Derived) {
    guard case .negotiating = phase else { return }
    stepDeadline = effects.now.instant.advanced(by: Self.stepPatience)
    switch derived {
    case .credential(let credential): stream?.negotiate(.derived(credential: credential), perform)
    case .failed(let reason): refuse(reason)
    }
  }

  private func received(_ item: consuming StreamItem, _ delegate: (any ConnectorDelegate)?) {
    switch phase {
    case .online: delegate?.receive(item)
    case .closing: if case .end = item, let link { effects.act(.link(link, .close)) }
    case .idle, .waiting, .resolving, .connecting, .negotiating: break
    }
  }

  private func perform(_ event: ClientStream.Event) {
    guard let link, case .negotiating = phase else { return }
    stepDeadline = effects.now.instant.advanced(by: Self.stepPatience)
    switch event {
    case .send(let bytes): effects.act(.link(link, .write(bytes)))
    case .startTLS: effects.act(.link(link, .startTLS(tlsRequest(alpn: false))))
    case .derive(let request):
      stepDeadline = effects.now.instant.advanced(by: Self.keyPatience)
      effects.act(.link(link, .derive(account: settings.name, request)))
    case .sendInitialStanzas(let streamManagement, let rosterVersioning):
      delegate?.sendInitialStanzas(streamManagement: streamManagement, rosterVersioning: rosterVersioning)
    case .resuming: resumption.requested()
    case .resumed(let stream, let handled):
      entered(stream)
      delegate?.resumed(stream, h: handled)
    case .notResumed(let condition, let handled): delegate?.notResumed(condition, h: handled)
    case .ready(let stream):
      entered(stream)
      delegate?.begin(stream)
    case .failed(let failure, let step):
      if step == .resuming { resumption.noteFailure() }
      fail(failure)
    }
  }

  /// A login went through.
  private func entered(_ stream: NegotiatedStream) {
    phase = .online
    stepDeadline = nil
    resumption.streamBegins()
    // A login that is bound to the certificate needs the one that the server has now.
    login.resumesTLS = stream.login.channelBinding != .tlsServerEndPoint
    (attempt.networkHasChanged, login.hasSucceeded) = (false, true)
    reporter.status.sasl = stream.login.description
    remember(stream.login)
  }

  // MARK: - Pipelining

  /// The number of logins in a row that had to be repeated which shows that the server does not support pipelining.
  private static let mostPipeliningFailures: UInt8 = 2

  /// How the present try is made.
  private var pipelining: Negotiator.Pipelining {
    if attempt.isCautious { return .none }
    guard let offer = state.server.lastOffer else { return .known }
    return offer.pipeliningFailures < Self.mostPipeliningFailures ? offer.pipelining : .none
  }

  /// True if TLS began with the present connection.
  var isDirect: Bool { attempt.place?.direct == true }

  /// The present try has come to a stream: the failures of pipelining to be remembered.
  func takePipeliningFailures() -> UInt8 {
    let known = state.server.lastOffer?.pipeliningFailures ?? 0
    defer { attempt.isCautious = false }
    if attempt.isCautious { return min(known, Self.mostPipeliningFailures - 1) + 1 }
    return pipelining == .none ? known : 0
  }

  /// True if pipelined data was sent, and the server has not answered it.
  var isAhead: Bool {
    switch phase {
    case .negotiating: stream?.isAhead == true
    case .online: delegate?.isAhead == true
    case .idle, .waiting, .resolving, .connecting, .closing: false
    }
  }

  // MARK: - The pinned login

  /// Records what the login had, so that no later one is weaker (docs/decisions/0007-pinned-logins.md).
  private func remember(_ method: LoginMethod) {
    let record = LoginRecord(
      account: state.number, mechanism: method.mechanism.rawValue,
      channelBinding: method.channelBinding?.rawValue)
    if state.server.login != record { resumption.storage.append(.login(record)) }
  }

  /// `unpin`: a try that is going on, or was refused for the pin, begins anew. A stream stays. True if it begins anew.
  func unpinned() -> Bool {
    switch phase {
    case .online, .closing: return false
    case .idle where !state.wish.connected: return false
    case .idle, .waiting, .resolving, .connecting, .negotiating: break
    }
    abandon()
    return true
  }

  /// The login is another one: nothing that an earlier one came to counts.
  func changeLogin(resource: String) {
    (login.ownResource, login.resumesTLS, login.hasSucceeded) = (resource, false, false)
    attempt.isCautious = false
  }

  // MARK: - The link

  private func openLink() -> LinkID {
    if let link { effects.act(.link(link, .abort)) }
    stream?.close()
    (stream, attempt.isSecured) = (nil, false)
    let new = LinkID(effects.freshNumber())
    link = new
    return new
  }

  /// Bytes that were written still leave; bytes that come on this link are dropped from now on.
  func dropLink() {
    if let link { effects.act(.link(link, .close)) }
    linkIsGone()
    stepDeadline = nil
    (reporter.status.tls, reporter.status.sasl) = (nil, nil)
  }

  func linkIsGone() {
    stream?.close()
    link = nil
  }

  private func enter(_ phase: Phase, _ reason: String) {
    self.phase = phase
    stepDeadline = effects.now.instant.advanced(by: Self.stepPatience)
    reporter.report(.connecting, reason)
  }
}
