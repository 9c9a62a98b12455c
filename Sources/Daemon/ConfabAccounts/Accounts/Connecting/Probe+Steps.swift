import Bytes
import ConfabConfiguration
import XMPPStream

// Places.
extension Probe {
  mutating func resolved(_ services: Services, _ outputs: inout [Output]) {
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

  mutating func take(_ plan: ConnectionPlan, _ outputs: inout [Output]) {
    let places = plan.candidates.map { Place(host: $0.host, port: $0.port, isDirect: $0.direct) }
    outputs.append(.found(.places(places)))
    rest = Array(places.prefix(Self.mostPlaces))
    next(&outputs)
  }

  /// True if the places are guesses: if one is right, the others need not be.
  private var isGuessing: Bool { account.proxy != nil && account.server == nil }

  private mutating func next(_ outputs: inout [Output]) {
    guard !rest.isEmpty else { return finish(&outputs) }
    let place = rest.removeFirst()
    state = .connecting(place)
    outputs.append(.act(.connect(host: place.host, port: place.port, proxy: account.proxy?.ascii)))
  }

  /// The present place leads no further.
  mutating func failed(_ reason: String, isRefusal: Bool = false, _ outputs: inout [Output]) {
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
    // A login that fails at one of the server's places fails at all of them.
    if case .notSignedIn = finding { finish(&outputs) } else { next(&outputs) }
  }

  mutating func end(_ finding: Finding, _ outputs: inout [Output]) {
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
  mutating func opened(_ remote: String, _ outputs: inout [Output]) {
    guard case .connecting(let place) = state else { return }
    outputs.append(.found(.reached(place, remote: remote)))
    let stream = ClientStream(
      .init(
        jid: jid, resource: "", tls: place.isDirect ? .direct : .startTLS, nonce: random.token(bytes: 24),
        iqIDPrefix: random.token(bytes: 9), allowsPlain: account.plain == .allow))
    state = .negotiating(stream, place, isSecured: false)
    if place.isDirect { outputs.append(startTLS(alpn: true)) } else { negotiate(.connected, &outputs) }
  }

  private func startTLS(alpn: Bool) -> Output {
    .act(
      .startTLS(
        TLSRequest(
          domain: domain, authorityFile: account.caFile, alpn: alpn, account: account.name, resumes: false)))
  }

  mutating func secured(_ facts: TLSFacts, _ outputs: inout [Output]) {
    guard case .negotiating(let stream, let place, _) = state else { return }
    outputs.append(.found(.secured(place, facts)))
    guard goal == .signedIn else {
      outputs.append(.act(.abort))
      return isGuessing ? finish(&outputs) : next(&outputs)
    }
    state = .negotiating(stream, place, isSecured: true)
    negotiate(.secured(facts), &outputs)
  }

  mutating func received(_ bytes: [UInt8], _ outputs: inout [Output]) {
    guard case .negotiating(let stream, _, _) = state else { return }
    stream.receive(bytes, { perform($0, &outputs) }, take: { _ in })
  }

  mutating func negotiate(_ input: Negotiator.Input, _ outputs: inout [Output]) {
    guard case .negotiating(let stream, _, _) = state else { return }
    stream.negotiate(input) { perform($0, &outputs) }
  }

  private mutating func perform(_ event: ClientStream.Event, _ outputs: inout [Output]) {
    guard case .negotiating(_, let place, _) = state else { return }
    switch event {
    case .send(let bytes): outputs.append(.act(.write(bytes)))
    case .startTLS: outputs.append(startTLS(alpn: false))
    case .derive(let request): outputs.append(.act(.derive(account: account.name, request)))
    // It has no stream to resume.
    case .sendInitialStanzas, .resuming, .resumed, .notResumed: break
    case .ready(let stream):
      outputs += [.found(.signedIn(place, stream)), .act(.write(Array("</stream:stream>".utf8))), .act(.close)]
      state = .leaving
    case .failed(let failure, _): failed(failure.sentence, isRefusal: failure.isPermanent, &outputs)
    }
  }
}
