import Clocks
import LineProtocol
import Testing

@Suite("Requests on their way out")
struct RequestEncoderTests {
  @Test("what is written is read back the same, whatever is in the text")
  func roundTrips() {
    let bob: NamedValues<ArgumentName> = [.to: .string("bob@x/phone 1")]
    let requests =
      WordsTests.requests.map(\.1) + JSONRequestTests.requests.map(\.1) + [
        Request(.send, arguments: bob, text: "a\nping\r\n\u{2028}\u{1F600}\"\\\u{7F}\u{85}\t", tag: .string("\"\n")),
        Request(.add, options: [.name: .string("A B"), .group: .string("\u{202E}")], arguments: [.jid: .string("x")]),
      ]
    for request in requests {
      #expect(read(request.encoded()) == [.request(request)])
    }
  }

  @Test(
    "a text too long for a line of JSON goes as a block, every byte of it",
    arguments: ["\"", "\n", "\r\n", "\r", "END\n", "END1\nEND\r\n", "\\", "\u{7F}", "until=x\n"])
  func longTexts(unit: String) {
    let text = String(String(repeating: unit, count: 60_000 / unit.utf8.count).dropLast(unit == "\r" ? 30_000 : 0))
    let request = Request(
      .send, options: [.key: .string("k"), .wait: .string("sent"), .timeout: .duration(.milliseconds(1500))],
      arguments: [.to: .string("bob=x@y")], text: text, tag: .integer(5), account: "home")
    guard case .request(let back)? = read(request.encoded()).first else {
      Issue.record("no request came back")
      return
    }
    #expect(back.text?.utf8.elementsEqual(text.utf8) == true)
    #expect(back.options == request.options && back.arguments == request.arguments && back.account == "home")
  }

  @Test("a text at the limit of length never makes a line too long")
  func neverTooLong() {
    for unit in ["a", "\u{1F600}", "\"", "\n", "\u{85}"] {
      let text = String(repeating: unit, count: Limits.text / unit.utf8.count)
      #expect(
        read(Request(.send, arguments: [.to: .string("b@x")], text: text).encoded()).map(\.summary) == ["ok send"])
    }
  }
}
