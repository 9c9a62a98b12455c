package import Settings
import Bytes
import Names
import XML
import XMPPCore
package import XMPPStream

/// Looks at an account's server from outside of any session, for `confabd --doctor`: finds its places, and reaches and
/// secures each, one after the other. Where it is to sign in, the first secure place is enough; it announces nobody, so
/// no message is handed to it. Events in, what is found and what is to be done out.
package struct Probe {
  /// How far to go.
  package enum Goal: Sendable {
    case secured, signedIn
  }

  /// One place where the server may be.
  package struct Place: Equatable, Sendable {
    package let host: String
    package let port: UInt16
    /// TLS from the first byte; else STARTTLS.
    package let isDirect: Bool
  }

  package enum Finding: Equatable, Sendable {
    /// The DNS could not be asked for a kind of service, in words; what it names as a place may be a guess.
    case unanswered(String)
    /// Where the server is, in the order of trying.
    case places([Place])
    /// There is nowhere to connect to, in words.
    case nowhere(String)
    case reached(Place, remote: String)
    case unreached(Place, String)
    case secured(Place, TLSFacts)
    case unsecured(Place, String)
    case signedIn(Place, NegotiatedStream)
    /// `isRefusal`: the server said no to address or password.
    case notSignedIn(Place, String, isRefusal: Bool)
  }

  package enum Output: Sendable {
    case found(Finding)
    /// For the present link; after `abort` the next one is for a new link.
    case act(LinkAction)
    /// Always the last one.
    case finished
  }

  private enum State {
    case resolving
    case connecting(Place)
    case negotiating(Negotiator, Place, isSecured: Bool)
    /// Signed in, and closing.
    case leaving
    case finished
  }

  /// More places than this are not looked at, however many a domain names.
  package static let mostPlaces = 4

  package let account: AccountSettings
  private let goal: Goal
  private let jid: JID
  private let domain: String
  private let random: any RandomSource
  private var state = State.resolving
  private var rest: [Place] = []
  private var parser = StreamParser(limits: .unauthenticated)

  /// - Parameter account: of a configuration that `Engine.check` has found good.
  /// - Throws: what is wrong with its JID nevertheless.
  package init(
    _ account: AccountSettings, goal: Goal, random: any RandomSource
  ) throws(ConfigurationProblem) {
    (self.account, self.goal, self.random) = (account, goal, random)
    do {
      jid = try Engine.address(of: account).bare
      domain = try DomainName.ascii(jid.domain)
    } catch let error as JIDError {
      throw ConfigurationProblem(description: error.sentence)
    } catch {
      throw ConfigurationProblem(description: "\(account.jid) has no domain that DNS can carry")
    }
  }

  /// Begins.
  package mutating func begin(into outputs: inout [Output]) {
    switch WayIn(account, domain: domain) {
    case .none(let reason): end(.nowhere(reason), &outputs)
    case .plan(let plan): take(plan, &outputs)
    case .lookUp(let domain): outputs.append(.act(.resolve(domain: domain)))
    }
  }

  /// One event of the present link.
  package mutating func handle(_ event: LinkEvent, into outputs: inout [Output]) {
    switch event {
    case .resolved(let services): resolved(services, &outputs)
    case .opened(let remote): opened(remote, &outputs)
    case .secured(let facts): secured(facts, &outputs)
    case .received(let bytes): received(bytes, &outputs)
    case .drained: break
    case .closed(let reason): failed(reason ?? "the server closed the connection", &outputs)
    }
  }

  /// What the login needs of the password is there, or cannot be had.
  package mutating func handle(_ derived: Derived, into outputs: inout [Output]) {
    switch derived {
    case .credential(let credential): negotiate(.derived(credential: credential), &outputs)
    case .failed(let reason): failed(reason, &outputs)
    }
  }

  /// The present step has taken too long.
  package mutating func timedOut(into outputs: inout [Output]) {
    failed("the server took too long to answer", &outputs)
  }
}

// Places.
extension Probe {
  private mutating func resolved(_ services: Services, _ outputs: inout [Output]) {
    guard case .resolving = state else { return }
    let failures = [services.startTLS, services.direct].compactMap {
      if case .failed(let words) = $0 { words } else { nil }
    }
    if let first = failures.first { outputs.append(.found(.unanswered(first))) }
    do {
      take(try ConnectionPlan(services, domain: domain, tls: account.tls, random: random), &outputs)
    } catch {
      end(.nowhere(error.sentence), &outputs)
    }
  }

  private mutating func take(_ plan: ConnectionPlan, _ outputs: inout [Output]) {
    let places = plan.candidates.map { Place(host: $0.host, port: $0.port, isDirect: $0.direct) }
    outputs.append(.found(.places(places)))
    rest = Array(places.prefix(Self.mostPlaces))
    next(&outputs)
  }

