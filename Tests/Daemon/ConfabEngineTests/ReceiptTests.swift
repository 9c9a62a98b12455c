import Clocks
import State
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// XEP-0184 in the whole engine: what others hear of their messages; what we hear of ours: TakenReceiptTests.
@Suite("receipts that are given")
struct ReceiptTests {
  static let bob = "<item jid='bob@example.org' subscription='both'/>"

  static func server(_ roster: String = bob, resumption: String? = nil) -> ScriptedStream {
    var server = ScriptedStream()
    server.roster = "<query xmlns='jabber:iq:roster'>\(roster)</query>"
    server.resumption = resumption
    server.acknowledges = true
    return server
  }

  static func online(
    _ server: ScriptedStream = server(), configure: (inout AccountSettings) -> Void = { _ in }
  ) throws -> Harness {
    var account = Harness.alice
    configure(&account)
    let harness = try Harness(accounts: [account], server: server)
    harness.pass(.seconds(1))
    harness.clearTrace()
    return harness
  }

  static func message(
    _ id: String = "m1", from: String = "bob@example.org/phone", type: String = "chat", more: String = ""
  ) -> String {
    "<message from='\(from)' type='\(type)' id='\(id)'><body>\(id)</body><request xmlns='urn:xmpp:receipts'/>\(more)</message>"
  }

  /// The ids of the messages for which receipts left.
  static func receipts(_ harness: Harness) -> [String] {
    harness.toServer.components("<received xmlns='urn:xmpp:receipts'").dropFirst().compactMap {
      ScriptedStream.value(of: "id", in: $0)
    }
  }

  private func restarted(_ harness: Harness) throws -> Harness {
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    return next
  }

  @Test("a contact who asks has one, after the sync that covers the message, and never another")
  func given() throws {
    let harness = try Self.online()
    harness.syncsAtOnce = false
    harness.receive(Self.message())
    harness.pass(.seconds(1))
    #expect(harness.trace.isEmpty)
    harness.sync()
    #expect(harness.trace.first == .synced)
    let expected = "><received xmlns='urn:xmpp:receipts' id='m1'/></message>"
    #expect(harness.toServer.contains("<message to='bob@example.org/phone' type='chat' id='"))
    #expect(harness.toServer.contains(expected))
    harness.syncsAtOnce = true
    // The server delivers it again.
    let delay = "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='2025-10-09T08:53:20Z'/>"
    harness.receive(Self.message(more: delay))
    harness.pass(.minutes(5))
    #expect(Self.receipts(harness) == ["m1"])
    #expect(try Self.receipts(restarted(harness)) == [])
  }

  @Test(
    "nobody else has one",
    arguments: [
      // Who may not see when we are there.
      ("", ReceiptTests.message()), ("<item jid='bob@example.org' subscription='to'/>", ReceiptTests.message()),
      (bob, ReceiptTests.message(from: "eve@example.org/x")), (bob, ReceiptTests.message(from: "alice@example.org/x")),
      // What there are none for, or none that could say for what.
      (bob, ReceiptTests.message(type: "groupchat")), (bob, ReceiptTests.message(type: "error")),
      (bob, ReceiptTests.message("")),
      (bob, "<message from='bob@example.org/x'><body>x</body><request xmlns='urn:xmpp:receipts'/></message>"),
      (bob, "<message from='bob@example.org/x' id='1'><body>x</body></message>"),
      (bob, ReceiptTests.message(String(repeating: "x", count: 1_025))),
      // No loops.
      (
        bob,
        "<message from='bob@example.org/x' id='1'><received xmlns='urn:xmpp:receipts' id='1'/>"
          + "<request xmlns='urn:xmpp:receipts'/></message>"
      ),
      // Another device has it, and says so itself (XEP-0280, section 11.3).
      (
        bob,
        "<message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
          + "<message xmlns='jabber:client' from='bob@example.org/x' to='alice@example.org/other' id='1'><body>x</body>"
          + "<request xmlns='urn:xmpp:receipts'/></message></forwarded></received></message>"
      ),
    ])
  func withheld(roster: String, stanza: String) throws {
    let harness = try Self.online(Self.server(roster))
    harness.receive(stanza)
    harness.pass(.minutes(1))
    #expect(Self.receipts(harness) == [])
  }

