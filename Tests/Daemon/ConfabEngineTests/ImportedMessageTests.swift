import Clocks
import JSON
import Records
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// Reports and archive copies of messages that `confab log import` wrote.
@Suite("Imported messages")
struct ImportedMessageTests {
  private static let bob = ChangeTests.bob

  /// Puts a message into the log, as an import does.
  private func add(
    _ text: String, _ stanzaID: String, to harness: Harness, isMine: Bool = true,
    _ change: (inout MessageRecord) -> Void = { _ in }
  ) {
    var message = MessageRecord(
      account: 1, jid: Self.bob, peer: isMine ? "alice@example.org/other" : Self.bob + "/phone",
      time: harness.now.wall.milliseconds, text: text, stanzaID: stanzaID)
    (message.author, message.isHistory) = (isMine ? .otherDevice : .person, true)
    change(&message)
    harness.engine.storage.append(.message(message))
    harness.sync()
    harness.pass(.seconds(1))
  }

  private func states(_ harness: Harness) -> [String?] {
    ChangeTests.history(harness).map { $0["state"]?.string }
  }

  private func report(_ payload: String, from: String = "\(bob)/phone") -> String {
    "<message from='\(from)' to='alice@example.org/confab' id='r'>\(payload)</message>"
  }

  private func receipt(_ id: String) -> String { "<received xmlns='urn:xmpp:receipts' id='\(id)'/>" }

  private func error(_ id: String, from: String = "\(bob)/phone") -> String {
    "<message from='\(from)' to='alice@example.org/confab' type='error' id='\(id)'><error type='cancel'>"
      + "<gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
  }

  @Test("A receipt, a marker and an error count for messages of mine, by the recipient alone")
  func reported() throws {
    let harness = try ReceiptTests.online()
    for number in 1...4 { add("m\(number)", "s\(number)", to: harness) }
    ChangeTests.receive(
      harness, report(receipt("s1"), from: "eve@example.org/x"), report(receipt("s0")),
      error("s1", from: "eve@example.org/x"))
    #expect(states(harness) == ["sent", "sent", "sent", "sent"])
    ChangeTests.receive(harness, report(receipt("s2")), error("s4"))
    #expect(states(harness) == ["sent", "delivered", "sent", "failed"])
    ChangeTests.receive(harness, report("<displayed xmlns='urn:xmpp:chat-markers:0' id='s3'/>"), error("s3"))
    for harness in try ChangeTests.asWritten(harness) {
      #expect(states(harness) == ["displayed", "displayed", "displayed", "failed"])
    }
  }

  @Test("What is reported of another device's message counts, whichever device it is reported to")
  func otherDevice() throws {
    let harness = try ReceiptTests.online()
    add("m1", "s1", to: harness) { $0.isHistory = false }
    ChangeTests.receive(harness, report(receipt("s1")), error("s1"))
    #expect(states(harness) == ["delivered"])
  }

  @Test("A contact's message with the id of one of mine hides it from no receipt")
  func sameID() throws {
    let harness = try ReceiptTests.online()
    add("m1", "s1", to: harness)
    ChangeTests.receive(harness, ChangeTests.message("mine?", id: "s1"), report(receipt("s1")))
    #expect(states(harness) == ["delivered", nil])
  }

  @Test("The archive's copies of a message and its correction are no further edit")
  func archivedCorrection() throws {
    let harness = try CopyTests.harness()
    add("one corrected", "i1", to: harness, isMine: false) {
      var (details, change) = (MessageDetails(), MessageChange(.edit))
      (change.edited, change.texts) = ($0.time + 500, [.init(time: $0.time, text: "one", depth: 1)])
      details.change = change
      $0.details = details
    }
    _ = CopyTests.archive(harness, "one", "i1", from: Self.bob + "/phone")
    let correction = ChangeTests.correct("i1", "one corrected", stanza: "i5")
      .replacing("<message from", with: "<message xmlns='jabber:client' from")
    harness.server.archive?.items.append(.init(id: "a2", stamp: harness.now.wall.rfc3339, xml: correction))
    CopyTests.signInAnew(harness)
    #expect(harness.server.archive?.asked.isEmpty == false)
    #expect(ChangeTests.texts(harness) == ["one corrected"])
    let id = ChangeTests.history(harness).first?["id"]?.integer ?? 0
    let versions = harness.ask(harness.connect(4), "versions \(id)").compactMap { $0["version"]?["text"]?.string }
    #expect(versions == ["one"])
  }

  @Test("A correction that names an edit from before the import corrects the message, mine and a contact's")
  func namedEdit() throws {
    let harness = try ReceiptTests.online()
    for isMine in [false, true] {
      add("one", isMine ? "m1" : "i1", to: harness, isMine: isMine) {
        var (details, change) = (MessageDetails(), MessageChange(.edit))
        (change.edited, change.editIDs) = ($0.time, isMine ? ["m2"] : ["i3", "i2"])
        details.change = change
        $0.details = details
      }
    }
    let next = try Harness(on: harness.storage, server: ReceiptTests.server(), now: harness.now, seed: 3)
    next.pass(.seconds(5))
    ChangeTests.receive(
      next, ChangeTests.correct("i2", "two", stanza: "i4"), ChangeTests.correct("i4", "three", stanza: "i5"),
      ChangeTests.correct("m2", "not yours", stanza: "i6"), ChangeTests.correct("i7", "of another", stanza: "i8"))
    #expect(ChangeTests.texts(next) == ["three", "one", "not yours", "of another"])
    ChangeTests.receive(
      next,
      CopyTests.carbon(
        "<message xmlns='jabber:client' from='alice@example.org/new' to='\(Self.bob)' type='chat' id='m3'>"
          + "<body>two</body><replace xmlns='urn:xmpp:message-correct:0' id='m2'/></message>"))
    for harness in try ChangeTests.asWritten(next) {
      #expect(ChangeTests.texts(harness) == ["three", "two", "not yours", "of another"])
    }
  }

  @Test("A message that is corrected after the import, and then back, has the text that it was imported with")
  func correctedBack() throws {
    let harness = try ReceiptTests.online()
    add("now", "i1", to: harness, isMine: false) {
      var (details, change) = (MessageDetails(), MessageChange(.edit))
      (change.edited, change.texts) = ($0.time, [.init(time: $0.time, text: "first", depth: 1)])
      details.change = change
      $0.details = details
    }
    for (text, stanzaID) in [("then", "i2"), ("now", "i3")] {
      ChangeTests.receive(harness, ChangeTests.correct("i1", text, stanza: stanzaID))
      #expect(ChangeTests.texts(harness) == [text])
    }
  }
}
