import Clocks
import Testing
import XML
import XMPPCore
import XMPPExtensions

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

extension ExtensionContext {
  /// What answers are made of in tests: 2026-11-20T09:10:00.123Z, one hour east.
  static func test(_ asker: Asker = .trusted, operatingSystem: String? = nil) -> ExtensionContext {
    ExtensionContext(
      softwareVersion: "0.1.0", operatingSystem: operatingSystem, capsNode: "https://confab.example",
      now: Timestamp(milliseconds: 1_795_165_800_123), utcOffsetSeconds: 3_600, asker: asker)
  }
}

extension ExtensionContext.Asker {
  static let allKinds: [Self] = [.trusted, .stranger]
}

/// The answer to an iq, read back; nil where there is none.
func answer(
  _ xml: String, _ context: ExtensionContext = .test(), sourceLocation: SourceLocation = #_sourceLocation
) throws -> Element? {
  try Registry.answer(iq: element(xml, sourceLocation: sourceLocation), context: context).map {
    try element($0, sourceLocation: sourceLocation)
  }
}

/// The condition of an answer that is an error.
func condition(
  _ xml: String, _ context: ExtensionContext = .test(), sourceLocation: SourceLocation = #_sourceLocation
) throws -> String? {
  let answer = try answer(xml, context, sourceLocation: sourceLocation)
  return answer?.attribute("type") == "error" ? answer.map { StanzaError(parsing: $0).condition } : nil
}
