import TestSupport
import Testing

@testable import XML

/// An opening tag as servers send it, without an XML declaration.
let opening = """
  <stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' from='example.org' id='s1' \
  version='1.0' xml:lang='en'>
  """

/// What the opening tag is read as.
let openingHeader = StreamHeader(from: "example.org", id: "s1", version: "1.0", language: "en")

/// All items of these pieces, in order, by one parser.
func items(of pieces: [ArraySlice<UInt8>], limits: StreamLimits = .authenticated) -> [StreamItem] {
  let parser = StreamParser(limits: limits)
  var items: [StreamItem] = []
  for piece in pieces { parser.feed(piece, into: &items) }
  return items
}

/// All items of a text fed in every way; records an issue for each way that differs.
func items(
  of text: String, limits: StreamLimits = .authenticated, splitLimit: Int = 4096,
  sourceLocation: SourceLocation = #_sourceLocation
) -> [StreamItem] {
  items(of: Array(text.utf8), limits: limits, splitLimit: splitLimit, sourceLocation: sourceLocation)
}

/// All items of bytes fed in every way; records an issue for each way that differs.
func items(
  of bytes: [UInt8], limits: StreamLimits = .authenticated, splitLimit: Int = 4096,
  sourceLocation: SourceLocation = #_sourceLocation
) -> [StreamItem] {
  let (output, differences) = feedEveryWay(bytes, splitLimit: splitLimit) { items(of: $0, limits: limits) }
  for difference in differences.prefix(3) { Issue.record("\(difference)", sourceLocation: sourceLocation) }
  return output
}

/// The only stanza of a stream that holds nothing else.
func stanza(_ xml: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Element {
  let items = items(of: opening + xml, sourceLocation: sourceLocation)
  try #require(items.count == 2, sourceLocation: sourceLocation)
  guard case .stanza(let element) = items[1] else {
    throw UnexpectedItem(description: "\(items[1])")
  }
  return element
}

struct UnexpectedItem: Error, CustomStringConvertible {
  var description: String
}

extension StreamItem {
  /// Why the stream failed, for items that say so.
  var failure: XMLFailure? {
    guard case .failed(let failure) = self else { return nil }
    return failure
  }

  var refused: RefusedStanza? {
    guard case .refused(let refused) = self else { return nil }
    return refused
  }

  var element: Element? {
    guard case .stanza(let element) = self else { return nil }
    return element
  }
}
