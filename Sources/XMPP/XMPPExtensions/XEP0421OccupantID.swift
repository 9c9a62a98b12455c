package import XML

/// XEP-0421: an id by which a room lets its occupants be told apart, in presences and messages, also later and under
/// another nick.
///
/// A room that does not announce the feature lets occupants forge it, and sessions of one person share it.
package enum OccupantID {
  /// Characters of one (section 4.1).
  private static let longest = 128

  /// The id in a stanza; nil: there is none, or there are several, of which one is forged.
  package static func of(_ stanza: Element) -> String? {
    stanza.onlyChild { $0.isNamed(.occupantID, .occupantIDs) }.flatMap { id(in: $0) }
  }

  static func id(in element: Element) -> String? {
    guard let id = element.attribute(.id), !id.isEmpty,
      id.utf8.count <= longest || id.unicodeScalars.count <= longest
    else { return nil }
    return id
  }
}
