import JSON
import Testing

@testable import MarkedText

@Suite("Property lists") struct PropertyListTests {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    """
  /// What both forms say.
  private static let expected: JSONValue = .object([
    JSONMember("title", .string("默认 & <b>")),
    JSONMember("emoticons", .array([.string("[微笑]"), .integer(3), .bool(true)])),
  ])

  private func xml(_ text: String) throws -> JSONValue { try PropertyList.read(Array(text.utf8)) }

  @Test("An XML list is read as the values that it has")
  func text() throws {
    let value = try xml(
      Self.head + """
        <dict><key>title</key><string>默认 &amp; <![CDATA[<b>]]></string>
        <!-- a comment --><key>emoticons</key>
        <array><string>[微笑]</string><integer>3</integer><true/></array></dict></plist>
        """)
    #expect(value == Self.expected)
  }

  @Test("A binary list is read as the values that it has")
  func binary() throws {
    let list = BinaryList(values: [
      BinaryList.dictionary([1, 2], [3, 4]), BinaryList.text("title"), BinaryList.text("emoticons"),
      BinaryList.text("默认 & <b>"), BinaryList.array([5, 6, 7]), BinaryList.text("[微笑]"), [0x10, 3], [0x09],
    ])
    #expect(try PropertyList.read(list.bytes) == Self.expected)
    let long = BinaryList(values: [
      BinaryList.array([1, 2]), BinaryList.text(String(repeating: "x", count: 300)),
      [0x23] + [UInt8](repeating: 0, count: 8),
    ])
    #expect(try PropertyList.read(long.bytes).array == [.string(String(repeating: "x", count: 300)), .null])
  }

  @Test(
    "What is no list is refused",
    arguments: [
      "", "<", "<plist>", "<plist></plist>", "<html><body/></html>", "plain",
      "<plist><dict><string>x</string></dict></plist>",
      "<plist><string>x</string><string>y</string></plist>", "<plist><string>&x;</string></plist>", "bplist00",
      #"<!DOCTYPE plist [<!ENTITY a "b">]><plist><string>&a;</string></plist>"#,
      #"<!DOCTYPE plist [<!ENTITY a SYSTEM "file:///etc/passwd">]><plist><string>&a;</string></plist>"#,
      #"<!DOCTYPE plist [<!ENTITY % a "b"> %a;]><plist><string>x</string></plist>"#,
      String(repeating: "<array>", count: 100_000),
      "<plist>" + String(repeating: "<true/>", count: 500_000) + "</plist>",
    ])
  func refused(_ text: String) { #expect(throws: PropertyListError.self) { try xml(text) } }

  @Test(
    "Cycles, values that are named again and again, and numbers that lead nowhere are refused",
    arguments: [
      BinaryList(values: [BinaryList.array([0])]),
      BinaryList(values: [BinaryList.array([1]), BinaryList.array([0])]),
      BinaryList(values: (1..<15).map { BinaryList.array([UInt8](repeating: $0, count: 14)) } + [BinaryList.text("x")]),
      BinaryList(values: [BinaryList.array([9])]),
      BinaryList(values: [[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]]),
      BinaryList(values: [[0xDE, 0]]), BinaryList(values: [[0x5F, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]]),
      BinaryList(values: []),
      BinaryList(values: [BinaryList.dictionary([1], [1]), [0x10, 1]]),
      BinaryList(values: [
        BinaryList.array([UInt8](repeating: 1, count: 200)), BinaryList.text(String(repeating: "x", count: 60_000)),
      ]),
    ])
  func hostile(_ list: BinaryList) { #expect(throws: PropertyListError.self) { try PropertyList.read(list.bytes) } }

  @Test("No cut and no other byte makes it trap")
  func damaged() {
    let bytes = BinaryList(values: [
      BinaryList.dictionary([1, 2], [3, 4]), BinaryList.text("a"), BinaryList.text("b"), BinaryList.text("微"),
      BinaryList.array([5, 1]), [0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ]).bytes
    for count in 0..<bytes.count { _ = try? PropertyList.read(Array(bytes.prefix(count))) }
    for place in bytes.indices {
      for value in [0, 1, 0x0F, 0x7F, 0x80, 0xAF, 0xDF, 0xFF] as [UInt8] {
        var bytes = bytes
        bytes[place] = value
        _ = try? PropertyList.read(bytes)
      }
    }
  }
}
