import Glibc
import TestSupport
import Testing

@testable import Screen

/// The table is made from Debian's `unicode-data`; `CONFAB_WRITE_DOCS=1` (`make docs`) writes it instead of comparing.
@Suite("Sources/FrontEnds/Screen/Glyphs/WidthTable+Ranges.swift")
struct WidthTableDocumentTests {
  private static let file = Products.repository + "/Sources/FrontEnds/Screen/Glyphs/WidthTable+Ranges.swift"

  @Test("it is as unicode-data says", .enabled(if: UnicodeData.isInstalled, "unicode-data is not installed"))
  func isFresh() throws {
    let made = try WidthTableSource().text
    if unsafe getenv("CONFAB_WRITE_DOCS") != nil { try File.write(made, to: Self.file) }
    #expect(File.text(Self.file) == made, "it is stale: run `make docs`")
  }
}

/// The source of the table.
struct WidthTableSource {
  private var traits = [UInt16](repeating: 0, count: 0x11_0000)

  init() throws {
    try readCategories()
    try readWidths()
    try readEmoji()
    try readJoining()
    for scalar in 0..<traits.count where traits[scalar] & CodePointTraits.invisible.rawValue != 0 {
      traits[scalar] &= ~CodePointTraits.widthMask
    }
  }

  var text: String {
    var lines = [
      "// Made from Debian's unicode-data (UnicodeData, EastAsianWidth, DerivedAge, DerivedCoreProperties, ArabicShaping,",
      "// IndicSyllabicCategory, HangulSyllableType, emoji-data, emoji-variation-sequences) by `make docs`; not to be edited.",
      "",
      "extension WidthTable {",
      "  /// Beginnings of ranges of code points that are alike: the code point, shifted by 11, and its traits.",
      "  static let ranges: [UInt32] = [",
    ]
    var line = "   "
    for range in ranges {
      let word = " \(range),"
      if line.utf8.count + word.utf8.count > 120 {
        lines.append(line)
        line = "   "
      }
      line += word
    }
    return (lines + [line, "  ]", "}", ""]).joined(separator: "\n")
  }

  private var ranges: [UInt32] {
    var ranges: [UInt32] = []
    for (scalar, trait) in traits.enumerated() where scalar == 0 || trait != traits[scalar - 1] {
      ranges.append(UInt32(scalar) << 11 | UInt32(trait))
    }
    return ranges
  }

  private mutating func add(_ trait: CodePointTraits, _ range: ClosedRange<UInt32>) {
    for scalar in range { traits[Int(scalar)] |= trait.rawValue }
  }

  private mutating func setWidth(_ width: UInt16, _ range: ClosedRange<UInt32>) {
    for scalar in range { traits[Int(scalar)] = traits[Int(scalar)] & ~CodePointTraits.widthMask | width }
  }

  /// Unassigned code points, marks, and characters without any look.
  private mutating func readCategories() throws {
    add(.unassigned, 0...0x10_FFFF)
    setWidth(1, 0...0x10_FFFF)
    var first: UInt32?
    for row in try UnicodeData.rows("UnicodeData.txt") {
      if row.fields[0].hasSuffix(", First>") {
        first = row.range.lowerBound
        continue
      }
      let range = (first ?? row.range.lowerBound)...row.range.upperBound
      first = nil
      for scalar in range { traits[Int(scalar)] &= ~CodePointTraits.unassigned.rawValue }
      if ["Mn", "Me", "Mc"].contains(row.fields[1]) { add(.mark, range) }
      if ["Mn", "Me"].contains(row.fields[1]) { setWidth(0, range) }
    }
    for row in try UnicodeData.rows("DerivedCoreProperties.txt") where row.fields[0] == "Default_Ignorable_Code_Point" {
      add(.invisible, row.range)
    }
  }

  private mutating func readWidths() throws {
    for row in try UnicodeData.rows("EastAsianWidth.txt") where ["W", "F"].contains(row.fields[0]) {
      for scalar in row.range where traits[Int(scalar)] & CodePointTraits.mark.rawValue == 0 {
        setWidth(2, scalar...scalar)
      }
    }
    // Vowels and final consonants of Hangul stand in the columns of the syllable's first one.
    for row in try UnicodeData.rows("HangulSyllableType.txt") where ["V", "T"].contains(row.fields[0]) {
      setWidth(0, row.range)
    }
  }

  private mutating func readEmoji() throws {
    var newest = Set<UInt32>()
    for row in try UnicodeData.rows("DerivedAge.txt") where row.fields[0].hasPrefix("15.") {
      newest.formUnion(row.range)
    }
    for row in try UnicodeData.rows("emoji/emoji-data.txt") where row.fields[0] == "Extended_Pictographic" {
      for scalar in row.range {
        add(.pictographic, scalar...scalar)
        let isUnassigned = traits[Int(scalar)] & CodePointTraits.unassigned.rawValue != 0
        guard newest.contains(scalar) || isUnassigned else { continue }
        traits[Int(scalar)] &= ~CodePointTraits.unassigned.rawValue
        add(.newest, scalar...scalar)
        setWidth(2, scalar...scalar)
      }
    }
    for row in try UnicodeData.rows("emoji/emoji-variation-sequences.txt") { add(.variationBase, row.range) }
  }

  /// Letters that joiners act upon: those that have joined forms, and viramas.
  private mutating func readJoining() throws {
    for row in try UnicodeData.rows("ArabicShaping.txt") where ["D", "L", "R"].contains(row.fields[1]) {
      add(.joining, row.range)
    }
    for row in try UnicodeData.rows("IndicSyllabicCategory.txt")
    where ["Virama", "Invisible_Stacker"].contains(row.fields[0]) { add(.joining, row.range) }
  }
}
