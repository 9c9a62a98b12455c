import Clocks
import JSON
import Testing

@Suite("The rooms of a service")
struct RoomServiceTests {
  private func listing(_ rooms: Range<Int>, set: String = "") -> (part: String, answer: String) {
    let items = rooms.map { "<item jid='r\($0)@rooms.example.org' name='Room \($0) (3)'/>" }.joined()
    return (
      "disco#items",
      "<iq type='result' id='$id' from='rooms.example.org'><query xmlns='http://jabber.org/protocol/disco#items'>\(items)"
        + "\(set)</query></iq>"
    )
  }

  private func page(_ harness: Harness, _ options: String, _ answer: (part: String, answer: String)) -> (
    rooms: [String], final: JSONValue?
  ) {
    let client = harness.connect(77)
    harness.clearTrace()
    harness.send(client, "rooms at=rooms.example.org \(options)\n")
    harness.pass(.milliseconds(50))
    let request = harness.toServer.components("<iq").last { $0.contains(answer.part) } ?? ""
    let id = ScriptedStream.value(of: "id", in: request) ?? ""
    harness.say(answer.answer.replacing("$id", with: id))
    harness.pass(.milliseconds(50))
    let lines = harness.takeLines(client)
    return (lines.compactMap { $0["room"]?["jid"]?.string?.components("@").first }, lines.last)
  }

  private func set(_ index: Int, last: String, _ count: Int) -> String {
    "<set xmlns='http://jabber.org/protocol/rsm'><first index='\(index)'>f</first><last>\(last)</last>"
      + "<count>\(count)</count></set>"
  }

  @Test("The rooms of a service come page by page, by the ids that the service gives to pages")
  func pages() throws {
    let harness = try RoomRunningTests().harness([])
    let first = page(harness, "limit=2", listing(0..<2, set: set(0, last: "id one", 3)))
    #expect(first.rooms == ["r0", "r1"] && first.final?["more_before"]?.bool == true)
    #expect(first.final?["count"]?.integer == 3)
    #expect(harness.toServer.contains("<max>2</max>"))
    let second = page(
      harness, "limit=2 before=r1@rooms.example.org", listing(2..<3, set: set(2, last: "id two", 3)))
    #expect(harness.toServer.contains("<after>id one</after>"))
    #expect(second.rooms == ["r2"] && second.final?["more_before"]?.bool == false)
  }

  @Test("A service that sends all rooms at once is cut into pages here")
  func withoutPages() throws {
    let harness = try RoomRunningTests().harness([])
    let first = page(harness, "limit=2", listing(0..<3))
    #expect(first.rooms == ["r0", "r1"] && first.final?["more_before"]?.bool == true)
    let second = page(harness, "limit=2 before=r1@rooms.example.org", listing(0..<3))
    #expect(second.rooms == ["r2"] && second.final?["more_before"]?.bool == false)
    let other = page(harness, "before=nothing@rooms.example.org", listing(0..<3))
    #expect(other.rooms == [] && other.final?["error"]?.string == "failed")
  }

  @Test("My rooms come page by page, too")
  func ownPages() throws {
    let harness = try RoomRunningTests().harness([])
    let client = harness.connect(1)
    for name in ["a", "b"] { _ = harness.ask(client, "join \(name)@rooms.example.org") }
    let first = harness.ask(client, "rooms limit=2")
    #expect(first.last?["more_before"]?.bool == true)
    let last = first.compactMap { $0["room"]?["jid"]?.string }.last ?? ""
    let second = harness.ask(client, "rooms limit=2 before=\(last)")
    #expect(second.compactMap { $0["room"] }.count == 1 && second.last?["more_before"]?.bool == false)
  }
}
