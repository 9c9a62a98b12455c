import Bytes
import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing
import XMPPStream

@Suite("stream errors, conflicts and redirects")
struct StreamErrorTests {
  private func account(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(99), "status").first?["account"]
  }

  private func state(_ harness: Harness) -> String? { account(harness)?["state"]?.string }

  /// The pause before the first try that follows, in milliseconds.
  static func pause(_ remedy: Remedy) -> ClosedRange<Int64> {
    switch remedy {
    case .again, .otherResource: 500...1_000
    case .soon: 4_000...8_000
    case .later: 30_000...60_000
    case .rarely: 150_000...300_000
    case .elsewhere, .otherPlaces, .hoursLater, .never: 0...0
    }
  }

  @Test(
    "each is followed by the pause that it asks for, and says so", arguments: StreamErrorMeaning.table.map(\.condition))
  func pauses(condition: String) throws {
    let harness = try Harness()
    harness.receive(Hostile.streamError(condition, ""))
    let before = harness.now.instant
    #expect(state(harness) == "waiting")
    #expect(account(harness)?["reason"]?.string?.contains("(\(condition)") == true || condition == "see-other-host")
    #expect(account(harness)?["tls"] == nil && account(harness)?["sasl"] == nil)
    harness.pass(.hours(1), until: { harness.link != nil })
    #expect(Self.pause(StreamErrorMeaning.of(condition).remedy).contains((harness.now.instant - before).milliseconds))
    #expect(state(harness) == "online")
  }

  @Test("only those that may be a stanza's fault make one fail that is there twice", arguments: [false, true])
  func blame(transmittedTwice: Bool) throws {
    for meaning in StreamErrorMeaning.table where meaning.condition != "conflict" {
      let harness = try Harness()
      let client = harness.connect()
      _ = harness.ask(client, "send bob@example.org x")
      for _ in 0..<(transmittedTwice ? 2 : 1) {
        harness.receive(Hostile.streamError(meaning.condition, ""))
        harness.pass(.hours(1), until: { harness.link != nil })
        harness.pass(.milliseconds(100))
      }
      let message = harness.ask(client, "history bob@example.org").first?["message"]
      let expected = meaning.blamesStanza && transmittedTwice ? "failed" : "queued"
      #expect(message?["state"]?.string == expected, "\(meaning.condition)")
    }
  }

  @Test("what is said before TLS is anybody's: it means a try later, and nothing more", arguments: Hostile.streamErrors)
  func unproven(condition: String) throws {
    var settings = Harness.alice
    settings.tls = .starttls
    var server = ScriptedStream()
    server.offersStartTLS = true
    server.deviation = Deviation(
      moment: .plainOpening, text: Hostile.header + Hostile.streamError(condition, "evil.example:5222"))
    let harness = try Harness(accounts: [settings], server: server)
    #expect(state(harness) == "waiting")
    harness.pass(.seconds(1))
    #expect(state(harness) == "online")
    #expect(harness.targets == ["127.0.0.1:5223", "127.0.0.1:5223"])
  }

  // MARK: - Conflicts

  @Test("a session replaced by a conflict returns with another resource, and waits longer after each further one")
  func conflict() throws {
    var server = ScriptedStream()
    server.acknowledges = true
    let harness = try Harness(server: server)
    #expect(harness.toServer.contains("<resource>confab-07070707</resource>"))
    harness.clearTrace()
    harness.receive(Hostile.streamError("conflict", ""))
    #expect(account(harness)?["reason"]?.string?.contains("the next try uses the resource confab-07070707-") == true)
    harness.pass(.seconds(1))
    #expect(state(harness) == "online")
    #expect(harness.toServer.contains("<resource>confab-07070707-"))
    harness.pass(.minutes(59))
    harness.receive(Hostile.streamError("conflict", ""))
    #expect(state(harness) == "waiting")
    #expect(account(harness)?["reason"]?.string?.contains("2 conflicts in a row") == true)
    for conflict in 2..<12 {
      harness.pass(.hours(2), until: { harness.link != nil })
      let before = harness.now.instant
      harness.receive(Hostile.streamError("conflict", ""))
      harness.handle(.networkChanged)
      harness.pass(.hours(2), until: { harness.link != nil })
      let longest = min(Int64(60_000) << Int64(conflict - 1), 3_600_000)
      let pause = (harness.now.instant - before).milliseconds
      #expect(pause >= longest / 2 && pause <= longest, "conflict \(conflict)")
    }
    harness.receive(Hostile.streamError("conflict", ""))
    harness.clearTrace()
    _ = harness.ask(harness.connect(), "connect")
    #expect(state(harness) == "online")
    #expect(harness.toServer.contains("<resource>confab-07070707</resource>"))
  }

  @Test("two conflicts that are far from each other are two, not a fight")
  func rareConflicts() throws {
    let harness = try Harness()
    for _ in 0..<5 {
      harness.receive(Hostile.streamError("conflict", ""))
      harness.pass(.minutes(61))
      #expect(state(harness) == "online")
    }
  }

  @Test("a conflict right after a resume does not count; one a minute later does")
  func resumedConflict() throws {
    var server = ScriptedStream()
    (server.resumption, server.acknowledges) = ("max='600'", true)
    let harness = try Harness(server: server)
    for isLater in [false, true] {
      harness.cut()
      harness.pass(.seconds(1))
      #expect(account(harness)?["reason"]?.string?.hasPrefix("resumed") == true)
      if isLater { harness.pass(.minutes(1)) }
      harness.clearTrace()
      harness.receive(Hostile.streamError("conflict", ""))
      harness.pass(.seconds(3))
      #expect(harness.toServer.contains("<resource>confab-07070707</resource>") == !isLater)
      #expect(harness.toServer.contains("<resource>confab-07070707-") == isLater)
    }
  }

  @Test(
    "a server that keeps ending resumable streams is tried ever more rarely",
    arguments: ["reset", "undefined-condition"])
  func endedAgain(condition: String) throws {
    var server = ScriptedStream()
    (server.resumption, server.acknowledges) = ("max='600'", true)
    let harness = try Harness(server: server)
    let start = harness.now.instant
    for _ in 0..<6 {
      harness.receive(Hostile.streamError(condition, ""))
      harness.pass(.hours(1), until: { harness.link != nil })
    }
    // 1, 2, 4, 8, 16 and 32 seconds, each at least half of it.
    #expect(harness.now.instant - start >= .milliseconds(31_500))
  }

  @Test("a resource that is in use is not asked for again")
  func bindConflict() throws {
    let error = "<error type='cancel'><conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    var server = ScriptedStream()
    server.deviation = Deviation(moment: .bind, text: "<iq type='error' id='$id'>\(error)</iq>")
    let harness = try Harness(server: server)
    #expect(account(harness)?["reason"]?.string?.contains("in use") == true)
    harness.clearTrace()
    harness.pass(.seconds(1))
    #expect(state(harness) == "online")
    #expect(harness.toServer.contains("<resource>confab-07070707-"))
  }

  // MARK: - Redirects

  private func redirected(to host: String, moment: LoginMoment? = nil) throws -> Harness {
    var server = ScriptedStream()
    let error = Hostile.streamError("see-other-host", host)
    if let moment { server.deviation = Deviation(moment: moment, text: Hostile.header + error) }
    let harness = try Harness(server: server)
    if moment == nil { harness.receive(error) }
    return harness
  }

  @Test(
    "a redirect is followed at once, with the same identity",
    arguments: [
      ("other.example.net:5223", "other.example.net:5223"), ("other.example.net", "other.example.net:5223"),
      ("[2001:db8::7]:5223", "2001:db8::7:5223"), ("192.0.2.1", "192.0.2.1:5223"),
    ], [nil, LoginMoment.opening])
  func followed(host: (String, String), moment: LoginMoment?) throws {
    let harness = try redirected(to: host.0, moment: moment)
    #expect(harness.targets == ["127.0.0.1:5223", host.1])
    #expect(harness.tlsDomains == ["example.org", "example.org"])
    #expect(state(harness) == "online")
  }

  @Test(
    "what is no host and port is not followed",
    arguments: [
      "", " ", "other.example.net:", "other.example.net:0", "other.example.net:65536", "other.example.net:+5",
      "a b", "2001:db8::7", "[2001:db8::7", "[fe80::1%eth0]:5222", "[other.example.net]:5222", "xmpp://x", "a/b",
      "-a.b", "a..b", "1.2.3", "a.example b.example", "пример.рф", String(repeating: "a.", count: 130) + "b",
      "user@other.example.net", "other.example.net:5222:5222",
    ])
  func notAHost(text: String) throws {
    let harness = try redirected(to: text)
    #expect(harness.targets == ["127.0.0.1:5223"])
    #expect(account(harness)?["reason"]?.string?.hasSuffix("which is not a host") == true)
    harness.pass(.seconds(1))
    #expect(harness.targets == ["127.0.0.1:5223", "127.0.0.1:5223"])
  }

  @Test("three are followed in a row, the fourth is not; then the ordinary way is tried again")
  func loop() throws {
    let harness = try Harness()
    let error = Hostile.streamError("see-other-host", "other.example.net:5223")
    for _ in 0..<4 { harness.receive(error) }
    #expect(harness.connects == 4)
    #expect(account(harness)?["reason"]?.string?.contains("too many redirects") == true)
    harness.pass(.seconds(1))
    #expect(harness.targets.last == "127.0.0.1:5223")
  }

  @Test("where it leads nowhere the rest of the plan is tried, and then the ordinary way")
  func fallsBack() throws {
    var settings = Harness.alice
    settings.server = nil
    let harness = try Harness(accounts: [settings], holdsLinks: true)
    let link = try #require(harness.link)
    harness.holdsLinks = false
    let records = [(1, "one.example.org", 5223), (2, "two.example.org", 5224)].map {
      ServiceRecord(priority: $0.0, weight: 1, host: $0.1, port: $0.2)
    }
    harness.server.deviation = Deviation(
      moment: .opening, text: Hostile.header + Hostile.streamError("see-other-host", "evil.example:1"))
    harness.handle(.link(link, .resolved(Services(direct: .records(records), startTLS: .none))))
    #expect(harness.targets == ["one.example.org:5223", "evil.example:1", "two.example.org:5224"])
  }
}
