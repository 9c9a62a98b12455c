import Bytes

extension TextMatcher {
  /// Places of the needle at which fragments may begin.
  private static let mostPlaces = 64

  /// Bytes of which some must stand in every text that matches: what is to be looked for first. Of all such sets the one that
  /// is least to do in a log of which this is a part; nil where there is none, as of a needle of nothing but marks.
  func fragments(for sample: RawSpan) -> FragmentSet? {
    let forms = NeedleForms(needle.prefix(Self.mostPlaces + FragmentSet.longest))
    var best: (burden: Int, set: FragmentSet)?
    for start in needle.indices.prefix(Self.mostPlaces) where best?.burden != 0 {
      let fragments = forms.fragments(from: start)
      guard let set = FragmentSet(fragments), let shortest = fragments.map(\.count).min() else { continue }
      // A short one that is not met here may well be met elsewhere.
      let risk = 512 >> shortest
      let most = best.map { $0.burden - risk } ?? .max
      let burden = set.burden(in: sample, most: most)
      if burden < most { best = (burden + risk, set) }
    }
    return best?.set
  }
}
