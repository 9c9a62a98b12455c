import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0191BlockingTests {
  @Test(arguments: ["romeo@montague.net", "montague.net", "romeo@montague.net/orchard"])
  func aJIDIsBlockedAndUnblockedAsItIs(_ jid: String) throws {
    let block = try element(BlockList.block(JID(jid), id: "1"))
    let unblock = try element(BlockList.unblock(JID(jid), id: "1"))
    func change(_ name: String) throws -> Element {
      try element("<iq type='set' id='1'><\(name) xmlns='urn:xmpp:blocking'><item jid='\(jid)'/></\(name)></iq>")
    }
    #expect(try block == change("block"))
    #expect(try unblock == change("unblock"))
  }

  @Test func theListIsRequestedFromOurAccount() throws {
    let request = try element(BlockList.request(id: "1"))
    #expect(try request == element("<iq type='get' id='1'><blocklist xmlns='urn:xmpp:blocking'/></iq>"))
  }

  @Test func theListHoldsEveryJIDOfTheAnswer() throws {
    let answer = try element(
      "<iq type='result' id='1'><blocklist xmlns='urn:xmpp:blocking'><item jid='Romeo@Montague.net'/><item/>"
        + "<item jid='a@b@c'/><item xmlns='urn:x' jid='x@y'/><item jid='shakespeare.lit'/></blocklist></iq>")
    #expect(BlockList(answer)?.jids.map(\.description).sorted() == ["romeo@montague.net", "shakespeare.lit"])
    #expect(try BlockList(element("<iq type='result'><blocklist xmlns='urn:xmpp:blocking'/></iq>"))?.jids == [])
    #expect(try BlockList(element("<iq type='result'/>")) == nil)
    #expect(try BlockList(element("<iq type='result'><blocklist xmlns='urn:x'/></iq>")) == nil)
  }

  static let item = "<item jid='romeo@montague.net'/>"

  @Test(arguments: ["", "from='juliet@capulet.lit'", "from='Juliet@Capulet.lit'"])
  func aPushComesFromOurAccount(_ from: String) throws {
    for change in ["<block xmlns='urn:xmpp:blocking'>\(Self.item)</block>", "<unblock xmlns='urn:xmpp:blocking'/>"] {
      let push = try element("<iq type='set' id='p' \(from)>\(change)</iq>")
      #expect(BlockList.isPush(push, own: try JID("juliet@capulet.lit/balcony")))
    }
  }

  @Test func aPushAddsAndTakesOff() throws {
    func push(_ change: String) throws -> Element {
      try element("<iq type='set' id='p'>\(change.replacing("/>", with: " xmlns='urn:xmpp:blocking'/>"))</iq>")
    }
    func items(_ name: String, _ jids: String...) -> String {
      let items = jids.map { "<item jid='\($0)'></item>" }.joined()
      return "<\(name) xmlns='urn:xmpp:blocking'>\(items)</\(name)>"
    }
    var list = BlockList()
    try list.apply(push(items("block", "romeo@montague.net", "shakespeare.lit", "x@y.lit/phone")))
    #expect(try list.blocks(JID("romeo@montague.net")) && list.blocks(JID("iago@shakespeare.lit")))
    #expect(try !list.blocks(JID("x@y.lit")) && !list.blocks(JID("montague.net")))
    try list.apply(push(items("unblock", "shakespeare.lit", "nobody@x.lit")))
    #expect(try list.blocks(JID("romeo@montague.net")) && !list.blocks(JID("iago@shakespeare.lit")))
    try list.apply(push(items("unblock", "@@")))
    #expect(try list.blocks(JID("romeo@montague.net")))
    try list.apply(push("<unblock/>"))
    #expect(list == BlockList())
  }

  @Test(arguments: [
    "<iq type='set' id='p' from='romeo@montague.net'><block xmlns='urn:xmpp:blocking'>\(item)</block></iq>",
    "<iq type='set' id='p' from='capulet.lit'><block xmlns='urn:xmpp:blocking'>\(item)</block></iq>",
    "<iq type='set' id='p' from='juliet@capulet.lit/balcony'><unblock xmlns='urn:xmpp:blocking'/></iq>",
    "<iq type='set' id='p' from='@@'><unblock xmlns='urn:xmpp:blocking'/></iq>",
    "<iq type='get' id='p'><block xmlns='urn:xmpp:blocking'>\(item)</block></iq>",
    "<iq type='set'><block xmlns='urn:xmpp:blocking'>\(item)</block></iq>",
    "<iq type='set' id='p'><blocklist xmlns='urn:xmpp:blocking'/></iq>",
    "<iq type='set' id='p'><block xmlns='urn:x'>\(item)</block></iq>",
    "<iq type='set' id='p'><block xmlns='urn:xmpp:blocking'/><x xmlns='urn:x'/></iq>", "<iq type='set' id='p'/>",
  ])
  func otherIQsAreNoPush(_ xml: String) throws {
    #expect(try !BlockList.isPush(element(xml), own: JID("juliet@capulet.lit/balcony")))
  }
}
