import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite struct XEP0030ServiceDiscoveryTests {
  static let xmlns = "xmlns='http://jabber.org/protocol/disco#info'"

  @Test func weSayWhatWeAre() throws {
    let answer = try #require(try answer("<iq id='1' type='get'><query \(Self.xmlns)/></iq>"))
    #expect(DiscoInfo(answer) == Registry.info(.test()))
    #expect(DiscoInfo(answer)?.identities == [.init(category: "client", type: "pc", name: "Confab")])
    #expect(DiscoInfo(answer)?.has("urn:xmpp:ping") == true)
  }

  @Test func theNodeOfOurCapabilitiesIsAnsweredAndNoOther() throws {
    let caps = try #require(EntityCapabilities.own(.test()))
    let answer = try answer("<iq id='1' type='get'><query \(Self.xmlns) node='\(caps.discoNode)'/></iq>")
    #expect(answer.flatMap { DiscoInfo($0) }?.node == caps.discoNode)
    for node in ["", "x", caps.node, caps.ver, caps.discoNode + "x"] {
      #expect(try condition("<iq id='1' type='get'><query \(Self.xmlns) node='\(node)'/></iq>") == "item-not-found")
    }
  }

  @Test func thereAreNoItems() throws {
    let items = "xmlns='http://jabber.org/protocol/disco#items'"
    let answer = try #require(try answer("<iq id='1' type='get'><query \(items)/></iq>"))
    #expect(try answer == element("<iq id='1' type='result'><query \(items)/></iq>"))
    #expect(try condition("<iq id='1' type='get'><query \(items) node='n'/></iq>") == "item-not-found")
  }

  @Test func answersOfOthersAreReadWhateverTheyHold() throws {
    let xml = """
      <iq type='result'><query \(Self.xmlns) node='n'><identity category='account' type='registered'/>\
      <identity category='x'/><identity xml:lang='de' category='c' type='t' name='N'/><feature var='urn:xmpp:sid:0'/>\
      <feature/><feature xmlns='urn:x' var='no'/><x xmlns='jabber:x:data'><field/><field var='a' type='hidden'>\
      <value>1</value><value/></field></x></query></iq>
      """
    let info = try #require(try DiscoInfo(element(xml)))
    #expect(info.node == "n")
    #expect(
      info.identities == [
        .init(category: "account", type: "registered"), .init(category: "c", type: "t", name: "N", language: "de"),
      ])
    #expect(info.features == ["urn:xmpp:sid:0"] && info.has("urn:xmpp:sid:0") && !info.has("urn:xmpp:sid"))
    #expect(info.forms.map(\.fields) == [[.init(name: "a", type: .hidden, values: ["1", ""])]])
    #expect(try DiscoInfo(element("<iq type='result'/>")) == nil)
    #expect(try DiscoInfo(element("<iq><query xmlns='urn:x'/></iq>")) == nil)
  }

  @Test func weAskOthers() throws {
    let request = try ServiceDiscovery.infoRequest(to: JID("example.org"), node: "a&b", id: "1")
    #expect(
      try element(request)
        == element("<iq type='get' id='1' to='example.org'><query \(Self.xmlns) node='a&amp;b'/></iq>"))
  }
}
