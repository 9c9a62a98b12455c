import Testing
import XMPPCore

@testable import XMPPExtensions

@Suite("Addresses of rooms")
struct RoomAddressTests {
  @Test(
    "A room is named by its address, or by a link",
    arguments: [
      ("Hall@Rooms.example.org", nil, nil, false), ("hall@rooms.example.org/Al", "Al", nil, false),
      ("xmpp:hall@rooms.example.org", nil, nil, false), ("xmpp:hall@rooms.example.org?join", nil, nil, true),
      ("XMPP:hall@rooms.example.org?join;password=a%20%3B%C3%A9=b", nil, "a ;é=b", true),
      ("xmpp:hall@rooms.example.org?join;nick=Al%26Bo;password=", "Al&Bo", nil, true),
      ("xmpp:hall@rooms.example.org/Al?join;nick=Bo", "Al", nil, true),
      ("xmpp:hall@rooms.example.org?join;password=1;password=2#x", nil, "1", true),
      ("xmpp:hall@rooms.example.org?message;password=x;nick=Al", nil, nil, false),
      ("xmpp:hall@rooms.example.org?join;nick=", nil, nil, true),
      ("xmpp:hall@rooms.example.org?join;password;nick;=x;%", nil, nil, true),
      ("xmpp:hall@rooms.example.org?join;password=%FF;nick=%2", nil, nil, true),
      ("xmpp:hall@rooms.example.org?join;nick=%00", nil, nil, true), ("xmpp:hall@rooms.example.org?", nil, nil, false),
    ])
  func rooms(_ text: String, _ nick: String?, _ password: String?, _ isJoin: Bool) throws {
    let address = try #require(RoomAddress(text))
    #expect(address.room.description == "hall@rooms.example.org")
    #expect(address.nick == nick && address.password == password && address.isJoin == isJoin)
    #expect(address.otherAction == (text.contains("?message") ? "message" : nil))
  }

  @Test("A channel of IRC is a room")
  func channels() throws {
    #expect(RoomAddress("#tea%irc.example.org@irc.example.net")?.room.local == "#tea%irc.example.org")
    #expect(RoomAddress("xmpp:%23tea%25irc.example.org@irc.example.net?join")?.room.local == "#tea%irc.example.org")
  }

  @Test(
    "Other texts are no room",
    arguments: ["", "xmpp:", "xmpp:?join", "rooms.example.org", "xmpp:rooms.example.org?join", "@", "a@", "a b@c.org"])
  func others(_ text: String) { #expect(RoomAddress(text) == nil) }
}
