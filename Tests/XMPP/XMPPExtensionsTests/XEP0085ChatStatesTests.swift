import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0085ChatStatesTests {
  @Test("A state is written and read", arguments: ChatState.allCases)
  func isWrittenAndRead(state: ChatState) throws {
    let stanza = try element(state.stanza(to: JID("bob@example.org/phone")))
    #expect(ChatState.of(stanza) == state)
    #expect(stanza.attribute("to") == "bob@example.org/phone" && stanza.attribute("type") == "chat")
    #expect(Array(stanza.children).count == 1)
    let room = try element(state.stanza(to: JID("hall@rooms.example.org"), type: "groupchat"))
    #expect(ChatState.of(room) == state && room.attribute("type") == "groupchat")
  }

  @Test("A message with no state, with an unknown one or with two has none")
  func isNone() throws {
    let namespace = "xmlns='http://jabber.org/protocol/chatstates'"
    for children in [
      "", "<composing/>", "<sleeping \(namespace)/>", "<active \(namespace)/><composing \(namespace)/>",
    ] {
      #expect(try ChatState.of(element("<message>\(children)</message>")) == nil)
    }
  }
}
