/// Limits of one XML stream (RFC 6120, section 13.12).
///
/// libxml2 has none of these limits for a push parser with own handlers: depth, attributes, children and text are
/// unbounded there, and every distinct name stays in its dictionary for the life of the parser.
///
/// There are two kinds. A stanza over a limit of the first kind is *refused*: skipped to its end in bounded memory and
/// reported, so that it can be acknowledged and does not come back for ever. Going over a limit of the second kind
/// ends the stream.
package struct StreamLimits: Hashable, Sendable {
  /// Refused: open elements within one stanza, its own included.
  package var depth: Int
  /// Refused: bytes of one stanza on the wire; at most 256 MiB, whatever is asked for.
  package var stanzaBytes: Int
  /// Refused: bytes of an answer that is delivered in parts; the number of its children is not limited.
  package var partedBytes: Int
  /// Refused: attributes of one element.
  package var attributes: Int
  /// Refused: child elements of one element.
  package var children: Int
  /// Refused: distinct local names and namespaces within one stanza.
  package var stanzaNames: Int
  /// Behind the stanza with which there are more distinct strings than this in the parser's dictionary, a new parser takes
  /// over (or `StreamItem.namesExhausted` is said).
  package var names: Int
  /// Behind the stanza with which the parser's dictionary has more bytes of strings than this, a new parser takes over,
  /// as for `names`.
  package var nameBytes: Int

  /// Ends the stream: bytes without any event, such as a tag or an attribute that never ends.
  package var tokenBytes: Int
  /// Ends the stream: distinct strings in the parser's dictionary. About 24 MB at the default. It is far above
  /// `names` so that a whole stanza of new names can still be skipped to its end.
  package var hardNames: Int
  /// Ends the stream: open elements, and namespace declarations in scope, while a stanza is being skipped.
  package var hardDepth: Int

  /// The limits of an authenticated stream, but for those given.
  package init(
    depth: Int = 64, stanzaBytes: Int = 1 << 20, partedBytes: Int = 16 << 20, attributes: Int = 256,
    children: Int = 10_000,
    stanzaNames: Int = 1_000, names: Int = 20_000, nameBytes: Int = 4 << 20, tokenBytes: Int = 4 << 20,
    hardNames: Int = 200_000, hardDepth: Int = 100_000
  ) {
    self.depth = depth
    self.stanzaBytes = min(stanzaBytes, 256 << 20)
    self.partedBytes = min(partedBytes, 256 << 20)
    self.attributes = attributes
    self.children = children
    self.stanzaNames = stanzaNames
    self.names = names
    self.nameBytes = nameBytes
    self.tokenBytes = tokenBytes
    self.hardNames = hardNames
    self.hardDepth = hardDepth
  }

  /// For an authenticated stream.
  package static let authenticated = StreamLimits()

  /// For a stream before authentication: whoever is there may be anybody.
  package static let unauthenticated = StreamLimits(
    stanzaBytes: 64 << 10, tokenBytes: 64 << 10, hardNames: 20_000, hardDepth: 1_000)
}
