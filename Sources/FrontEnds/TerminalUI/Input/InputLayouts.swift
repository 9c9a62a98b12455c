import ConfabClient
import Screen

/// The inputs as they were laid out last: a frame asks for each several times.
final class InputLayouts {
  /// Everything that a layout depends on.
  private struct Source: Equatable {
    let input: TextInput
    let wrong: [Range<Int>]
    let width: Int
    let context: LayoutContext
  }

  private var made: [ConversationKey: (source: Source, columns: LetterColumns, layout: InputLayout)] = [:]

  func layout(
    _ input: TextInput, wrong: [Range<Int>], width: Int, in context: LayoutContext, of key: ConversationKey
  ) -> InputLayout {
    let source = Source(input: input, wrong: wrong, width: width, context: context)
    if let known = made[key], known.source == source { return known.layout }
    var columns = made.removeValue(forKey: key)?.columns ?? LetterColumns(context.rules)
    let layout = InputLayout(
      input, columns: columns.measure(input.letters, context.rules), wrong: wrong, width: width,
      style: context.scheme[.input], in: context)
    made[key] = (source, columns, layout)
    return layout
  }
}

extension InputLayout {
  /// An input that is laid out once.
  init(_ input: TextInput, width: Int, style: Style, in context: LayoutContext) {
    var columns = LetterColumns(context.rules)
    let measured = columns.measure(input.letters, context.rules)
    self.init(input, columns: measured, width: width, style: style, in: context)
  }
}
