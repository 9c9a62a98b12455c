import AddressPreparation
import XMPPCore

/// Finds the addresses in a text: `local@domain`, with letters of every script.
enum AddressFinder {
  /// Characters of local parts besides letters, marks and digits.
  private static let marks = ByteSet("._+-%".utf8)

  /// The address around an `@`, from a place on, and what it is as a bare JID.
  static func address(around at: Int, from limit: Int, in text: TextBytes) -> (range: Range<Int>, jid: String)? {
    guard let start = localStart(before: at, from: limit, in: text), let end = domainEnd(behind: at + 1, in: text),
      let jid = try? JID(typed: text.text(start..<end))
    else { return nil }
    return (start..<end, jid.bare.description)
  }

  private static func localStart(before at: Int, from limit: Int, in text: TextBytes) -> Int? {
    var (index, start) = (at, nil as Int?)
    var script: Bool?
    while index > limit, let (scalar, before) = text.scalar(before: index), before >= limit {
      if scalar.isAddressLetter {
        let isSpaced = WordBreaks.isPart(scalar)
        guard script == nil || script == isSpaced else { break }
        (script, start) = (isSpaced, before)
      } else if !scalar.isASCII || !marks.contains(UInt8(truncatingIfNeeded: scalar.value)) {
        break
      }
      index = before
    }
    return start
  }

  /// The end of a domain with at least two labels.
  private static func domainEnd(behind start: Int, in text: TextBytes) -> Int? {
    var (index, end, dotCount, labelDots) = (start, start, 0, 0)
    var script: Bool?
    while let (scalar, next) = text.scalar(at: index) {
      if scalar.isAddressLetter {
        let isSpaced = WordBreaks.isPart(scalar)
        guard script == nil || script == isSpaced else { break }
        (script, end, labelDots) = (isSpaced, next, dotCount)
      } else if scalar == "." {
        guard end == index else { break }
        dotCount += 1
        script = nil
      } else if scalar != "-" || end == start {
        break
      }
      index = next
    }
    return labelDots > 0 ? end : nil
  }
}

extension Unicode.Scalar {
  fileprivate var isAddressLetter: Bool {
    if isASCII { return UInt8(truncatingIfNeeded: value).isLetter || UInt8(truncatingIfNeeded: value).isDigit }
    return properties.isXIDContinue
  }
}
