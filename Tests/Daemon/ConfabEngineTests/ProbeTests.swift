import Bytes
import ConfabConfiguration
import Testing
import XMPPStream

@testable import ConfabAccounts

/// A look at an account's server from outside: what it says, and what it never does.
@Suite("The probe of a server")
struct ProbeTests {
  /// A probe with all that came of it.
  private struct Run {
    var probe: Probe
    var outputs: [Probe.Output] = []

    init(_ goal: Probe.Goal = .secured, _ change: (inout AccountSettings) -> Void = { _ in }) throws {
      var account = AccountSettings(name: "home", jid: "alice@example.org")
      change(&account)
      probe = try Probe(account, goal: goal, random: SeededRandom(1))
      probe.begin(into: &outputs)
    }

    mutating func take(_ event: LinkEvent) { probe.handle(event, into: &outputs) }
    mutating func take(_ text: String) { take(.received(Array(text.utf8))) }

    /// Takes the connection to the step behind `<starttls/>`.
    mutating func begin() {
      take(.opened(remote: "192.0.2.1:5222"))
      take(ProbeTests.header + "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>")
    }

    var findings: [Probe.Finding] { outputs.compactMap { if case .found(let finding) = $0 { finding } else { nil } } }

    /// What went to the server, and each other action by its name.
    var said: String {
      outputs.map { output in
        switch output {
        case .act(.write(let bytes)): String(decoding: bytes, as: UTF8.self)
        case .act(.connect(let host, let port, _)): "[connect \(host):\(port)]"
        case .act(.startTLS): "[startTLS]"
        case .act(.derive): "[derive]"
        case .act(.abort): "[abort]"
        case .act(.close): "[close]"
        case .finished: "[finished]"
        case .act, .found: ""
        }
      }.joined()
    }
  }

  private static let header =
    "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' from='example.org' id='s' "
    + "version='1.0'>"
  private static let facts = TLSFacts(version: "TLSv1.3", cipher: "c", certificateEnd: 5)
  private static let scram =
    "<stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-256</mechanism>"
    + "</mechanisms></stream:features>"

  private static func oneServer(_ account: inout AccountSettings) {
    account.server = HostPort(host: "192.0.2.1", port: 5222)
  }

  @Test("ends where the server has proved who it is; nothing is said inside TLS")
  func secured() throws {
    var run = try Run(.secured, Self.oneServer)
    run.begin()
    run.take("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
    run.take(.secured(Self.facts))
    #expect(run.said.hasSuffix("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>[startTLS][abort][finished]"))
    guard case .secured(_, let facts)? = run.findings.last else {
      Issue.record("\(run.findings)")
      return
    }
    #expect(facts.certificateEnd == 5)
    let length = run.outputs.count
    run.take("<stream:error/>")
    run.probe.timedOut(into: &run.outputs)
    #expect(run.outputs.count == length, "it is over")
  }

  @Test(
    "what is wrong before TLS is said, and TLS does not begin",
    arguments: [
      (Self.header + "<stream:features/>", "offers no encryption"),
      (
        Self.header + "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>"
          + "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/><stream:features/>", "spoke before"
      ),
      ("HTTP/1.1 400 Bad Request\r\n\r\n", "no XML"),
      (
        Self.header + String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200), "over a limit"
      ),
    ])
  func beforeTLS(sent: String, words: String) throws {
    var run = try Run(.signedIn, Self.oneServer)
    run.take(.opened(remote: "192.0.2.1:5222"))
    run.take(sent)
    guard case .unsecured(_, let reason)? = run.findings.last else {
      Issue.record("\(run.findings)")
      return
    }
    #expect(reason.contains(words))
    #expect(!run.said.contains("[startTLS]") && !run.said.contains("[derive]"))
    #expect(run.said.hasSuffix("[abort][finished]"))
  }

  @Test("looks at four places and no more, each whatever became of the one before")
  func places() throws {
    var run = try Run()
    let records = (1...6).map { ServiceRecord(priority: $0, weight: 0, host: "h\($0)", port: 5222) }
    run.take(.resolved(Services(direct: .failed("no answer"), startTLS: .records(records))))
    run.take(.closed("refused"))
    run.begin()
    run.probe.timedOut(into: &run.outputs)
    run.begin()
    run.take("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
    run.take(.secured(Self.facts))
    run.take(.closed(nil))
    #expect(run.said.components("[connect ").dropFirst().map { $0.prefix(2) } == ["h1", "h2", "h3", "h4"])
    #expect(run.said.hasSuffix("[abort][finished]"))
    #expect(run.findings.first == .unanswered("no answer"))
    #expect(run.findings.contains { if case .places(let places) = $0 { places.count == 6 } else { false } })
    let kinds = run.findings.dropFirst(2).map { finding in
      switch finding {
      case .reached: "reached"
      case .unreached: "unreached"
      case .secured: "secured"
      case .unsecured: "unsecured"
      default: "?"
      }
    }
    #expect(kinds == ["unreached", "reached", "unsecured", "reached", "secured", "unreached"])
  }

  @Test("a password that is refused is not tried anywhere else")
  func refused() throws {
    var run = try Run(.signedIn)
    let records = (1...2).map { ServiceRecord(priority: $0, weight: 0, host: "h\($0)", port: 5223) }
    run.take(.resolved(Services(direct: .records(records), startTLS: .none)))
    run.take(.opened(remote: "192.0.2.1:5223"))
    run.take(.secured(Self.facts))
    run.take(Self.header + Self.scram)
    run.take("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
    guard case .notSignedIn(_, let reason, isRefusal: true)? = run.findings.last else {
      Issue.record("\(run.findings)")
      return
    }
    #expect(reason.contains("password is wrong"))
    #expect(run.said.components("[connect ").count == 2)
    #expect(run.said.hasSuffix("[abort][finished]"))
  }

  @Test("names of Tor's are never looked up, and a proxy's guesses end with the first that is right")
  func proxies() throws {
    let onion = try Run(.secured) { $0.jid = "alice@abcdefgh.onion" }
    guard case .nowhere(let reason)? = onion.findings.first else {
      Issue.record("\(onion.findings)")
      return
    }
    #expect(reason.contains("Tor") && onion.said == "[finished]")
    var run = try Run(.secured) { $0.proxy = Proxy(server: HostPort(host: "127.0.0.1", port: 9050), credentials: nil) }
    run.begin()
    run.take("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
    run.take(.secured(Self.facts))
    #expect(run.said.components("[connect ").count == 2)
    #expect(run.said.hasSuffix("[abort][finished]"))
  }
}
