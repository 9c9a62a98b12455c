/// The limits of the line protocol, version 1; those a client must know are in the greeting.
package enum Limits {
  /// Bytes of a request line without its LF; a CR before the LF counts.
  package static let line = 65_536
  /// UTF-8 bytes of a message text.
  package static let text = 60_000
  /// Bytes of a text as XML character data: a server's stanza limit less room for the rest of the stanza.
  package static let xmlText = 200_000
  /// Bytes of an avatar.
  package static let avatar = 1 << 20
  /// Rows of one page: the largest `limit=`.
  package static let page = 1000
  /// Idempotency keys kept for an account.
  package static let keys = 100_000
  /// Bytes of one idempotency key, and of a cursor's name.
  package static let key = 64
  /// Named cursors.
  package static let cursors = 1000
  /// Bytes of a tag: it comes back on every line of the answer, so a long one would multiply.
  package static let tag = 1024
  /// Arrays and objects inside each other in a JSON request.
  package static let depth = 16
}
