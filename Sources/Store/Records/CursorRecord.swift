/// The position of a consumer of events, under a name that the consumer chose.
package struct CursorRecord: Sendable, Equatable {
  package var name: CursorName
  /// It has dealt with everything up to this sequence number; nil: the name is forgotten.
  package var position: UInt64?

  package init(name: CursorName, position: UInt64? = nil) {
    (self.name, self.position) = (name, position)
  }
}

/// The name of a consumer of events.
package struct CursorName: Sendable, Hashable {
  /// The account to whose confined sockets the name belongs; nil: it belongs to all other sockets.
  package var account: UInt32?
  /// 1 to 64 printable ASCII bytes; of a hook `hook NAME`, with the space.
  package var text: String

  package init(_ text: String, of account: UInt32? = nil) { (self.text, self.account) = (text, account) }

  private static let hookPrefix = "hook "

  /// The name of the consumer that is the hook of this name. No client can choose it: theirs have no space.
  package static func ofHook(_ name: String) -> CursorName { CursorName(hookPrefix + name) }

  /// True for the name of a hook.
  package var isOfHook: Bool { text.hasPrefix(Self.hookPrefix) }
}

extension CursorName: Comparable {
  package static func < (a: CursorName, b: CursorName) -> Bool { (a.account ?? 0, a.text) < (b.account ?? 0, b.text) }
}

extension CursorRecord: FieldGroup {
  init() { self.init(name: CursorName("")) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &name.account, "whose confined sockets have the name; absent: all others have it")
    try fields.one(2, "name", &name.text, "of a hook `hook NAME`, with the space")
    try fields.one(3, "position", &position, "the number up to which it has acknowledged; absent: it is forgotten")
  }
}
