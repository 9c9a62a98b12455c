import CUnistring

/// Line break opportunities (UAX #14), by libunistring. Scripts that need a dictionary (Thai, Khmer, Lao) have them at
/// spaces only; a line that has none ends behind any glyph.
package enum LineBreaks {
  /// For each glyph whether a line may begin with it.
  package static func opportunities(in glyphs: [Glyph]) -> [Bool] {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(glyphs.count)
    var starts: [Int] = []
    starts.reserveCapacity(glyphs.count)
    for glyph in glyphs {
      starts.append(scalars.count)
      for scalar in glyph.text.unicodeScalars { scalars.append(scalar.value) }
    }
    var flags = [CChar](repeating: 0, count: scalars.count)
    unsafe u32_possible_linebreaks(scalars, scalars.count, "UTF-8", &flags)
    return glyphs.indices.map { index in
      guard flags[starts[index]] == CChar(UC_BREAK_POSSIBLE) else { return false }
      return index == 0 || !isPoint(glyphs[index - 1]) || glyphs[index].width == 2
    }
  }

  /// No line ends behind a point within a word (rule LB29, which libunistring 1.0 lacks): `example.org`.
  private static func isPoint(_ glyph: Glyph) -> Bool { [".", ",", ":", ";"].contains(glyph.text) }
}
