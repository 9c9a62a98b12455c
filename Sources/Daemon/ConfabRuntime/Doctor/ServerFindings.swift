import Bytes
import Clocks
import ConfabAccounts
import LineProtocol
import ConfabConfiguration
import Syscalls
import Transport
import XMPPStream

/// The findings about one account's server, and the checks made of them.
struct ServerFindings {
  /// Certificates are renewed a month before their end, or it was forgotten.
  private static let soonDays: Int64 = 14

  let account: AccountSettings
  private var found: [Probe.Finding] = []
  private var addresses: [String: [String]] = [:]
  private var lookupFailures: [String: String] = [:]

  init(account: AccountSettings) { self.account = account }

  mutating func take(_ finding: Probe.Finding) { found.append(finding) }

  /// The answer for one family of a host's addresses.
  mutating func take(_ answer: AddressAnswer, of host: String) {
    switch answer {
    case .addresses(let list):
      let words = list.compactMap { InternetAddress(bytes: $0.bytes, port: 0, scope: $0.scope)?.host }
      addresses[host, default: []] += words
    case .none: break
    case .failed(let words): lookupFailures[host] = words
    }
  }

  /// All there is to say, in the order in which a connection is made.
  var checks: [Check] { found.flatMap(checks) + (hasSecurePlace ? [] : noPlace) }

  private var hasSecurePlace: Bool { found.contains { if case .secured = $0 { true } else { false } } }

  private func checks(of finding: Probe.Finding) -> [Check] {
    switch finding {
    case .nowhere(let reason): [wrong(.dns, reason, advice: Self.dnsAdvice)]
    case .unanswered(let reason):
      [bad(.dns, "DNS does not name the server: \(reason)", advice: Self.dnsServerAdvice)]
    case .places(let places): [self.places(places)]
    case .reached(let place, let remote): [ok(.port, "\(words(place)) answers at \(remote)")]
    case .unreached(let place, _) where isNameless(place): []  // said of the names
    case .unreached(let place, let reason): [bad(.port, "\(words(place)): \(reason)", advice: Self.portAdvice)]
    case .secured(let place, let facts): [certificate(place, facts)]
    case .unsecured(let place, let reason): [bad(.certificate, "\(words(place)): \(reason)", advice: certificateAdvice)]
    case .signedIn(_, let stream): [ok(.login, "logged in as \(stream.jid) by \(stream.login)")]
    case .notSignedIn(_, let reason, let isRefusal):
      [wrong(.login, reason, advice: isRefusal ? Self.passwordAdvice : Self.loginAdvice)]
    }
  }

  private func isNameless(_ place: Probe.Place) -> Bool { account.proxy == nil && addresses[place.host] == nil }

  /// The failure of all places together, whatever each one's reason; empty unless several were tried.
  private var noPlace: [Check] {
    let tried = found.count { if case .unreached = $0 { true } else if case .unsecured = $0 { true } else { false } }
    guard tried > 1 else { return [] }
    return [wrong(.port, "none of the \(tried) endpoints of the server can be used", advice: "see above")]
  }

  /// One of several places does no harm while another can be used.
  private func bad(_ kind: Check.Kind, _ text: String, advice: String) -> Check {
    hasSecurePlace
      ? Check(kind, .warning, PlainLine.of(text), account: account.name, advice: advice)
      : wrong(kind, text, advice: advice)
  }

  private func wrong(_ kind: Check.Kind, _ text: String, advice: String) -> Check {
    Check(kind, .wrong, PlainLine.of(text), account: account.name, advice: advice)
  }

  private func ok(_ kind: Check.Kind, _ text: String) -> Check {
    Check(kind, .ok, PlainLine.of(text), account: account.name)
  }
}

// MARK: - Words

extension ServerFindings {
  private static let dnsAdvice =
    "is the address right, and is this machine connected? If the server has another name, set server = NAME"
  private static let dnsServerAdvice =
    "is this machine connected? The name servers are those of /etc/resolv.conf, unless dns-server says otherwise"
  private static let portAdvice =
    "is this machine connected, and may it connect to that port? Else a firewall is in between, or the server is down"
  private static let passwordAdvice = "check the address and the password"
  private static let loginAdvice =
    "try again later, or ask the server's operator; if it offers only PLAIN, plain = allow lets the password be sent"
  private var certificateAdvice: String {
    "the server's operator must correct that, unless the address or this machine's clock is wrong; for a certificate "
      + "authority of your own, set ca-file = FILE"
  }

  private func words(_ place: Probe.Place) -> String {
    "\(place.host):\(place.port) (\(place.isDirect ? "direct TLS" : "STARTTLS"))"
  }

  private func places(_ places: [Probe.Place]) -> Check {
    let looked = places.prefix(Probe.mostPlaces)
    let more = places.count - looked.count
    let list = looked.map { words($0) + addressWords($0.host) }.joined(separator: ", ")
    let text = "the server may be at \(list)" + (more > 0 ? ", and \(more) more endpoints" : "")
    if account.proxy != nil { return ok(.dns, text + "; the proxy resolves names") }
    let missing = looked.map(\.host).filter { addresses[$0] == nil }
    guard let first = missing.first else { return ok(.dns, text) }
    let reason = lookupFailures[first] ?? "it has none"
    return bad(.dns, "\(text): no address of \(first): \(reason)", advice: Self.dnsAdvice)
  }

  private func addressWords(_ host: String) -> String {
    guard let known = addresses[host], known != [host] else { return "" }
    return " = " + known.prefix(4).joined(separator: ", ")
  }

  private func certificate(_ place: Probe.Place, _ facts: TLSFacts) -> Check {
    let tls = "\(words(place)): \(facts.version) \(facts.cipher)"
    guard let end = facts.certificateEnd else { return ok(.certificate, tls) }
    let days = (end - SystemClock.wallMilliseconds / 1000) / 86_400
    let date = Timestamp(milliseconds: end &* 1000).rfc3339.prefix(10)
    let text = "\(tls), the certificate is good until \(date) (\(days) days)"
    guard days < Self.soonDays else { return ok(.certificate, text) }
    return Check(
      .certificate, .warning, PlainLine.of(text), account: account.name,
      advice: "the server's operator must renew it; otherwise the account goes offline then")
  }
}
