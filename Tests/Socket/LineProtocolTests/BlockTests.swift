import LineProtocol
import Testing

@Suite("Texts of several lines: until=")
struct BlockTests {
  @Test(
    "the lines before the end are the text, joined by LF",
    arguments: [
      ("one\nEND\n", "one"), ("one\ntwo\nEND\n", "one\ntwo"), ("one\n\nEND\n", "one\n"), ("\n\nEND\n", "\n"),
      ("  kept  \n\ttab\nEND\n", "  kept  \n\ttab"), ("END \n END\nend\nEND.\nEND\n", "END \n END\nend\nEND."),
      (
        "ping\nsend bob@x evil\n{\"verb\":\"quit\"}\nuntil=X\nEND\n",
        "ping\nsend bob@x evil\n{\"verb\":\"quit\"}\nuntil=X"
      ),
      ("one\r\ntwo\r\nEND\r\n", "one\r\ntwo\r"), ("a\rb\r\r\nEND\n", "a\rb\r\r"),
      ("你好\n\u{1F600}\nEND\n", "你好\n\u{1F600}"),
    ])
  func texts(block: String, text: String) {
    let items = readEveryWay("send until=END tag=t bob@x\n" + block + "ping\n")
    let request = Request(.send, arguments: [.to: .string("bob@x")], text: text, tag: .string("t"))
    #expect(items == [.request(request), .request(Request(.ping))])
  }

  @Test("a client that ends its lines in CR LF has none of them in its text")
  func returns() {
    let items = readEveryWay("send until=END tag=t bob@x\r\none\r\n\r\ntw\ro\nEND\r\nping\r\n")
    #expect(items.map(\.summary) == ["ok send #t", "ok ping"])
    #expect(items.first?.request?.text?.utf8.elementsEqual("one\n\ntw\ro".utf8) == true)
  }

  @Test("an empty block is an empty text: nothing for send, a cleared draft for draft")
  func emptyBlock() {
    #expect(readEveryWay("send until=E b@x\nE\nping\n").map(\.summary) == ["bad-argument text", "ok ping"])
    #expect(readEveryWay("draft until=E b@x\nE\n").first?.request?.text == "")
  }

  @Test(
    "whatever is wrong with the request, its block never becomes requests, and it is answered once",
    arguments: [
      ("nosuch until=END tag=1", "unknown-verb #1"), ("nosuch a=b c=d until=END x", "unknown-verb"),
      ("ping until=END tag=1", "bad-argument until #1"), ("ping tag=1 until=END x", "bad-argument until #1"),
      ("send until=END bob@x text", "bad-argument until"), ("send until=END bob@x ", "bad-argument until"),
      ("send until=END", "bad-argument to"), ("send until=END  bob@x", "bad-argument to"),
      ("send until=END until=OTHER bob@x", "bad-argument until"),
      ("send reply=x until=END bob@x", "bad-argument reply"),
      ("send wait=bad until=END bob@x", "bad-argument wait"), ("send user=a@b until=END", "bad-argument until"),
      ("send until=END tag=1 tag=2 bob@x", "bad-argument tag #1"), (" send until=END", "bad-argument verb"),
      ("send  until=END bob@x", "bad-argument to"), ("  send tag=1  until=END bob@x", "bad-argument verb #1"),
      ("history until=END bob@x", "bad-argument until"), ("wait until=END for=sent x", "bad-argument id"),
    ])
  func consumed(line: String, summary: String) {
    let items = readEveryWay(line + "\nquit\nOTHER\n\nquit\nEND\nping\n")
    #expect(items.map(\.summary) == [summary, "ok ping"])
  }

  @Test(
    "outside the leading run until= is text or argument, and there is no block",
    arguments: [
      ("send bob@x until=END", "ok send"), ("send -- until=END hi", "bad-argument to"),
      ("nosuch x until=END", "unknown-verb"),
      ("send A=1 until=END", "ok send"), ("until=END", "unknown-verb"), ("{\"until\":\"END\"}", "bad-argument verb"),
      ("{\"verb\":\"send\",\"to\":\"b@x\",\"text\":\"t\",\"until\":\"END\"}", "bad-argument until"),
    ])
  func noBlock(line: String, summary: String) {
    #expect(readEveryWay(line + "\nping\n").map(\.summary) == [summary, "ok ping"])
  }

