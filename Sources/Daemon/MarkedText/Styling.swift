/// Finds the blocks of a text (XEP-0393): quotations, preformatted text, and lines, in which it finds spans.
struct Styling {
  /// Quotations in quotations; further marks are text.
  private static let quoteLimit = 32
  private static let fence = "```" as StaticString

  let text: TextBytes
  private(set) var found = FoundSpans()
  /// Ranges of code and preformatted text, sorted.
  private(set) var codes: [Range<Int>] = []
  /// Closing directives, sorted, with the places of the opening ones.
  private(set) var closings: [(place: Int, opening: Int)] = []
  /// Starts of the quotations that are open, the outer one first.
  private var quotes: [Int] = []
  /// Start of the preformatted text that is open.
  private var preformatted: Int?
  private var lastLineEnd = 0

  /// - Parameter text: one in which no mark means anything.
  init(unstyled text: TextBytes) { self.text = text }

  init(_ text: TextBytes) {
    self.text = text
    var start = 0
    while start < text.count {
      let end = text.lineEnd(start)
      takeLine(start..<end)
      lastLineEnd = end
      start = end + 1
    }
    closeQuotes(to: 0)
    closePreformatted(at: lastLineEnd)
    closings.sort { $0.place < $1.place }
  }

  private mutating func takeLine(_ line: Range<Int>) {
    let start = takeQuoteMarks(line)
    let isFence = start + 3 <= line.upperBound && text.equals(Self.fence, at: start..<start + 3)
    if preformatted != nil {
      if isFence, start + 3 == line.upperBound { closePreformatted(at: line.upperBound) }
    } else if isFence {
      preformatted = start
    } else {
      takeSpans(start..<line.upperBound)
    }
  }

  /// Opens and ends quotations by the marks at the start of a line; where the rest of it begins.
  private mutating func takeQuoteMarks(_ line: Range<Int>) -> Int {
    var (index, depth) = (line.lowerBound, 0)
    let limit = preformatted == nil ? Self.quoteLimit : quotes.count
    while depth < limit, index < line.upperBound, text.hasByte(">", at: index) {
      if depth == quotes.count { quotes.append(index) }
      depth += 1
      index += 1
      if index < line.upperBound, let (scalar, end) = text.scalar(at: index), scalar.properties.isWhitespace {
        index = end
      }
    }
    if depth < quotes.count { closeQuotes(to: depth) }
    return index
  }

  /// Ends the quotations deeper than this, and what is open in them.
  private mutating func closeQuotes(to depth: Int) {
    if !quotes.isEmpty { closePreformatted(at: lastLineEnd) }
    while quotes.count > depth, let start = quotes.popLast() { found.add(start..<lastLineEnd, .quote) }
  }

  private mutating func closePreformatted(at end: Int) {
    guard let start = preformatted else { return }
    preformatted = nil
    codes.append(start..<end)
    found.add(start..<end, .preformatted)
  }

  private mutating func takeSpans(_ line: Range<Int>) {
    guard text.bytes[line].contains(where: InlineStyles.marks.contains) else { return }
    for span in InlineStyles.spans(of: text, in: line) {
      found.add(span.range, span.kind)
      if span.kind == .code { codes.append(span.range) }
      closings.append((span.range.upperBound - 1, span.range.lowerBound))
    }
  }

  /// True if the directive at this place closes one that was opened before `start`.
  func closes(_ place: Int, before start: Int) -> Bool {
    var (low, high) = (0, closings.count)
    while low < high {
      let middle = (low + high) / 2
      if closings[middle].place < place { low = middle + 1 } else { high = middle }
    }
    return low < closings.count && closings[low].place == place && closings[low].opening < start
  }
}
