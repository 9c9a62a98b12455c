import Clocks
import JSON
import Testing

@testable import ConfabEngine

/// Stamps in our server's name (XEP-0203) that a sender may have written.
@Suite("delay stamps in the server's name")
struct DelayStampTests {
  private static let stamp = "2025-01-02T03:04:05Z"

  private func harness() throws -> Harness {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    server.acknowledges = true
    return try Harness(server: server)
  }

  private func stamped(_ text: String, id: String = "d") -> String {
    "<message type='chat' from='bob@example.org/x' to='alice@example.org' id='\(id)'><body>\(text)</body>"
      + "<delay xmlns='urn:xmpp:delay' from='example.org' stamp='\(Self.stamp)'/></message>"
  }

  private func messages(_ harness: Harness) -> [JSONValue] {
    harness.ask(harness.connect(77), "history bob@example.org").compactMap { $0["message"] }
  }

  /// Whether a message with such a stamp has the stamp's time; otherwise it has the present time, and the stamp as a
  /// claim.
  private func isBelieved(_ text: String, _ harness: Harness) throws -> Bool {
    let now = harness.now.wall.rfc3339
    harness.say(stamped(text, id: text))
    harness.pass(.seconds(1))
    let message = try #require(messages(harness).first { $0["text"]?.string == text })
    let isBelieved = message["delayed"]?.bool == true
    let time = message["time"]?.string
    #expect(isBelieved ? time?.hasPrefix("2025-01-02T03:04:05") == true : time == now)
    #expect((message["claimed_time"] == nil) == isBelieved)
    return isBelieved
  }

  @Test("a stamp is believed right after initial presence, while offline messages are delivered")
  func offline() throws {
    let harness = try harness()
    for number in 0..<30 {
      #expect(try isBelieved("\(number)", harness))
      harness.pass(.seconds(7))
    }
    harness.pass(.seconds(15))
    #expect(try !isBelieved("later", harness))
  }

  @Test("a stamp on a later live message is a claim, and the message keeps its time of arrival")
  func live() throws {
    let harness = try harness()
    harness.pass(.minutes(3))
    harness.say("<message type='chat' from='bob@example.org/x' id='1'><body>first</body></message>")
    #expect(try !isBelieved("forged", harness))
    #expect(messages(harness).map { $0["text"]?.string } == ["first", "forged"])
  }

  @Test("a stamp is believed on messages that come again after a resume")
  func resumed() throws {
    let harness = try harness()
    harness.pass(.minutes(5))
    harness.cut()
    harness.pass(.seconds(10))
    #expect(harness.toServer.contains("<resume "))
    #expect(try isBelieved("waited", harness))
    harness.pass(.minutes(3))
    #expect(try !isBelieved("later", harness))
  }

  @Test("a later copy with a stamp does not duplicate a known message")
  func redelivered() throws {
    let harness = try harness()
    harness.pass(.minutes(3))
    harness.say("<message type='chat' from='bob@example.org/x' to='alice@example.org' id='d'><body>x</body></message>")
    harness.pass(.seconds(1))
    let now = harness.now.wall.rfc3339
    harness.say(stamped("x").replacing(Self.stamp, with: now))
    harness.pass(.seconds(1))
    #expect(messages(harness).count == 1)
  }
}
