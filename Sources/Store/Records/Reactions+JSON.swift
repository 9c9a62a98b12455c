public import JSON

extension [MessageChange.Reactions] {
  /// Writes each emoji with all whose reaction it is, in the order in which it was used first; nothing where there is
  /// none.
  public func write(into writer: inout JSONWriter) {
    var shown: [String] = []
    for reaction in self {
      for emoji in reaction.emoji where !shown.contains(emoji) {
        if shown.isEmpty { writer.beginArray("reactions") }
        shown.append(emoji)
        write(emoji, into: &writer)
      }
    }
    if !shown.isEmpty { writer.endArray() }
  }

  private func write(_ emoji: String, into writer: inout JSONWriter) {
    var isMine = false
    writer.beginObject()
    writer.member("emoji", emoji)
    writer.beginArray("from")
    for person in self where person.emoji.contains(emoji) {
      writer.value(person.from)
      isMine = isMine || person.isMine
    }
    writer.endArray()
    writer.member("mine", isMine)
    writer.endObject()
  }
}
