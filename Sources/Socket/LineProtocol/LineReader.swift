/// One result of reading a connection: each is answered with exactly one final line.
package enum LineItem: Equatable, Sendable {
  case request(Request)
  case failure(RequestFailure)
}

/// Cuts a client's bytes into requests: framing, limits, `until=` blocks, and both forms of requests.
///
/// Pure, one per connection. Bytes go in by `append` in any pieces; `next` gives one item after the other, so that its
/// owner can stop between two. Holds at most what was appended and not yet taken, one line and one text.
package struct LineReader: Sendable {
  private var buffer: [UInt8] = []
  /// First byte not yet consumed.
  private var head = 0
  /// The offset before which there is no LF after `head`.
  private var scanned = 0
  /// Set while a line over the limit is dropped.
  private var overlong: LeadingWords?
  /// Set while the lines of a text come in.
  private var block: RequestBlock?
  private var hasEnded = false
  private let rights: Rights

  /// - Parameter rights: a verb that these do not know is refused before the rest of its line is looked at.
  package init(rights: Rights = .full) { self.rights = rights }

  /// Takes bytes as they came.
  package mutating func append(_ bytes: [UInt8]) {
    compact()
    if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
  }

  /// The client closed its writing side: nothing more will be appended. `next` then tells of what was cut off.
  package mutating func end() {
    hasEnded = true
  }

  /// True if everything appended has been taken; false if a partial line is held.
  package var isEmpty: Bool { head == buffer.count && overlong == nil && block == nil }

  /// Bytes held between calls, without what `next` has not been asked for yet; for bounds and their tests.
  package var heldBytes: Int { buffer.count - head + (block?.heldBytes ?? 0) }

  /// The next request or failure; nil until more is appended.
  package mutating func next() -> LineItem? {
    while let end = buffer[max(head, scanned)...].firstIndex(of: 0x0A) {
      let line = buffer[head..<end]
      head = end + 1
      scanned = head
      if let item = take(line) { return item }
    }
    scanned = buffer.count
    dropOverlong()
    return hasEnded ? cutOff() : nil
  }

  /// Takes bytes that descriptors came with.
  ///
  /// - Returns: which of the items to come, from 0, the descriptors belong to: the last request that takes some and has
  ///   its LF among these bytes, or else the one whose line goes on behind them; nil if there is none.
  package mutating func appendWithDescriptors(_ bytes: [UInt8]) -> Int? {
    let earlier = countedItems().count
    append(bytes)
    let (count, index, isWhole) = countedItems()
    if let index, index >= earlier { return index }
    return isWhole ? nil : count
  }

  /// Counts the items that are there without taking them.
  private func countedItems() -> (count: Int, lastTaking: Int?, isWhole: Bool) {
    var probe = self
    var (count, index) = (0, Int?.none)
    while let item = probe.next() {
      if case .request(let request) = item, request.row.descriptors.upperBound > 0 { index = count }
      count += 1
    }
    return (count, index, probe.isEmpty)
  }

  /// Appends, and collects all items there are.
  package mutating func feed(_ bytes: some Collection<UInt8>, into items: inout [LineItem]) {
    append(Array(bytes))
    while let item = next() { items.append(item) }
  }
}

// MARK: - Lines

extension LineReader {
  /// A whole line, or the rest of one that is being dropped.
  private mutating func take(_ rest: ArraySlice<UInt8>) -> LineItem? {
    if overlong == nil, rest.count <= Limits.line {
      return block == nil ? takeRequest(rest) : takeText(rest)
    }
    var words = overlong ?? LeadingWords(ofLineStartingWith: rest.first)
    words.feed(rest)
    words.endLine()
    overlong = nil
    return takeOverlong(words)
  }

  private mutating func takeText(_ line: ArraySlice<UInt8>) -> LineItem? {
    block?.take(line) == true ? endBlock() : nil
  }

  private mutating func takeRequest(_ whole: ArraySlice<UInt8>) -> LineItem? {
    let line = whole.last == 0x0D ? whole.dropLast() : whole
    guard let first = line.first else { return nil }
    var words = LeadingWords(ofLineStartingWith: first)
    words.feed(line)
    words.endLine()
    guard let text = String(validating: line, as: UTF8.self) else {
      return refuse(RequestFailure(.badEncoding, "the line is not UTF-8"), words)
    }
    guard let until = words.until else { return item(text, block: nil, words.readTag) }
    block = RequestBlock(
      origin: .line(Array(line)), tag: words.readTag, terminator: until, dropsReturns: line.count < whole.count)
    return nil
  }

  private func item(_ line: String, block: Result<String, RequestFailure>?, _ tag: RequestTag?) -> LineItem {
    LineItem(RequestParser.parse(line: line, block: block, rights: rights), tag)
  }

  private mutating func takeOverlong(_ words: LeadingWords) -> LineItem? {
    guard block == nil else {
      block?.takeOverlong()
      return nil
    }
    return refuse(RequestFailure(.lineTooLong, "the line is longer than \(Limits.line) bytes"), words)
  }

  /// A line that is wrong as a whole: answered now, or after its block.
  private mutating func refuse(_ failure: RequestFailure, _ words: LeadingWords) -> LineItem? {
    let tagged = failure.tagged(words.readTag)
    guard let until = words.until else { return .failure(tagged) }
    block = RequestBlock(origin: .failure(tagged), tag: tagged.tag, terminator: until, dropsReturns: false)
    return nil
  }

  private mutating func endBlock() -> LineItem? {
    guard let ended = block.take() else { return nil }
    switch ended.origin {
    case .failure(let failure): return .failure(failure)
    case .line(let line):
      let parsed = Result { () throws(RequestFailure) in try ended.finished() }
      return item(String(decoding: line, as: UTF8.self), block: parsed, ended.tag)
    }
  }
}

// MARK: - Bounds and the end

extension LineReader {
  /// Lets go of a line that is over the limit already, remembering what it asked for in front.
  private mutating func dropOverlong() {
    guard overlong != nil || buffer.count - head > Limits.line else { return }
    var words = overlong ?? LeadingWords(ofLineStartingWith: buffer[head...].first)
    words.feed(buffer[head...])
    overlong = words
    head = buffer.count
  }

  /// At the end of input: what was begun and not ended is answered once and not done.
  private mutating func cutOff() -> LineItem? {
    let reason = "the input ended inside the request"
    defer { (buffer, head, scanned, overlong, block) = ([], 0, 0, nil, nil) }
    if let block { return .failure(RequestFailure(.incomplete, reason, tag: block.tag)) }
    guard overlong != nil || head < buffer.count else { return nil }
    var words = overlong ?? LeadingWords(ofLineStartingWith: buffer[head...].first)
    words.feed(buffer[head...])
    return .failure(RequestFailure(.incomplete, reason, tag: words.readTag))
  }

  /// Frees what has been consumed.
  private mutating func compact() {
    guard head > 0 else { return }
    if head == buffer.count {
      buffer = []
    } else {
      buffer.removeSubrange(..<head)
    }
    scanned -= head
    head = 0
  }
}

extension LeadingWords {
  /// The tag, where its bytes are UTF-8.
  var readTag: RequestTag? {
    tag.flatMap { String(validating: $0, as: UTF8.self) }.map(RequestTag.string)
  }
}

extension LineItem {
  fileprivate init(_ result: Result<Request, RequestFailure>, _ tag: RequestTag?) {
    switch result {
    case .success(let request): self = .request(request)
    case .failure(let failure): self = .failure(failure.tagged(tag))
    }
  }
}
