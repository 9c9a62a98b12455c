/// Parses one XML stream as its bytes arrive (RFC 6120, sections 4 and 11), within limits.
///
/// Hostile input costs bounded memory and ends in an item, never in a crash. One parser is for one stream: each stream
/// restart needs a new one. Not thread-safe.
package final class StreamParser {
  private let parser: LibXMLParser
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

  package init(limits: StreamLimits = .authenticated) {
    parser = LibXMLParser(limits: limits)
  }

  /// What holds from the next stanza on.
  package var limits: StreamLimits {
    get { parser.state.limits }
    set { parser.state.limits = newValue }
  }

  /// Bytes fed that belong to no item delivered so far, white space between stanzas excepted.
  package var pendingBytes: Int { fed - parser.state.boundary }

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
      rest = rest.dropFirst(Self.chunk)
      fed += chunk.count
      parser.parse(chunk.span)
      checkToken()
    }
  }

  /// What has begun and brings no event, such as a tag, is bounded in size and in work.
  private func checkToken() {
    let size = fed - parser.state.lastEvent
    looked = size <= Self.chunk ? 0 : looked + size
    if size > parser.state.limits.tokenBytes || looked > Self.mostLooked {
      parser.state.fail(.tooLarge("a tag, an attribute or a comment without end"))
    }
  }
}
