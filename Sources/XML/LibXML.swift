import CLibXML2

// The one file that touches libxml2: its context, its callbacks, and its pointers.

/// Bytes of libxml2's, borrowed for the length of one callback: they are copied or looked at, never kept.
@safe struct BorrowedBytes {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// Whether `&` stands here as `&#38;`. That is how the library hands out the values of attributes, namespaces among
  /// them, unless it is told to replace entities, which it must not be; every other reference is replaced.
  private let isEscaped: Bool

  init(_ start: UnsafePointer<UInt8>?, _ count: Int, isEscaped: Bool) {
    unsafe bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : max(count, 0))
    self.isEscaped = isEscaped
  }

  var isEmpty: Bool { unsafe bytes.isEmpty }

  /// How many there are, before what is escaped is not any more.
  var count: Int { unsafe bytes.count }

  /// Appends the bytes; fewer than there are here, where something was escaped.
  func append(to array: inout [UInt8]) {
    guard isEscaped, unsafe confab_xml_contains(bytes.baseAddress, bytes.count, UInt8(ascii: "&")) != 0 else {
      return unsafe array.append(contentsOf: bytes)
    }
    var index = 0
    while unsafe index < bytes.count {
      unsafe array.append(bytes[index])
      index += unsafe bytes[index] == UInt8(ascii: "&") ? "&#38;".utf8.count : 1
    }
  }

  /// Where in it other bytes stand; nil where they do not.
  @inline(__always)
  func place(of begin: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Range<Int>? {
    guard let start = unsafe bytes.baseAddress, unsafe begin >= start, unsafe begin <= end,
      unsafe end <= start + bytes.count
    else { return nil }
    return unsafe (begin - start)..<(end - start)
  }

  /// Decoded, where it is no longer than this.
  func string(atMost limit: Int) -> String? {
    guard unsafe bytes.count <= limit else { return nil }
    var copy: [UInt8] = []
    append(to: &copy)
    return String(decoding: copy, as: UTF8.self)
  }

  /// Whether this is nothing but XML white space.
  var isWhitespace: Bool {
    unsafe bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }

  func equals(_ expected: StaticString) -> Bool {
    guard unsafe bytes.count == expected.utf8CodeUnitCount else { return false }
    return expected.withUTF8Buffer { unsafe bytes.elementsEqual($0) }
  }
}

extension [UInt8] {
  /// Whether the bytes of a range, which must be in it, are these.
  func hasBytes(_ expected: Span<UInt8>, at range: Range<Int>) -> Bool {
    let part = span.extracting(range)
    guard part.count == expected.count else { return false }
    return unsafe part.withUnsafeBufferPointer { found in
      unsafe expected.withUnsafeBufferPointer { wanted in
        unsafe confab_xml_equal(found.baseAddress, wanted.baseAddress, found.count) != 0
      }
    }
  }

  /// Whether the bytes of a range, which must be in it, are these. For every name of every stanza: `elementsEqual` costs
  /// ten times as much.
  func hasBytes(_ expected: StaticString, at range: Range<Int>) -> Bool {
    let part = span.extracting(range)
    return unsafe part.withUnsafeBufferPointer { found in
      expected.withUTF8Buffer { wanted in
        unsafe found.count == wanted.count
          && confab_xml_equal(found.baseAddress, wanted.baseAddress, found.count) != 0
      }
    }
  }
}

/// A string of the parser's dictionary, borrowed for the length of one callback.
@safe struct DictionaryString {
  private let start: UnsafePointer<UInt8>?

  /// Nil is the empty string: no namespace.
  init(_ start: UnsafePointer<UInt8>?) { unsafe self.start = start }

  /// Equal for equal strings as long as the parser lives.
  var identity: UInt { unsafe UInt(bitPattern: start) }

  var bytes: BorrowedBytes { unsafe BorrowedBytes(start, Int(xmlStrlen(start)), isEscaped: true) }
}

