import AddressPreparation
import Testing

@testable import Search

/// Texts of many scripts, by a seed.
struct TextGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  /// Letters whose case or composition is of every kind there is, and some that have neither.
  private static let alphabets: [[Character]] = [
    Array("abkKsSiIfFlLtT -.,"), Array("ßẞſKÅåﬁﬀﬆŉǰİıẚẖ"), Array("äöüÄÖÜéÉèçñ"), Array("приветПРИВЕТйЙёЁѢѣ"),
    Array("σςΣάΆαΑιΙΐΰᾳᾼῼΩΩ"), Array("你好世界中文漢字豈更"), Array("한국어조선각"), Array("한각ᅟ"),
    Array("がぎカガハパ゙゚"), Array("हिन्दीक़खड़"), Array("ไทยกำ"), Array("عَرَبِيّآأ"), Array("שָׁלוֹםשּׁ"), Array("😀👩‍👩‍👧🇩🇪𐐀𐐨𝒜"),
    Array("\u{301}\u{308}\u{323}\u{345}\u{344}\u{30A}\u{327}"), Array("ẹ́ḉǘồậ"), Array("ԱԲաբևᏍꭵꮝ"),
  ]

  /// A text of up to `limit` characters, mostly of one or two alphabets.
  mutating func text(limit: Int) -> String {
    let first = Self.alphabets[next(below: Self.alphabets.count)]
    let second = Self.alphabets[next(below: Self.alphabets.count)]
    var text = ""
    for _ in 0..<next(below: limit) {
      let alphabet = next(below: 3) == 0 ? second : first
      text.append(alphabet[next(below: alphabet.count)])
    }
    return text
  }

  /// The same text for everybody who reads it: another case, other compositions.
  mutating func disguised(_ text: String) -> String {
    var other = text
    if next(below: 2) == 0 { other = other.uppercased() } else if next(below: 2) == 0 { other = other.lowercased() }
    return next(below: 2) == 0 ? Normalization.nfc(other) : other
  }

  /// A part of a text.
  mutating func part(of text: String, limit: Int) -> String {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty else { return "x" }
    let start = next(below: scalars.count)
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<min(scalars.count, start + 1 + next(below: limit))])
    return String(view)
  }
}

/// What is right, said as simply as can be: both folded as a whole by the library, then a substring.
enum SearchOracle {
  static func fold(_ text: String) -> [UInt32] { CaseFolding.fold(text.unicodeScalars.map(\.value)) ?? [] }

  static func finds(_ needle: String, in text: String) -> Bool {
    let (needle, text) = (fold(needle), fold(text))
    guard text.count >= needle.count else { return false }
    return (0...text.count - needle.count).contains { text[$0..<$0 + needle.count].elementsEqual(needle) }
  }
}

extension TextMatcher {
  func matches(_ text: String) -> Bool { unsafe matches(Array(text.utf8).span.bytes) }
}
