import JSON
import Testing

/// Parses text, so that cases read well.
private func parse(_ text: String) throws(JSONError) -> JSONValue {
  try JSONParser.parse(Array(text.utf8))
}

@Suite("JSONParser: RFC 8259")
struct JSONParserTests {
  static let accepted: [(String, JSONValue)] = [
    ("null", .null), (" true ", .bool(true)), ("\t\r\nfalse", .bool(false)),
    ("0", .integer(0)), ("-0", .integer(0)), ("12", .integer(12)), ("-7", .integer(-7)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", .number(1)), ("1e2", .number(100)),
    ("1E+2", .number(100)), ("25e-1", .number(2.5)), ("-0.5", .number(-0.5)), ("1e-999", .number(0)),
    ("\"\"", .string("")), ("\"a b\"", .string("a b")),
    ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", .string("\"\\/\u{8}\u{C}\n\r\t")),
    ("\"\\u0041\\u00e9\\u4F60\"", .string("A\u{E9}\u{4F60}")), ("\"\\u0000\"", .string("\0")),
    ("\"\\ud83d\\ude00\"", .string("\u{1F600}")), ("\"\\uDBFF\\uDFFF\"", .string("\u{10FFFF}")),
    ("\"\u{1F600}\u{7F}\u{2028}\"", .string("\u{1F600}\u{7F}\u{2028}")), ("\"\u{FEFF}\"", .string("\u{FEFF}")),
    ("[]", .array([])), ("[ ]", .array([])), ("[1, [2]]", .array([.integer(1), .array([.integer(2)])])),
    ("{}", .object([])), ("{ \"a\" : 1 , \"\" : {} }", .object([.init("a", .integer(1)), .init("", .object([]))])),
    ("{\"e\\u0301\":1,\"\\u00e9\":2}", .object([.init("e\u{301}", .integer(1)), .init("\u{E9}", .integer(2))])),
  ]

  @Test("valid texts", arguments: accepted.indices)
  func accepts(index: Int) throws {
    let (text, value) = Self.accepted[index]
    #expect(try parse(text) == value)
  }

  @Test("every proper prefix of a value that ends itself is truncated, never a crash", arguments: accepted.indices)
  func prefixes(index: Int) {
    let bytes = Array(Self.accepted[index].0.utf8)
    for length in bytes.indices {
      let prefix = Array(bytes[..<length])
      if let value = try? JSONParser.parse(prefix) {
        if case .array = value { Issue.record("a cut array was taken: \(prefix)") }
        if case .object = value { Issue.record("a cut object was taken: \(prefix)") }
      }
    }
  }

  @Test("a nested text cut anywhere is truncated")
  func everyPrefix() {
    let bytes = Array(#"{"verb":"send","n":[-1.5e+3,true,null],"t":"\ud83d\ude00 x"}"#.utf8)
    for length in bytes.indices {
      #expect(throws: JSONError.truncated) { try JSONParser.parse(bytes[..<length]) }
    }
  }

  static let refused: [(String, JSONError)] = [
    ("", .truncated), ("   ", .truncated), ("{", .truncated), ("-", .truncated), ("1.", .truncated),
    ("tru", .truncated),
    ("\u{FEFF}1", .unexpected(offset: 0)), ("01", .trailing(offset: 1)), ("-01", .trailing(offset: 2)),
    ("+1", .unexpected(offset: 0)), (".5", .unexpected(offset: 0)), ("1.e5", .unexpected(offset: 2)),
    ("1e", .truncated), ("1ex", .unexpected(offset: 2)), ("0x10", .trailing(offset: 1)),
    ("NaN", .unexpected(offset: 0)),
    ("Infinity", .unexpected(offset: 0)), ("1e999", .numberOutOfRange(offset: 0)),
    ("-1e999", .numberOutOfRange(offset: 0)),
    ("nulL", .unexpected(offset: 3)), ("truee", .trailing(offset: 4)), ("1 2", .trailing(offset: 2)),
    ("{}}", .trailing(offset: 2)),
    ("[1,]", .unexpected(offset: 3)), ("[,1]", .unexpected(offset: 1)), ("[1 2]", .unexpected(offset: 3)),
    ("[1}", .unexpected(offset: 2)),
    ("{\"a\":1,}", .unexpected(offset: 7)), ("{a:1}", .unexpected(offset: 1)), ("{\"a\" 1}", .unexpected(offset: 5)),
    ("{\"a\"}", .unexpected(offset: 4)), ("{1:2}", .unexpected(offset: 1)), ("{'a':1}", .unexpected(offset: 1)),
    ("{,}", .unexpected(offset: 1)),
    ("\"a\nb\"", .unexpected(offset: 2)), ("\"\t\"", .unexpected(offset: 1)), ("\"\0\"", .unexpected(offset: 1)),
    ("\"\\x\"", .unexpected(offset: 2)), ("\"\\u12g4\"", .unexpected(offset: 5)),
    ("\"\\u 123\"", .unexpected(offset: 3)), ("\"\\U0041\"", .unexpected(offset: 2)),
    ("\"\\ud800\"", .loneSurrogate(offset: 1)), ("\"x\\udc00\"", .loneSurrogate(offset: 2)),
    ("\"\\ud800\\n\"", .loneSurrogate(offset: 1)), ("\"\\ud800\\ud800\"", .loneSurrogate(offset: 1)),
    ("\"\\ud800\\u0041\"", .loneSurrogate(offset: 1)), ("\"\\ude00\\ud83d\"", .loneSurrogate(offset: 1)),
    ("{\"a\":1,\"a\":2}", .duplicateMember("a")), ("{\"a\":1,\"\\u0061\":2}", .duplicateMember("a")),
    ("// c\n1", .unexpected(offset: 0)), ("[1]//", .trailing(offset: 3)), ("\u{A0}1", .unexpected(offset: 0)),
  ]

  @Test("invalid texts and what is said of them", arguments: refused.indices)
  func refuses(index: Int) {
    let (text, error) = Self.refused[index]
    #expect(throws: error) { try parse(text) }
  }

  @Test(
    "bytes that are not UTF-8",
    arguments: [
      [0xFF], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    #expect(throws: JSONError.invalidUTF8(offset: 1)) { try JSONParser.parse([0x22] + bytes + [0x22]) }
    #expect(throws: JSONError.self) { try JSONParser.parse([0x22, 0x5C, 0x6E] + bytes + [0x22]) }
    #expect(throws: JSONError.self) { try JSONParser.parse([0x5B] + bytes + [0x5D]) }
  }

  @Test("depth is bounded at exactly the limit, and hostile depth costs nothing")
  func depth() throws {
    let nested = { (depth: Int) in
      Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(throws: Never.self) { try JSONParser.parse(nested(16), maximumDepth: 16) }
    #expect(throws: JSONError.tooDeep(offset: 16)) { try JSONParser.parse(nested(17), maximumDepth: 16) }
    #expect(throws: JSONError.tooDeep(offset: 16)) { try JSONParser.parse(nested(500_000)) }
    #expect(try JSONParser.parse(Array("[[1],[2],{}]".utf8), maximumDepth: 2) != .null)
  }

  @Test("many members stay cheap, and a double among them is found")
  func manyMembers() throws {
    let many = (0..<5000).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    #expect(try parse("{\(many)}").members?.count == 5000)
    #expect(throws: JSONError.duplicateMember("m7")) { try parse("{\(many),\"m7\":0}") }
    #expect(throws: JSONError.duplicateMember("m4999")) { try parse("{\(many),\"m4999\":0}") }
  }

  @Test("look-ups compare bytes, and answer nil for other kinds")
  func lookUps() throws {
    let value = try parse("{\"\\u00e9\":1,\"s\":\"x\",\"b\":true,\"l\":[]}")
    #expect(value["\u{E9}"]?.integer == 1)
    #expect(value["e\u{301}"] == nil)
    #expect(value["s"]?.string == "x" && value["s"]?.integer == nil && value["s"]?["x"] == nil)
    #expect(value["b"]?.bool == true && value["l"]?.array == [] && value.members?.count == 4)
  }

  @Test("a lenient reader takes doubles and lone surrogates, and nothing else that is wrong")
  func lenient() throws {
    let text = #"{"t":1,"t":2,"a":"x\ud83dy","b":"\ude00","c":"\ud83d\u0041","d":"\ud83d\n","e":"\ud83d\ude00"}"#
    let value = try JSONParser.parse(Array(text.utf8), isLenient: true)
    #expect(value["t"]?.integer == 1 && value["a"]?.string == "x\u{FFFD}y" && value["b"]?.string == "\u{FFFD}")
    #expect(
      value["c"]?.string == "\u{FFFD}A" && value["d"]?.string == "\u{FFFD}\n" && value["e"]?.string == "\u{1F600}")
    for text in [
      "{", "[1,]", "\"\\ud83d", "\"\\ud83d\\u12\"", "1e999", "\"\u{1}\"", "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]",
    ] {
      #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8), isLenient: true) }
    }
  }

  @Test("broken at random it never crashes, and what is taken is written and read back the same")
  func mutated() throws {
    var generator = SystemRandomNumberGenerator()
    let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00\n"],"b":{"c":null,"d":[true,false,{}]},"":"é"}"#.utf8)
    let alphabet = Array("{}[]\",:\\u0dD1e-.+ tfn".utf8) + [0x00, 0x80, 0xC3, 0xFF]
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = alphabet.randomElement(using: &generator) ?? 0
      }
      guard let value = try? JSONParser.parse(bytes) else { continue }
      var writer = JSONWriter()
      writer.value(value)
      #expect(try JSONParser.parse(writer.bytes) == value, "\(bytes)")
    }
  }

  @Test("offsets of a part count from its start")
  func slices() {
    let bytes = Array("xx[1,]yy".utf8)
    #expect(throws: JSONError.unexpected(offset: 3)) { try JSONParser.parse(bytes[2..<6]) }
  }
}
