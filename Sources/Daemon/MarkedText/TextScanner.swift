import AddressPreparation
import XMPPCore

/// Goes through a text once, from mark to mark, behind the pass for styling.
struct TextScanner {
  let text: TextBytes
  private let marks: ByteSet
  private let emoticons: PhraseTable
  private let names: MentionTable
  private let styling: Styling
  private var found: FoundSpans
  /// Index of the range of code that comes next, or that the place is in.
  private var nextCode = 0
  /// Nothing that begins before this place is looked for: a link or an address ends there.
  private var taken = 0
  /// Behind the last name.
  private var nameEnd = 0
  /// Place of a `#` that begins a topic.
  private var topic: Int?
  /// Behind the last topic.
  private var topicEnd = 0
  /// Behind the last emoticon.
  private var emoticonEnd = 0

  init(_ text: TextBytes, _ marks: ByteSet, _ emoticons: PhraseTable, _ names: MentionTable, isStyled: Bool) {
    (self.text, self.marks, self.emoticons, self.names) = (text, marks.union(ByteSet([0x0A])), emoticons, names)
    styling = isStyled ? Styling(text) : Styling(unstyled: text)
    found = styling.found
  }

  var spans: [MarkedSpan] { found.spans(of: text) }

  mutating func scan() {
    var index = 0
    while index < text.count {
      if marks.contains(text[index]) {
        take(index)
        index = max(index + 1, taken)
      } else {
        index += 1
      }
    }
    endTopic()
  }

  private mutating func take(_ index: Int) {
    let isCode = isCode(index)
    switch text[index] {
    case UInt8(ascii: ":"): if takeLink(index) { return }
    case 0x0A: endTopic()
    case UInt8(ascii: "#") where !isCode: takeTopicMark(index)
    case UInt8(ascii: "@") where !isCode: takeMention(index)
    default: break
    }
    if isCode { return endTopic() }
    takeEmoticon(index)
    if names.starters.contains(text[index]) { takeName(index) }
  }

  private mutating func isCode(_ index: Int) -> Bool {
    while nextCode < styling.codes.count, styling.codes[nextCode].upperBound <= index { nextCode += 1 }
    return nextCode < styling.codes.count && styling.codes[nextCode].contains(index)
  }

  /// The start of the next code span, or the end of the text.
  private var nextCodeStart: Int { nextCode < styling.codes.count ? styling.codes[nextCode].lowerBound : text.count }

  private mutating func takeEmoticon(_ index: Int) {
    guard index >= emoticonEnd, emoticons.starters.contains(text[index]),
      let match = emoticons.longestMatch(in: text.bytes[index..<nextCodeStart])
    else { return }
    emoticonEnd = index + match.count
    found.add(index..<emoticonEnd, .emoticon, target: emoticons.target(match.index))
  }
}

// MARK: - Links

extension TextScanner {
  /// A link whose scheme ends with the colon at this place; false if there is none.
  private mutating func takeLink(_ colon: Int) -> Bool {
    guard let start = LinkFinder.schemeStart(before: colon, in: text), start >= taken,
      let end = LinkFinder.end(of: start, colon: colon, in: text, styling)
    else { return false }
    endTopic()
    found.removeMentionsAndEmoticons(endingBehind: start)
    found.add(start..<end, .link, target: text.text(start..<end))
    (taken, nameEnd, emoticonEnd) = (end, min(nameEnd, end), min(emoticonEnd, end))
    return true
  }
}

// MARK: - Topics

extension TextScanner {
  private mutating func takeTopicMark(_ index: Int) {
    guard index >= topicEnd else { return }
    if let start = topic, closesTopic(index, from: start) {
      topic = nil
      addTopic(start..<index + 1, words: start + 1..<index)
    } else {
      endTopic()
      if opensTopic(index) { topic = index }
    }
  }

  /// No letter or digit of its word stands before it, and it is no heading and no reference of HTML.
  private func opensTopic(_ index: Int) -> Bool {
    guard let before = text.scalar(before: index)?.scalar else { return true }
    return before != "#" && before != "&" && !WordBreaks.isPart(before)
  }

  /// `#several words#` end with the next `#` of the line, unless that begins another topic.
  private func closesTopic(_ index: Int, from start: Int) -> Bool {
    guard index > start + 1, !text.hasSpace(at: start + 1), let before = text.scalar(before: index)?.scalar,
      !before.properties.isWhitespace
    else { return false }
    return before.isTopicPart || !(text.scalar(at: index + 1)?.scalar.isTopicPart ?? false)
  }

  /// Ends a topic that no `#` has ended: it is the word, if that is more than a number.
  private mutating func endTopic() {
    guard let start = topic else { return }
    topic = nil
    var (end, isWord) = (start + 1, false)
    while let next = text.scalar(at: end), next.scalar.isTopicPart {
      isWord = isWord || !next.scalar.isNumberOrMark
      end = next.end
    }
    if isWord { addTopic(start..<end, words: start + 1..<end) }
  }

  private mutating func addTopic(_ range: Range<Int>, words: Range<Int>) {
    topicEnd = range.upperBound
    found.add(range, .topic, target: text.text(words))
  }
}

extension Unicode.Scalar {
  /// True for characters of a topic's words (UAX #31, hashtags, without emoji), and for joiners of Persian and Indic
  /// words.
  fileprivate var isTopicPart: Bool {
    if isASCII { return isWordByte }
    return properties.isXIDContinue || value == 0x200C || value == 0x200D
  }

  private var isWordByte: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  fileprivate var isNumberOrMark: Bool {
    switch properties.generalCategory {
    case .decimalNumber, .nonspacingMark, .enclosingMark, .connectorPunctuation, .format: true
    default: false
    }
  }
}

// MARK: - Mentions

extension TextScanner {
  /// An address around an `@`, or a name behind one.
  private mutating func takeMention(_ index: Int) {
    if let address = AddressFinder.address(around: index, from: taken, in: text) {
      found.removeMentions(endingBehind: address.range.lowerBound)
      found.add(address.range, .mention, target: address.jid)
      taken = address.range.upperBound
    } else if !names.isEmpty, !(text.scalar(before: index).map { WordBreaks.isPart($0.scalar) } ?? false),
      let match = names.match(in: text, at: index + 1)
    {
      addName(index..<match.end, match.target)
    }
  }

  private mutating func takeName(_ index: Int) {
    guard index >= nameEnd, let first = text.scalar(at: index)?.scalar else { return }
    if let before = text.scalar(before: index)?.scalar, before == "@" || WordBreaks.joins(before, first) { return }
    guard let match = names.match(in: text, at: index), !text.hasByte("@", at: match.end) else { return }
    addName(index..<match.end, match.target)
  }

  private mutating func addName(_ range: Range<Int>, _ target: String) {
    found.add(range, .mention, target: target)
    nameEnd = range.upperBound
  }
}
