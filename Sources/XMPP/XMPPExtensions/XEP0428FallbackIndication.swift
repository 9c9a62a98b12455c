package import XML
import XMPPCore

/// XEP-0428: which part of a body is only there for clients that do not know an extension.
package enum FallbackIndication {
  package static let namespace: StaticString = "urn:xmpp:fallback:0"

  /// The parts of a body, in Unicode scalars (XEP-0426), that stand in for an extension; empty if none do. Parts that do not
  /// lie within the body are none.
  ///
  /// - Parameter count: how many scalars the body has.
  static func ranges(in message: Element, for extension: StaticString, of count: Int) -> [Range<Int>] {
    let name = `extension`.description
    return message.children("fallback", namespace).filter { $0.attribute("for") == name }.flatMap { fallback in
      let bodies = fallback.children("body", namespace)
      let isWhole = bodies.isEmpty && fallback.children("subject", namespace).isEmpty
      return isWhole ? [0..<count] : bodies.compactMap { range(of: $0, within: count) }
    }
  }

  private static func range(of body: Element, within count: Int) -> Range<Int>? {
    switch (body.attribute("start"), body.attribute("end")) {
    case (nil, nil): return 0..<count
    case (let start, let end):
      guard let start = Int(start ?? "0"), let end = end.map({ Int($0) }) ?? count, start >= 0, start <= end,
        end <= count
      else { return nil }
      return start..<end
    }
  }

  /// A text without some parts of it, which may overlap.
  static func cut(_ ranges: [Range<Int>], from text: String) -> String {
    let scalars = text.unicodeScalars
    var (rest, place, offset) = (String.UnicodeScalarView(), scalars.startIndex, 0)
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > offset {
      let start = scalars.index(place, offsetBy: max(0, range.lowerBound - offset))
      rest += scalars[place..<start]
      place = scalars.index(start, offsetBy: range.upperBound - max(range.lowerBound, offset))
      offset = range.upperBound
    }
    return String(rest + scalars[place...])
  }

  /// - Parameter range: of the body, in Unicode scalars; nil: all of it.
  package static func write(for extension: StaticString, _ range: Range<Int>? = nil, into writer: inout XMLWriter) {
    writer.open("fallback", xmlns: namespace, attributes: ["for": `extension`.description])
    if let range {
      writer.empty("body", attributes: ["start": String(range.lowerBound), "end": String(range.upperBound)])
    }
    writer.close()
  }
}
