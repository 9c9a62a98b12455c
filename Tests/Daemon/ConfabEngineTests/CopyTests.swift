import Clocks
import State
import JSON
import Records
import ConfabConfiguration
import Testing

@testable import ConfabEngine

/// A message that comes again is known, whatever its ids are, whenever it comes, and whatever the archive's ids are.
@Suite("copies of one message")
struct CopyTests {
  /// How senders choose stanza ids.
  enum IDs: CaseIterable {
    case distinct, none, oneForAll

    func of(_ number: Int) -> String? {
      switch self {
      case .distinct: "m\(number)"
      case .none: nil
      case .oneForAll: "1"
      }
    }
  }

  /// A message from bob, as it is delivered and as the archive stores it.
  static func xml(
    _ text: String, _ id: String?, archiveID: String? = nil, from: String = "bob@example.org/x",
    to: String = "alice@example.org"
  ) -> String {
    let stanzaID = archiveID.map { "<stanza-id xmlns='urn:xmpp:sid:0' by='alice@example.org' id='\($0)'/>" } ?? ""
    let id = id.map { " id='\($0)'" } ?? ""
    return "<message xmlns='jabber:client' type='chat' from='\(from)' to='\(to)'\(id)><body>\(text)</body>\(stanzaID)"
      + "</message>"
  }

  /// The archive stores a message; returns its id.
  static func archive(
    _ harness: Harness, _ text: String, _ id: String?, from: String = "bob@example.org/x",
    to: String = "alice@example.org"
  ) -> String {
    let number = (harness.server.archive?.items.count ?? 0) + 1
    harness.server.archive?.items.append(
      .init(id: "a\(number)", stamp: harness.now.wall.rfc3339, xml: xml(text, id, from: from, to: to)))
    return "a\(number)"
  }

  static func server(sid: Bool = true) -> ScriptedStream {
    var server = ArchiveTests.server(ScriptedArchive(), stampsLive: sid)
    server.resumption = "max='600'"
    server.acknowledges = true
    return server
  }

  static func harness(sid: Bool = true, _ change: (inout ScriptedStream) -> Void = { _ in }) throws -> Harness {
    var server = server(sid: sid)
    change(&server)
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    return harness
  }

  static func texts(_ harness: Harness, _ jid: String = "bob@example.org") -> [String] {
    harness.ask(harness.connect(UInt64.random(in: 1_000...1_000_000)), "history limit=1000 \(jid)")
      .compactMap { $0["message"]?["text"]?.string }
  }

  /// The server forgets the stream, and a new login reads the archive.
  static func signInAnew(_ harness: Harness) {
    harness.server.refusal = ""
    harness.cut()
    harness.pass(.seconds(10))
    harness.server.refusal = nil
  }

  // MARK: - Restarts

