import Bytes
import AddressPreparation
import ConfabConfiguration
/// The addresses to try to connect to, in order (RFC 6120, section 3.2; XEP-0368).
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

  /// This place first, then the others of a plan, where there is one.
  init(_ first: Candidate, then plan: ConnectionPlan?) {
    candidates = [first] + (plan?.candidates ?? [])
  }

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

  /// The plan where a proxy looks names up, and nobody knows the service records: the domain itself at the ports of
  /// XMPP, and at that of HTTPS, which the firewalls before some domains and the exits of Tor let through.
  init(throughProxyTo domain: String, tls: TLSMode) {
    let ports: [(UInt16, direct: Bool)] = [(5222, false), (5223, true), (443, true)]
    candidates = ports.filter { tls.allows(direct: $0.direct) }
      .map { Candidate(host: domain, port: $0.0, direct: $0.direct) }
  }

  /// The plan made from a domain's service records; throws, in words, where the domain offers no such service.
  ///
  /// Both kinds are one list in the order of RFC 2782 (XEP-0368, section 5), drawn anew by each plan. The domain
  /// itself is tried only where it has no record that may be used (RFC 6120, section 3.2.2).
  init(
    _ services: Services, domain: String, tls: TLSMode, random: any RandomSource
  ) throws(PlanFailure) {
    var found: [WeightedOrder.Entry<Candidate>] = []
    for (answer, direct) in [(services.direct, true), (services.startTLS, false)] {
      guard tls.allows(direct: direct), case .records(let records) = answer else { continue }
      found += records.map {
        .init(
          priority: $0.priority, weight: $0.weight, value: Candidate(host: $0.host, port: $0.port, direct: direct))
      }
    }
    candidates = WeightedOrder.drawn(found, random)
    if candidates.isEmpty { candidates = [try Self.domainItself(services, domain, tls)] }
  }

  /// The domain as its own server. A `.` for one kind of service excludes that kind only.
  private static func domainItself(
    _ services: Services, _ domain: String, _ tls: TLSMode
  ) throws(PlanFailure) -> Candidate {
    let direct = tls == .direct
    guard (direct ? services.direct : services.startTLS) == .refused else {
      return Candidate(host: domain, port: direct ? 5223 : 5222, direct: direct)
    }
    if tls == .auto, case .failed(let words) = services.direct {
      throw PlanFailure(sentence: "cannot look up the direct TLS service of \(domain), its only one: \(words)")
    }
    let kind =
      switch tls {
      case .auto: ""
      case .direct: " with direct TLS"
      case .starttls: " with STARTTLS"
      }
    throw PlanFailure(sentence: "\(domain) declares in DNS that it has no XMPP service for clients\(kind)")
  }
}

extension HostPort {
  /// The address with A-labels. A name that has none was refused with its configuration, and no look-up takes it.
  var ascii: HostPort { HostPort(host: (try? DomainName.ascii(host)) ?? host, port: port) }
}

extension Proxy {
  /// The proxy with A-labels, as `HostPort.ascii`.
  var ascii: Proxy { Proxy(server: server.ascii, credentials: credentials) }
}

extension TLSMode {
  /// True if the configuration lets TLS begin in this way.
  fileprivate func allows(direct: Bool) -> Bool { self == .auto || (self == .direct) == direct }
}

/// Why the server has no address.
struct PlanFailure: Error, Equatable {
  let sentence: String
}
