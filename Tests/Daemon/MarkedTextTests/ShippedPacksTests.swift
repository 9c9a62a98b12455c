@testable import MarkedText
import Syscalls
import TestSupport
import Testing

@Suite("The packs that are shipped") struct ShippedPacksTests {
  private static let emoticons = Result {
    var emoticons = Emoticons()
    for name in ["emoji", "emoji-zh"] { _ = try emoticons.append(PackContent(bytes(of: name), name: name)) }
    emoticons.finish()
    return emoticons
  }

  private static func bytes(of name: String) throws -> [UInt8] {
    let file = try Files.openForReading(Products.repository + "/config/emoticons/\(name).json")
    return try Files.readAll(file.raw, limit: PackContent.fileLimit) ?? []
  }

  @Test("All emoji are there, but for those without a Chinese name")
  func counts() throws {
    let emoticons = try Self.emoticons.get()
    #expect(emoticons.packs.map(\.count) == [3655, 3624])
    #expect(emoticons.packs.map(\.title) == ["Emoji", "表情"])
    #expect(emoticons.emoticon(":keycap_#:")?.meaning == .text("#️⃣"))
    #expect(emoticons.emoticon(":flag_côte_d_ivoire:")?.name == "flag: Côte d’Ivoire")
    #expect(emoticons.emoticon("[旗:德国]") == Emoticon(code: "[旗:德国]", meaning: .text("🇩🇪"), name: "旗: 德国"))
    #expect(emoticons.emoticon(":grinning_face:")?.name == "grinning face")
    #expect(emoticons.emoticon(":moose:") != nil)
  }

  @Test("They need less than 512 KiB")
  func memory() throws { #expect(try Self.emoticons.get().table.byteCount < 512 << 10) }

  @Test(
    "They are found by names in both languages, the best first",
    arguments: [
      ("grinning face", ":grinning_face:"), ("ROCKET", ":rocket:"), ("嘿嘿", "[嘿嘿]"), (":grin", ":grinning_cat:"),
      ("waving", ":waving_hand:"),
      ("火箭", "[火箭]"), ("côte", ":flag_côte_d_ivoire:"),
    ])
  func search(_ text: String, _ first: String) throws {
    let found = try Self.emoticons.get().search(text, limit: 5)
    #expect(found.first?.code == first)
    #expect(found.count <= 5)
  }

  @Test("Each code is one emoticon in a text")
  func spans() throws {
    let emoticons = try Self.emoticons.get()
    for index in stride(from: 0, to: emoticons.table.entries.count, by: 7) {
      let code = emoticons.table.phrase(index)
      let spans = MarkedText.spans(of: "a" + code + "b", emoticons: emoticons.table)
      let found = spans.filter { $0.kind == .emoticon }
      #expect(found.map(\.range) == [1..<1 + code.unicodeScalars.count])
    }
  }
}
