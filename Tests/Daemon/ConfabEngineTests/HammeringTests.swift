import Bytes
import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing

/// How often an account knocks in the hour after something went wrong, for each thing that can. The first connection
/// counts. The numbers are exact for the harness's seed; another seed's differ by a few.
@Suite("no server is hammered")
struct HammeringTests {
  struct Cause: Sendable, CustomTestStringConvertible {
    let name: String
    let attempts: Int
    /// What becomes of each connection, once the engine has logged in by it, or tried to.
    let happens: @Sendable (Harness) -> Void
    /// What the server says instead of something, at each login.
    var moment: LoginMoment?
    var says = ""
    /// The links do nothing by themselves.
    var isHeld = false
    var testDescription: String { name }

    init(_ name: String, _ attempts: Int, isHeld: Bool = false, _ happens: @escaping @Sendable (Harness) -> Void) {
      (self.name, self.attempts, self.isHeld, self.happens) = (name, attempts, isHeld, happens)
    }

    init(_ name: String, _ attempts: Int, at moment: LoginMoment, says: String) {
      (self.name, self.attempts, self.moment, self.says) = (name, attempts, moment, says)
      happens = { $0.cut() }
    }

    static func error(_ condition: String, _ attempts: Int) -> Cause {
      Cause("the stream error \(condition) after the login", attempts) {
        $0.receive(Hostile.streamError(condition, ""))
      }
    }

    static func redirect(to host: String, _ attempts: Int) -> Cause {
      Cause("a redirect to \(host) after the login", attempts) {
        $0.receive(Hostile.streamError("see-other-host", host))
      }
    }

    static func error(_ condition: String, every pause: Interval, _ attempts: Int) -> Cause {
      Cause("the stream error \(condition) every \(pause)", attempts) {
        $0.pass(pause)
        $0.receive(Hostile.streamError(condition, ""))
      }
    }

    static func login(_ condition: String, _ attempts: Int) -> Cause {
      Cause(
        "\(condition) at the login", attempts, at: .auth,
        says: "<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><\(condition)/></failure>")
    }

    static func binding(_ condition: String, _ attempts: Int) -> Cause {
      let error = "<error type='cancel'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
      return Cause(
        "\(condition) at the resource", attempts, at: .bind, says: "<iq type='error' id='$id'>\(error)</iq>")
    }
  }

  static let causes: [Cause] = [
    Cause("nobody listens", 24, isHeld: true) { $0.cut() },
    Cause("nobody answers", 21, isHeld: true) { $0.pass(.seconds(30)) },
    Cause("a certificate of somebody else", 24, isHeld: true) { harness in
      guard let link = harness.link else { return }
      harness.handle(.link(link, .opened(remote: "[::1]:5223")))
      harness.handle(.link(link, .closed("the certificate is for evil.example")))
    },
    .login("temporary-auth-failure", 25), .login("not-authorized", 1), .login("account-disabled", 1),
    .binding("conflict", 23), .binding("resource-constraint", 25), .binding("bad-request", 1),
    Cause("a cut right after the login", 24) { $0.cut() },
    Cause("a cut after half a minute", 21) {
      $0.pass(.seconds(30))
      $0.cut()
    },
    Cause("a cut after more than a minute", 59) {
      $0.pass(.seconds(61))
      $0.cut()
    },
    .error("conflict", 8), .error("system-shutdown", 24),
    .error("reset", 24), .error("host-unknown", 17), .error("policy-violation", 23), .error("resource-constraint", 23),
    .error("resource-constraint", every: .minutes(2), 22), .redirect(to: "other.example.net:5223", 92),
    .redirect(to: "evil.example:1", 48), .error("undefined-condition", 24),
  ]

  @Test("attempts in an hour", arguments: causes)
  func attempts(cause: Cause) throws {
    let harness = try Harness(server: server(cause), holdsLinks: cause.isHeld)
    let end = harness.now.instant.advanced(by: .hours(1))
    var last: LinkID?
    while harness.now.instant < end {
      if let link = harness.link, link != last {
        last = link
        cause.happens(harness)
      }
      harness.server.deviation = server(cause).deviation
      let left = end - harness.now.instant
      if left > .zero { harness.pass(left, until: { harness.link != nil && harness.link != last }) }
    }
    #expect(harness.connects == cause.attempts, "\(cause.name)")
  }

  private func server(_ cause: Cause) -> ScriptedStream {
    var server = ScriptedStream()
    server.deviation = cause.moment.map { Deviation(moment: $0, text: cause.says) }
    return server
  }
}
