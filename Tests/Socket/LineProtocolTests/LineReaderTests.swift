import LineProtocol
import Testing

@Suite("LineReader: framing")
struct LineReaderTests {
  @Test("empty lines are ignored, CR before LF is dropped, one request a line")
  func lines() {
    #expect(readEveryWay("\n\r\nping\r\n\n\nversion\nquit\n").map(\.summary) == ["ok ping", "ok version", "ok quit"])
    #expect(readEveryWay("ping\r\r\n").map(\.summary) == ["unknown-verb"])
    #expect(readEveryWay("").isEmpty)
  }

  @Test(
    "a last line without LF is not done, and says so once with the tag it surely had",
    arguments: [
      ("ping", "incomplete"), ("ping tag=12", "incomplete"), ("ping tag=12 ", "incomplete #12"),
      ("{\"verb\":\"ping\"}", "incomplete"),
      ("\r", "incomplete"), (" ", "incomplete"), ("send tag=1 bob@x hal", "incomplete #1"),
    ])
  func cutOff(line: String, summary: String) {
    #expect(readEveryWay("version\n" + line).map(\.summary) == ["ok version", summary])
  }

  @Test("a line at the limit is read, one byte more is dropped and answered once")
  func lineLimit() {
    let fill = { (count: Int) in String(repeating: "x", count: count) }
    #expect(read(fill(Limits.line) + "\nping\n").map(\.summary) == ["unknown-verb", "ok ping"])
    #expect(read(fill(Limits.line + 1) + "\nping\n").map(\.summary) == ["line-too-long", "ok ping"])
    #expect(read(fill(Limits.line) + "\r\nping\n").map(\.summary) == ["line-too-long", "ok ping"])
    #expect(read("ping tag=t " + fill(1_000_000) + "\nping\n").map(\.summary) == ["line-too-long #t", "ok ping"])
    #expect(read("{\"tag\":1,\"x\":\"" + fill(70_000) + "\"}\nping\n").map(\.summary) == ["line-too-long", "ok ping"])
    #expect(read(fill(200_000)).map(\.summary) == ["incomplete"])
  }

  @Test("a long line in pieces of every odd size is the same")
  func longLineInPieces() {
    let bytes = Array(("nosuch tag=t " + String(repeating: "y", count: 70_000) + "\r\nping tag=u\r\n").utf8)
    for size in [1, 7, 4096, 65_535, 65_536, 65_537] {
      let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
      #expect(read(pieces: pieces).map(\.summary) == ["line-too-long #t", "ok ping #u"])
    }
  }

  @Test("a line without end costs no memory, nor does a text without end")
  func boundedMemory() {
    var reader = LineReader()
    let chunk = [UInt8](repeating: UInt8(ascii: "z"), count: 1 << 16)
    for _ in 0..<200 {
      reader.append(chunk)
      #expect(reader.next() == nil)
      #expect(reader.heldBytes <= 2 * Limits.line)
    }
    reader.append(Array("\nsend until=END b@x\n".utf8))
    #expect(reader.next()?.summary == "line-too-long")
    let line = Array(String(repeating: "z", count: 1000).utf8) + [0x0A]
    for _ in 0..<2000 {
      reader.append(line)
      #expect(reader.next() == nil)
      #expect(reader.heldBytes <= 2 * Limits.line)
    }
    reader.append(Array("END\n".utf8))
    #expect(reader.next()?.summary == "too-large text")
    #expect(reader.isEmpty)
  }

  @Test("bytes that are not UTF-8 spoil their line only, which keeps its tag")
  func encoding() {
    for bad in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]] {
      let line = Array("send tag=5 bob@x ".utf8) + bad + Array("\nping\n".utf8)
      #expect(readEveryWay(line).map(\.summary) == ["bad-encoding #5", "ok ping"])
      #expect(readEveryWay(Array("ping tag=".utf8) + bad + [0x0A]).map(\.summary) == ["bad-encoding"])
      #expect(readEveryWay(Array("{\"verb\":\"".utf8) + bad + Array("\"}\n".utf8)).map(\.summary) == ["bad-encoding"])
    }
  }

  @Test("items can be taken one at a time, and nothing is taken twice")
  func oneAtATime() {
    var reader = LineReader()
    reader.append(Array("ping tag=1\nping tag=2\npi".utf8))
    #expect(reader.next()?.summary == "ok ping #1")
    reader.append(Array("ng tag=3\n".utf8))
    #expect(reader.next()?.summary == "ok ping #2")
    #expect(reader.next()?.summary == "ok ping #3")
    #expect(reader.next() == nil && reader.isEmpty)
    reader.end()
    #expect(reader.next() == nil)
  }

  @Test("random bytes never crash it, and it answers no more than there are lines")
  func randomBytes() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("ping send until= tag=a\n\n\r {}\"verb:\\u d8 END".utf8) + [0xFF, 0xC3, 0x00]
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      let whole = read(bytes)
      #expect(whole.count <= bytes.count { $0 == 0x0A } + 1, "\(bytes)")
      #expect(read(pieces: bytes.indices.map { bytes[$0...$0] }) == whole, "\(bytes)")
    }
  }
}
