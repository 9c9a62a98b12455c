import Screen

/// The line above the input that shows its purpose: the message that is answered, or the text that is corrected.
enum PurposeLine {
  /// - Parameter key: what gives it up.
  static func line(_ purpose: WritingPurpose?, _ key: String, in context: LayoutContext) -> StyledLine {
    var line = LineBuilder(context)
    switch purpose {
    case .reply(_, let author, let text): add("Answering \(author); \(key) gives it up: ", text, to: &line)
    case .correction(_, let text): add("Correcting; \(key) gives it up: ", text, to: &line)
    case nil: break
    }
    return line.line
  }

  private static func add(_ words: String, _ text: String, to line: inout LineBuilder) {
    line.add(.prompt, " " + words, on: .input)
    line.add(.quote, text, on: .input)
  }
}
