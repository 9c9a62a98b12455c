/// Parses one XML stream as its bytes arrive (RFC 6120, sections 4 and 11), within limits.
///
/// Hostile input costs bounded memory and ends in an item, never in a crash. One parser is for one stream: each stream
/// restart needs a new one. Not thread-safe.
package final class StreamParser {
  private var parser: LibXMLParser
  /// The beginning of the stream, up to the end of its own start tag; nil if it is too long to be kept.
  private var opening: [UInt8]? = []
  /// Nil once the start of the stream has been judged.
  private var prologue: StreamPrologue? = StreamPrologue()
  /// Bytes given to the library.
  private var fed = 0

  /// Bytes that the library has looked at again because a tag was not complete, since the last event.
  private var looked = 0

  /// It looks at a tag from its start each time that a piece of it comes: about half a second for each GiB.
  private static let mostLooked = 2 << 30
  /// The library is asked to look at no more than this at once, so that a stop comes soon.
  private static let chunk = 16 << 10

  private let limits: StreamLimits

  package init(limits: StreamLimits = .authenticated) {
    self.limits = limits
    parser = LibXMLParser(limits: limits)
  }

  /// Bytes fed that belong to no item delivered so far, white space between stanzas excepted.
  package var pendingBytes: Int { fed - parser.state.boundary }

  /// The ids of answers (iqs of the type `result`) that are delivered in parts, so that they may be large and are never
  /// held whole. A second answer with an id is delivered whole.
  package var partedAnswerIDs: [String] = [] {
    didSet { parser.state.partedAnswerIDs = partedAnswerIDs }
  }

  /// Distinct strings in the library's dictionary.
  var nameCount: Int { parser.state.context?.nameCount ?? 0 }

  /// Bytes of the present stanza's text, names and values that are held.
  var heldBytes: Int { parser.state.heldBytes }

  /// Takes the next bytes of the stream and appends what they complete. After the stream's end or failure, which are
  /// items themselves, bytes are ignored.
  package func feed(_ bytes: [UInt8], into items: inout [StreamItem]) { feed(bytes[...], into: &items) }

  /// Takes the next bytes of the stream and appends what they complete.
  package func feed(_ bytes: ArraySlice<UInt8>, into items: inout [StreamItem]) {
    // The caller's array is moved in and out, not copied.
    swap(&parser.state.items, &items)
    defer { swap(&parser.state.items, &items) }
    guard !parser.state.isOver else { return }
    guard var start = prologue else { return parse(bytes) }
    prologue = nil
    switch start.feed(bytes) {
    case .undecided: prologue = start
    case .accepted(let held): parse(held[...])
    case .refused(let failure): parser.state.fail(failure)
    }
  }

  private func parse(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty, !parser.state.isOver {
      let chunk = rest.prefix(Self.chunk)
      fed += chunk.count
      let isOpen = parser.state.openingEnd > 0
      parser.parse(chunk.span)
      parser.state.deliver()
      if !isOpen { keepOpening(chunk) }
      let unread = parser.state.areNamesSpent ? pendingBytes : 0
      rest = rest.dropFirst(chunk.count - unread)
      if parser.state.areNamesSpent { renew() }
      checkToken()
    }
  }

  private func keepOpening(_ chunk: ArraySlice<UInt8>) {
    opening?.append(contentsOf: chunk)
    let end = parser.state.openingEnd
    if end > 0, let all = opening { opening = Array(all.prefix(end)) }
    if opening?.count ?? 0 > StreamAssembler.longestOpening { opening = nil }
  }

  /// The budget of names is spent, and the library's dictionary never shrinks: a new parser goes on behind the last whole
  /// stanza, on a stream that begins as this one did. So it does not matter how the bytes came.
  private func renew() {
    guard let opening, let fresh = Self.parser(behind: opening, limits) else { return parser.state.fail(.noMemory) }
    swap(&parser.state.items, &fresh.state.items)
    fresh.state.partedAnswerIDs = partedAnswerIDs
    parser = fresh
    fed = opening.count
  }

  /// A parser that has read a stream's start tag and nothing more.
  private static func parser(behind opening: [UInt8], _ limits: StreamLimits) -> LibXMLParser? {
    let parser = LibXMLParser(limits: limits)
    parser.parse(opening.span)
    guard parser.state.openingEnd == opening.count, parser.state.items.count == 1 else { return nil }
    parser.state.items = []
    return parser
  }

  /// Bounds the size and the work of an unfinished token, such as a tag, which brings no event yet.
  private func checkToken() {
    let size = fed - parser.state.lastEvent
    looked = size <= Self.chunk ? 0 : looked + size
    if size > parser.state.limits.tokenBytes || looked > Self.mostLooked {
      parser.state.fail(.tooLarge("a tag, an attribute or a comment without end"))
    }
  }
}
