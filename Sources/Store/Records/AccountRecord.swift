/// Gives an account of the configuration its number, by which every later record names it. A name whose JID changed
/// gets a new number; the old number keeps its history. A JID whose name changed keeps its number: that is said again,
/// with the new name.
package struct AccountRecord: Sendable, Equatable {
  /// From 1, in the order of their first appearance.
  package var number: UInt32
  /// The name of the `[account NAME]` section.
  package var name: String
  /// The bare JID.
  package var jid: String

  package init(number: UInt32, name: String, jid: String) {
    (self.number, self.name, self.jid) = (number, name, jid)
  }
}

extension AccountRecord: FieldGroup {
  init() { self.init(number: 0, name: "", jid: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &number)
    try fields.one(2, "name", &name)
    try fields.one(3, "jid", &jid)
  }
}
