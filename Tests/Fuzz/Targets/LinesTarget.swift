import LineProtocol

/// The first byte says how the rest is cut: requests are the same however the bytes come, and each line has one answer.
@Sendable func fuzzLines(_ bytes: [UInt8]) {
  var script = Script(bytes)
  let seed = script.byte()
  let content = script.remaining()
  let whole = items(of: [content[...]])
  hold(items(of: content.pieces(seed)) == whole, "bytes in pieces are the same requests")
  checkCount(whole, of: content)
  for case .request(let request) in whole { checkAgain(request) }
}

private func items(of pieces: [ArraySlice<UInt8>]) -> [LineItem] {
  var reader = LineReader()
  var items: [LineItem] = []
  for piece in pieces { reader.feed(piece, into: &items) }
  reader.end()
  while let item = reader.next() { items.append(item) }
  hold(reader.isEmpty && reader.heldBytes == 0, "nothing is held behind the end")
  return items
}

/// Without blocks each line that is not empty is one item.
private func checkCount(_ items: [LineItem], of content: [UInt8]) {
  let lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
  hold(items.count <= lines.count, "no line is answered twice")
  // By scalars: a mark behind it would make another character of the =.
  guard !String(decoding: content, as: UTF8.self).unicodeScalars.contains("until=".unicodeScalars) else { return }
  let isAsked = lines.enumerated().count { place, line in
    // The last one has no end, and is cut off even where it is a mere CR.
    !line.isEmpty && (place == lines.count - 1 || line != [0x0D])
  }
  hold(items.count == isAsked, "\(isAsked) lines, \(items.count) items")
}

/// What a client of ours would write for it is the same request.
private func checkAgain(_ request: Request) {
  let bytes = request.encoded()
  hold(items(of: [bytes[...]]) == [.request(request)], "\(request) is \(String(decoding: bytes, as: UTF8.self))")
}