  @Test("an empty until= is wrong and consumes to the first empty line")
  func emptyTerminator() {
    let items = readEveryWay("send until= bob@x\nquit\n \nquit\n\nping\n")
    #expect(items.map(\.summary) == ["bad-argument until", "ok ping"])
    #expect(
      readEveryWay("send until= bob@x\r\nquit\r\n\r\nping\r\n").map(\.summary) == ["bad-argument until", "ok ping"])
  }

  @Test(
    "end of input before the end: nothing is done, one answer",
    arguments: ["", "one\n", "one\nEND", "END", "one\nEND \n", "one"])
  func incomplete(block: String) {
    #expect(readEveryWay("send until=END tag=9 bob@x\n" + block).map(\.summary) == ["incomplete #9"])
    #expect(readEveryWay("nosuch until=END tag=9\n" + block).map(\.summary) == ["incomplete #9"])
  }

  @Test("a text at the limit passes; one over it is consumed and too large")
  func limits() {
    let line = String(repeating: "a", count: 999) + "\n"
    let lines = String(repeating: line, count: 60)
    #expect(read("send until=E b@x\n" + lines.dropLast() + "\nE\nping\n").map(\.summary) == ["ok send", "ok ping"])
    #expect(read("send until=E b@x\n" + lines + "\nE\nping\n").map(\.summary) == ["ok send", "ok ping"])
    #expect(read("send until=E b@x\n" + lines + "a\nE\nping\n").map(\.summary) == ["too-large text", "ok ping"])
    let huge = String(repeating: "b", count: 1_000_000)
    #expect(read("send until=E tag=1 b@x\n\(huge)\nE\nping\n").map(\.summary) == ["too-large text #1", "ok ping"])
    let amps = String(repeating: "&", count: 40_001)
    #expect(read("send until=E b@x\n\(amps)\nE\n").map(\.summary) == ["too-large text"])
  }

  @Test("text that is not UTF-8, or that XML cannot carry, is consumed and refused")
  func badTexts() {
    let bytes = Array("send until=E b@x\nok\n".utf8) + [0xFF] + Array("\nE\nping\n".utf8)
    #expect(readEveryWay(bytes).map(\.summary) == ["bad-encoding text", "ok ping"])
    #expect(readEveryWay("send until=E b@x\na\n\u{1}\nE\nping\n").map(\.summary) == ["bad-argument text@2", "ok ping"])
    let split = Array("send until=E b@x\n".utf8) + [0xC3, 0x0A, 0xA9] + Array("\nE\n".utf8)
    #expect(readEveryWay(split).map(\.summary) == ["bad-encoding text"])
  }

  @Test("a request line too long or not UTF-8 still takes its block with it")
  func badLines() {
    let block = "\nquit\nEND\nping\n"
    let long = "send until=END tag=7 bob@x " + String(repeating: "x", count: 70_000)
    #expect(read(long + block).map(\.summary) == ["line-too-long #7", "ok ping"])
    #expect(
      read(pieces: Array((long + "\r" + block).utf8).map { [$0] }).map(\.summary) == ["line-too-long #7", "ok ping"])
    let run = "nosuch " + String(repeating: "a=b ", count: 20_000) + "until=END"
    #expect(read(run + "\r" + block).map(\.summary) == ["line-too-long", "ok ping"])
    #expect(read(pieces: Array((run + block).utf8).map { [$0] }).map(\.summary) == ["line-too-long", "ok ping"])
    let bytes = Array("send until=END tag=7 bob@x ".utf8) + [0xFF] + Array(block.utf8)
    #expect(readEveryWay(bytes).map(\.summary) == ["bad-encoding #7", "ok ping"])
    let odd = Array("send until=".utf8) + [0xFE] + Array(" b@x\nquit\n".utf8) + [0xFE, 0x0A] + Array("ping\n".utf8)
    #expect(readEveryWay(odd).map(\.summary) == ["bad-encoding", "ok ping"])
  }

  @Test("an end longer than a line may be never comes; what follows stays text")
  func endlessTerminator() {
    let word = String(repeating: "E", count: 70_000)
    #expect(read("send until=\(word) b@x\nquit\n\(word)\nquit\n").map(\.summary) == ["incomplete"])
    let fits = String(repeating: "E", count: 60_000)
    #expect(read("send until=\(fits) b@x\nhi\n\(fits)\nping\n").map(\.summary) == ["ok send", "ok ping"])
  }
}