/// The attributes of a start tag, borrowed for the length of one callback.
@safe struct AttributeList {
  private let fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  let count: Int

  init(_ fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int) {
    unsafe self.fields = fields
    self.count = unsafe fields == nil ? 0 : max(count, 0)
  }

  func local(_ index: Int) -> DictionaryString { unsafe DictionaryString(field(index, 0)) }
  func namespace(_ index: Int) -> DictionaryString { unsafe DictionaryString(field(index, 2)) }

  /// From where the value begins to where it ends: it is not terminated.
  @inline(__always) func value(_ index: Int) -> BorrowedBytes {
    let begin = unsafe field(index, 3)
    var count = 0
    if let begin = unsafe begin, let end = unsafe field(index, 4) { unsafe count = end - begin }
    return unsafe BorrowedBytes(begin, count, isEscaped: true)
  }

  /// From where the first value begins to where the last one ends, where this stands in the parser's input and is not longer
  /// than so many bytes. There nothing is escaped: what is, the library makes anew elsewhere.
  func stretch(atMost limit: Int, _ context: LibXMLContext?) -> BorrowedBytes? {
    guard let context, let start = unsafe field(0, 3), let end = unsafe field(count - 1, 4),
      unsafe context.holdsInput(start, end), unsafe end - start <= limit
    else { return nil }
    return unsafe BorrowedBytes(start, end - start, isEscaped: false)
  }

  /// An attribute, and where in the stretch its value stands.
  struct Field {
    let local: DictionaryString
    let namespace: DictionaryString
    let offset: Int32
    let count: Int32
  }

  /// Nil where its value does not stand there.
  @inline(__always) func field(_ index: Int, in stretch: BorrowedBytes) -> Field? {
    guard index >= 0, index < count, let fields = unsafe fields.map({ unsafe $0 + index * 5 }),
      let begin = unsafe fields[3], let end = unsafe fields[4], let range = unsafe stretch.place(of: begin, end)
    else { return nil }
    return unsafe Field(
      local: DictionaryString(fields[0]), namespace: DictionaryString(fields[2]),
      offset: Int32(truncatingIfNeeded: range.lowerBound), count: Int32(truncatingIfNeeded: range.count))
  }

  /// An attribute without a namespace, or with this one, decoded where it is no longer than the limit.
  func find(_ local: StaticString, namespace: StaticString = "", atMost limit: Int) -> String? {
    for index in 0..<count
    where self.local(index).bytes.equals(local) && self.namespace(index).bytes.equals(namespace) {
      return value(index).string(atMost: limit)
    }
    return nil
  }

  @inline(__always)
  private func field(_ index: Int, _ offset: Int) -> UnsafePointer<UInt8>? {
    guard index >= 0, index < count, let fields = unsafe fields else { return nil }
    return unsafe fields[index * 5 + offset]
  }
}

/// The namespace declarations of a start tag, borrowed for the length of one callback.
@safe struct NamespaceList {
  private let fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private let count: Int

  init(_ fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int) {
    unsafe self.fields = fields
    self.count = unsafe fields == nil ? 0 : max(count, 0)
  }

  /// The default namespace that is declared here, if any.
  var defaultNamespace: DictionaryString? {
    guard let fields = unsafe fields else { return nil }
    for index in 0..<count where unsafe fields[index * 2] == nil {
      return unsafe DictionaryString(fields[index * 2 + 1])
    }
    return nil
  }
}

/// One push parser of libxml2, and the assembler that its callbacks fill. Not thread-safe.
///
/// A parser is for one stream: its dictionary never shrinks, not even by a reset, so that each stream has a new one.
/// The assembler stands at an address of its own, which is what callbacks get: only they and this class reach it,
/// never at once, so that the hot path needs no checks of exclusive access.
@safe final class LibXMLParser {
  private let context: xmlParserCtxtPtr?
  private let assembler: UnsafeMutablePointer<StreamAssembler>

