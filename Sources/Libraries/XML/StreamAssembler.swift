/// Makes stream items of a parser's events, within limits. Only its parser's callbacks and its `StreamParser` use it.
struct StreamAssembler: ~Copyable {
  let limits: StreamLimits
  /// No stanza of fewer elements, attributes and runs of character data can be over the limits of their numbers.
  let safeNodes: Int
  /// The items since the caller last looked; `deliver` adds the complete stanzas.
  var items: [StreamItem] = []
  /// Whole stanzas that are no items yet: those that come together share their nodes.
  private var finished = Scratch<Finished>()
  /// Set by the parser that owns this.
  var context: LibXMLContext?
  /// Position behind the last event.
  private(set) var lastEvent = 0
  /// Position behind the last item, or white space between items.
  private(set) var boundary = 0
  /// The phase, which decides if events are still taken.
  private var phase = Phase.open
  /// Position behind the stream's own start tag; 0 while it has not come.
  private(set) var openingEnd = 0

  /// The name and the namespace of the stream's own start tag, by their places in the library's dictionary.
  private var streamName: (local: UInt, namespace: UInt)?

  var builder = XMLNodesBuilder()
  /// Open elements, the stream's own included.
  private(set) var depth = 0
  /// The report for the end of the present stanza; nil while it is within the limits.
  var refusal: RefusedStanza?
  /// True if `refusal` is set: checking this is cheaper, and every event checks it.
  var isRefused = false
  private var saidNamesExhausted = false
  /// The start tag being read declares a namespace wrongly: see `wrongDeclaration`.
  var isTagSpoiled = false
  var isStanzaSpoiled = false

  private enum Phase {
    case open
    /// With the last whole stanza the parser's dictionary went over its budget: what follows is for a new parser.
    case namesSpent
    /// A failure, or the end tag of the stream.
    case over
  }

  struct Finished: BitwiseCopyable {
    enum Kind: UInt8 { case stanza, answerBegins, answerPart }

    var root: Int32
    var wireBytes: Int32
    var kind = Kind.stanza
  }

  /// See `StreamParser.partedAnswerIDs`.
  var partedAnswerIDs: [String] = []
  /// The id of the present stanza, if it is such an answer.
  var partedID: String?
  var isParted: Bool { partedID != nil }
  /// The answer's start tag, once its first part has begun.
  var parted: RefusedStanza?

  /// No valid JID is longer; what is longer in a refused stanza is not worth keeping either.
  static let longestKept = 3071
  /// Bytes of the longest start of a stream that a new parser is given: some ten times those of a server's.
  static let longestOpening = 4 << 10

  init(limits: StreamLimits) {
    self.limits = limits
    safeNodes = min(limits.depth, limits.attributes, limits.children, limits.stanzaNames / 2)
  }

  /// Bytes of the present stanza held in memory.
  var heldBytes: Int { builder.heldBytes }

  /// Nothing more will be delivered.
  var isOver: Bool { phase == .over }

  /// Nothing behind the last whole stanza is taken any more: a new parser has to go on there.
  var areNamesSpent: Bool { phase == .namesSpent }

  /// Makes items of the stanzas that are whole.
  mutating func deliver() {
    guard finished.count > 0 else { return }
    let tree = builder.takeFinished()
    for index in 0..<finished.count {
      let stanza = finished[index]
      let element = Element(tree: tree, place: stanza.root, wireBytes: stanza.wireBytes)
      switch stanza.kind {
      case .stanza: items.append(.stanza(element))
      case .answerBegins: items.append(.answerBegins(element))
      case .answerPart: items.append(.answerPart(element))
      }
    }
    finished.cut(to: 0)
  }

  private mutating func deliver(_ item: StreamItem) {
    deliver()
    items.append(item)
  }

  mutating func fail(_ failure: XMLFailure) {
    guard !isOver else { return }
    phase = .over
    builder.dropStanza()
    deliver(.failed(failure))
  }

  /// XML that XMPP forbids (RFC 6120, section 11.1): nothing more is parsed, not even the rest of the chunk.
  mutating func restricted(_ what: String) {
    guard phase == .open else { return }
    fail(.restricted(what))
    context?.stop()
  }

  /// A start tag binds the namespace of `xml:` to something else, that prefix to another namespace, or a prefix to
  /// none. The library drops the declaration and goes on.
  ///
  /// The stanza is refused and the stream goes on: some servers write just that where somebody sent `<xml:x/>` or
  /// `<x xml:y=''/>`, so that anybody who may write to us could end every stream of ours with it.
  mutating func wrongDeclaration() {
    if depth == 0 { fail(.badNamespacePrefix) } else { isTagSpoiled = true }
  }

  /// True if a prefix may be unbound because the declaration that bound it was dropped.
  var forgivesPrefixes: Bool { isTagSpoiled || isStanzaSpoiled }

