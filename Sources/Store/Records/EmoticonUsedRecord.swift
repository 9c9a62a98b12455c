/// An emoticon was used, by any account: it is the newest of the recent ones.
package struct EmoticonUsedRecord: Sendable, Equatable {
  package var code: String

  package init(code: String) { self.code = code }
}

extension EmoticonUsedRecord: FieldGroup {
  init() { self.init(code: "") }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.one(2, "code", &code)
  }
}
