import Settings

/// Where to try to connect, in order (RFC 6120, section 3.2; XEP-0368).
struct ConnectionPlan: Sendable, Equatable {
  /// One place to try.
  struct Candidate: Sendable, Equatable {
    var host: String
    var port: UInt16
    /// TLS from the first byte; else STARTTLS.
    var direct: Bool
  }

  private(set) var candidates: [Candidate]

  /// Takes the next place to try; nil when all were tried.
  mutating func next() -> Candidate? { candidates.isEmpty ? nil : candidates.removeFirst() }

  /// The plan where the configuration names the server: no look-up.
  init(server: HostPort, tls: TLSMode) {
    let direct =
      switch tls {
      case .direct: true
      case .starttls: false
      case .auto: server.port == 5223 || server.port == 443
      }
    candidates = [Candidate(host: server.host, port: server.port, direct: direct)]
  }

  /// The plan made from a domain's service records; throws, in words, where the domain offers no such service.
  /// Records in the order of their priority, direct TLS first among equals; the domain itself on port 5222 only
  /// where it has no record at all (RFC 6120, section 3.2.2).
  init(_ services: Services, domain: String, tls: TLSMode) throws(PlanFailure) {
    var found: [(priority: UInt16, candidate: Candidate)] = []
    for (answer, direct) in [(services.direct, true), (services.startTLS, false)] {
      guard tls == .auto || (tls == .direct) == direct, case .records(let records) = answer else { continue }
      found += records.map { ($0.priority, Candidate(host: $0.host, port: $0.port, direct: direct)) }
    }
    candidates = found.sorted {
      ($0.priority, $0.candidate.direct ? 0 : 1) < ($1.priority, $1.candidate.direct ? 0 : 1)
    }
    .map(\.candidate)
    guard candidates.isEmpty else { return }
    if services.startTLS == .refused, tls == .starttls || services.direct == .refused || services.direct == .none {
      throw PlanFailure(sentence: "\(domain) says in its DNS that it has no XMPP service for clients")
    }
    candidates = [Candidate(host: domain, port: tls == .direct ? 5223 : 5222, direct: tls == .direct)]
  }
}

/// Why there is nowhere to connect to.
struct PlanFailure: Error, Equatable {
  let sentence: String
}