  @Test("nobody has one where the account says so, and who is no contact any more")
  func setting() throws {
    let harness = try Self.online { $0.receipts = .nobody }
    harness.receive(Self.message())
    harness.pass(.minutes(1))
    #expect(Self.receipts(harness) == [])
    let other = try Self.online()
    other.syncsAtOnce = false
    other.receive(Self.message())
    other.pass(.seconds(1))
    other.receive(
      "<iq type='set' id='p'><query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='none'/></query></iq>"
    )
    other.syncsAtOnce = true
    other.sync()
    other.pass(.minutes(1))
    #expect(Self.receipts(other) == [])
  }

  @Test("what was owed when the daemon was killed is given by the next one; what the server had, is not given again")
  func killed() throws {
    for isHad in [false, true] {
      var server = Self.server(resumption: "max='600'")
      server.acknowledges = isHad
      let harness = try Self.online(server)
      harness.say(Self.message())
      // Asked about, answered, and noted.
      harness.pass(.seconds(21))
      #expect(Self.receipts(harness) == ["m1"])
      #expect(try Self.receipts(restarted(harness)) == (isHad ? [] : ["m1"]))
    }
  }

  @Test("who writes before the roster is here has one when it is, and nobody else", arguments: [false, true])
  func beforeTheRoster(isKilled: Bool) throws {
    var server = Self.server(resumption: "max='600'")
    server.isRosterLate = true
    var harness = try Harness(server: server)
    harness.pass(.seconds(1))
    harness.say(Self.message("m1"), Self.message("m2", from: "eve@example.org/x"))
    harness.pass(.seconds(1))
    if isKilled { harness = try restarted(harness) }
    harness.say(Self.message("m3"))
    harness.pass(.seconds(20))
    #expect(Self.receipts(harness) == [])
    harness.say(harness.server.lateRoster)
    harness.pass(.seconds(30))
    #expect(Self.receipts(harness) == ["m1", "m3"])
    #expect(harness.engine.state.accounts[1]?.pendingReceipts.entries.isEmpty == true)
  }

  @Test("a server that never gives the roster does not keep them from those who are known")
  func withoutTheRoster() throws {
    let first = try Self.online()
    first.server.isRosterLate = true
    first.cut()
    first.pass(.seconds(10))
    first.receive(Self.message())
    first.pass(.seconds(10))
    #expect(Self.receipts(first) == [])
    first.receive("<presence from='bob@example.org/phone'/>")
    first.pass(.seconds(15))
    #expect(Self.receipts(first) == ["m1"])
  }

  @Test("over a cut, those that the server had not are given again, and those that it had are not", arguments: [0, 2])
  func cut(lost: UInt32) throws {
    let harness = try Self.online(Self.server(resumption: "max='600'"))
    harness.say(Self.message("m1"), Self.message("m2"), Self.message("m3"))
    harness.pass(.seconds(1))
    #expect(Self.receipts(harness) == ["m1", "m2", "m3"])
    harness.server.lost = lost
    harness.clearTrace()
    harness.cut()
    harness.pass(.minutes(1))
    #expect(Self.receipts(harness) == ["m1", "m2", "m3"].suffix(Int(lost)))
    harness.clearTrace()
    harness.cut()
    harness.pass(.minutes(1))
    #expect(Self.receipts(harness) == [])
  }

  @Test("a stream that cannot be resumed settles them by the server's count")
  func notResumed() throws {
    let harness = try Self.online(Self.server(resumption: "max='600'"))
    harness.say(Self.message("m1"), Self.message("m2"))
    harness.pass(.seconds(1))
    harness.server.refusal = "h='\(harness.server.handled - 1)'"
    harness.clearTrace()
    harness.cut()
    harness.pass(.minutes(1))
    #expect(Self.receipts(harness) == ["m2"])
  }

