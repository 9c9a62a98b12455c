package import Records

extension MessageRecord {
  /// The texts of the message before each edit, oldest first, with their times; empty if it was retracted.
  ///
  /// - Parameters:
  ///   - most: the newest ones of more than these.
  ///   - record: reads the message of a record by its number, as it was written.
  package func earlierTexts(
    atMost most: Int, _ record: (UInt64) -> MessageRecord?
  ) -> [MessageChange.EarlierText] {
    guard let last = details?.change, last.retraction == nil else { return [] }
    var chain: [MessageChange.EarlierText] = []
    var edit: MessageChange? = last
    while let number = edit?.earlier, number != 0, chain.count < most, let earlier = record(number) {
      edit = earlier.details?.change
      let place = edit?.editPlace ?? earlier.changePlace
      chain.append(.init(time: place.time, text: earlier.text, depth: place.depth))
    }
    // The first text is the oldest, whatever the clocks say.
    let first = edit?.edited == nil ? chain.popLast() : nil
    var late: [MessageChange.EarlierText] = []
    var change: MessageChange? = last
    for _ in 0..<most {
      guard let present = change else { break }
      late = present.texts + late
      change = present.furtherTexts == 0 ? nil : record(present.furtherTexts)?.details?.change
    }
    return ((first.map { [$0] } ?? []) + (chain.reversed() + late).inOrder).suffix(most)
  }
}

extension [MessageChange.EarlierText] {
  /// Oldest first; of the same place in the order that they have.
  fileprivate var inOrder: Self {
    enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(\.element)
  }
}
