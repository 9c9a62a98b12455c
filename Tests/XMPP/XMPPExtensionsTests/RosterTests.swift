import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct RosterTests {
  static func query(_ items: String, _ attributes: String = "") -> String {
    "<query xmlns='jabber:iq:roster' \(attributes)>\(items)</query>"
  }

  @Test func isRead() throws {
    let roster = try #require(
      try Roster(
        element(
          "<iq type='result'>"
            + Self.query(
              "<item jid='Bob@Example.org' name='Bob' subscription='both'><group>Friends</group><group>Work</group></item>"
                + "<item jid='carol@example.org/x' ask='subscribe' approved='true'/>", "ver='v1'") + "</iq>")))
    #expect(roster.version == "v1")
    #expect(
      try roster.items == [
        Roster.Item(jid: JID("bob@example.org"), name: "Bob", subscription: .both, groups: ["Friends", "Work"]),
        Roster.Item(jid: JID("carol@example.org"), isAsked: true),
      ])
    #expect(try Roster(element(Self.query(""))) == Roster(items: []))
    #expect(try Roster(element("<iq type='result'/>")) == nil)
  }

  @Test func nonsenseIsLeftOut() throws {
    let items = """
      <item/><item jid=''/><item jid='a@b@c'/><item xmlns='urn:x' jid='x@y'/><other jid='x@y'/>\
      <item jid='a@b' name='' subscription='lots' ask='maybe'><group/><group>G</group><group>G</group></item>\
      <item jid='c@d' name='first'/><item jid='C@D' name='second'/>
      """
    let roster = try #require(try Roster(element(Self.query(items))))
    #expect(
      try roster.items == [
        Roster.Item(jid: JID("a@b"), groups: ["G"]), Roster.Item(jid: JID("c@d"), name: "second"),
      ])
  }

  @Test func whoIsGoneIsNotInTheRoster() throws {
    let items = "<item jid='a@b' subscription='remove'/><item jid='c@d'/>"
    #expect(try Roster(element(Self.query(items)))?.items == [Roster.Item(jid: JID("c@d"))])
  }

  @Test func aHugeVersionIsNone() throws {
    let longest = String(repeating: "v", count: Roster.longestVersion)
    #expect(try Roster(element(Self.query("", "ver='\(longest)'")))?.version == longest)
    #expect(try Roster(element(Self.query("", "ver='\(longest)v'"))) == Roster(items: []))
    #expect(try Roster(element(Self.query("", "ver=''")))?.version == "")
  }

  @Test func groupsAreToldApartByTheirBytes() throws {
    let item = "<item jid='a@b'><group>\u{E9}</group><group>e\u{301}</group><group>\u{E9}</group></item>"
    let groups = try #require(try Roster(element(Self.query(item)))?.items.first?.groups)
    #expect(groups.map { Array($0.utf8) } == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
  }

  @Test func longNamesAreCut() throws {
    let long = String(repeating: "王", count: 5_000)
    let xml = Self.query("<item jid='a@b' name='\(long)'><group>\(long)</group></item>")
    let item = try #require(try Roster(element(xml))?.items.first)
    #expect(item.name?.unicodeScalars.count == Roster.longestName)
    #expect(item.groups.map(\.unicodeScalars.count) == [Roster.longestName])
  }

  @Test func requestsAreWritten() throws {
    #expect(
      try element(Roster.request(id: "1", version: nil)) == element("<iq type='get' id='1'>\(Self.query(""))</iq>"))
    let versioned = try element(Roster.request(id: "1", version: ""))
    #expect(versioned.child("query", "jabber:iq:roster")?.attribute("ver") == "")
    #expect(
      try element(Roster.set(id: "1", jid: JID("bob@example.org/x"), name: "B<b", groups: ["A&B", "C"]))
        == element(
          "<iq type='set' id='1'>"
            + Self.query("<item jid='bob@example.org' name='B&lt;b'><group>A&amp;B</group><group>C</group></item>")
            + "</iq>"))
    #expect(
      try element(Roster.remove(id: "1", jid: JID("bob@example.org")))
        == element("<iq type='set' id='1'>\(Self.query("<item jid='bob@example.org' subscription='remove'/>"))</iq>"))
  }
}

@Suite struct RosterPushTests {
  static let item =
    "<query xmlns='jabber:iq:roster' ver='v2'><item jid='bob@example.org' subscription='remove'/></query>"

  static func push(_ xml: String) throws -> RosterPush? {
    try RosterPush(element(xml), own: JID("alice@example.org/confab"))
  }

  @Test(arguments: ["", "from='alice@example.org'", "from='ALICE@example.ORG'"])
  func ourAccountMayPush(_ from: String) throws {
    let push = try #require(try Self.push("<iq type='set' id='1' \(from)>\(Self.item)</iq>"))
    #expect(push.version == "v2")
    #expect(try push.item == Roster.Item(jid: JID("bob@example.org"), subscription: .remove))
  }

  @Test(arguments: [
    "eve@example.org", "alice@example.org/confab", "alice@example.org/other", "example.org", "alice@example.net",
    "alice@example.org.evil.example", "", "a@b@c", "alice", "alice@example.org/",
  ])
  func nobodyElseMay(_ from: String) throws {
    #expect(try Self.push("<iq type='set' id='1' from='\(from)'>\(Self.item)</iq>") == nil)
  }

  @Test(arguments: [
    "<iq type='get' id='1'>\(item)</iq>", "<iq type='result' id='1'>\(item)</iq>",
    "<message type='set'>\(item)</message>",
    "<iq type='set'>\(item)</iq>", "<iq type='set' id='1'>\(item)\(item)</iq>",
    "<iq type='set' id='1'><x xmlns='urn:x'>\(item)</x></iq>", "<iq type='set' id='1'><x xmlns='urn:x'/>\(item)</iq>",
    "<iq type='set' id='1'><query xmlns='jabber:iq:private'><item jid='a@b'/></query></iq>",
    "<iq type='set' id='1'/>", "<iq type='set' id='1'><query xmlns='jabber:iq:roster'/></iq>",
    "<iq type='set' id='1'><query xmlns='jabber:iq:roster'><item jid='a@b@c'/></query></iq>",
    "<iq type='set' id='1'><query xmlns='jabber:iq:roster'><item jid='a@b'/><item jid='c@d'/></query></iq>",
    "<iq type='set' id='1'><query xmlns='jabber:iq:roster'><item jid='a@b'/><item/></query></iq>",
  ])
  func othersAreNoPush(_ xml: String) throws {
    #expect(try Self.push(xml) == nil)
  }
}
