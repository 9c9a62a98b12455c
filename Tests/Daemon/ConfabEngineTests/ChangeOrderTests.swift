import Clocks
import JSON
import Testing

@testable import ConfabEngine

/// The end is the same, however an archive hands over changes.
@Suite("The order of changes")
struct ChangeOrderTests {
  /// Which ids a sender gives its retractions and reactions.
  enum IDs: CaseIterable {
    case distinct, none, empty, same

    func applied(to stanza: String, _ number: Int) -> String {
      switch self {
      case .distinct: stanza.replacing(" id='zz'>", with: " id='z\(number)'>")
      case .none: stanza.replacing(" id='zz'>", with: ">")
      case .empty: stanza.replacing(" id='zz'>", with: " id=''>")
      case .same: stanza
      }
    }
  }

  private static func archive(_ ids: IDs, pageSize: Int, inOneSecond: Bool) -> ScriptedArchive {
    var archive = ScriptedArchive()
    archive.pageSize = pageSize
    let stanzas = [
      ChangeTests.message("one", id: "m1"), ChangeTests.message("two", id: "m2"),
      ChangeTests.message("three", id: "m3"), ChangeTests.message("four", id: "m4"),
      ChangeTests.correct("m1", "one fixed", stanza: "c1"),
      ChangeTests.correct("m1", "one fixed more", stanza: "c1b"), ChangeTests.retract("m4", stanza: "zz"),
      ChangeTests.react("m2", ["👍"], stanza: "zz"), ChangeTests.react("m2", ["🎉"], stanza: "zz"),
      ChangeTests.correct("m3", "three fixed", stanza: "c3"), ChangeTests.retract("m3", stanza: "zz"),
      ChangeTests.message("last", id: "m9"),
    ]
    for (number, stanza) in stanzas.enumerated() {
      archive.items.append(
        .init(
          id: "a\(number)", stamp: "2025-10-01T10:00:\(inOneSecond ? 10 : 10 + number)Z",
          xml: ids.applied(to: stanza, number).replacing("<message ", with: "<message xmlns='jabber:client' ")))
    }
    return archive
  }

  @Test(
    "The last correction, retraction and reaction hold, whatever ids, stamps and pages there are",
    arguments: IDs.allCases, [1, 2, 3, 50])
  func last(ids: IDs, pageSize: Int) throws {
    for inOneSecond in [false, true] {
      let harness = try ArchiveTests.harness(Self.archive(ids, pageSize: pageSize, inOneSecond: inOneSecond))
      harness.pass(.seconds(20))
      let history = ChangeTests.history(harness)
      #expect(history.compactMap { $0["text"]?.string } == ["one fixed more", "two", "", "", "last"])
      #expect(history.map { $0["retracted"] != nil } == [false, false, true, true, false])
      let reactions = try #require(history.dropFirst().first?["reactions"]?.array)
      #expect(reactions.compactMap { $0["emoji"]?.string } == ["🎉"])
      #expect(Self.versions(harness, history.first) == ["one", "one fixed"])
    }
  }