  /// Nobody named these places: where one is right, the others need not be.
  private var isGuessing: Bool { account.proxy != nil && account.server == nil }

  private mutating func next(_ outputs: inout [Output]) {
    guard !rest.isEmpty else { return finish(&outputs) }
    let place = rest.removeFirst()
    state = .connecting(place)
    outputs.append(.act(.connect(host: place.host, port: place.port, proxy: account.proxy?.ascii)))
  }

  /// The present place leads no further.
  private mutating func failed(_ reason: String, isRefusal: Bool = false, _ outputs: inout [Output]) {
    let finding: Finding
    switch state {
    case .resolving: return end(.nowhere(reason), &outputs)
    case .connecting(let place): finding = .unreached(place, reason)
    case .negotiating(_, let place, let isSecured):
      finding = isSecured ? .notSignedIn(place, reason, isRefusal: isRefusal) : .unsecured(place, reason)
    case .leaving: return finish(&outputs)
    case .finished: return
    }
    outputs += [.found(finding), .act(.abort)]
    // What a server says of a password, it says for all its places.
    if case .notSignedIn = finding { finish(&outputs) } else { next(&outputs) }
  }

  private mutating func end(_ finding: Finding, _ outputs: inout [Output]) {
    outputs.append(.found(finding))
    finish(&outputs)
  }

  private mutating func finish(_ outputs: inout [Output]) {
    state = .finished
    outputs.append(.finished)
  }
}

// One place.
extension Probe {
  private mutating func opened(_ remote: String, _ outputs: inout [Output]) {
    guard case .connecting(let place) = state else { return }
    outputs.append(.found(.reached(place, remote: remote)))
    parser = StreamParser(limits: .unauthenticated)
    let negotiator = Negotiator(
      .init(
        jid: jid, resource: "", tls: place.isDirect ? .direct : .startTLS, nonce: random.token(bytes: 24),
        iqIDPrefix: random.token(bytes: 9), allowsPlain: account.plain == .allow))
    state = .negotiating(negotiator, place, isSecured: false)
    if place.isDirect { outputs.append(startTLS(alpn: true)) } else { negotiate(.connected, &outputs) }
  }

  private func startTLS(alpn: Bool) -> Output {
    .act(
      .startTLS(
        TLSRequest(
          domain: domain, authorityFile: account.caFile, alpn: alpn, account: account.name, resumes: false)))
  }

  private mutating func secured(_ facts: TLSFacts, _ outputs: inout [Output]) {
    guard case .negotiating(let negotiator, let place, _) = state else { return }
    outputs.append(.found(.secured(place, facts)))
    guard goal == .signedIn else {
      outputs.append(.act(.abort))
      return isGuessing ? finish(&outputs) : next(&outputs)
    }
    state = .negotiating(negotiator, place, isSecured: true)
    negotiate(.secured(facts), &outputs)
  }

  private mutating func received(_ bytes: [UInt8], _ outputs: inout [Output]) {
    var items: [StreamItem] = []
    parser.feed(bytes, into: &items)
    let current = parser
    for (index, item) in items.enumerated() {
      guard current === parser else { return }
      negotiate(.item(item), hasMore: index + 1 < items.count, &outputs)
    }
  }

  private mutating func negotiate(
    _ input: Negotiator.Input, hasMore: Bool = false, _ outputs: inout [Output]
  ) {
    guard case .negotiating(var negotiator, let place, let isSecured) = state else { return }
    var actions: [Negotiator.Action] = []
    negotiator.handle(input, into: &actions)
    state = .negotiating(negotiator, place, isSecured: isSecured)
    for action in actions {
      switch action {
      case .send(let bytes): outputs.append(.act(.write(bytes)))
      case .newParser(let limits):
        let isClean = parser.pendingBytes == 0 && !hasMore
        parser = StreamParser(limits: limits)
        // Said before it was the server's turn (RFC 6120, section 5.4.3.3).
        guard isClean else { return negotiate(.leftover, &outputs) }
      case .startTLS: outputs.append(startTLS(alpn: false))
      case .derive(let request): outputs.append(.act(.derive(account: account.name, request)))
      // It has no stream to resume.
      case .greet, .resumed, .notResumed: break
      case .ready(let stream):
        outputs += [.found(.signedIn(place, stream)), .act(.write(Array("</stream:stream>".utf8))), .act(.close)]
        state = .leaving
        return
      case .fail(let failure): return failed(failure.sentence, isRefusal: failure.isPermanent, &outputs)
      }
    }
  }
}

extension RandomSource {
  /// An unpredictable word of so many bytes.
  func token(bytes count: Int) -> String { Base64.encodeURL(bytes(count)) }
}
