/// Where a consumer of events is, by a name that it gave itself: of the whole log, not of an account.
package struct CursorRecord: Sendable, Equatable {
  /// 1 to 64 printable ASCII bytes.
  package var name: String
  /// It has dealt with everything up to this sequence number; nil: the name is forgotten.
  package var position: UInt64?

  package init(name: String, position: UInt64? = nil) {
    (self.name, self.position) = (name, position)
  }
}

extension CursorRecord: FieldGroup {
  init() { self.init(name: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(2, "name", &name)
    try fields.one(3, "position", &position, "the number up to which it has acknowledged; absent: it is forgotten")
  }
}
