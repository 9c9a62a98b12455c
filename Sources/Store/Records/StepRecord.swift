/// A step of the encryption without a message: keys of this device, an answer that shows nothing, a receipt.
package struct StepRecord: Sendable, Equatable {
  package var account: UInt32
  package var step: ContentStep

  package init(account: UInt32, _ step: ContentStep) { (self.account, self.step) = (account, step) }
}

extension StepRecord: FieldGroup {
  init() { self.init(account: 0, ContentStep()) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(1, "account", &account)
    try fields.one(2, "step", &step)
  }
}
