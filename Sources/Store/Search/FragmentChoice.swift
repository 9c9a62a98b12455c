import Bytes

/// Bytes of which some must stand in every text that matches: what is to be looked for first.
struct FragmentChoice {
  /// Places of the needle at which they may begin.
  private static let mostPlaces = 64

  /// The fragments for each start in the needle, and the length in bytes of the shortest.
  private let sets: [(set: FragmentSet, shortest: Int)]

  init(_ needle: [UInt32]) {
    let forms = NeedleForms(needle.prefix(Self.mostPlaces + FragmentSet.longest))
    sets = needle.indices.prefix(Self.mostPlaces).compactMap { start in
      let fragments = forms.fragments(from: start)
      guard let set = FragmentSet(fragments), let shortest = fragments.map(\.count).min() else { return nil }
      return (set, shortest)
    }
  }

  /// The fragments that cost least to search for in a log of which `sample` is a part; nil if there are none, as for a
  /// needle of marks alone.
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