  init(limits: StreamLimits) {
    _ = Self.initialized
    unsafe assembler = .allocate(capacity: 1)
    unsafe assembler.initialize(to: StreamAssembler(limits: limits))
    var handler = unsafe Self.handler
    unsafe context = xmlCreatePushParserCtxt(&handler, assembler, nil, 0, nil)
    guard let context = unsafe context else {
      unsafe assembler.pointee.fail(.noMemory)
      return
    }
    // HUGE lifts limits that cannot be skipped over; ours stand in their place (docs/decisions/0001-long-xml-names.md).
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_HUGE.rawValue
    unsafe _ = xmlCtxtUseOptions(context, CInt(bitPattern: options))
    // Long names: the library's own limit of 10 MB counts only what is beyond its first pool.
    unsafe _ = xmlDictSetLimit(context.pointee.dict, 16 << 20)
    unsafe assembler.pointee.context = LibXMLContext(context)
  }

  deinit {
    if let context = unsafe context { unsafe xmlFreeParserCtxt(context) }
    unsafe assembler.deinitialize(count: 1)
    unsafe assembler.deallocate()
  }

  /// What callbacks fill: the thing itself. (A `_read` that yields it may yield a copy, which is gone when a part of it is
  /// looked at.)
  var state: StreamAssembler {
    unsafeAddress { unsafe UnsafePointer(assembler) }
    unsafeMutableAddress { unsafe assembler }
  }

  /// Parses the next bytes of the stream, at most 16 KiB of them. Never called from a callback, nor after a failure.
  func parse(_ bytes: Span<UInt8>) {
    guard let context = unsafe context else { return }
    let code = unsafe bytes.withUnsafeBytes { chunk in
      unsafe xmlParseChunk(context, chunk.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(chunk.count), 0)
    }
    if code != 0 { unsafe assembler.pointee.take(errorCode: code) }
  }

  /// Once in a process, before the first parser.
  private static let initialized: Bool = {
    confab_xml_initialize()
    return true
  }()

  /// What an error code of libxml2 means for a stream. The library's own words are not used: they quote the input.
  fileprivate static func failure(code: CInt) -> XMLFailure {
    switch xmlParserErrors(UInt32(bitPattern: code)) {
    case XML_ERR_NO_MEMORY: .namesExhausted
    case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY, XML_ERR_UNPARSED_ENTITY: .restricted("an entity")
    case XML_NS_ERR_UNDEFINED_NAMESPACE, XML_NS_ERR_XML_NAMESPACE, XML_NS_ERR_QNAME, XML_NS_ERR_ATTRIBUTE_REDEFINED,
      XML_NS_ERR_EMPTY, XML_NS_ERR_COLON:
      .badNamespacePrefix
    // Which of the two it is depends on where the bytes happened to be cut.
    case XML_ERR_INVALID_CHAR, XML_ERR_INTERNAL_ERROR:
      .notWellFormed("a forbidden character, or bytes that are not UTF-8")
    case XML_ERR_NAME_TOO_LONG: .tooLarge("a name")
    case XML_ERR_TAG_NAME_MISMATCH: .notWellFormed("an end tag of another element")
    case XML_ERR_ATTRIBUTE_REDEFINED: .notWellFormed("an attribute twice")
    case XML_ERR_RESERVED_XML_NAME: .notWellFormed("a second XML declaration")
    default: .notWellFormed("libxml2 error \(code)")
    }
  }
}

/// What a callback may ask of the parser that it was called by.
@safe struct LibXMLContext {
  private let context: xmlParserCtxtPtr

  init(_ context: xmlParserCtxtPtr) { unsafe self.context = context }

