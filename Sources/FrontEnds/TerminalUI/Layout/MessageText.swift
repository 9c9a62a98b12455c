import Screen

/// The text of a message as it is shown: the subject above it, emoticons as what they stand for, the author's name in an
/// action, a sentence for a message that was retracted.
struct MessageText {
  private(set) var text: String
  /// Sorted, apart from each other, in Unicode scalars of `text`.
  private(set) var spans: [TextSpan] = []

  /// - Parameters:
  ///   - name: of the author, for people.
  ///   - opener: what opens a spoiler, for people; nil: it is open.
  init(_ message: MessageRow, name: String, opener: String?) {
    let name = Self.oneLine(name)
    if let retraction = message.details.retraction {
      text = Self.words(retraction, message, name)
      spans = [TextSpan(0..<text.unicodeScalars.count, .faint)]
      return
    }
    if let hint = message.details.spoiler, let opener {
      text = Self.closed(hint, opener)
      spans = [TextSpan(0..<text.unicodeScalars.count, .faint)]
      return
    }
    let replaced = ReplacedText(ShownText.marked(message.text), Self.replacements(message, name))
    let subject = Self.subject(message)
    text = subject.map { $0 + (message.text.isEmpty ? "" : "\n" + replaced.text) } ?? replaced.text
    spans = Self.marks(message, subject.map { $0.unicodeScalars.count } ?? 0, replaced).spans
  }

  /// Words in place of a spoiler.
  private static func closed(_ hint: String, _ opener: String) -> String {
    "(spoiler" + (hint.isEmpty ? "" : ": \(oneLine(hint))") + (opener.isEmpty ? "" : "; \(opener)") + ")"
  }

  private static func replacements(_ message: MessageRow, _ name: String) -> [(range: Range<Int>, text: String)] {
    let action = message.details.isAction ? [(0..<4, "* \(name) ")] : []
    return action
      + message.details.spans.compactMap { span in
        span.kind == .emoticon ? shown(span).map { (span.range, $0) } : nil
      }
  }

  private static func subject(_ message: MessageRow) -> String? {
    message.subject.flatMap { $0.isEmpty ? nil : oneLine($0) }
  }

  private static func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

  /// The characters that an emoticon stands for; nil if that is a picture.
  private static func shown(_ span: MarkedSpan) -> String? {
    span.target.isEmpty || span.target.hasPrefix("/") || span.target.utf8.count > 64 ? nil : span.target
  }

  private static func words(_ retraction: Retraction, _ message: MessageRow, _ name: String) -> String {
    let isOwn = retraction.by.isEmpty || retraction.by.prefix { $0 != "/" } == message.bareSender
    let who = message.isMine && isOwn ? "You" : isOwn ? name : retraction.by
    return oneLine("\(who) retracted this message" + (retraction.reason.isEmpty ? "." : ": \(retraction.reason)"))
  }

  /// - Parameter lead: scalars of the subject; 0: there is none.
  private static func marks(_ message: MessageRow, _ lead: Int, _ replaced: ReplacedText) -> MarkedRanges {
    let offset = lead > 0 ? lead + 1 : 0
    var marks = MarkedRanges()
    marks.add(0..<lead, .subject)
    func add(_ range: Range<Int>, _ mark: TextMark) {
      let place = replaced.place(of: range)
      marks.add(place.lowerBound + offset..<place.upperBound + offset, mark)
    }
    for hit in message.hits { add(hit, .hit) }
    for span in message.details.spans where span.kind != .emoticon || shown(span) == nil {
      add(span.range, TextMark(span.kind))
    }
    if message.details.spans.isEmpty { for link in ShownLinks.links(in: message.text) { add(link, .link) } }
    return marks
  }
}

/// A text of which parts were replaced, and where the rest of it stands since.
private struct ReplacedText {
  private(set) var text: String
  private var moves: [Move] = []

  private struct Move {
    let old: Range<Int>
    let new: Range<Int>
  }

  /// - Parameter replacements: sorted, in Unicode scalars; those that overlap one before are left out.
  init(_ text: String, _ replacements: [(range: Range<Int>, text: String)]) {
    self.text = text
    guard !replacements.isEmpty else { return }
    let source = Array(text.unicodeScalars)
    var shown: [Unicode.Scalar] = []
    for replacement in replacements {
      let start = moves.last?.old.upperBound ?? 0
      guard replacement.range.lowerBound >= start, replacement.range.upperBound <= source.count else { continue }
      shown += source[start..<replacement.range.lowerBound]
      let place = shown.count
      shown += replacement.text.unicodeScalars
      moves.append(Move(old: replacement.range, new: place..<shown.count))
    }
    shown += source[(moves.last?.old.upperBound ?? 0)...]
    self.text = String(String.UnicodeScalarView(shown))
  }

  /// Returns the range in this text of a range of the original text; of a replaced part, all of it.
  func place(of range: Range<Int>) -> Range<Int> {
    guard !moves.isEmpty, !range.isEmpty else { return range }
    let first = move(endingBehind: range.lowerBound)
    let last = move(endingBehind: range.upperBound - 1)
    let start = first.map { $0.old.lowerBound <= range.lowerBound ? $0.new.lowerBound : nil } ?? nil
    let end = last.map { $0.old.lowerBound < range.upperBound ? $0.new.upperBound : nil } ?? nil
    return (start ?? moved(range.lowerBound))..<(end ?? moved(range.upperBound))
  }

  /// A place outside of what was replaced.
  private func moved(_ offset: Int) -> Int {
    let index = firstIndex(endingBehind: offset)
    return index > 0 ? offset + moves[index - 1].new.upperBound - moves[index - 1].old.upperBound : offset
  }

  private func move(endingBehind offset: Int) -> Move? {
    let index = firstIndex(endingBehind: offset)
    return index < moves.count ? moves[index] : nil
  }

  private func firstIndex(endingBehind offset: Int) -> Int {
    var (low, high) = (0, moves.count)
    while low < high {
      let middle = (low + high) / 2
      if moves[middle].old.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