  @Test("a message on a stream that a new process resumes is known when the archive shows it", arguments: IDs.allCases)
  func resumedAfterKill(ids: IDs) throws {
    let harness = try Self.harness()
    for number in 0..<30 {
      let archiveID = Self.archive(harness, "\(number)", ids.of(number))
      let xml = Self.xml("\(number)", ids.of(number), archiveID: archiveID)
      // Some messages reach the process that is killed; the others come after its end and before the resume.
      if number < 10 { harness.say(xml) } else { _ = harness.server.say(xml) }
    }
    harness.pass(.seconds(1))
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(5))
    #expect(next.toServer.contains("<resume "))
    #expect(Self.texts(next) == (0..<30).map { "\($0)" })
    Self.signInAnew(next)
    #expect(Self.texts(next) == (0..<30).map { "\($0)" })
  }

  @Test("the log records that a stream's archive ids can be trusted, and the next process trusts them at once")
  func trustIsDurable() throws {
    let harness = try Self.harness()
    harness.say(Self.xml("first", nil, archiveID: Self.archive(harness, "first", nil)))
    Self.signInAnew(harness)
    #expect(harness.engine.state.accounts[1]?.stream?.keepsArchiveIDs == true)
    harness.server.isDiscoveryLate = true
    _ = harness.server.say(Self.xml("second", nil, archiveID: Self.archive(harness, "second", nil)))
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    for answer in next.server.lateDiscoveries { next.say(answer) }
    next.pass(.seconds(1))
    #expect(Self.texts(next) == ["first", "second"] && !isNamed("a2", in: next))
    let other = try Self.harness(sid: false)
    other.say(Self.xml("third", nil, archiveID: Self.archive(other, "third", nil)))
    Self.signInAnew(other)
    #expect(other.engine.state.accounts[1]?.stream?.keepsArchiveIDs != true && isNamed("a1", in: other))
  }

  /// True if the log has a record that gives a message this archive id.
  private func isNamed(_ archiveID: String, in harness: Harness) -> Bool {
    let tokens = harness.engine.state.accounts[1]?.messageIDs
    let ids = tokens?.ids(.archiveID, MessageIDHash.of(archiveID)) ?? []
    return ids.contains { tokens?.newest(.archiveID, ArchiveIDRecord.hash(ofMessage: $0)) != nil }
  }

  @Test(
    "a message that comes before disco has answered is known when the archive shows it", arguments: IDs.allCases)
  func beforeDiscovery(ids: IDs) throws {
    let harness = try Self.harness { $0.isDiscoveryLate = true }
    for number in 0..<30 {
      let archiveID = Self.archive(harness, "\(number)", ids.of(number))
      harness.say(Self.xml("\(number)", ids.of(number), archiveID: archiveID))
    }
    harness.pass(.seconds(1))
    for answer in harness.server.lateDiscoveries { harness.say(answer) }
    harness.pass(.seconds(1))
    #expect(harness.server.archive?.asked.isEmpty == false)
    #expect(Self.texts(harness) == (0..<30).map { "\($0)" })
  }

  @Test("a forged archive id before disco has answered hides no other message")
  func forgedBeforeDiscovery() throws {
    let harness = try Self.harness { $0.isDiscoveryLate = true }
    harness.say(Self.xml("mine now", nil, archiveID: "a1", from: "eve@example.net/x"))
    // The same sender's own message is known by its content all the same.
    harness.say(Self.xml("twice", "t", archiveID: "a1"))
    _ = Self.archive(harness, "for you", nil)
    _ = Self.archive(harness, "twice", "t")
    for answer in harness.server.lateDiscoveries { harness.say(answer) }
    harness.pass(.seconds(1))
    #expect(Self.texts(harness).sorted() == ["for you", "twice"])
    #expect(Self.texts(harness, "eve@example.net") == ["mine now"])
  }

  // MARK: - Archives that announce no ids

  @Test(
    "an account that does not announce archive ids has each message once, with ids or without",
    arguments: IDs.allCases, [true, false])
  func unannounced(ids: IDs, stamps: Bool) throws {
    let harness = try Self.harness(sid: false)
    for number in 0..<40 {
      let archiveID = Self.archive(harness, "\(number)", ids.of(number))
      harness.say(Self.xml("\(number)", ids.of(number), archiveID: stamps ? archiveID : nil))
    }
    harness.pass(.seconds(1))
    for _ in 0..<3 {
      Self.signInAnew(harness)
      #expect(Self.texts(harness) == (0..<40).map { "\($0)" })
    }
  }

  @Test(
    "messages with the same text stay separate messages", arguments: [IDs.none, .oneForAll], [true, false])
  func same(ids: IDs, stamps: Bool) throws {
    let harness = try Self.harness(sid: false)
    for number in 0..<40 {
      let archiveID = Self.archive(harness, "ha", ids.of(number))
      harness.say(Self.xml("ha", ids.of(number), archiveID: stamps ? archiveID : nil))
      harness.pass(.milliseconds(100))
    }
    Self.signInAnew(harness)
    #expect(Self.texts(harness).count == 40)
    // A later message in the same second with the same text is another message; a new process knows that, too.
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.server.refusal = ""
    _ = Self.archive(next, "ha", ids.of(40))
    _ = Self.archive(next, "ha", ids.of(41))
    next.cut()
    next.pass(.seconds(10))
    #expect(Self.texts(next).count == 42)
    Self.signInAnew(next)
    #expect(Self.texts(next).count == 42)
  }

  // MARK: - Notes to self

  /// How a note to self from another device reaches the client.
  enum Note: CaseIterable {
    case carbonThenItself, itselfThenCarbon, itself, carbon, nothing
  }

  @Test(
    "a note to self from another device is one message, however it comes", arguments: Note.allCases, IDs.allCases)
  func noteToSelf(_ note: Note, ids: IDs) throws {
    let harness = try Self.harness()
    let (from, to) = ("alice@example.org/phone", "alice@example.org")
    for number in 0..<20 {
      // Half of the notes have the same text.
      let text = "note \(number % 10)"
      let sent = Self.archive(harness, text, ids.of(number), from: from, to: to)
      let received = Self.archive(harness, text, ids.of(number), from: from, to: to)
      let itself = Self.xml(text, ids.of(number), archiveID: received, from: from, to: to)
      let copy = Self.carbon(Self.xml(text, ids.of(number), archiveID: sent, from: from, to: to))
      switch note {
      case .carbonThenItself: harness.say(copy, itself)
      case .itselfThenCarbon: harness.say(itself, copy)
      case .itself: harness.say(itself)
      case .carbon: harness.say(copy)
      case .nothing: break
      }
      harness.pass(.seconds(1))
    }
    for _ in 0..<2 {
      Self.signInAnew(harness)
      #expect(Self.texts(harness, to).sorted() == (0..<20).map { "note \($0 % 10)" }.sorted())
    }
    // A new process on the same log, and an empty log that is filled from the archive.
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    Self.signInAnew(next)
    #expect(Self.texts(next, to).count == 20)
    var account = Harness.alice
    account.archiveFirstSync = .all
    let new = try Harness(accounts: [account], server: harness.server, now: harness.now, seed: 3)
    new.server.refusal = ""
    new.pass(.seconds(5))
    #expect(Self.texts(new, to).count == 20)
  }

  @Test(
    "a note to self that comes twice before it is stored is one message, even without an archive",
    arguments: [true, false])
  func noteWithoutArchive(isCopyFirst: Bool) throws {
    let harness = try Self.harness { ($0.archive, $0.features) = (nil, []) }
    let (from, to) = ("alice@example.org/phone", "alice@example.org")
    harness.syncsAtOnce = false
    for number in 0..<20 {
      let itself = Self.xml("note \(number)", "m\(number)", from: from, to: to)
      let copy = Self.carbon(itself)
      if isCopyFirst { harness.say(copy, itself) } else { harness.say(itself, copy) }
    }
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(1))
    #expect(Self.texts(harness, to) == (0..<20).map { "note \($0)" })
  }

  static func carbon(_ message: String) -> String {
    "<message from='alice@example.org' to='alice@example.org/confab' type='chat'><sent xmlns='urn:xmpp:carbons:2'>"
      + "<forwarded xmlns='urn:xmpp:forward:0'>\(message)</forwarded></sent></message>"
  }

  // MARK: - Archives that give new ids

  @Test(
    "an archive with the same messages under new ids causes no duplicates, and its new messages are fetched",
    arguments: IDs.allCases)
  func renumbered(ids: IDs) throws {
    let harness = try Self.harness()
    try Self.fill(harness, ids)
    Self.renumber(harness)
    for number in 40..<50 { _ = Self.archive(harness, "\(number % 20)", ids.of(number)) }
    for _ in 0..<2 {
      Self.signInAnew(harness)
      #expect(Self.texts(harness) == (0..<50).map { "\($0 % 20)" })
    }
    // The archive's ids are trusted again: messages with two ids are two messages.
    _ = Self.archive(harness, "9", ids.of(49))
    Self.signInAnew(harness)
    #expect(Self.texts(harness).count == 51)
  }

  @Test(
    "an archive that gives new ids before it has shown a message causes no duplicates",
    arguments: IDs.allCases)
  func renumberedWithoutAnchor(ids: IDs) throws {
    let harness = try Self.harness()
    for number in 0..<20 {
      let archiveID = Self.archive(harness, "\(number)", ids.of(number))
      harness.say(Self.xml("\(number)", ids.of(number), archiveID: archiveID))
      harness.pass(.milliseconds(500))
    }
    #expect(harness.engine.state.accounts[1]?.server.archive.map { $0.anchor == nil } == true)
    Self.renumber(harness)
    for _ in 0..<2 {
      Self.signInAnew(harness)
      #expect(Self.texts(harness) == (0..<20).map { "\($0)" })
    }
  }

  @Test(
    "a process killed while it reads an archive with new ids causes no duplicates", arguments: IDs.allCases)
  func renumberedAndKilled(ids: IDs) throws {
    let harness = try Self.harness { $0.archive?.pageSize = 7 }
    try Self.fill(harness, ids)
    Self.renumber(harness)
    for number in 40..<50 { _ = Self.archive(harness, "\(number % 20)", ids.of(number)) }
    // The query by the old id, and two pages by time.
    harness.server.archive?.patience = 3
    Self.signInAnew(harness)
    harness.server.archive?.patience = .max
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    Self.signInAnew(next)
    #expect(Self.texts(next) == (0..<50).map { "\($0 % 20)" })
  }

  @Test(
    "a link lost while an archive with new ids is read, and the disk is slow, causes no duplicates",
    arguments: IDs.allCases)
  func renumberedAndCut(ids: IDs) throws {
    let harness = try Self.harness {
      $0.archive?.pageSize = 7
      $0.resumption = nil
    }
    try Self.fill(harness, ids)
    Self.renumber(harness)
    // The query by the old id, and two pages by time.
    harness.server.archive?.patience = 3
    harness.syncsAtOnce = false
    Self.signInAnew(harness)
    harness.server.archive?.patience = .max
    Self.signInAnew(harness)
    #expect(harness.hasBatch)
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.minutes(1))
    #expect(Self.texts(harness) == (0..<40).map { "\($0 % 20)" })
  }

  @Test(
    "a message that is delivered again with the id of an earlier archive is known when the present one shows it",
    arguments: IDs.allCases)
  func deliveredAgainWithEarlierID(ids: IDs) throws {
    let harness = try Self.harness { $0.archive?.pageSize = 7 }
    try Self.fill(harness, ids)
    Self.renumber(harness)
    // The query by the old id, and one page by time.
    harness.server.archive?.patience = 2
    Self.signInAnew(harness)
    #expect(harness.engine.state.accounts[1]?.server.archive?.idsSince ?? 0 > 0)
    harness.say(
      Self.xml("19", ids.of(39), archiveID: "a40").replacing(
        "</message>",
        with: "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(harness.now.wall.rfc3339)'/></message>"))
    harness.pass(.seconds(1))
    harness.server.archive?.patience = .max
    Self.signInAnew(harness)
    #expect(Self.texts(harness) == (0..<40).map { "\($0 % 20)" })
  }

  /// Ten messages up to the anchor, and thirty after it; half of them share their texts.
  private static func fill(_ harness: Harness, _ ids: IDs) throws {
    for number in 0..<40 {
      if number == 10 { signInAnew(harness) }
      let archiveID = archive(harness, "\(number % 20)", ids.of(number))
      harness.say(xml("\(number % 20)", ids.of(number), archiveID: archiveID))
      harness.pass(.milliseconds(500))
    }
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "a10")
    #expect(texts(harness).count == 40)
  }

  private static func renumber(_ harness: Harness) {
    harness.pass(.seconds(1))
    let items = harness.server.archive?.items ?? []
    harness.server.archive?.items = items.map { .init(id: "new-\($0.id)", stamp: $0.stamp, xml: $0.xml) }
  }
}
