/// Why an XML stream cannot go on. Nothing of an unfinished stanza counts, and nothing more is delivered.
///
/// The words are for a journal: they never hold what the other side wrote.
package enum XMLFailure: Error, Equatable, Sendable {
  /// The bytes are no XML; the words say what is wrong.
  case notWellFormed(String)
  /// XML that XMPP forbids (RFC 6120, section 11.1): the words name it (DTD, comment, processing instruction, entity).
  case restricted(String)
  /// A byte order mark, or a declared encoding other than UTF-8 (RFC 6120, section 11.6).
  case badEncoding
  /// A prefix that no namespace is bound to, or another error of namespaces.
  case badNamespacePrefix
  /// Characters other than white space between stanzas.
  case textBetweenStanzas
  /// A second `<stream:stream>` inside the stream: everything after it would be inside an element that never ends.
  case nestedStream
  /// Something over a limit that cannot be skipped; the words name it.
  case tooLarge(String)
  /// The other side made up more names than the parser may keep.
  case namesExhausted
  /// There was no memory for a parser.
  case noMemory

  /// The condition to close the stream with (RFC 6120, section 4.9.3).
  package var streamErrorCondition: String {
    switch self {
    case .notWellFormed: "not-well-formed"
    case .restricted: "restricted-xml"
    case .badEncoding: "unsupported-encoding"
    case .badNamespacePrefix: "bad-namespace-prefix"
    case .textBetweenStanzas, .nestedStream: "bad-format"
    case .tooLarge: "policy-violation"
    case .namesExhausted, .noMemory: "resource-constraint"
    }
  }
}
