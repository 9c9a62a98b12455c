import Clocks

/// Where a section begins.
struct SectionStart {
  var row: Int
  /// Its first message.
  var first: Entry.Place
  /// The last one of the section before it, if there is one.
  var before: Entry.Place?
}

// Where one message is more than a gap later than the one before it.
extension EntryList {
  /// Whether the entry there is more than the gap later than the one before it, or the first of all.
  func isStep(at position: Position, beyond gap: Interval) -> Bool {
    guard position.offset > 0 else { return isStep(to: position.chunk, beyond: gap) }
    let entries = entries(of: position.chunk)
    return entries.time(at: position.offset).isBeyond(gap, after: entries.time(at: position.offset - 1))
  }

  /// The last such step up to `row`; row 0 is always one.
  func lastStep(upTo row: Int, beyond gap: Interval) -> SectionStart {
    let position = position(of: row)
    var (next, offset): (Int?, Int) = (position.chunk, position.offset)
    while let chunk = next {
      if let found = lastInnerStep(in: chunk, upTo: offset, beyond: gap) { return found }
      if isStep(to: chunk, beyond: gap) { return start(of: chunk) }
      (next, offset) = (lastChunk(before: chunk, steppingBeyond: gap), .max)
    }
    return start(of: 0)
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
    chunk == 0 || first(of: chunk).time.isBeyond(gap, after: last(of: chunk - 1).time)
  }

  private func start(of chunk: Int) -> SectionStart {
    SectionStart(
      row: row(of: Position(chunk: chunk, offset: 0)), first: first(of: chunk).place,
      before: chunk == 0 ? nil : last(of: chunk - 1))
  }

  /// The last such step in a chunk, up to `offset`, without its first entry.
  private func lastInnerStep(in chunk: Int, upTo offset: Int, beyond gap: Interval) -> SectionStart? {
    let start = row(of: Position(chunk: chunk, offset: 0))
    if let known = knownSteps(in: chunk, beyond: gap) {
      return known.last { $0.offset <= offset }
        .map { SectionStart(row: start + Int($0.offset), first: $0.to, before: $0.from) }
    }
    let entries = entries(of: chunk)
    var offset = min(offset, entries.count - 1)
    while offset > 0 {
      if entries.time(at: offset).isBeyond(gap, after: entries.time(at: offset - 1)) {
        return SectionStart(row: start + offset, first: entries[offset].place, before: entries[offset - 1].place)
      }
      offset -= 1
    }
    return nil
  }

  /// The first such step in a chunk, from `offset` on.
  private func firstStep(in chunk: Int, from offset: Int, beyond gap: Interval) -> Int? {
    if offset == 0, isStep(to: chunk, beyond: gap) { return 0 }
    let entries = entries(of: chunk)
    var offset = max(1, offset)
    while offset < entries.count {
      if entries.time(at: offset).isBeyond(gap, after: entries.time(at: offset - 1)) { return offset }
      offset += 1
    }
    return nil
  }
}
