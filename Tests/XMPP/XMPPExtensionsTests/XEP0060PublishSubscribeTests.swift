import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0060PublishSubscribeTests {
  private func request(_ type: String, to: String = "", _ payload: String, owner: String = "") throws -> Element {
    try element(
      "<iq type='\(type)' id='1' \(to)><pubsub xmlns='http://jabber.org/protocol/pubsub\(owner)'>\(payload)</pubsub></iq>"
    )
  }

  private func form(_ type: String, _ fields: [(String, String)]) -> String {
    let type = "<field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/pubsub#\(type)</value></field>"
    return "<x xmlns='jabber:x:data' type='submit'>\(type)"
      + fields.map { "<field var='pubsub#\($0)'><value>\($1)</value></field>" }.joined() + "</x>"
  }

  @Test func itemsAreRequestedOfWhoeverHasTheNode() throws {
    let contact = try JID("romeo@montague.net")
    #expect(
      try element(PubSub.requestItems(of: "a&b", at: contact, id: "1"))
        == request("get", to: "to='romeo@montague.net'", "<items node='a&amp;b'/>"))
    #expect(
      try element(PubSub.requestItems(of: "n", mostRecent: 1, id: "1"))
        == request("get", "<items node='n' max_items='1'/>"))
    #expect(
      try element(PubSub.requestItems(of: "n", itemID: "i", id: "1"))
        == request("get", "<items node='n'><item id='i'/></items>"))
  }

  @Test func anItemIsPublishedWithWhatItsNodeHasToBe() throws {
    let item = "<publish node='n'><item id='i'><tune xmlns='urn:t'/></item></publish>"
    #expect(
      try element(PubSub.publish("i", on: "n", id: "1") { $0.empty("tune", xmlns: "urn:t") }) == request("set", item))
    let options = NodeOptions(.whitelist, mostItems: "max", sendsLastItem: false)
    let fields = [
      ("persist_items", "true"), ("access_model", "whitelist"), ("max_items", "max"),
      ("send_last_published_item", "never"),
    ]
    #expect(
      try element(PubSub.publish("i", on: "n", options: options, id: "1") { $0.empty("tune", xmlns: "urn:t") })
        == request("set", item + "<publish-options>\(form("publish-options", fields))</publish-options>"))
    #expect(
      try element(PubSub.configure("n", options, id: "1"))
        == request("set", "<configure node='n'>\(form("node_config", fields))</configure>", owner: "#owner"))
  }

  @Test func itemsOfTheNodeAreRead() throws {
    let answer = try request(
      "result", "<items node='n'><item id='1'><a xmlns='urn:a'/></item><item><a/><b/></item><other/></items>")
    let items = try #require(PubSub.items(in: answer, of: "n"))
    #expect(items.map(\.id) == ["1", nil])
    #expect(items.map { $0.payload?.local } == ["a", nil])
    #expect(PubSub.items(in: answer, of: "m") == nil)
    #expect(try PubSub.items(in: request("result", "<items node='n'/>"), of: "n") == [])
    #expect(try PubSub.items(in: element("<iq type='result' id='1'/>"), of: "n") == nil)
  }

  @Test func aNodeThatIsNotAsWantedIsTold() throws {
    func error(_ condition: String) throws -> Element {
      try element(
        "<iq type='error' id='1'><error type='cancel'><conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
          + "\(condition)</error></iq>")
    }
    let condition = "<precondition-not-met xmlns='http://jabber.org/protocol/pubsub#errors'/>"
    #expect(try PubSub.isPreconditionNotMet(error(condition)))
    #expect(try !PubSub.isPreconditionNotMet(error("")))
    #expect(try !PubSub.isPreconditionNotMet(element("<iq type='result' id='1'>\(condition)</iq>")))
  }
}
