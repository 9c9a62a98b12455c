package import JSON

/// A part of a text that means something, for front ends: `spans` of a message.
package struct MarkedSpan: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case link, mention, topic, emoticon
    /// Styles of XEP-0393.
    case strong, emphasis, strike, code, preformatted, quote
  }

  /// Unicode scalars of the text, from 0.
  package let range: Range<Int>
  package let kind: Kind
  /// The URI of a link, the JID or nick of a mention, the words of a topic, what an emoticon stands for; of others nil.
  package let target: String?

  package init(_ range: Range<Int>, _ kind: Kind, target: String? = nil) {
    (self.range, self.kind, self.target) = (range, kind, target)
  }
}

extension JSONWriter {
  /// The member `spans` of a message; none if there are no spans.
  package mutating func member(spans: [MarkedSpan]) {
    guard !spans.isEmpty else { return }
    key("spans")
    beginArray()
    for span in spans {
      beginObject()
      member("start", span.range.lowerBound)
      member("end", span.range.upperBound)
      member("kind", span.kind.rawValue)
      if let target = span.target { member("target", target) }
      endObject()
    }
    endArray()
  }
}
