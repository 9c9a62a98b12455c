import CLibXML2

/// Reads a small document of a file, such as a property list, element by element, by libxml2's push parser; no tree is made.
/// A document type is passed over; entities that it declares, and references to any but XML's own five, end the reading.
package final class DocumentReader {
  package enum Item: Equatable, Sendable {
    case start(String)
    /// A part of a text; UTF-8.
    case text([UInt8])
    case end
  }

  private let take: (Item) throws(XMLFailure) -> Void
  private var failure: XMLFailure?

  private init(_ take: @escaping (Item) throws(XMLFailure) -> Void) { self.take = take }

  /// - Parameter take: gets each item; what it throws ends the reading.
  package static func read(
    _ bytes: [UInt8], _ take: @escaping (Item) throws(XMLFailure) -> Void
  ) throws(XMLFailure) {
    let reader = DocumentReader(take)
    reader.parse(bytes)
    if let failure = reader.failure { throw failure }
  }

  private func parse(_ bytes: [UInt8]) {
    LibXMLParser.initialize()
    var handler = unsafe Self.handler
    let this = unsafe Unmanaged.passUnretained(self)
    guard let context = unsafe xmlCreatePushParserCtxt(&handler, this.toOpaque(), nil, 0, nil) else {
      failure = .noMemory
      return
    }
    defer { unsafe xmlFreeParserCtxt(context) }
    unsafe _ = xmlCtxtUseOptions(context, CInt(bitPattern: XML_PARSE_NONET.rawValue))
    var rest = bytes[...]
    while !rest.isEmpty, failure == nil {
      let chunk = rest.prefix(16 << 10)
      rest = rest.dropFirst(chunk.count)
      unsafe chunk.withUnsafeBytes { chunk in
        let start = unsafe chunk.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe finish(xmlParseChunk(context, start, CInt(chunk.count), 0))
      }
    }
    if failure == nil { unsafe finish(xmlParseChunk(context, nil, 0, 1)) }
  }

  private func finish(_ code: CInt) {
    if code != 0, failure == nil { failure = .notWellFormed("libxml2 error \(code)") }
  }

  /// Gives an item on, unless the reading is over.
  fileprivate func give(_ item: @autoclosure () -> Item) {
    guard failure == nil else { return }
    do throws(XMLFailure) { try take(item()) } catch { failure = error }
  }

  fileprivate func restrict(_ what: String) { failure = failure ?? .restricted(what) }
}

// MARK: Callbacks

extension DocumentReader {
  private static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.startElementNs = { data, name, _, _, _, _, _, _, _ in
      unsafe reader(data)?.give(.start(DictionaryString(name).bytes.string(atMost: 64) ?? ""))
    }
    unsafe handler.endElementNs = { data, _, _, _ in unsafe reader(data)?.give(.end) }
    unsafe handler.characters = { unsafe reader($0)?.give(.text(BorrowedBytes($1, Int($2), isEscaped: false).copy())) }
    unsafe handler.cdataBlock = unsafe handler.characters
    unsafe handler.entityDecl = { data, _, _, _, _, _ in unsafe reader(data)?.restrict("an entity") }
    unsafe handler.reference = { data, _ in unsafe reader(data)?.restrict("an entity") }
    unsafe handler.serror = { _, _ in }
    return unsafe handler
  }
}

private func reader(_ data: UnsafeMutableRawPointer?) -> DocumentReader? {
  unsafe data.map { unsafe Unmanaged<DocumentReader>.fromOpaque($0).takeUnretainedValue() }
}
