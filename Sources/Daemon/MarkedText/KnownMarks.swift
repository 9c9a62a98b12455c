/// Emoticons and names that have a meaning in the texts of a conversation, besides links and styling.
package struct KnownMarks: Sendable {
  let emoticons: PhraseTable
  let names: MentionTable

  /// - Parameters:
  ///   - emoticons: the known codes, with what they stand for.
  ///   - names: those whose mention counts, each with its JID or nick.
  package init(emoticons: PhraseTable, names: [(name: String, target: String)]) {
    (self.emoticons, self.names) = (emoticons, MentionTable(names))
  }

  /// - Parameter isStyled: whether the marks of XEP-0393 mean something.
  package func spans(of text: String, isStyled: Bool) -> [MarkedSpan] {
    MarkedText.spans(of: text, emoticons: emoticons, names: names, isStyled: isStyled)
  }
}