  /// Bytes of the stream that are parsed.
  var position: Int { unsafe max(confab_xml_position(context), 0) }
  /// Distinct strings in the dictionary.
  var nameCount: Int { unsafe Int(xmlDictSize(context.pointee.dict)) }
  /// Bytes that the dictionary takes.
  var nameBytes: Int { unsafe Int(clamping: xmlDictGetUsage(context.pointee.dict)) }
  /// Namespace declarations in scope.
  var namespaceCount: Int { unsafe Int(context.pointee.nsNr) / 2 }
  /// Whether these stand in what the library is looking at, in this order.
  func holdsInput(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    unsafe confab_xml_holds(context, start, end) != 0
  }
  /// Makes the library parse nothing more, not even the rest of the chunk.
  func stop() { unsafe xmlStopParser(context) }
}

extension StreamAssembler {
  /// Takes an error of at least level 2: worse ones end parsing by themselves, but with errors of namespaces the library
  /// goes on as if nothing was, and does not say it in the code that it returns.
  ///
  /// Nothing is stopped here: this may be called from the middle of a start tag, and the library goes on with its
  /// pointers.
  mutating func take(errorCode code: CInt) {
    switch xmlParserErrors(UInt32(bitPattern: code)) {
    // A namespace that is no valid URI is an error to libxml2, and to nobody else: servers pass it on, so that anybody
    // who may write to us could end every stream of ours with it. `nsWellFormed` is not looked at for the same reason.
    case XML_WAR_NS_URI: break
    case XML_NS_ERR_XML_NAMESPACE: wrongDeclaration()
    case XML_NS_ERR_UNDEFINED_NAMESPACE where forgivesPrefixes: break
    default: fail(LibXMLParser.failure(code: code))
    }
  }
}

// MARK: Callbacks

extension LibXMLParser {
  /// The handlers of SAX version 2. Whatever is not set is not called; the five predefined entities and character
  /// references need no handler.
  private static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.startElementNs = { data, local, _, uri, namespaceCount, namespaces, count, _, attributes in
      unsafe LibXMLParser.assembler(data)?.pointee.beginElement(
        DictionaryString(local), DictionaryString(uri), AttributeList(attributes, Int(count)),
        NamespaceList(namespaces, Int(namespaceCount)))
    }
    unsafe handler.endElementNs = { data, _, _, _ in unsafe LibXMLParser.assembler(data)?.pointee.endElement() }
    let characters: charactersSAXFunc = { data, text, count in
      unsafe LibXMLParser.assembler(data)?.pointee.text(BorrowedBytes(text, Int(count), isEscaped: false))
    }
    unsafe handler.characters = characters
    unsafe handler.ignorableWhitespace = characters
    unsafe handler.cdataBlock = characters
    unsafe setRestricted(&handler)
    unsafe handler.serror = { data, error in
      guard let error = unsafe error, unsafe error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
      unsafe LibXMLParser.assembler(data)?.pointee.take(errorCode: error.pointee.code)
    }
    return unsafe handler
  }

  /// What XMPP forbids ends the stream where it begins.
  private static func setRestricted(_ handler: inout xmlSAXHandler) {
    unsafe handler.internalSubset = { data, _, _, _ in unsafe LibXMLParser.assembler(data)?.pointee.restricted("a DTD")
    }
    unsafe handler.externalSubset = { data, _, _, _ in unsafe LibXMLParser.assembler(data)?.pointee.restricted("a DTD")
    }
    unsafe handler.entityDecl = { data, _, _, _, _, _ in
      unsafe LibXMLParser.assembler(data)?.pointee.restricted("an entity")
    }
    unsafe handler.reference = { data, _ in unsafe LibXMLParser.assembler(data)?.pointee.restricted("an entity") }
    unsafe handler.comment = { data, _ in unsafe LibXMLParser.assembler(data)?.pointee.restricted("a comment") }
    unsafe handler.processingInstruction = { data, _, _ in
      unsafe LibXMLParser.assembler(data)?.pointee.restricted("a processing instruction")
    }
  }

  private static func assembler(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<StreamAssembler>? {
    unsafe data?.assumingMemoryBound(to: StreamAssembler.self)
  }
}
