import Clocks
import JSON
import TestSupport
import Testing

@testable import ConfabEngine

/// Messages of others that answer or forward others, or say what their author does.
@Suite("Replies and forwarded messages that come")
struct ReplyTests {
  @Test("A reply shows the message that it answers, as that stands now, and its own text alone")
  func reply() throws {
    let harness = try Harness()
    let answer = ChangeTests.message(
      "&gt; lunhc?\nyes", id: "m2",
      more: "<reply xmlns='urn:xmpp:reply:0' to='\(ChangeTests.bob)/phone' id='m1'/>"
        + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='0' end='9'/></fallback>")
    ChangeTests.receive(harness, ChangeTests.message("lunhc?", id: "m1"), answer, ChangeTests.correct("m1", "lunch?"))
    for harness in try ChangeTests.asWritten(harness) {
      let history = ChangeTests.history(harness)
      let found = try #require(history.last)
      #expect(found["text"]?.string == "yes" && found["plain"]?.string == "> lunhc?\nyes")
      #expect(found["reply_to"]?["id"] == history.first?["id"])
      #expect(found["reply_to"]?["text"]?.string == "lunch?")
      #expect(found["reply_to"]?["from"]?.string == "\(ChangeTests.bob)/phone")
    }
    ChangeTests.receive(harness, ChangeTests.retract("m1"))
    let withdrawn = ChangeTests.history(harness).last
    #expect(withdrawn?["reply_to"]?["text"]?.string == "" && withdrawn?["plain"] == nil)
  }

  @Test("A reply to a message that is not here shows what it quotes, and the message once that comes")
  func unknownReply() throws {
    let harness = try Harness()
    let answer = ChangeTests.message(
      "&gt; lunch?\nyes", id: "m2",
      more: "<reply xmlns='urn:xmpp:reply:0' to='\(ChangeTests.bob)/phone' id='m1'/>"
        + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='0' end='9'/></fallback>")
    ChangeTests.receive(harness, answer)
    let found = try #require(ChangeTests.history(harness).last)
    #expect(found["reply_to"]?["id"] == nil && found["reply_to"]?["text"]?.string == "lunch?")
    ChangeTests.receive(harness, ChangeTests.message("lunch?", id: "m1"))
    #expect(ChangeTests.history(harness).first?["reply_to"]?["id"] == ChangeTests.history(harness).last?["id"])
  }

  @Test("Forwarded messages are shown by the word of who forwards them, one level deep")
  func forwarded() throws {
    let harness = try Harness()
    let inside =
      "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2025-10-09T08:53:20Z'/>"
      + "<message xmlns='jabber:client' from='alice@example.org/me' id='x'><body>inside</body>"
      + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='a@b'><body>deep</body></message>"
      + "</forwarded></message></forwarded>"
    let bodiless = ChangeTests.message("", id: "m3", more: inside).replacing("<body></body>", with: "")
    ChangeTests.receive(
      harness, ChangeTests.message("look", id: "m1", more: inside), ChangeTests.message("", id: "m2", more: inside),
      bodiless)
    for found in ChangeTests.history(harness) {
      let forwarded = try #require(found["forwarded"]?.array)
      #expect(forwarded.count == 1 && forwarded.first?["text"]?.string == "inside")
      #expect(forwarded.first?["from"]?.string == "alice@example.org/me")
      #expect(forwarded.first?["time"]?.string == "2025-10-09T08:53:20.000Z")
      #expect(found["mine"]?.bool == false)
    }
    #expect(ChangeTests.texts(harness) == ["look", "", ""])
    #expect(ChangeTests.history(harness).last?["plain"]?.string?.contains("> inside") == true)
    #expect(ChangeTests.history(harness, "alice@example.org").isEmpty)
  }

  @Test("A text that says what its author does is marked, and stays as it is")
  func me() throws {
    let harness = try Harness()
    ChangeTests.receive(harness, ChangeTests.message("/me laughs", id: "m1"), ChangeTests.message("/mean", id: "m2"))
    #expect(ChangeTests.history(harness).compactMap { $0["me"]?.bool } == [true])
    #expect(ChangeTests.texts(harness).first == "/me laughs")
  }
}
