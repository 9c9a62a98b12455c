import TestSupport
import Testing
import XML
import XMPPCore
import XMPPExtensions

@testable import ConfabAccounts

@Suite("Who is in a room")
struct OccupantsTests {
  private static func presence(_ nick: String, type: String = "", id: String? = nil) throws -> RoomPresence {
    let occupant = id.map { "<occupant-id xmlns='urn:xmpp:occupant-id:0' id='\($0)'/>" } ?? ""
    let xml =
      "<presence from='r@x/\(nick)' \(type)><x xmlns='http://jabber.org/protocol/muc#user'>"
      + "<item affiliation='none' role='participant'/></x>\(occupant)</presence>"
    let header = "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
    var items: [StreamItem] = []
    StreamParser().feed(Array((header + xml).utf8), into: &items)
    for case .stanza(let element) in items {
      if let presence = RoomPresence(element) { return presence }
    }
    throw TestFailure("no presence")
  }

  @Test("a presence is one until it ends, and then another")
  func presences() throws {
    var occupants = Occupants()
    var number: UInt64 = 0
    func take(_ presence: RoomPresence) -> Occupants.Change? {
      occupants.take(presence, areVouchedFor: true) {
        number += 1
        return number
      }
    }
    _ = take(try Self.presence("ann", id: "1"))
    _ = take(try Self.presence("ann", id: "1"))
    #expect(occupants["ann"]?.presence == 1 && occupants["ann"]?.occupantID == "1")
    _ = take(try Self.presence("ann", type: "type='unavailable'"))
    #expect(occupants["ann"] == nil)
    _ = take(try Self.presence("ann"))
    #expect(occupants["ann"]?.presence == 2)
    #expect(occupants.rename("ann", to: "anna")?.presence == 2)
    #expect(occupants["ann"] == nil && occupants["anna"]?.presence == 2)
  }

  @Test("who is not named again by a join is gone, and who is may be somebody else")
  func join() throws {
    var occupants = Occupants()
    for nick in ["ann", "bob"] { _ = occupants.take(try Self.presence(nick), areVouchedFor: true) { 1 } }
    occupants.joinBegins()
    _ = occupants.take(try Self.presence("bob"), areVouchedFor: true) { 2 }
    let gone = occupants.allNamed().map(\.nick)
    #expect(gone == ["ann"])
    #expect(occupants.byNick.keys.sorted() == ["bob"] && occupants["bob"]?.presence == 2)
    _ = occupants.take(try Self.presence("bob"), areVouchedFor: true) { 3 }
    #expect(occupants["bob"]?.presence == 2)
  }
}
