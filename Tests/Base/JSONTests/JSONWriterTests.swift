import JSON
import Testing

/// What a writer holds after `write`.
private func written(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  write(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}

@Suite("JSONWriter")
struct JSONWriterTests {
  @Test("commas stand between members and elements, and nowhere else")
  func structure() {
    let text = written { writer in
      writer.beginObject()
      writer.member("ok", true)
      writer.member("id", UInt64.max)
      writer.member("n", Int64.min)
      writer.array("list") { list in
        list.value(1)
        list.beginArray()
        list.endArray()
        list.null()
        list.value(1.5)
        list.value(Double.infinity)
      }
      writer.object("object") { $0.member("s", "x") }
      writer.object("empty") { _ in }
      writer.key(escaping: "a\"b")
      writer.value(JSONValue.array([.integer(0)]))
      writer.endObject()
      writer.endLine()
      writer.value("next")
    }
    #expect(
      text == """
        {"ok":true,"id":18446744073709551615,"n":-9223372036854775808,"list":[1,[],null,1.5,null],\
        "object":{"s":"x"},"empty":{},"a\\"b":[0]}
        "next"
        """)
  }

  @Test(
    "what could break a line or drive a terminal is escaped",
    arguments: [
      ("\"\\/", #""\"\\/""#), ("\0\u{1}\u{1F}", #""\u0000\u0001\u001f""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
      ("\u{1B}[31m", #""\u001b[31m""#), ("\u{7F}", #""\u007f""#),
      ("\u{80}\u{85}\u{9B}\u{9F}", #""\u0080\u0085\u009b\u009f""#),
      ("\u{A0}\u{BF}\u{C0}", "\"\u{A0}\u{BF}\u{C0}\""),
      ("\u{2027}\u{2028}\u{2029}\u{202A}", "\"\u{2027}\\u2028\\u2029\u{202A}\""),
      ("你好 \u{1F600} שלום", "\"你好 \u{1F600} שלום\""), ("", "\"\""), ("\r\n", #""\r\n""#), ("e\u{301}", "\"e\u{301}\""),
    ])
  func escapes(text: String, json: String) {
    #expect(written { $0.value(text) }.utf8.elementsEqual(json.utf8))
  }

  @Test("what is looked at sixteen bytes at once is escaped wherever it stands, and what only begins like it is not")
  func everyPlace() {
    let escaped = [
      ("\"", #"\""#), ("\\", #"\\"#), ("\u{1F}", #"\u001f"#), ("\u{7F}", #"\u007f"#), ("\u{9F}", #"\u009f"#),
      ("\u{2029}", #"\u2029"#), (" ", " "), ("~", "~"), ("\u{A0}", "\u{A0}"), ("\u{2030}", "\u{2030}"), ("é", "é"),
    ]
    for (text, json) in escaped {
      for place in 0...35 {
        let (before, after) = (String(repeating: "!", count: place), String(repeating: "ß", count: (35 - place) / 2))
        let (string, expected) = (before + text + after, "\"" + before + json + after + "\"")
        #expect(written { $0.value(string) }.utf8.elementsEqual(expected.utf8), "\(place)")
        #expect(written { $0.value(string.utf8Span) }.utf8.elementsEqual(expected.utf8), "\(place)")
      }
    }
  }

  @Test("what is shorter than one look is escaped at its every place", arguments: 1...17)
  func short(_ length: Int) {
    for place in 0..<length {
      for (text, json) in [("\"", #"\""#), ("\u{7F}", #"\u007f"#), ("a", "a")] {
        let (before, after) = (String(repeating: "!", count: place), String(repeating: "~", count: length - place - 1))
        #expect(written { $0.value(before + text + after) } == "\"" + before + json + after + "\"", "\(place)")
      }
    }
  }

  @Test("what is escaped once is written as it would be each time", arguments: ["", "a\"b", "\u{1B}é", "plain"])
  func quoted(_ text: String) {
    let quoted = QuotedText(text)
    let both = written { writer in
      writer.member("a", quoted)
      writer.member("b", quoted)
    }
    #expect(both == written { $0.member("a", text) } + "," + written { $0.member("b", text) })
  }

  /// Each count of digits, and what divides them.
  private static let edges = (0...19).flatMap { digits in
    let power = (0..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
    return [power - 1, power, power + 1, power &* 9 + 87]
  }

  @Test("numbers", arguments: edges + [1_234_567_890, 99_999_999, 12_345_678, UInt64(Int64.max), UInt64.max])
  func numbers(_ number: UInt64) {
    #expect(written { $0.value(number) } == "\(number)")
    #expect(written { $0.member("n", number) } == "\"n\":\(number)")
    guard let signed = Int64(exactly: number) else { return }
    #expect(written { $0.value(signed) } == "\(signed)")
    #expect(written { $0.value(-signed) } == "\(-signed)")
  }

  @Test("every scalar survives writing and reading, one line each, no control byte in it")
  func everyScalar() throws {
    for start in stride(from: UInt32(0), to: 0x11_0000, by: 0x400) {
      var text = String.UnicodeScalarView()
      for value in start..<start + 0x400 { if let scalar = Unicode.Scalar(value) { text.append(scalar) } }
      var writer = JSONWriter()
      writer.value(String(text))
      #expect(!writer.bytes.contains { $0 < 0x20 || $0 == 0x7F })
      #expect(try JSONParser.parse(writer.bytes).string?.utf8.elementsEqual(String(text).utf8) == true)
    }
  }

  @Test("values survive writing and reading")
  func roundTrip() throws {
    let value = JSONValue.object([
      .init("a", .array([.null, .bool(false), .integer(-3), .number(0.1), .number(1e300), .string("\u{2028}")])),
      .init("\n", .object([])), .init("", .array([])),
    ])
    var writer = JSONWriter()
    writer.value(value)
    #expect(try JSONParser.parse(writer.bytes) == value)
  }

  @Test("holds whatever is written, and may be made for less")
  func growth() {
    for length in [0, 1, 63, 64, 65, 255, 256, 1000, 70_000] {
      let text = String(repeating: "\n", count: length)
      var writer = JSONWriter(capacity: 1)
      writer.beginArray()
      writer.value(text)
      writer.endArray()
      #expect(writer.count == 2 * length + 4)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "[\"" + String(repeating: "\\n", count: length) + "\"]")
    }
  }

  @Test("appends after what is there")
  func appends() {
    var writer = JSONWriter(into: Array("x".utf8))
    writer.value(1)
    #expect(writer.bytes == Array("x1".utf8))
  }
}
