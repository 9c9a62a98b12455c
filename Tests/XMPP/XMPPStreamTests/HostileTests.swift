import Testing
import XMPPCore
import XMPPStream

/// The same hostile things at every point of a negotiation: each ends in one failure and nothing after it.
@Suite struct HostileTests {
  typealias S = Snippet

  /// Points at which the server has its turn, the stream's header already behind it.
  static let points = [
    "C: \(S.plainHeader)\nS: \(S.opened("s1"))",
    "C: \(S.plainHeader)\nS: \(S.opened("s1"))\(S.offersTLS)\nC: \(S.startTLS)",
    "\(S.untilTLS)\nC: \(S.header)\nS: \(S.opened("s2"))",
    S.untilAuth,
    S.untilFinal,
    "\(S.untilSuccess)\nS: \(S.opened("s3"))",
    S.untilBind,
  ]

  /// Points at which the server's header is due.
  static let openings = ["C: \(S.plainHeader)", "\(S.untilTLS)\nC: \(S.header)", S.untilSuccess]

  @Test(arguments: points)
  func streamErrors(point: String) throws {
    for (content, sentence) in [
      (S.condition("system-shutdown"), "the server is shutting down (system-shutdown)"),
      (S.condition("conflict"), "another session took the resource over (conflict)"),
      (
        S.condition("policy-violation") + "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>Too\u{202e} fast</text>",
        "the server says that its rules were broken (policy-violation: Too  fast)"
      ),
      (
        "<see-other-host xmlns='urn:ietf:params:xml:ns:xmpp-streams'>[::1]:5222</see-other-host>",
        "the server asks to connect to [::1]:5222 instead (see-other-host)"
      ),
      ("<nonsense xmlns='x'/>", "the server ended the stream with an error (undefined-condition)"),
    ] {
      try Conversation("\(point)\nS: \(S.streamError(content))\nC: \(S.close)\nFAIL \(sentence)").play()
    }
  }

  @Test(arguments: points)
  func streamErrorsSplitEverywhere(point: String) throws {
    try Conversation(
      """
      \(point)
      S: \(S.streamError(S.condition("host-gone")))
      C: \(S.close)
      FAIL the server does not serve this domain (host-gone)
      """
    ).playEndEveryWay()
  }

  @Test(arguments: points)
  func theServerGoesAway(point: String) throws {
    try Conversation("\(point)\nS: \(S.close)\nC: \(S.close)\nFAIL the server closed the stream").play()
  }

  /// Nothing of this is right at any point.
  static let garbage: [String] = [
    "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<!-- -->", "<a>&a;</a>", "text<a/>", "\0<a/>", "\u{fffe}<a/>", "<a></b>",
    "</a>", "<a b='1' b='2'/>", "<x:y/>", "<a>\(String(repeating: "b", count: 70_000))</a>",
    "<stream:stream></stream:stream>", "<stream:features xmlns:stream='x'/>", "<features/>",
    "<message from='a@b' to='user@example.org'><body>hi</body></message>", "<presence/>",
    "<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/></iq>", "<iq type='result' id='bind'/>",
    "<success/>", "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl2'/>", "<challenge/>", "<proceed/>",
    "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'/>",
    "<abort xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>", "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
    "<failure/>", "<a/>", "<r xmlns='urn:xmpp:sm:3'/>", "<compressed xmlns='http://jabber.org/protocol/compress'/>",
  ]

  /// Without an end: stopped by the parser's limits for streams on which nobody has logged in.
  static let endless: [String] = [
    "<a b='\(String(repeating: "c", count: 70_000))", "<\(String(repeating: "d", count: 70_000))",
    String(repeating: "<e>", count: 30_000),
  ]

  @Test(arguments: points)
  func garbageIsOneFailure(point: String) throws {
    for garbage in Self.garbage + ["<?php?>"] { try expectFailure(after: point, garbage) }
  }

