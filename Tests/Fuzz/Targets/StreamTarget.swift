import XML

private let header = Array(
  ("<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
    + "from='example.org' id='s' version='1.0'>").utf8)

private let narrow = StreamLimits(
  depth: 4, stanzaBytes: 200, attributes: 3, children: 5, stanzaNames: 8, names: 24, nameBytes: 400, tokenBytes: 400,
  hardNames: 60, hardDepth: 8)

/// The first byte says which limits and whether the stream is open already; the second how the rest is cut.
@Sendable func fuzzStream(_ bytes: [UInt8]) {
  var script = Script(bytes)
  let choice = script.byte()
  let seed = script.byte()
  let limits = [StreamLimits.unauthenticated, .authenticated, narrow, narrow][choice & 3]
  let content = (choice & 4 == 0 ? [] : header) + script.remaining()
  let whole = items(of: [content[...]], limits)
  let pieces = items(of: content.pieces(seed), limits)
  hold(isSame(whole, pieces), "bytes in pieces bring the same: \(whole), \(pieces)")
  check(order: whole)
}

private func items(of pieces: [ArraySlice<UInt8>], _ limits: StreamLimits) -> [StreamItem] {
  let parser = StreamParser(limits: limits)
  var items: [StreamItem] = []
  for piece in pieces {
    parser.feed(piece, into: &items)
    hold(parser.pendingBytes >= 0, "no item is longer than its bytes")
  }
  return items
}

/// The same items, but that one may have failed already: when the library sees that a tag without end is wrong depends
/// on how it comes, and of the root it may tell before it says that its tag is wrong.
private func isSame(_ one: [StreamItem], _ other: [StreamItem]) -> Bool {
  if one == other { return true }
  let (one, other) = (untilFailure(one), untilFailure(other))
  guard one.failure != nil || other.failure != nil else { return false }
  let common = min(one.items.count, other.items.count)
  let more = one.items.dropFirst(common) + other.items.dropFirst(common)
  return one.items.prefix(common) == other.items.prefix(common) && more.allSatisfy(isHeader)
}

/// What came before a failure.
private func untilFailure(_ items: [StreamItem]) -> (items: ArraySlice<StreamItem>, failure: XMLFailure?) {
  guard case .failed(let failure)? = items.last else { return (items[...], nil) }
  return (items.dropLast(), failure)
}

private func isHeader(_ item: StreamItem) -> Bool { if case .header = item { true } else { false } }

/// The header first and once, the end last and once.
private func check(order items: [StreamItem]) {
  for (place, item) in items.enumerated() {
    switch item {
    case .header: hold(place == 0, "the header comes first")
    case .end, .failed: hold(place == items.count - 1, "nothing comes behind the end")
    case .stanza, .refused, .namesExhausted, .answerBegins, .answerPart, .answerEnds:
      hold(place > 0, "the header comes first")
    }
  }
}

/// Everything that reads stanzas is given all that a server may send behind its header.
@Sendable func fuzzStanzas(_ bytes: [UInt8]) {
  for case .stanza(let element) in items(of: [(header + bytes)[...]], .authenticated) { readEveryWay(element) }
}
