import Bytes

/// Bytes of which some must stand in every text that matches: what is to be looked for first.
struct FragmentChoice {
  /// Places of the needle at which they may begin.
  private static let mostPlaces = 64

  /// Those of each place, and how long the shortest one is.
  private let sets: [(set: FragmentSet, shortest: Int)]

  init(_ needle: [UInt32]) {
    let forms = NeedleForms(needle.prefix(Self.mostPlaces + FragmentSet.longest))
    sets = needle.indices.prefix(Self.mostPlaces).compactMap { start in
      let fragments = forms.fragments(from: start)
      guard let set = FragmentSet(fragments), let shortest = fragments.map(\.count).min() else { return nil }
      return (set, shortest)
    }
  }

  /// Those that are least to do in a log of which this is a part; nil where there are none, as of a needle of nothing but marks.
  func best(for sample: RawSpan) -> FragmentSet? {
    var best: (set: FragmentSet, burden: Int)?
    for (set, shortest) in sets {
      // A short one that is not met here may well be met elsewhere.
      let risk = 512 >> shortest
      let most = (best?.burden ?? sample.byteCount / 4) - risk
      let burden = set.burden(in: sample, most: most)
      if best == nil || burden < most { best = (set, burden + risk) }
    }
    return best?.set
  }
}