  @inline(__always)
  mutating func beginElement(
    _ local: DictionaryString, _ namespace: DictionaryString, _ attributes: AttributeList,
    _ declarations: NamespaceList
  ) {
    guard phase == .open else { return }
    noteEvent()
    depth += 1
    if depth == 1 { return openStream(local, namespace, attributes, declarations) }
    if depth == 2 || isParted, !isWanted(local, namespace, attributes) { return }
    if isSurelyWithinLimits(attributes) || isTaken(local, namespace, attributes) {
      builder.openElement(local, namespace, attributes, context)
    }
  }

  @inline(__always)
  mutating func text(_ text: BorrowedBytes) {
    guard phase == .open else { return }
    noteEvent()
    if depth < 2 { return noteBetweenStanzas(text) }
    guard !isRefused, builder.depth > 0 else { return }
    guard isWithinSize else { return refuseOpenStanza(Self.sizeReason) }
    builder.appendText(text)
  }

  private mutating func noteBetweenStanzas(_ text: BorrowedBytes) {
    boundary = lastEvent
    if !text.isWhitespace { fail(.textBetweenStanzas) }
  }

  @inline(__always)
  mutating func endElement() {
    guard phase == .open else { return }
    noteEvent()
    depth -= 1
    guard depth > 0 else { return finishStream() }
    if !isRefused { builder.closeElement() }
    if depth == 1 { finishStanza() } else if isParted, depth == 3 { finishPart() }
  }

  @inline(__always)
  private mutating func noteEvent() { lastEvent = context?.position ?? lastEvent }
}

// MARK: The stream and its children

extension StreamAssembler {
  private mutating func openStream(
    _ local: DictionaryString, _ namespace: DictionaryString, _ attributes: AttributeList,
    _ declarations: NamespaceList
  ) {
    boundary = lastEvent + 1  // The tag's own ">" is still to come.
    openingEnd = boundary
    streamName = (local.identity, namespace.identity)
    let limit = Self.longestKept
    deliver(
      .header(
        StreamHeader(
          local: local.bytes.string(atMost: limit) ?? "",
          streamNamespace: namespace.bytes.string(atMost: limit) ?? "",
          namespace: declarations.defaultNamespace?.bytes.string(atMost: limit) ?? "",
          from: attributes.find("from", atMost: limit), to: attributes.find("to", atMost: limit),
          id: attributes.find("id", atMost: limit), version: attributes.find("version", atMost: limit),
          language: attributes.find("lang", namespace: "http://www.w3.org/XML/1998/namespace", atMost: limit))))
  }

  /// Takes the start of a stanza, or of an element of an answer in parts; true if it is kept.
  @inline(never)
  private mutating func isWanted(
    _ local: DictionaryString, _ namespace: DictionaryString, _ attributes: AttributeList
  ) -> Bool {
    guard depth == 2 else { return isOfPart() }
    partedID = partedAnswerIDs.isEmpty ? nil : partedAnswerID(local, attributes)
    if isStream(local, namespace) { fail(.nestedStream) }
    return !isOver
  }

  /// True if an element has the name of the stream itself.
  private func isStream(_ local: DictionaryString, _ namespace: DictionaryString) -> Bool {
    streamName.map { $0.local == local.identity && $0.namespace == namespace.identity } ?? false
  }

  private mutating func finishStream() {
    phase = .over
    deliver(.end)
  }

  private mutating func finishStanza() {
    isStanzaSpoiled = false
    let size = lastEvent - boundary
    boundary = lastEvent
    if isRefused || isParted || size > limits.stanzaBytes {
      finishUnusually(size: size)
    } else {
      finish(.stanza, size: size)
    }
    noteNames()
  }

  /// Ends a stanza that is refused, too long, or delivered in parts.
  @inline(never)
  private mutating func finishUnusually(size: Int) {
    let (limit, begun) = (sizeLimit, parted)
    // Only one answer is delivered in parts for each request.
    if isParted {
      partedAnswerIDs.removeAll { $0 == partedID }
      (partedID, parted) = (nil, nil)
    }
    if isRefused, var refused = refusal {
      refused.bytes = size
      (refusal, isRefused) = (nil, false)
      deliver(.refused(refused))
    } else if size > limit {
      let refused = describedStanza(size: size, begun)
      builder.dropStanza()
      deliver(.refused(refused))
    } else if begun != nil {
      deliver(.answerEnds)
    } else {
      finish(.stanza, size: size)
    }
  }

  /// Finishes the builder's complete element.
  mutating func finish(_ kind: Finished.Kind, size: Int) {
    finished.append(
      Finished(root: Int32(clamping: builder.root), wireBytes: Int32(clamping: size), kind: kind))
    builder.endStanza()
  }

  private mutating func noteNames() {
    if builder.hasManyNames {
      deliver()
      builder.forgetNames()
    }
    guard let context, context.nameCount > limits.names || context.nameBytes > limits.nameBytes else { return }
    if openingEnd <= Self.longestOpening { phase = .namesSpent } else { sayNamesAreSpent() }
  }

  /// Says, once, that there can be no new parser for this stream.
  private mutating func sayNamesAreSpent() {
    guard !saidNamesExhausted else { return }
    saidNamesExhausted = true
    deliver(.namesExhausted)
  }
}
