import Clocks

// Where one message is more than a gap later than the one before it.
extension EntryList {
  /// Whether the entry there is more than the gap later than the one before it, or the first of all.
  func isStep(at position: Position, beyond gap: Interval) -> Bool {
    guard position.offset > 0 else { return isStep(to: position.chunk, beyond: gap) }
    let entries = entries(of: position.chunk)
    return entries[position.offset].time.isBeyond(gap, after: entries[position.offset - 1].time)
  }

  /// The last row up to `row` that is such a step; 0 is always one.
  func lastStep(upTo row: Int, beyond gap: Interval) -> Int {
    let position = position(of: row)
    var (next, offset): (Int?, Int) = (position.chunk, position.offset)
    while let chunk = next {
      if let found = lastStep(in: chunk, upTo: offset, beyond: gap) {
        return self.row(of: Position(chunk: chunk, offset: found))
      }
      (next, offset) = (lastChunk(before: chunk, steppingBeyond: gap), .max)
    }
    return 0
  }

  /// The first row behind `row` that is such a step; `count` where there is none.
  func nextStep(after row: Int, beyond gap: Interval) -> Int {
    let position = position(of: row)
    var (next, offset): (Int?, Int) = (position.chunk, position.offset + 1)
    while let chunk = next {
      if let found = firstStep(in: chunk, from: offset, beyond: gap) {
        return self.row(of: Position(chunk: chunk, offset: found))
      }
      (next, offset) = (firstChunk(from: chunk + 1, steppingBeyond: gap), 0)
    }
    return count
  }

  /// Whether the first entry of a chunk is such a step.
  private func isStep(to chunk: Int, beyond gap: Interval) -> Bool {
    chunk == 0 || first(of: chunk).time.isBeyond(gap, after: lastTime(of: chunk - 1))
  }

  /// The last such step in a chunk, up to `offset`.
  private func lastStep(in chunk: Int, upTo offset: Int, beyond gap: Interval) -> Int? {
    let entries = entries(of: chunk)
    var offset = min(offset, entries.count - 1)
    while offset > 0 {
      if entries[offset].time.isBeyond(gap, after: entries[offset - 1].time) { return offset }
      offset -= 1
    }
    return isStep(to: chunk, beyond: gap) ? 0 : nil
  }

  /// The first such step in a chunk, from `offset` on.
  private func firstStep(in chunk: Int, from offset: Int, beyond gap: Interval) -> Int? {
    if offset == 0, isStep(to: chunk, beyond: gap) { return 0 }
    let entries = entries(of: chunk)
    var offset = max(1, offset)
    while offset < entries.count {
      if entries[offset].time.isBeyond(gap, after: entries[offset - 1].time) { return offset }
      offset += 1
    }
    return nil
  }
}
