import ConfabClient
import Screen

/// The text of a message as it is shown: the subject above it, emoticons as what they stand for, the author's name in an
/// action, a sentence for a message that was retracted.
struct RowText {
  private(set) var text: String
  /// Sorted, apart from each other, in Unicode scalars of `text`.
  private(set) var spans: [TextSpan] = []

  /// - Parameters:
  ///   - name: of the author, for people.
  ///   - opener: what opens a spoiler, for people; nil: it is open.
  init(_ message: MessageRow, name: String, opener: String?) {
    let name = Self.oneLine(name)
    if let words = message.retractionWords(name) {
      text = Self.oneLine(words)
      spans = [TextSpan(0..<text.unicodeScalars.count, .faint)]
      return
    }
    if message.isEvent || message.isIgnored || message.details.seal.isUnreadable {
      text = Self.oneLine(message.text)
      spans = [TextSpan(0..<text.unicodeScalars.count, .faint)]
      return
    }
    if let hint = message.details.spoiler, let opener {
      text = MessageRow.spoilerWords(Self.oneLine(hint), opener)
      spans = [TextSpan(0..<text.unicodeScalars.count, .faint)]
      return
    }
    let replaced = ReplacedText(ShownText.marked(message.text), Self.replacements(message, name))
    let subject = Self.subject(message)
    text = subject.map { $0 + (message.text.isEmpty ? "" : "\n" + replaced.text) } ?? replaced.text
    spans = Self.marks(message, subject.map { $0.unicodeScalars.count } ?? 0, replaced).spans
  }

  private static func replacements(_ message: MessageRow, _ name: String) -> [(range: Range<Int>, text: String)] {
    (message.details.isAction ? [(0..<4, "* \(name) ")] : []) + message.emoticons
  }

  private static func subject(_ message: MessageRow) -> String? {
    message.subject.flatMap { $0.isEmpty ? nil : oneLine($0) }
  }

  private static func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

  /// - Parameter lead: scalars of the subject; 0: there is none.
  private static func marks(_ message: MessageRow, _ lead: Int, _ replaced: ReplacedText) -> MarkedRanges {
    let offset = lead > 0 ? lead + 1 : 0
    var marks = MarkedRanges()
    marks.add(0..<lead, .subject)
    func add(_ range: Range<Int>, _ mark: TextMark) {
      let new = replaced.position(of: range)
      marks.add(new.lowerBound + offset..<new.upperBound + offset, mark)
    }
    for hit in message.hits { add(hit, .hit) }
    for span in message.details.spans where span.emoticon == nil {
      add(span.range, TextMark(span.kind))
    }
    if message.details.spans.isEmpty { for link in ShownLinks.links(in: message.text) { add(link, .link) } }
    return marks
  }
}
