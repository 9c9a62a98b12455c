/// The words that are mentions in rooms beside my nicks, of no account; replaces the record before.
package struct MentionWordsRecord: Sendable, Equatable {
  package var words: [String]

  package init(words: [String]) { self.words = words }
}

extension MentionWordsRecord: FieldGroup {
  init() { self.init(words: []) }

  mutating func visit<V: FieldVisitor & ~Copyable>(_ fields: inout V) throws(V.Failure) {
    try fields.many(1, "words", &words)
  }
}
