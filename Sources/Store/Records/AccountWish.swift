/// The user's settings of an account (status, connection and the like), made over the socket and durable until changed.
package struct AccountWish: Sendable, Equatable {
  package var account: UInt32
  /// False after `disconnect`, until `connect`.
  package var connected = true
  /// `available`, `away`, `xa`, `dnd` or `chat`.
  package var show = "available"
  package var status = ""
  /// It was said by `connect` or `disconnect`, not by `presence`.
  package var isCommand = false

  package init(account: UInt32, connected: Bool = true, show: String = "available", status: String = "") {
    (self.account, self.connected, self.show, self.status) = (account, connected, show, status)
  }
}

extension AccountWish: FieldGroup {
  init() { self.init(account: 0) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "connected", &connected, "0 or 1")
    try fields.one(3, "show", &show)
    try fields.one(4, "status", if: !status.isEmpty, &status)
    try fields.flag(5, "command", &isCommand, "1: by `connect` or `disconnect`")
  }
}
