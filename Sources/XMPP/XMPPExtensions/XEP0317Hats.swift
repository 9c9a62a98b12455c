package import XML

/// XEP-0317: what an occupant is to a room besides role and affiliation. A room that does not announce the feature lets
/// occupants forge it.
package struct Hat: Sendable, Equatable {
  package static let namespace: StaticString = "urn:xmpp:hats:0"

  package let uri: String
  package let title: String

  private static let most = 16
  private static let longestURI = 1_024

  /// The hats in a presence, each once.
  package static func all(in presence: Element) -> [Hat] {
    guard let hats = presence.onlyChild("hats", namespace) else { return [] }
    var found: [Hat] = []
    for hat in hats.children("hat", namespace).prefix(most).compactMap(Hat.init)
    where !found.contains(where: { $0.uri == hat.uri }) {
      found.append(hat)
    }
    return found
  }

  private init?(_ hat: Element) {
    guard let uri = hat.attribute("uri"), (1...Self.longestURI).contains(uri.utf8.count),
      let title = hat.attribute("title").flatMap(Element.bounded)
    else { return nil }
    (self.uri, self.title) = (uri, title)
  }
}
