import Clocks
import Testing
import XML
import XMPPCore
import XMPPExtensions

@testable import ConfabAccounts

@Suite("Personal eventing")
struct PersonalEventTests {
  private static func event(from: String, node: String = "urn:n") -> String {
    "<message from='\(from)' type='headline'><event xmlns='http://jabber.org/protocol/pubsub#event'>"
      + "<items node='\(node)'><item id='i'><tune xmlns='urn:n'/></item></items></event></message>"
  }

  private func ids(_ output: String, _ part: String) -> [String] {
    output.components("<iq ").filter { $0.contains(part) }.compactMap { ScriptedStream.value(of: "id", in: " " + $0) }
  }

  @Test("An account tells of its own nodes alone, by its bare JID; nothing else is taken, and nothing kept")
  func owners() throws {
    let parts = try Parts()
    var taken: [String] = []
    parts.people.events.handlers["urn:n"] = { event, owner in
      taken.append("\(owner) \(event.items.first?.payload?.local ?? "")")
    }
    try parts.begin()
    let last = parts.storage.queue.last
    for sender in ["alice@example.org", "bob@example.org"] { try parts.receive(Self.event(from: sender)) }
    try parts.receive(Self.event(from: "alice@example.org").replacing("from='alice@example.org'", with: ""))
    #expect(taken == ["alice@example.org tune", "bob@example.org tune", "alice@example.org tune"])
    for sender in ["bob@example.org/phone", "mallory@example.org", "example.org", "alice@example.org/x", "@@"] {
      try parts.receive(Self.event(from: sender))
    }
    try parts.receive(Self.event(from: "bob@example.org", node: "urn:other"))
    try parts.receive(Self.event(from: "bob@example.org").replacing("items node", with: "items nod"))
    let copy = Self.event(from: "bob@example.org").replacing("<message", with: "<message xmlns='jabber:client'")
    try parts.receive(
      "<message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
        + "\(copy.replacing("from=", with: "to='alice@example.org' from="))</forwarded></received></message>")
    #expect(taken.count == 3)
    #expect(parts.storage.queue.last == last)
  }

  @Test("A message with a text is a message, whatever event is in it")
  func texts() throws {
    let parts = try Parts()
    parts.people.events.handlers["urn:n"] = { _, _ in Issue.record("the event was taken") }
    try parts.begin()
    let event = Self.event(from: "bob@example.org").replacing("type='headline'", with: "type='chat'")
    try parts.receive(event.replacing("</message>", with: "<body>hello</body></message>"))
    try parts.sync()
    #expect(parts.texts() == ["hello"])
  }

  @Test("A node that is not what a publication needs is changed, and the item published again")
  func preconditions() throws {
    let parts = try Parts()
    try parts.begin()
    for isConfigured in [true, false] {
      var answers: [String] = []
      parts.core.nodes.publish("i", on: "urn:n", NodeOptions(.whitelist)) {
        $0.empty("tune", xmlns: "urn:n")
      } then: {
        answers.append("\($0.outcome)")
      }
      let first = try #require(ids(parts.output(), "<publish ").first)
      try parts.receive(
        "<iq type='error' id='\(first)'><error type='cancel'><conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
          + "<precondition-not-met xmlns='http://jabber.org/protocol/pubsub#errors'/></error></iq>")
      let configure = try #require(ids(parts.output(), "<configure node='urn:n'>").first)
      #expect(answers.isEmpty)
      try parts.receive("<iq type='\(isConfigured ? "result" : "error")' id='\(configure)'/>")
      if isConfigured {
        let second = try #require(ids(parts.output(), "<publish ").first)
        try parts.receive("<iq type='result' id='\(second)'/>")
      }
      #expect(answers.count == 1 && answers.first?.contains("done") == isConfigured)
    }
  }

  @Test("An answer about a contact's node counts from the contact alone")
  func answers() throws {
    let parts = try Parts()
    try parts.begin()
    var answers: [IQAnswer] = []
    parts.core.nodes.requestItems(of: "urn:n", at: try JID("bob@example.org")) { answers.append($0) }
    let id = try #require(ids(parts.output(), "<items node='urn:n'/>").first)
    for sender in ["from='alice@example.org'", "", "from='example.org'", "from='bob@example.org/x'"] {
      try parts.receive("<iq type='result' \(sender) id='\(id)'/>")
    }
    #expect(answers.isEmpty)
    try parts.receive("<iq type='result' from='bob@example.org' id='\(id)'/>")
    try parts.receive("<iq type='result' from='bob@example.org' id='\(id)'/>")
    #expect(answers.count == 1)
  }

  @Test("A request without an answer ends with its time, link or stream; the silence of a contact ends no link")
  func silence() throws {
    let parts = try Parts()
    try parts.begin()
    var outcomes: [String] = []
    func ask(isOfClient: Bool) throws {
      parts.core.nodes.requestItems(of: "urn:n", at: try JID("bob@example.org"), isOfClient: isOfClient) {
        outcomes.append("\($0.outcome)")
      }
    }
    try ask(isOfClient: false)
    parts.pass(.seconds(31))
    #expect(parts.lifecycle.tick() == nil)
    #expect(outcomes == ["timedOut"])
    try ask(isOfClient: true)
    try ask(isOfClient: false)
    parts.lifecycle.linkLost()
    #expect(outcomes == ["timedOut", "disconnected"])
    parts.lifecycle.sendInitialStanzas(streamManagement: true, rosterVersioning: false)
    #expect(outcomes == ["timedOut", "disconnected", "disconnected"])
  }
}
