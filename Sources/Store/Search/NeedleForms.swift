import Bytes
import AddressPreparation
/// How texts may have the scalars of a needle, in bytes. Capitals of ASCII are left out: fragments are looked for in
/// either case.
struct NeedleForms {
  private struct Place {
    /// The scalars of which folding makes this one; of ASCII itself alone.
    let usual: [[UInt8]]
    /// The others, which are seldom met.
    let odd: [[UInt8]]
    /// The marks in the scalar's decomposition: a decomposed text has one of these.
    let marks: [[UInt8]]
    let starter: UInt32

    init(_ scalar: UInt32) {
      let sources = FoldSources.all.sources(of: scalar).filter { !(0x41...0x5A).contains($0) }.map(utf8)
      let isASCII = scalar < 0x80
      usual = isASCII ? [utf8(scalar)] : sources
      odd = isASCII ? Array(sources.dropFirst()) : []
      marks = FoldSources.all.marks(in: scalar).map(utf8)
      starter = FoldSources.starter(of: scalar)
    }
  }

  private let places: [Place]

  init(_ needle: ArraySlice<UInt32>) { places = needle.map { Place($0) } }

  /// Bytes of which some stand in every text that holds the needle: what there is of it from `start` on, in each of its
  /// forms, as far as there are not too many. Behind what is seldom met a form ends.
  func fragments(from start: Int) -> [[UInt8]] {
    var (open, ended, marks): ([[UInt8]], [[UInt8]], [[UInt8]]) = ([[]], [], [])
    for place in start..<places.count where open.contains(where: { $0.count < FragmentSet.longest }) {
      let next = places[place]
      let ends = next.odd + expanding(at: place, isFirst: place == start)
      let count = open.count * (next.usual.count + ends.count) + ended.count + marks.count + next.marks.count
      // Looking for marks takes longer: none are added to what has none.
      let isTooMuch = place > start && (count > FragmentSet.most || marks.isEmpty && !next.marks.isEmpty)
      if isTooMuch || next.starter == FoldSources.joining { break }
      ended += open.flatMap { before in ends.map { before + $0 } }
      open = open.flatMap { before in next.usual.map { before + $0 } }
      marks += next.marks
    }
    return open == [[]] ? [] : open + ended + marks
  }

  /// The scalars that may stand here and become several; at the first place also those that have begun before it.
  private func expanding(at place: Int, isFirst: Bool) -> [[UInt8]] {
    FoldSources.all.several.filter { entry in
      let starters = entry.starters
      return starters.indices.prefix(isFirst ? starters.count : 1).contains { index in
        starters[index] == places[place].starter && fits(starters[index...], places[place...])
          && fits(starters[..<index].reversed(), places[..<place].reversed())
      }
    }
    .map { utf8($0.source) }
  }

  /// True if these scalars may be those of the needle, over the length of the shorter sequence. Marks change their
  /// positions, so scalars behind one match anything.
  private func fits(_ starters: some Sequence<UInt32>, _ places: some Sequence<Place>) -> Bool {
    for (starter, place) in zip(starters, places) {
      if starter == FoldSources.joining || place.starter == FoldSources.joining { return true }
      if starter != place.starter { return false }
    }
    return true
  }
}

private func utf8(_ scalar: UInt32) -> [UInt8] { Unicode.Scalar(scalar).map { Array(String($0).utf8) } ?? [] }
