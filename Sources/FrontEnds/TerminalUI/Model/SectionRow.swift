package import Clocks
package import JSON

/// A section of a conversation (`sections`).
package struct SectionRow: Equatable, Sendable, Identifiable {
  package let id: UInt64
  package var start: Timestamp
  package var count: Int

  /// The row of a `section` object; nil without id or start.
  package init?(_ object: JSONValue) {
    guard let id = object["id"]?.integer, let start = object["start"]?.string.flatMap({ Timestamp(rfc3339: $0) }) else {
      return nil
    }
    self.id = UInt64(clamping: id)
    self.start = start
    count = Int(clamping: object["count"]?.integer ?? 0)
  }
}
