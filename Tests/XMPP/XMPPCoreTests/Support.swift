import Testing
import XML

/// An element as it is inside a client's stream.
func element(_ xml: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Element {
  let parser = StreamParser()
  var items: [StreamItem] = []
  parser.feed(
    Array("<stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>".utf8), into: &items)
  parser.feed(Array(xml.utf8), into: &items)
  guard items.count == 2, case .stanza(let element) = items[1] else {
    return try #require(nil, "\(items)", sourceLocation: sourceLocation)
  }
  return element
}

/// What was written, read back as part of a client's stream.
func element(_ xml: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws -> Element {
  try element(String(decoding: xml, as: UTF8.self), sourceLocation: sourceLocation)
}
