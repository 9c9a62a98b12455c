import Testing

@testable import LineProtocol

@Suite("LeadingWords")
struct LeadingWordsTests {
  private func words(_ line: String, piece: Int = .max) -> LeadingWords {
    let bytes = Array(line.utf8)
    var words = LeadingWords(ofLineStartingWith: bytes.first)
    for start in stride(from: 0, to: bytes.count, by: min(piece, bytes.count)) {
      words.feed(bytes[start..<min(start + min(piece, bytes.count), bytes.count)])
    }
    words.endLine()
    return words
  }

  @Test(
    "The first until= and tag= of the leading run count, in any pieces",
    arguments: [
      ("send until=END tag=7 bob@example.org", "END", "7"), ("send foo=1  until=END", "END", nil),
      ("send until=A until=B", "A", nil), ("send until=", "", nil), ("send until=END\r", "END", nil),
      ("notify until=END tag=1 bob@example.org never", "END", "1"), ("notify until=", "", nil),
      ("notify until=2026-11-20T09:10:00Z tag=1 bob@example.org never", nil, "1"),
      ("notify tag=1 until=2026-11-20 until=END bob@example.org never", "END", "1"),
      ("send until=2026-11-20T09:10:00Z bob@example.org", "2026-11-20T09:10:00Z", nil),
      ("send bob@example.org until=END", nil, nil), ("{\"verb\":\"send\",\"until\":1}", nil, nil),
    ] as [(String, String?, String?)])
  func found(line: String, until: String?, tag: String?) {
    for piece in [1, 3, .max] {
      let words = words(line, piece: piece)
      #expect(words.until == until.map { .line(Array($0.utf8)) }, "\(piece)")
      #expect(words.tag == tag.map { Array($0.utf8) }, "\(piece)")
    }
  }

  @Test("An until= longer than a line is never found, and a tag above its limit is none")
  func overlong() {
    #expect(words("send until=" + String(repeating: "x", count: Limits.line + 1)).until == .never)
    #expect(words("send tag=" + String(repeating: "x", count: Limits.tag + 1)).tag == nil)
  }
}
