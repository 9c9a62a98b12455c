package import Clocks

// Look-ups of messages, by binary search.
extension Timeline {
  /// The row of a message; nil where it does not stand here.
  ///
  /// - Parameter recorded: the time of the message's record; the message may have moved since.
  package func row(ofTime recorded: Timestamp, id: UInt64) -> Int? {
    let time = moved.isEmpty ? recorded : moved[id] ?? recorded
    let direct = list.firstPosition { $0 >= Entry.Key(time: time, id: id) }
    if let entry = list.entry(at: direct), entry.id == id, entry.time == time { return list.row(of: direct) }
    // The archive orders it among its equals: few share one stamp.
    var row = firstRow(notBefore: time)
    while row < count, self[row].time == time {
      if self[row].id == id { return row }
      row += 1
    }
    return nil
  }

  /// The row of a message of which only the id is known. Found where ids grow along the conversation, which they do but
  /// for what came late; nil: it does not stand here, or has to be looked for by its time.
  package func likelyRow(ofID id: UInt64) -> Int? {
    let position = list.firstPosition { $0.id >= id }
    if let entry = list.entry(at: position), entry.id == id { return list.row(of: position) }
    // One that came late may have led past it.
    guard position.chunk < list.chunkCount else { return nil }
    let offset = list.entries(of: position.chunk).row(ofID: id)
    return offset.map { list.row(of: EntryList.Position(chunk: position.chunk, offset: $0)) }
  }

  /// The first row of `time` or later; `count` where all are earlier.
  package func firstRow(notBefore time: Timestamp) -> Int {
    list.row(of: list.firstPosition { $0.time >= time })
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element `belongsBehind`, in a collection where all such stand at the end; else `endIndex`.
  @inlinable package func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
