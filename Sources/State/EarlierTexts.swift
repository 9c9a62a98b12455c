package import Records

extension MessageRecord {
  /// What stood in the message before each edit, oldest first, with the times of these texts; empty if it was retracted.
  ///
  /// - Parameters:
  ///   - most: the newest ones of more than these.
  ///   - record: reads the message of a record by its number, as it was written.
  package func earlierTexts(
    atMost most: Int, _ record: (UInt64) -> MessageRecord?
  ) -> [MessageChange.EarlierText] {
    guard let last = details?.change, last.retraction == nil else { return [] }
    var texts: [MessageChange.EarlierText] = []
    var edit: MessageChange? = last
    while let number = edit?.earlier, number != 0, texts.count < most, let earlier = record(number) {
      edit = earlier.details?.change
      texts.append(.init(time: edit?.edited ?? earlier.time, text: earlier.text))
    }
    var change: MessageChange? = last
    for _ in 0..<most {
      guard let present = change else { break }
      texts += present.texts
      change = present.furtherTexts == 0 ? nil : record(present.furtherTexts)?.details?.change
    }
    return texts.sorted { $0.time < $1.time }.suffix(most)
  }
}
