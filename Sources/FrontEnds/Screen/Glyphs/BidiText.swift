/// A paragraph whose scripts may run from right to left (UAX #9). Lines are cut in logical order, then drawn in visual order;
/// the terminal sees no bidi control.
package struct BidiText {
  /// In logical order, each as it is drawn: brackets mirrored, Arabic letters in their joined forms.
  package private(set) var glyphs: [Glyph]
  /// True if the first letter is written from right to left.
  package private(set) var isRightToLeft = false
  /// One code point for each glyph; nil if all is from left to right.
  private var order: FriBidi?

  /// - Parameter isAutomatic: whether the first letter says the direction of the paragraph, not always left to right.
  package init(_ glyphs: [Glyph], isAutomatic: Bool = true) {
    self.glyphs = glyphs
    guard glyphs.contains(where: Self.isFromRight) else { return }
    let order = FriBidi(glyphs.map { $0.text.unicodeScalars.first?.value ?? 0x20 }, isAutomatic: isAutomatic)
    isRightToLeft = order.isRightToLeft
    self.order = order
    shape(isAutomatic: isAutomatic)
  }

  /// Indices of a line's glyphs as they are from left to right.
  package func visualOrder(of line: Range<Int>) -> [Int] { order?.order(of: line) ?? Array(line) }

  /// Columns of a line at which its glyphs begin, by their index in the line; at last the one behind all.
  package func columns(of line: Range<Int>) -> [Int] {
    var columns = [Int](repeating: 0, count: line.count + 1)
    var column = 0
    for index in visualOrder(of: line) {
      columns[index - line.lowerBound] = column
      column += glyphs[index].width
    }
    columns[line.count] = column
    return columns
  }

  /// True if a glyph may be written from right to left: those scripts begin at U+0590.
  private static func isFromRight(_ glyph: Glyph) -> Bool {
    guard let scalar = glyph.text.unicodeScalars.first, scalar.value >= 0x590 else { return false }
    return (0x590...0x8FF).contains(scalar.value) || (0xFB1D...0xFDFF).contains(scalar.value)
      || (0xFE70...0xFEFC).contains(scalar.value) || (0x10800...0x10FFF).contains(scalar.value)
      || (0x1E800...0x1EFFF).contains(scalar.value)
  }

  /// Joiners within a cluster decide the form of its letter, so all code points take part.
  private mutating func shape(isAutomatic: Bool) {
    var whole = FriBidi(glyphs.flatMap { $0.text.unicodeScalars.map(\.value) }, isAutomatic: isAutomatic)
    let before = whole.scalars
    whole.shape()
    var start = 0
    for index in glyphs.indices {
      let end = start + glyphs[index].text.unicodeScalars.count
      if whole.scalars[start..<end] != before[start..<end] { replaceText(at: index, whole.scalars[start..<end]) }
      start = end
    }
  }

  private mutating func replaceText(at index: Int, _ scalars: ArraySlice<UInt32>) {
    let glyph = glyphs[index]
    glyphs[index] = Glyph(
      text: Glyph.text(scalars), width: glyph.width, isDoubtful: glyph.isDoubtful, offset: glyph.offset)
  }
}