  @Test("over an orderly stop, too, and where the link was dead and nobody knew it", arguments: [0, 1, 2])
  func stopped(lost: UInt32) throws {
    let harness = try Self.online(Self.server(resumption: "max='600'"))
    harness.say(Self.message("m1"), Self.message("m2"))
    harness.pass(.milliseconds(50))
    #expect(Self.receipts(harness) == ["m1", "m2"])
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    #expect(harness.exitStatus == 0)
    harness.server.lost = lost
    let next = try restarted(harness)
    #expect(Self.receipts(next) == ["m1", "m2"].suffix(Int(lost)))
    next.pass(.minutes(1))
    #expect(try Self.receipts(restarted(next)) == [])
  }

  @Test("a stop that closes the stream gives those again that nobody has acknowledged")
  func closed() throws {
    let harness = try Self.online(Self.server(resumption: "max='600'"))
    harness.say(Self.message())
    harness.pass(.milliseconds(50))
    harness.handle(.stop(.interrupt))
    harness.pass(.seconds(10))
    #expect(harness.exitStatus == 0)
    #expect(try Self.receipts(restarted(harness)) == ["m1"])
  }

  @Test("without stream management they are given all the same, once")
  func unmanaged() throws {
    var server = Self.server()
    server.offersManagement = false
    let harness = try Self.online(server)
    harness.receive(Self.message())
    harness.pass(.minutes(1))
    #expect(Self.receipts(harness) == ["m1"])
    #expect(try Self.receipts(restarted(harness)) == [])
  }

  @Test("a flood is answered whole, and costs neither a question nor a sync for each")
  func flood() throws {
    let harness = try Self.online(Self.server(resumption: "max='600'"))
    for start in stride(from: 0, to: 1_000, by: 100) {
      for number in start..<start + 100 { harness.receive(harness.server.say(Self.message("m\(number)"))) }
      harness.pass(.milliseconds(100))
    }
    harness.pass(.minutes(1))
    #expect(Self.receipts(harness) == (0..<1_000).map { "m\($0)" })
    #expect(harness.toServer.components("<r xmlns='urn:xmpp:sm:3'/>").count - 1 <= 1_000 / 16)
    #expect(harness.engine.state.accounts[1]?.pendingReceipts.entries.isEmpty == true)
  }

  @Test("a trickle of messages with receipts costs no more syncs than one without, but for the ceiling of our places")
  func trickle() throws {
    let harness = try Self.online(Self.server(resumption: "max='600'"))
    for number in 0..<100 {
      harness.receive(harness.server.say(Self.message("m\(number)")))
      harness.pass(.milliseconds(20))
    }
    #expect(harness.trace.count { $0 == .synced } == 103)
    #expect(Self.receipts(harness).count == 100)
  }

  @Test("a server that acknowledges nothing is not asked again and again")
  func deaf() throws {
    var server = Self.server(resumption: "max='600'")
    server.acknowledges = false
    let harness = try Self.online(server)
    for number in 0..<1_000 { harness.receive(harness.server.say(Self.message("m\(number)"))) }
    harness.pass(.seconds(1))
    #expect(Self.receipts(harness).count == Receipts.mostSent)
    #expect(harness.toServer.components("<r xmlns='urn:xmpp:sm:3'/>").count - 1 == 1)
    for _ in 0..<20 { harness.receive("<a xmlns='urn:xmpp:sm:3' h='4'/>") }
    #expect(harness.toServer.components("<r xmlns='urn:xmpp:sm:3'/>").count - 1 <= 2)
  }

  @Test("what came while nobody was here has them, out of the archive too; its history has not")
  func archived() throws {
    var archive = ScriptedArchive()
    archive.add("old", at: ArchiveTests.stamp(minute: 1))
    func ask(_ number: Int) {
      archive.items[number].xml = archive.items[number].xml.replacing(
        "</body>", with: "</body><request xmlns='urn:xmpp:receipts'/>")
    }
    ask(0)
    var server = ArchiveTests.server(archive)
    server.roster = "<query xmlns='jabber:iq:roster'>\(Self.bob)</query>"
    server.acknowledges = true
    let harness = try Self.online(server) { $0.archiveFirstSync = .all }
    harness.pass(.seconds(5))
    #expect(Self.receipts(harness) == [])
    harness.cut()
    archive.add("new", at: ArchiveTests.stamp(minute: 2))
    ask(1)
    harness.server.archive = archive
    harness.pass(.minutes(2))
    #expect(Self.receipts(harness) == ["m2"])
  }
}
