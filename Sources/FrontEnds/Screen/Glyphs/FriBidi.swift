import CFriBidi

/// The bidirectional algorithm (UAX #9) on code points, by FriBidi. The library never changes the number of them.
struct FriBidi {
  private(set) var scalars: [UInt32]
  private(set) var levels: [FriBidiLevel]
  private var types: [FriBidiCharType]
  /// Resolved.
  private var direction: FriBidiParType

  /// Finds the levels of a paragraph.
  /// - Parameter isAutomatic: whether the first letter says the direction, not always left to right.
  init(_ scalars: [UInt32], isAutomatic: Bool) {
    self.scalars = scalars
    let count = FriBidiStrIndex(scalars.count)
    types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: scalars.count)
    levels = [FriBidiLevel](repeating: 0, count: scalars.count)
    direction = isAutomatic ? confab_automatic_direction() : confab_left_to_right()
    var brackets = [FriBidiBracketType](repeating: 0, count: scalars.count)
    unsafe fribidi_get_bidi_types(scalars, count, &types)
    unsafe fribidi_get_bracket_types(scalars, count, types, &brackets)
    // 0 if there is no memory: the levels then are as they were.
    _ = unsafe fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, &levels)
  }

  var isRightToLeft: Bool { direction.rawValue & 1 != 0 }

  /// Replaces brackets that are in text from right to left by those of the other side, and Arabic letters by their joined
  /// forms.
  mutating func shape() {
    let count = FriBidiStrIndex(scalars.count)
    var joining = [FriBidiJoiningType](repeating: 0, count: scalars.count)
    unsafe fribidi_get_joining_types(scalars, count, &joining)
    unsafe fribidi_join_arabic(types, count, levels, &joining)
    unsafe confab_shape_arabic(levels, count, &joining, &scalars)
    unsafe fribidi_shape_mirroring(levels, count, &scalars)
  }

  /// Indices of a line's code points as they are from left to right.
  func order(of line: Range<Int>) -> [Int] {
    var levels = Array(levels[line])
    var map = line.map(FriBidiStrIndex.init)
    _ = unsafe fribidi_reorder_line(
      0, Array(types[line]), FriBidiStrIndex(line.count), 0, direction, &levels, nil, &map)
    return map.map(Int.init)
  }
}
