import Clocks
import Timelines
import State
import JSON
import Records
import Testing
import XML
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabEngine

/// Archives that do not do what they should, and strangers who play one.
@Suite("hostile archives")
struct HostileArchiveTests {
  private func count(_ harness: Harness) -> Int {
    harness.engine.state.accounts[1]?.conversations.values.reduce(0) { $0 + $1.timeline.count } ?? 0
  }

  private func state(_ harness: Harness) -> String? {
    harness.ask(harness.connect(998), "status").first?["account"]?["archive"]?["state"]?.string
  }

  private static let end =
    "<iq type='result' id='$id'><fin xmlns='urn:xmpp:mam:2'$more><set xmlns='http://jabber.org/protocol/rsm'>"

  private static func item(_ id: String) -> ScriptedArchive.Item {
    .init(
      id: id, stamp: "2025-06-01T10:00:00Z",
      xml: "<message xmlns='jabber:client' from='bob@example.org' id='\(id)'><body>\(id)</body></message>")
  }

  private static func page(_ ids: [String], bounds: String, more: String = "") -> String {
    ids.map { ScriptedArchive.result(item($0), token: "$token", from: "alice@example.org") }.joined()
      + end.replacing("$more", with: more) + bounds + "</set></fin></iq>"
  }

  /// What it says to every question; what the daemon then thinks of it; how many messages it has of it.
  static let deeds: [(name: String, says: String, state: String, messages: Int)] = [
    ("the same page for ever", page(["1"], bounds: "<first>1</first><last>1</last>"), "failed", 1),
    ("no end and no place", page(["1"], bounds: ""), "failed", 1),
    ("an empty page that is not called the end", page([], bounds: ""), "complete", 0),
    ("the same message again and again", page(["1", "1", "1"], bounds: "", more: " complete='true'"), "complete", 1),
    ("an answer that is none", "<iq type='result' id='$id'/>", "failed", 0),
    (
      "a refusal",
      "<iq type='error' id='$id'><error type='wait'>"
        + "<internal-server-error xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>", "failed", 0
    ),
    (
      "more than was requested", page((0..<400).map { "\($0)" }, bounds: "<first>0</first><last>399</last>"),
      "failed",
      250
    ),
    (
      "results for another question", page(["1"], bounds: "", more: " complete='true'").replacing("$token", with: "x"),
      "complete", 0
    ),
    (
      "a page that is not its last word", page(["1"], bounds: "", more: " complete='true' stable='false'"), "complete",
      1
    ),
    ("silence", "", "failed", 0),
  ]

  @Test("each is stopped, told, and the session lives", arguments: 0..<deeds.count)
  func deed(index: Int) throws {
    let deed = Self.deeds[index]
    var archive = ScriptedArchive()
    archive.says = deed.says
    let harness = try ArchiveTests.harness(archive)
    let link = harness.link
    harness.pass(.seconds(40))
    #expect(state(harness) == deed.state, "\(deed.name)")
    #expect(count(harness) == deed.messages, "\(deed.name)")
    if deed.state == "failed" { #expect(harness.told.contains { $0.contains("archive") }, "\(deed.name)") }
    let asked = harness.server.archive?.asked.count ?? 0
    #expect(asked <= 2, "\(deed.name)")
    harness.receive(
      "<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/><message from='carol@example.org'><body>x</body></message>"
    )
    harness.pass(.seconds(1))
    #expect(harness.link == link, "\(deed.name)")
    #expect(count(harness) == deed.messages + 1, "\(deed.name)")
  }

  @Test("an empty page ends a catch-up, whether the archive calls it complete or not")
  func emptyLastPage() throws {
    var archive = ArchiveTests.archive(3)
    archive.neverCompletes = true
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(1))
    #expect(count(harness) == 3 && state(harness) == "complete")
    for number in 3..<6 { harness.server.archive?.add("\(number)", at: ArchiveTests.stamp(minute: number)) }
    harness.cut()
    harness.pass(.seconds(10))
    #expect(count(harness) == 6 && state(harness) == "complete")
    #expect(!harness.told.contains { $0.contains("circles") })
  }

  @Test("one that failed is tried again after a while")
  func again() throws {
    var archive = ScriptedArchive()
    archive.says = Self.deeds[5].says
    let harness = try ArchiveTests.harness(archive)
    harness.pass(.seconds(1))
    harness.server.archive?.says = nil
    harness.server.archive?.items = [Self.item("1")]
    harness.pass(.minutes(6))
    #expect(count(harness) == 1)
    #expect(state(harness) == "complete")
  }

  @Test("a page that may still change does not move the anchor")
  func unstable() throws {
    var archive = ScriptedArchive()
    archive.says = Self.page(["1"], bounds: "<first>1</first><last>1</last>", more: " complete='true'")
    let harness = try ArchiveTests.harness(archive)
    harness.server.archive?.says = Self.page(
      ["2"], bounds: "<first>2</first><last>2</last>", more: " complete='true' stable='false'")
    harness.cut()
    harness.pass(.seconds(10))
    #expect(count(harness) == 2)
    #expect(harness.engine.state.accounts[1]?.server.archive?.anchor?.id == "1")
  }

  @Test(
    "results by others, or under another token, are forged while the question is out",
    arguments: ["bob@example.org", "example.org", "alice@example.org/other", "alice@example.org"])
  func forged(from: String) throws {
    var archive = ScriptedArchive()
    archive.patience = 0
    let harness = try ArchiveTests.harness(archive)
    let asked = harness.server.archive?.asked.last ?? ""
    let token = ScriptedStream.value(of: "queryid", in: asked) ?? ""
    #expect(token.utf8.count >= 16)
    let right = from == "alice@example.org" ? token + "x" : token
    harness.receive(ScriptedArchive.result(Self.item("1"), token: right, from: from))
    harness.pass(.seconds(1))
    #expect(count(harness) == 0)
    #expect(harness.told.contains { $0.contains("ignored a") })
    harness.receive(ScriptedArchive.result(Self.item("1"), token: token, from: "alice@example.org"))
    for end in harness.server.archive?.owed(to: "alice@example.org") ?? [] { harness.receive(end) }
    harness.pass(.seconds(1))
    #expect(count(harness) == 1)
  }

  @Test(
    "a way that comes by the same place again, after however many steps, is no way", arguments: [1, 2, 7, 100, 1_000])
  func circles(length: Int) throws {
    var run = ArchiveRun(.forward, from: .first)
    var steps = 0
    while steps < 10_000 {
      var end = try Self.fin()
      end.bounds?.last = "p\(steps % length)"
      guard run.end(end) == .next else { break }
      steps += 1
    }
    #expect(steps < 4 * length + 4)
  }

  private static func fin() throws -> ArchiveEnd {
    let set = "<set xmlns='http://jabber.org/protocol/rsm'><last>a</last></set>"
    let iq = try #require(Element.parse(Array("<iq><fin xmlns='urn:xmpp:mam:2'>\(set)</fin></iq>".utf8)))
    return try #require(ArchiveEnd(iq))
  }

  @Test("a way without end has one")
  func endless() throws {
    var run = ArchiveRun(.forward, from: .first)
    var steps = 0
    while steps < 100_000 {
      var end = try Self.fin()
      end.bounds?.last = "p\(steps)"
      guard run.end(end) == .next else { break }
      steps += 1
    }
    #expect(steps == ArchiveRun.mostPages - 1)
  }
}
