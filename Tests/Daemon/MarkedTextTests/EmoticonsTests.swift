import JSON
@testable import MarkedText
import Testing

@Suite("Packs of emoticons") struct EmoticonsTests {
  private static let pictures = ["d_hehe.png": "/p/d_hehe.png", "d_ku@2x.png": "/p/d_ku@2x.png"]

  private func pack(_ json: String, _ name: String = "test") throws -> PackContent {
    try PackContent(Array(json.utf8), name: name, pictures: Self.pictures)
  }

  private func emoticons(_ packs: PackContent...) throws -> Emoticons {
    var emoticons = Emoticons()
    for pack in packs { _ = try emoticons.append(pack) }
    emoticons.finish()
    return emoticons
  }

  @Test("A property list has pictures and code points")
  func propertyList() throws {
    let pack = try pack(
      """
      <plist><dict><key>group_name_cn</key><string>默认</string><key>emoticons</key><array>
      <dict><key>chs</key><string>[呵呵]</string><key>png</key><string>d_hehe.png</string></dict>
      <dict><key>chs</key><string>[酷]</string><key>png</key><string>d_ku.png</string></dict>
      <dict><key>code</key><string>0x1f603</string></dict>
      <dict><key>chs</key><string>[旗]</string><key>code</key><string>0x1f1e9 0x1f1ea</string></dict>
      </array></dict></plist>
      """)
    #expect(pack.title == "默认")
    #expect(
      pack.emoticons == [
        Emoticon(code: "[呵呵]", meaning: .picture("/p/d_hehe.png"), name: "呵呵"),
        Emoticon(code: "[酷]", meaning: .picture("/p/d_ku@2x.png"), name: "酷"),
        Emoticon(code: "😃", meaning: .text("😃"), name: "smiling face with open mouth"),
        Emoticon(code: "[旗]", meaning: .text("🇩🇪"), name: "旗"),
      ])
    #expect(pack.ignored == nil)
  }

  @Test("JSON of ours has texts, pictures and names")
  func json() throws {
    let pack = try pack(
      #"{"title":"Mine","emoticons":[{"code":":big_smile:","text":"😀"},{"code":"(x)","picture":"d_hehe.png","name":"ex"}]}"#
    )
    #expect(pack.title == "Mine")
    #expect(
      pack.emoticons == [
        Emoticon(code: ":big_smile:", meaning: .text("😀"), name: "big smile"),
        Emoticon(code: "(x)", meaning: .picture("/p/d_hehe.png"), name: "ex"),
      ])
  }

  @Test(
    "Entries that cannot be are ignored, with a reason",
    arguments: [
      (#"{"code":"a b","text":"x"}"#, "a code has white space"),
      (#"{"code":"","text":"x"}"#, "a code is missing, or too long"),
      (#"{"code":"a","picture":"../x.png"}"#, "a picture lies outside of the pack's folder"),
      (#"{"chs":"a","png":"/etc/passwd"}"#, "a picture lies outside of the pack's folder"),
      (#"{"chs":"a","png":"none.png"}"#, "a picture is not in the pack's folder"),
      (#"{"code":"0x41"}"#, "an emoji that is none"), (#"{"code":"0x31"}"#, "an emoji that is none"),
      (#"{"code":"0x1f603 0x1f603"}"#, "an emoji that is none"), (#"{"code":"0x110000"}"#, "a code point that is none"),
      (#"{"code":"0xd800"}"#, "a code point that is none"),
      (#"{"code":"a","text":"x\u0007"}"#, "a text that cannot be shown"),
      (#"{"chs":"a"}"#, "an emoticon has neither a text nor a picture"), ("[]", "a code is missing, or too long"),
    ])
  func ignored(_ entry: String, _ reason: String) throws {
    let pack = try pack(#"{"emoticons":[\#(entry),{"code":"ok","text":"x"}]}"#)
    #expect(pack.emoticons.map(\.code) == ["ok"])
    #expect(pack.ignored?.count == 1)
    #expect(pack.ignored?.reason.description == reason)
  }

  @Test(
    "Files that are no packs are refused",
    arguments: [
      "", "{}", "{\"emoticons\":[]}", "{\"emoticons\":3}", "{", "[]", "<plist><string>x</string></plist>",
      #"{"emoticons":[{"code":"a"}]}"#,
      #"{"emoticons":["# + String(repeating: #"{"code":"a","text":"b"},"#, count: 100_000) + "{}]}",
      String(repeating: " ", count: (4 << 20) + 1),
    ])
  func refused(_ text: String) { #expect(throws: PackError.self) { try pack(text) } }

  @Test("Of two packs of one name, and of two codes, the first counts; all of a pack is listed")
  func precedence() throws {
    var emoticons = Emoticons()
    let first = try emoticons.append(pack(#"{"emoticons":[{"code":"a","text":"1"},{"code":"b","text":"2"}]}"#, "one"))
    let second = try emoticons.append(pack(#"{"emoticons":[{"code":"c","text":"3"}]}"#, "one"))
    let third = try emoticons.append(pack(#"{"emoticons":[{"code":"b","text":"4"},{"code":"d","text":"5"}]}"#, "two"))
    emoticons.finish()
    #expect([first, second, third] == [true, false, true])
    #expect(emoticons.packs.map(\.name) == ["one", "two"])
    #expect(emoticons.emoticon("b")?.meaning == .text("2"))
    #expect(emoticons.emoticon("c") == nil)
    let two = try #require(emoticons.pack(named: "two"))
    #expect(emoticons.emoticons(of: two).map(\.meaning) == [.text("4"), .text("5")])
  }

  @Test("All packs together are bounded")
  func bounds() throws {
    var emoticons = Emoticons()
    let entries = (0..<20_000).map { #"{"code":"c\#($0)","text":"x"}"# }.joined(separator: ",")
    let large = #"{"emoticons":[\#(entries)]}"#
    for name in ["one", "two"] { _ = try emoticons.append(pack(large, name)) }
    #expect(throws: PackError.self) { try emoticons.append(pack(large, "three")) }
    #expect(emoticons.packs.count == 2)
    for number in 2..<64 { _ = try emoticons.append(pack(#"{"emoticons":[{"code":"a","text":"1"}]}"#, "\(number)")) }
    #expect(throws: PackError.self) { try emoticons.append(pack(#"{"emoticons":[{"code":"a","text":"1"}]}"#, "last")) }
  }

  @Test("Known codes become their characters, except in links and code; pictures stay")
  func expanding() throws {
    let emoticons = try emoticons(
      pack(
        #"{"emoticons":[{"code":":a:","text":"😀"},{"code":"[微笑]","text":"🙂"},{"code":"(p)","picture":"d_hehe.png"}]}"#))
    #expect(emoticons.expand("x:a:[微笑]:b:é(p)", isStyled: true) == "x😀🙂:b:é(p)")
    #expect(emoticons.expand("`:a:` http://a.org/:a: :a:", isStyled: true) == "`:a:` http://a.org/:a: 😀")
    #expect(emoticons.expand("`:a:` http://a.org/:a:", isStyled: false) == "`😀` http://a.org/:a:")
    #expect(emoticons.expand("plain", isStyled: true) == "plain")
  }
}
