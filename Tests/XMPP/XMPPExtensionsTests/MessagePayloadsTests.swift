import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite struct MessagePayloadsTests {
  @Test("There is room for each payload in what is found of a message")
  func thereIsRoom() { #expect(MessagePayload.allCases.count <= MessageParts.most) }

  @Test("A payload is found by each of its names, and by no half of one", arguments: MessagePayload.allCases)
  func names(payload: MessagePayload) throws {
    for name in payload.row.names {
      let local = name.local.map { "\($0)" } ?? "anything"
      #expect(try MessagePayload.of(element("<\(local) xmlns='\(name.namespace)'/>")) == payload)
      #expect(try MessagePayload.of(element("<\(local) xmlns='urn:other'/>")) == nil)
      let other = try MessagePayload.of(element("<other xmlns='\(name.namespace)'/>"))
      #expect(other == (name.local == nil ? payload : nil))
    }
  }

  @Test("Carbons are our own account's, and results also a server's that names nobody")
  func senders() throws {
    let (own, other) = (try JID("a@b"), try JID("c@d"))
    let senders = [own, other, nil]
    #expect(senders.map { MessagePayload.carbon.sender.includes($0, own: own) } == [true, false, false])
    #expect(senders.map { MessagePayload.archiveResult.sender.includes($0, own: own) } == [true, false, true])
    #expect(senders.map { MessagePayload.body.sender.includes($0, own: own) } == [true, true, true])
  }
}
