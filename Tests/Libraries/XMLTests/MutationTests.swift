import TestSupport
import Testing

@testable import XML

/// Good streams with bytes changed, put in, taken out and repeated at random places, always the same for a seed. There
/// is nothing to be found in what they mean: the parser must survive, hold little, and not care how they were cut.
@Suite struct MutationTests {
  static let source = Array(
    ("<?xml version='1.0' encoding='utf-8'?>" + opening
      + "<message from='a@b/c' id='1'><body>Gr\u{FC}\u{DF}e &amp; \u{1F600}"
      + "</body><x xmlns='urn:x' xmlns:p='urn:p' p:a='1&#13;' a=\"2\"><p:y/><![CDATA[<z>]]></x></message>\n<presence/>"
      + "<iq type='get' id='&apos;'><query xmlns='jabber:iq:roster'/></iq></stream:stream>").utf8)

  /// What changes are made of: what means something to a parser, rather than any byte.
  static let pieces =
    [
      "<", ">", "/", "'", "\"", "&", ";", "=", " ", ":", "!", "?", "-", "[", "]", "<!--", "-->", "<?", "?>",
      "<![CDATA[",
      "]]>", "<!DOCTYPE a [<!ENTITY e 'x'>]>", "&e;", "&#0;", "xmlns='", "xmlns:p=''", "p:", "xml:", "\u{0}",
      "\u{FFFE}",
      "</message>", "</stream:stream>", "<a>", "<a/>", "\r", "\u{FEFF}",
    ].map { Array($0.utf8) } + [[0x80], [0xC3], [0xFF], [0xED, 0xA0, 0x80]]

  /// SplitMix64.
  struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  static func mutated(_ random: inout Random) -> [UInt8] {
    var bytes = source
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.insert(contentsOf: pieces[Int.random(in: pieces.indices, using: &random)], at: place)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
      default: bytes.insert(contentsOf: bytes[place..<end], at: place)
      }
    }
    return bytes
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func anyStreamIsSurvivedAndReadTheSameHoweverItIsCut(_ seed: UInt64) {
    var random = Random(state: seed)
    for _ in 0..<100 {
      let bytes = Self.mutated(&random)
      let whole = Self.summary(XMLTests.items(of: [bytes[...]]))
      let cut = Int.random(in: 0...bytes.count, using: &random)
      #expect(Self.summary(XMLTests.items(of: [bytes[..<cut], bytes[cut...]])) == whole)
      #expect(Self.summary(XMLTests.items(of: bytes.indices.map { bytes[$0...$0] })) == whole)
      #expect(whole.dropLast().allSatisfy { $0 != "failed" && $0 != "end" }, "both are last")
    }
  }

  /// What counts: what is delivered, and whether it failed. Which of several mistakes is seen first depends on how much
  /// libxml2 looks ahead.
  static func summary(_ items: [StreamItem]) -> [String] {
    items.map { item in
      switch item {
      case .header(let header): "\(header)"
      case .stanza(let element): String(decoding: element.serialized(), as: UTF8.self)
      case .answerBegins(let element): "begins " + String(decoding: element.serialized(), as: UTF8.self)
      case .answerPart(let element): "part " + String(decoding: element.serialized(), as: UTF8.self)
      case .answerEnds: "ends"
      case .refused(let refused): "\(refused)"
      case .namesExhausted: "names"
      case .end: "end"
      case .failed: "failed"
      }
    }
  }

  @Test func whateverIsDeliveredCanBeWrittenAndReadBack() {
    var random = Random(state: 4_711)
    for _ in 0..<500 {
      for element in XMLTests.items(of: [Self.mutated(&random)[...]]).compactMap(\.element) {
        #expect(Element.parse(element.serialized()) == element)
      }
    }
  }
}
