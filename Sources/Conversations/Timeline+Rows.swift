package import Clocks

// Where a message stands: by binary search.
extension Timeline {
  /// The row of a message whose time and id are known; nil where it does not stand here.
  package func row(ofTime time: Timestamp, id: UInt64) -> Int? {
    let unordered = Entry(time: time, id: id)
    let direct = firstRow { !$0.stands(before: unordered) }
    if direct < count, entries[direct].id == id, entries[direct].time == time { return direct }
    // The archive orders it among its equals: few share one stamp.
    return entries[firstRow(notBefore: time)...].prefix { $0.time == time }.firstIndex { $0.id == id }
  }

  /// The first row of `time` or later; `count` where all are earlier.
  package func firstRow(notBefore time: Timestamp) -> Int {
    firstRow { $0.time >= time }
  }

  /// The first row for which a condition holds that, once true, stays true for all that follow.
  func firstRow(where holds: (Entry) -> Bool) -> Int {
    entries.partitioningIndex(where: holds)
  }
}

extension Array {
  /// The first index whose element `belongsBehind`, in an array where all such stand at the end; else `count`.
  func partitioningIndex(where belongsBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if belongsBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