  @Test(arguments: points.prefix(5))
  func garbageWithoutEnd(point: String) throws {
    for garbage in Self.endless { try expectFailure(after: point, garbage) }
  }

  @Test(arguments: openings)
  func garbageInPlaceOfAHeader(opening: String) throws {
    for garbage in Self.garbage { try expectFailure(after: opening, garbage) }
  }

  private func expectFailure(after point: String, _ garbage: String) throws {
    var driver = try Conversation(point).driverAfter()
    let before = driver.events.count
    driver.receive(ArraySlice(garbage.utf8))
    #expect(driver.failure != nil, "\(garbage.prefix(40))")
    #expect(driver.ready == nil)
    check(driver.events[before...])
    driver.isDeaf()
  }

  /// What is right elsewhere is wrong here: each answer of the server's at each point but its own.
  @Test func rightAnswersOutOfTurn() throws {
    let answers = [
      S.offersTLS, S.proceed, S.offersLogin("SCRAM-SHA-1"), S.challenge(S.serverFirst), S.success(S.serverFinal),
      S.offersBind, S.bound("user@example.org/confab"),
    ].map(Conversation.expanded)
    for (place, point) in Self.points.enumerated() {
      for (index, answer) in answers.enumerated() where index != place {
        var driver = try Conversation(point).driverAfter()
        driver.receive(ArraySlice(answer.utf8))
        #expect(driver.failure != nil, "\(answer) at point \(place)")
        #expect(driver.ready == nil)
      }
    }
  }

  /// Every byte of what the server says in a whole negotiation changed, in turn: whatever comes of it, it is one end,
  /// and if it is a good one, it is ours.
  @Test(arguments: [0x01, 0x20, 0x80] as [UInt8])
  func surgery(mask: UInt8) throws {
    let conversation = Conversation(S.whole)
    var offset = 0
    for (number, line) in conversation.lines.enumerated() {
      guard case .server(let bytes) = line else { continue }
      for place in bytes.indices {
        var damaged = bytes
        damaged[place] ^= mask
        let driver = try conversation.replacing(line: number, by: damaged).driverAfter()
        check(driver.events[...])
        if let jid = driver.ready?.jid { #expect(jid.bare.description == "user@example.org") }
      }
      offset += bytes.count
    }
    #expect(offset > 1_000)
  }

  /// Only the server that knows the password gets as far as the resource, whatever else is damaged.
  @Test func noByteOfTheProofMayDiffer() throws {
    let conversation = Conversation(S.whole)
    let success = Array(Conversation.expanded(S.success(S.serverFinal)).utf8)
    let number = try #require(conversation.lines.firstIndex(of: .server(success)))
    let text = try #require(success.firstIndex(of: UInt8(ascii: ">"))) + 1
    for place in text..<(success.count - "</success>".utf8.count) {
      var damaged = success
      damaged[place] ^= 0x04
      let driver = try conversation.replacing(line: number, by: damaged).driverAfter()
      #expect(driver.ready == nil)
      #expect(driver.failure != nil)
    }
  }

  /// At most one end, and nothing behind it.
  private func check(_ events: ArraySlice<Driver.Event>) {
    let ends = events.indices.filter {
      switch events[$0] {
      case .ready, .failed, .brokenHandshake: true
      default: false
      }
    }
    #expect(ends.count <= 1)
    #expect(ends.isEmpty || ends[0] == events.endIndex - 1)
  }
}

extension Conversation {
  func replacing(line: Int, by bytes: [UInt8]) -> Conversation {
    var lines = lines
    lines[line] = .server(bytes)
    return Conversation(copying: self, lines: lines)
  }

  private init(copying other: Conversation, lines: [Line]) {
    (mode, nonce, password, account) = (other.mode, other.nonce, other.password, other.account)
    (facts, pipelining, resumption, self.lines) = (other.facts, other.pipelining, other.resumption, lines)
  }
}
