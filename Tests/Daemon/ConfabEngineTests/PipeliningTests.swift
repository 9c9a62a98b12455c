import Bytes
import Clocks
import ConfabAccounts
import State
import JSON
import MessageLog
import Records
import ConfabConfiguration
import Testing
import XMPPStream

/// How far a login goes ahead of the server, what it remembers, and what it does where a server does not bear it.
@Suite("going ahead of the server")
struct PipeliningTests {
  @Test("a first login waits for the features of each stream, and for nothing behind the last")
  func first() throws {
    let harness = try Harness(holdsLinks: true)
    let words = Words(harness)
    #expect(words.next(.opened(remote: "x")).isEmpty)
    #expect(words.next(.secured(Words.tls)) == ["stream"])
    #expect(words.next(Words.mechanisms("SCRAM-SHA-1")) == ["auth"])
  }

  @Test("the next login says at once what the last one was asked for, after a restart too")
  func next() throws {
    let first = try Harness()
    first.pass(.seconds(1))
    let harness = try Harness(on: first.storage, holdsLinks: true)
    let words = Words(harness)
    #expect(words.next(.opened(remote: "x")).isEmpty)
    #expect(words.next(.secured(Words.tls)) == ["stream", "auth"])
    #expect(words.next(Words.mechanisms("SCRAM-SHA-1")).isEmpty)
  }

  @Test("in the clear goes ahead the wish for TLS, and nothing else")
  func startTLS() throws {
    var settings = Harness.alice
    settings.tls = .starttls
    let first = try Harness()
    first.pass(.seconds(1))
    let harness = try Harness(on: first.storage, accounts: [settings], holdsLinks: true)
    #expect(Words(harness).next(.opened(remote: "x")) == ["stream", "starttls"])
    #expect(!harness.toServer.contains("alice"))
  }

  @Test("a stronger mechanism than was expected begins the login anew, at once and word by word")
  func stronger() throws {
    let first = try Harness()
    first.pass(.seconds(1))
    let harness = try Harness(on: first.storage, holdsLinks: true)
    let words = Words(harness)
    _ = words.next(.opened(remote: "x"))
    _ = words.next(.secured(Words.tls))
    let link = harness.link
    #expect(words.next(Words.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-256")) == ["/stream"])
    #expect(harness.link != link)
    _ = words.next(.opened(remote: "x"))
    #expect(words.next(.secured(Words.tls)) == ["stream"])
    #expect(words.next(Words.mechanisms("SCRAM-SHA-1", "SCRAM-SHA-256")) == ["auth"])
    #expect(harness.toServer.contains("mechanism='SCRAM-SHA-256'"))
  }

  @Test("what the server offers no more is not expected again")
  func lessThanBefore() throws {
    let harness = try Harness()
    harness.server.offersManagement = false
    let logins = harness.reconnect()
    #expect(logins == 2)
    #expect(harness.isOnline)
    #expect(harness.reconnect() == 1)
    #expect(harness.lastOffer?.streamManagement == false)
    #expect(harness.lastOffer?.pipeliningFailures == 0)
  }

  @Test("a server that does not bear it is tried once more at once, and after the second time waited for")
  func intolerant() throws {
    let harness = try Harness()
    for pipeliningFailures in 1...2 {
      harness.server.deviation = Deviation(moment: .bind, text: Hostile.streamError("not-authorized"))
      #expect(harness.reconnect() == 2)
      #expect(harness.isOnline)
      #expect(harness.lastOffer?.pipeliningFailures == UInt8(pipeliningFailures))
    }
    let later = try Harness(on: harness.storage, holdsLinks: true)
    let words = Words(later)
    _ = words.next(.opened(remote: "x"))
    #expect(words.next(.secured(Words.tls)) == ["stream"])
  }