  @Test("What an archive has emptied is retracted where it is known, and nothing where it is not")
  func tombstones() throws {
    var archive = ScriptedArchive()
    archive.pageSize = 1
    archive.add("one", at: "2025-10-01T10:00:00Z", stanzaID: "m1")
    for (number, id) in ["m1", "unknown"].enumerated() {
      archive.items.append(
        .init(
          id: "t\(number)", stamp: "2025-10-01T10:00:0\(number + 1)Z",
          xml: "<message xmlns='jabber:client' type='chat' from='bob@example.org/x' to='alice@example.org' id='\(id)'>"
            + "<retracted xmlns='urn:xmpp:message-retract:1' id='r1' stamp='2025-10-01T10:05:00Z'/></message>"))
    }
    archive.add("two", at: "2025-10-01T10:09:00Z")
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(20))
    let history = ChangeTests.history(harness)
    #expect(history.compactMap { $0["text"]?.string } == ["", "two"])
    #expect(history.first?["retracted"]?["time"]?.string == "2025-10-01T10:05:00.000Z")
    #expect(history.first?["retracted"]?["by"]?.string == "bob@example.org")
  }

  @Test("Versions of one moment keep their order")
  func versions() throws {
    let harness = try Harness()
    let client = harness.connect()
    let id = harness.ask(client, "send bob@example.org v0").last?["id"]?.integer ?? 0
    harness.send(client, (1...8).map { "send replace=\(id) bob@example.org v\($0)\n" }.joined())
    harness.pass(.seconds(1))
    let first = ChangeTests.history(harness).first
    #expect(first?["text"]?.string == "v8")
    #expect(Self.versions(harness, first) == (0...7).map { "v\($0)" })
  }

  @Test("What stands for a message that is not here is changed in its place", arguments: [false, true])
  func standIn(isRetracted: Bool) throws {
    let harness = try Harness()
    ChangeTests.receive(
      harness, ChangeTests.correct("m1", "two"), ChangeTests.react("m1", ["👍"]),
      ChangeTests.correct("m1", "three", stanza: "c2"))
    #expect(ChangeTests.texts(harness) == ["three"])
    #expect(ChangeTests.history(harness).first?["reactions"] != nil)
    if isRetracted {
      ChangeTests.receive(
        harness, ChangeTests.retract("m1"), ChangeTests.correct("m1", "four", stanza: "c3"))
      #expect(ChangeTests.texts(harness) == [""])
    }
    let client = harness.connect()
    let standIn = ChangeTests.history(harness).first?["id"]?.integer ?? 0
    if !isRetracted {
      _ = harness.ask(client, "react \(standIn) 🐢")
      _ = harness.ask(client, "send reply=\(standIn) bob@example.org yes")
    }
    ChangeTests.receive(harness, ChangeTests.message("one", id: "m1"))
    let history = ChangeTests.history(harness).filter { $0["mine"]?.bool == false }
    #expect(history.compactMap { $0["text"]?.string } == [isRetracted ? "" : "three"])
    if !isRetracted {
      #expect(history.first?["reactions"]?.array?.count == 2)
      let reply = ChangeTests.history(harness).first { $0["mine"]?.bool == true }?["reply_to"]
      #expect(reply?["text"]?.string == "three" && reply?["id"] == history.first?["id"])
    }
    #expect((history.first?["retracted"] != nil) == isRetracted)
    #expect((history.first?["reactions"] == nil) == isRetracted)
    #expect(Self.versions(harness, history.first) == (isRetracted ? [] : ["one", "two"]))
  }

  @Test("What came before a message changes what stands for it, and the message once that comes")
  func earlierThanStandIn() throws {
    let first = try Harness()
    ChangeTests.receive(
      first, ChangeTests.retract("m1"), ChangeTests.react("m2", ["👍"]), ChangeTests.correct("m1", "secret"),
      ChangeTests.correct("m2", "two", stanza: "c2"))
    for harness in try ChangeTests.asWritten(first) {
      for isHere in [false, true] {
        if isHere {
          ChangeTests.receive(harness, ChangeTests.message("hidden", id: "m1"), ChangeTests.message("one", id: "m2"))
        }
        let history = ChangeTests.history(harness)
        #expect(history.compactMap { $0["text"]?.string } == ["", "two"])
        #expect(history.first?["retracted"] != nil && history.last?["reactions"]?.array?.count == 1)
        #expect(harness.ask(harness.connect(6), "search secret").compactMap { $0["message"] }.isEmpty)
      }
    }
  }

  @Test("A reaction that waits leaves the text of a correction that waits, too", arguments: [1, 50], [false, true])
  func reactionBesideCorrection(pageSize: Int, isHere: Bool) throws {
    var archive = ScriptedArchive()
    archive.pageSize = pageSize
    let stanzas = [
      ChangeTests.message(isHere ? "one" : "other", id: isHere ? "m1" : "m0"),
      ChangeTests.correct("m1", "two", stanza: "c1"), ChangeTests.correct("c1", "three", stanza: "c2"),
      ChangeTests.react("m1", ["👍"]),
    ]
    for (number, stanza) in stanzas.enumerated() {
      archive.items.append(
        .init(
          id: "a\(number)", stamp: "2025-10-01T10:00:1\(number)Z",
          xml: stanza.replacing("<message ", with: "<message xmlns='jabber:client' ")))
    }
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(20))
    let history = ChangeTests.history(harness)
    #expect(history.compactMap { $0["text"]?.string } == (isHere ? ["three"] : ["other", "three"]))
    #expect(history.last?["reactions"]?.array?.count == 1)
  }

  private static func versions(_ harness: Harness, _ message: JSONValue?) -> [String] {
    harness.ask(harness.connect(7), "versions \(message?["id"]?.integer ?? 0)")
      .compactMap { $0["version"]?["text"]?.string }
  }
}
