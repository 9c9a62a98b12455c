import Bytes

/// Finds a nick in a text, as a name and not as a part of a word.
final class Mentions {
  /// Nicks and other words, as they were given.
  let nicks: [String]
  let others: [String]
  private let words: [[Unicode.Scalar]]
  /// Their first letters, if those are of ASCII: texts without any of these need no closer look.
  private let beginnings: FragmentSet?
  /// Asks for no copy of them.
  private let hasBeginnings: Bool

  /// - Parameters:
  ///   - nicks: mine; an empty one names nobody.
  ///   - words: what else names me.
  init(_ nicks: [String], words: [String] = []) {
    (self.nicks, others) = (nicks, words)
    self.words = (nicks + words).map { Array($0.lowercased().unicodeScalars) }.filter { !$0.isEmpty }
    let hasOthers = self.words.contains { !$0[0].isASCII }
    let letters = self.words.map { $0.prefix { $0.isASCII }.map { UInt8(truncatingIfNeeded: $0.value) } }
    beginnings = hasOthers ? nil : FragmentSet(letters)
    hasBeginnings = beginnings != nil
  }

  /// True if a line of the text that is no quotation has one of the words, in capitals or not.
  func areIn(_ text: String) -> Bool {
    if hasBeginnings {
      let place = unsafe text.utf8.span.bytes.withUnsafeBytes { unsafe beginnings?.first(in: $0, from: 0) }
      guard place != nil else { return false }
    }
    return text.split(whereSeparator: \.isNewline).contains { line in
      guard line.first != ">" else { return false }
      let scalars = Array(line.lowercased().unicodeScalars)
      return words.contains { Self.isWord($0, of: scalars) }
    }
  }

  private static func isWord(_ word: [Unicode.Scalar], of line: [Unicode.Scalar]) -> Bool {
    guard word.count <= line.count else { return false }
    return (0...line.count - word.count).contains { start in
      let end = start + word.count
      return line[start..<end].elementsEqual(word)
        && isBorder(start == 0 ? nil : line[start - 1], beside: word[0])
        && isBorder(end == line.count ? nil : line[end], beside: word[word.count - 1])
    }
  }

  /// True if a word may begin or end between these two. Scripts that put no spaces between words have no borders.
  private static func isBorder(_ neighbour: Unicode.Scalar?, beside edge: Unicode.Scalar) -> Bool {
    guard let neighbour, !isWithoutSpaces(edge) else { return true }
    return !isOfWord(neighbour)
  }

  /// Nicks have these in them, so that "mark_" is somebody else than "mark".
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "_-|".unicodeScalars.contains(scalar)
  }

  /// Han, kana, Thai, Lao, Burmese and Khmer.
  private static func isWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isIdeographic { return true }
    return switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF: true
    default: false
    }
  }
}