  @Test("a server that bears it the next time is trusted again")
  func trustedAgain() throws {
    let harness = try Harness()
    harness.server.deviation = Deviation(moment: .reopening, text: Hostile.header + Hostile.streamError("bad-format"))
    #expect(harness.reconnect() == 2)
    #expect(harness.lastOffer?.pipeliningFailures == 1)
    #expect(harness.reconnect() == 1)
    #expect(harness.lastOffer?.pipeliningFailures == 0)
  }

  @Test("stream management refused before the resource is bound is asked for again behind it")
  func managementRefused() throws {
    let harness = try Harness()
    harness.server.deviation = Deviation(moment: .enable, text: "<failed xmlns='urn:xmpp:sm:3'/>")
    #expect(harness.reconnect() == 2)
    harness.clearTrace()
    harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
    #expect(harness.toServer == "<a xmlns='urn:xmpp:sm:3' h='3'/>")
  }

  @Test("the second try that fails is followed by a pause, and what is permanent is not tried again")
  func ends() throws {
    let harness = try Harness()
    harness.server.deviation = Deviation(moment: .bind, text: Hostile.streamError("not-authorized"), times: 2)
    #expect(harness.reconnect() == 2)
    #expect(!harness.isOnline)
    harness.pass(.minutes(1))
    #expect(harness.isOnline)
    harness.server.deviation = Deviation(
      moment: .auth, text: Hostile.sasl("failure", "<not-authorized/>"), times: 2)
    #expect(harness.reconnect() == 1)
    harness.pass(.hours(1))
    #expect(!harness.isOnline)
  }

  @Test("messages wait for the resource, however far the session has gone ahead")
  func messages() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    harness.send(client, "send bob@example.org hello\n")
    harness.pass(.seconds(1))
    harness.clearTrace()
    _ = harness.ask(client, "connect")
    let texts = harness.trace.compactMap { if case .toServer(let text) = $0 { text } else { nil } }
    let greeting = try #require(texts.firstIndex { $0.contains("<presence") })
    let message = try #require(texts.firstIndex { $0.contains("<message") })
    #expect(greeting < message)
    #expect(texts[greeting - 1].contains("urn:ietf:params:xml:ns:xmpp-bind"))
  }
}

/// What a client says between two words of a server's that the test speaks.
private struct Words {
  static let tls = TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384")
  let harness: Harness

  init(_ harness: Harness) { self.harness = harness }

  static func mechanisms(_ names: String...) -> LinkEvent {
    let list = names.map { "<mechanism>\($0)</mechanism>" }.joined()
    let features = "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(list)</mechanisms>"
    return .received(Array(Hostile.features(features).utf8))
  }

  /// The names of what the client writes when this happens.
  func next(_ event: LinkEvent) -> [String] {
    harness.clearTrace()
    if let link = harness.link { harness.handle(.link(link, event)) }
    let tags = harness.toServer.components("<").map { String($0.prefix { !" :>".contains($0) }) }
    return tags.filter { !$0.isEmpty && $0 != "?xml" && (!$0.hasPrefix("/") || $0 == "/stream") }
  }
}

extension Harness {
  var isOnline: Bool { ask(connect(9), "status").first?["account"]?["state"]?.string == "online" }

  /// What the log says of the server's offer.
  var lastOffer: OfferRecord? {
    let state = State(gap: .hours(24))
    guard var recovery = try? Recovery(of: storage, log: nil, mode: .readOnly),
      (try? recovery.run { state.apply($0) }) != nil
    else { return nil }
    return state.accounts.all.first?.server.lastOffer
  }

  /// Logs out and in again; how many connections that took.
  func reconnect() -> Int {
    let client = connect(8)
    _ = ask(client, "disconnect")
    let before = tlsDomains.count
    _ = ask(client, "connect")
    pass(.milliseconds(200))
    return tlsDomains.count - before
  }

  /// Makes the account wait for every word of its server, as one does that did not bear it otherwise.
  func learnToWait() {
    for _ in 0..<2 {
      server.deviation = Deviation(moment: .bind, text: Hostile.streamError("not-authorized"))
      _ = reconnect()
    }
  }
}
