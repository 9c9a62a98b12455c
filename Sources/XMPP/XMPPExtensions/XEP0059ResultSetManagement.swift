package import XML
import XMPPCore

/// XEP-0059: a long answer, page by page. The ids are the responder's, and mean nothing to us.
package enum ResultSet {
  /// Bytes that an id may have; one that is longer counts as none.
  package static let longestID = 1_024

  /// The page that is asked for.
  package enum Page: Sendable, Equatable {
    case first
    /// The items behind this one.
    case after(String)
    case last
    /// The items before this one.
    case before(String)
  }

  /// Writes what asks for a page of at most `max` items.
  package static func write(_ page: Page, max: Int, into writer: inout XMLWriter) {
    writer.open("set", xmlns: Namespace.resultSets)
    writer.element("max", text: String(max))
    switch page {
    case .first: break
    case .after(let id): writer.element("after", text: id)
    case .last: writer.empty("before")
    case .before(let id): writer.element("before", text: id)
    }
    writer.close()
  }

  /// The ids of the first and the last item of a page. Both are nil if the page is empty.
  package struct Bounds: Sendable, Equatable {
    package var first: String?
    package var last: String?
    /// The index of the first item among all, and how many there are, if that is told.
    package var index: Int?
    package var count: Int?

    /// Reads the `<set/>` in an element; nil where there is none.
    package init?(in element: Element) {
      guard let set = element.child("set", Namespace.resultSets) else { return nil }
      first = Self.id(set.child("first", Namespace.resultSets))
      last = Self.id(set.child("last", Namespace.resultSets))
      index = set.child("first", Namespace.resultSets)?.attribute("index").flatMap(Self.number)
      count = (set.child("count", Namespace.resultSets)?.text).flatMap(Self.number)
    }

    private static func number(_ text: String) -> Int? {
      Int(text).flatMap { (0...10_000_000).contains($0) ? $0 : nil }
    }

    private static func id(_ element: Element?) -> String? {
      guard let id = element?.text, !id.isEmpty, id.utf8.count <= longestID else { return nil }
      return id
    }
  }
}
