import ConfabAccounts
import JSON
import Testing

@Suite("descriptors of requests")
struct DescriptorTests {
  private static let gif = AvatarTests.gif

  private func harness() throws -> (Harness, ClientID) {
    var server = ScriptedStream()
    server.hasNodes = true
    let harness = try Harness(server: server)
    harness.clearTrace()
    return (harness, harness.connect())
  }

  private func published(_ harness: Harness) -> Int { harness.toServer.components("avatar:data'><item").count - 1 }

  @Test(
    "Descriptors belong to the line that they came with, also to one that came in pieces or among others",
    arguments: [
      ["avatar-set\n"], ["avatar-set tag=a", "\n"], ["avatar-", "set\n"], ["ping\navatar-set\n"],
      ["avatar-set\nping\n"],
      ["\n\navatar-set\r\n"], [#"{"do":"avatar-set"}"# + "\n"], [#"{"verb":"avatar-set"}"# + "\nping\n"],
      ["ping\nping\nunknown\navatar-set\n", "ping\n"],
    ])
  func belongs(pieces: [String]) throws {
    for place in pieces.indices.dropLast(pieces.count == 1 || pieces[1] == "ping\n" ? pieces.count - 1 : 0) {
      let (harness, client) = try harness()
      for (index, piece) in pieces.enumerated() {
        harness.send(client, piece, with: index == place ? [Self.gif] : [])
      }
      let isKnown = !pieces[0].contains(#""do""#)
      #expect(published(harness) == (isKnown ? 1 : 0), "\(pieces)")
      #expect(harness.closedDescriptors.count == (isKnown ? 0 : 1))
    }
  }

  @Test("A line that comes later gets nothing of an earlier one's descriptors")
  func later() throws {
    let (harness, client) = try harness()
    harness.send(client, "ping\n", with: [Self.gif])
    #expect(harness.closedDescriptors.count == 1 && harness.takeLines(client).map { $0["ok"]?.bool } == [true])
    harness.send(client, "pin", with: [Self.gif])
    #expect(harness.closedDescriptors.count == 1)
    harness.send(client, "g\navatar-set\n")
    #expect(harness.closedDescriptors.count == 2)
    #expect(harness.takeLines(client).map { $0["argument"]?.string } == [nil, "descriptor"])
    harness.send(client, "avatar-set\navatar-set\n", with: [Self.gif])
    #expect(harness.takeLines(client).map { $0["argument"]?.string } == ["descriptor"])
    #expect(published(harness) == 1)
  }

  @Test("Of the descriptors of a line that does not end 16 are kept, and none when the client goes")
  func bounded() throws {
    let (harness, client) = try harness()
    harness.send(client, "avatar-set tag=", with: Array(repeating: Self.gif, count: 10))
    harness.send(client, "a", with: Array(repeating: Self.gif, count: 10))
    #expect(harness.closedDescriptors.count == 4)
    harness.handle(.client(client, .closed))
    #expect(harness.closedDescriptors.count == 20 && Set(harness.closedDescriptors).count == 20)
  }

  @Test("A line that is cut off, too long or not UTF-8 loses its descriptors")
  func broken() throws {
    let (harness, client) = try harness()
    harness.send(client, String(repeating: "x", count: 70_000), with: [Self.gif])
    harness.send(client, "\n")
    #expect(harness.closedDescriptors.count == 1)
    harness.handle(.client(client, .received([0xFF, 0x0A], [DescriptorID(5)])))
    #expect(harness.closedDescriptors.count == 2)
    harness.send(client, "avatar-set", with: [Self.gif])
    harness.handle(.client(client, .endOfInput))
    #expect(harness.closedDescriptors.count == 3)
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["line-too-long", "bad-encoding", "incomplete"])
  }

  @Test("Descriptors of a connection that is not served are closed")
  func unserved() throws {
    let (harness, _) = try harness()
    harness.handle(.client(ClientID(9), .connected(Caller(user: 4711))))
    harness.handle(.client(ClientID(9), .received([1], [DescriptorID(7)])))
    #expect(harness.closedDescriptors == [DescriptorID(7)])
  }
}
