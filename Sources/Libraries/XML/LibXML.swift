import CLibXML2

// The use of libxml2: its context and its callbacks here, and the memory lent to them in LibXMLBorrowed.swift.

/// One push parser of libxml2, and the assembler that its callbacks fill. Not thread-safe.
///
/// A parser is for one stream: its dictionary never shrinks, not even by a reset, so that each stream has a new one.
/// The assembler stands at an address of its own, which is what callbacks get: only they and this class reach it,
/// never at once, so that the hot path needs no checks of exclusive access.
@safe final class LibXMLParser {
  private let context: xmlParserCtxtPtr?
  private let assembler: UnsafeMutablePointer<StreamAssembler>

  init(limits: StreamLimits) {
    Self.initialize()
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

  /// The assembler that the callbacks fill, in place. (A `_read` that yields it may yield a copy, which is gone when a
  /// part of it is looked at.)
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
    if code != 0 { return unsafe assembler.pointee.take(errorCode: code) }
    // Nothing more: the library drops what it has parsed, which it would else do when the next bytes stand behind that, and
    // all of them would be moved.
    unsafe xmlParseChunk(context, nil, 0, 0)
  }

  /// Sets up the library, once in a process, before the first parser.
  static func initialize() { _ = initialized }

  private static let initialized: Bool = {
    confab_xml_initialize()
    return true
  }()

  /// The meaning of libxml2's error codes for a stream. The library's own words are not used: they quote the input.
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

/// The parser that called, as far as a callback may ask it.
@safe struct LibXMLContext {
  private let context: xmlParserCtxtPtr

  init(_ context: xmlParserCtxtPtr) { unsafe self.context = context }

  /// Bytes of the stream that are parsed.
  var position: Int {
    // The value of xmlByteConsumed() for input that is not converted, without the call.
    guard let input = unsafe context.pointee.input else { return 0 }
    // By their addresses: pointers would each be asked whether they are none.
    let parsed = unsafe Int(bitPattern: input.pointee.cur) - Int(bitPattern: input.pointee.base)
    return unsafe Int(bitPattern: input.pointee.consumed) + parsed
  }
  /// Distinct strings in the dictionary.
  var nameCount: Int { unsafe Int(xmlDictSize(context.pointee.dict)) }
  /// Bytes that the dictionary takes.
  var nameBytes: Int { unsafe Int(clamping: xmlDictGetUsage(context.pointee.dict)) }
  /// Namespace declarations in scope.
  var namespaceCount: Int { unsafe Int(context.pointee.nsNr) / 2 }
  /// True if both pointers lie in the library's present input, in this order.
  func holdsInput(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    guard let input = unsafe context.pointee.input else { return false }
    let (base, limit) = unsafe (UInt(bitPattern: input.pointee.base), UInt(bitPattern: input.pointee.end))
    return unsafe UInt(bitPattern: start) >= base && start <= end && UInt(bitPattern: end) <= limit
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
    guard !areNamesSpent else { return }
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
    unsafe handler.startElementNs = startElement
    unsafe handler.endElementNs = endElement
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

  /// XML that XMPP forbids ends the stream where it begins.
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

  @inline(__always)
  fileprivate static func assembler(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<StreamAssembler>? {
    unsafe data?.assumingMemoryBound(to: StreamAssembler.self)
  }
}

// Functions, since a closure is called from what the library calls.

private typealias Strings = UnsafeMutablePointer<UnsafePointer<UInt8>?>

@inline(__always)
private func startElement(
  _ data: UnsafeMutableRawPointer?, _ local: UnsafePointer<UInt8>?, _: UnsafePointer<UInt8>?,
  _ uri: UnsafePointer<UInt8>?, _ namespaceCount: CInt, _ namespaces: Strings?, _ count: CInt, _: CInt,
  _ attributes: Strings?
) {
  unsafe LibXMLParser.assembler(data)?.pointee.beginElement(
    DictionaryString(local), DictionaryString(uri), AttributeList(attributes, Int(count)),
    NamespaceList(namespaces, Int(namespaceCount)))
}

@inline(__always)
private func endElement(
  _ data: UnsafeMutableRawPointer?, _: UnsafePointer<UInt8>?, _: UnsafePointer<UInt8>?, _: UnsafePointer<UInt8>?
) {
  unsafe LibXMLParser.assembler(data)?.pointee.endElement()
}

@inline(__always)
private func characters(_ data: UnsafeMutableRawPointer?, _ text: UnsafePointer<UInt8>?, _ count: CInt) {
  unsafe LibXMLParser.assembler(data)?.pointee.text(BorrowedBytes(text, Int(count), isEscaped: false))
}
