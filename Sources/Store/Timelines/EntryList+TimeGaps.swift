import Clocks

/// The beginning of a section.
struct SectionStart {
  var row: Int
  /// Its first message.
  var first: Entry.Place
  /// The last one of the section before it, if there is one.
  var before: Entry.Place?
}

// Time gaps: messages more than a gap later than the one before them.
extension EntryList {
  /// True if the entry is more than the gap later than the one before it, or the first of all.
  func isTimeGap(at position: Position, beyond gap: Interval) -> Bool {
    guard position.offset > 0 else { return isTimeGap(to: position.chunk, beyond: gap) }
    let entries = entries(of: position.chunk)
    return entries.time(at: position.offset).isBeyond(gap, after: entries.time(at: position.offset - 1))
  }

  /// The last such time gap up to `row`; row 0 is always one.
  func lastTimeGap(upTo row: Int, beyond gap: Interval) -> SectionStart {
    let position = position(of: row)
    var (next, offset): (Int?, Int) = (position.chunk, position.offset)
    while let chunk = next {
      if let found = lastInnerTimeGap(in: chunk, upTo: offset, beyond: gap) { return found }
      if isTimeGap(to: chunk, beyond: gap) { return start(of: chunk) }
      (next, offset) = (lastChunk(before: chunk, withTimeGapBeyond: gap), .max)
    }
    return start(of: 0)
  }

  /// The first row behind `row` that is such a time gap; `count` where there is none.
  func nextTimeGap(after row: Int, beyond gap: Interval) -> Int {
    let position = position(of: row)
    var (next, offset): (Int?, Int) = (position.chunk, position.offset + 1)
    while let chunk = next {
      if let found = firstTimeGap(in: chunk, from: offset, beyond: gap) {
        return self.row(of: Position(chunk: chunk, offset: found))
      }
      (next, offset) = (firstChunk(from: chunk + 1, withTimeGapBeyond: gap), 0)
    }
    return count
  }

  /// True if the first entry of a chunk is such a time gap.
  private func isTimeGap(to chunk: Int, beyond gap: Interval) -> Bool {
    chunk == 0 || first(of: chunk).time.isBeyond(gap, after: last(of: chunk - 1).time)
  }

  private func start(of chunk: Int) -> SectionStart {
    SectionStart(
      row: row(of: Position(chunk: chunk, offset: 0)), first: first(of: chunk).place,
      before: chunk == 0 ? nil : last(of: chunk - 1))
  }

  /// The last such time gap in a chunk, up to `offset`, without its first entry.
  private func lastInnerTimeGap(in chunk: Int, upTo offset: Int, beyond gap: Interval) -> SectionStart? {
    let start = row(of: Position(chunk: chunk, offset: 0))
    if let known = knownTimeGaps(in: chunk, beyond: gap) {
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

  /// The first such time gap in a chunk, from `offset` on.
  private func firstTimeGap(in chunk: Int, from offset: Int, beyond gap: Interval) -> Int? {
    if offset == 0, isTimeGap(to: chunk, beyond: gap) { return 0 }
    let entries = entries(of: chunk)
    var offset = max(1, offset)
    while offset < entries.count {
      if entries.time(at: offset).isBeyond(gap, after: entries.time(at: offset - 1)) { return offset }
      offset += 1
    }
    return nil
  }
}
