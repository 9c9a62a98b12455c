import CLibXML2

// Memory that libxml2 lends to its callbacks; they are in LibXML.swift, and nothing else touches the library.

/// Bytes of libxml2's, borrowed for the length of one callback: they are copied or looked at, never kept.
@safe struct BorrowedBytes {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// True if `&` stands here as `&#38;`. The library passes values of attributes and namespaces so unless it is told to
  /// replace entities, which it must not be; every other reference is replaced.
  private let isEscaped: Bool

  init(_ start: UnsafePointer<UInt8>?, _ count: Int, isEscaped: Bool) {
    unsafe bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : max(count, 0))
    self.isEscaped = isEscaped
  }

  var isEmpty: Bool { unsafe bytes.isEmpty }

  /// Appends the bytes; fewer than there are here, where something was escaped.
  @inline(__always)
  func append(to scratch: inout Scratch<UInt8>) {
    guard hasEscapes else { return unsafe scratch.append(contentsOf: bytes) }
    for byte in copy() { scratch.append(byte) }
  }

  private var hasEscapes: Bool {
    guard isEscaped else { return false }
    return unsafe confab_xml_contains(bytes.baseAddress, bytes.count, UInt8(ascii: "&")) != 0
  }

  /// The bytes, nothing escaped any more.
  func copy() -> [UInt8] {
    guard hasEscapes else { return unsafe Array(bytes) }
    var copy: [UInt8] = []
    var index = 0
    while unsafe index < bytes.count {
      unsafe copy.append(bytes[index])
      index += unsafe bytes[index] == UInt8(ascii: "&") ? "&#38;".utf8.count : 1
    }
    return copy
  }

  /// Returns the offset and the count of bytes that lie inside these; nil if they lie elsewhere.
  @inline(__always)
  func place(of begin: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> (first: Int, count: Int)? {
    guard let start = unsafe bytes.baseAddress, unsafe begin >= start, unsafe begin <= end,
      unsafe end <= start + bytes.count
    else { return nil }
    return unsafe (begin - start, end - begin)
  }

  /// Decoded, where it is no longer than this.
  func string(atMost limit: Int) -> String? {
    guard unsafe bytes.count <= limit else { return nil }
    return String(decoding: copy(), as: UTF8.self)
  }

  /// True if all bytes are XML white space.
  var isWhitespace: Bool {
    unsafe bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
  }

  func equals(_ expected: StaticString) -> Bool {
    guard unsafe bytes.count == expected.utf8CodeUnitCount else { return false }
    return expected.withUTF8Buffer { unsafe bytes.elementsEqual($0) }
  }
}

extension [UInt8] {
  /// The bytes of a range, which must be in it, decoded: of a slice a reference would be counted.
  func string(at range: Range<Int>) -> String {
    let part = span.extracting(range)
    return unsafe part.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// True if the bytes of a range, which must be in it, are these.
  @usableFromInline
  func hasBytes(_ expected: Span<UInt8>, at range: Range<Int>) -> Bool {
    let part = span.extracting(range)
    guard part.count == expected.count else { return false }
    return unsafe part.withUnsafeBufferPointer { found in
      unsafe expected.withUnsafeBufferPointer { wanted in
        unsafe confab_xml_equal(found.baseAddress, wanted.baseAddress, found.count) != 0
      }
    }
  }

  /// True if the bytes of a range, which must be in it, are these. Called for every name of every stanza:
  /// `elementsEqual` costs ten times as much.
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
  @inline(__always)
  func stretch(atMost limit: Int, _ context: LibXMLContext?) -> BorrowedBytes? {
    guard let context, let start = unsafe field(0, 3), let end = unsafe field(count - 1, 4),
      unsafe context.holdsInput(start, end), unsafe end - start <= limit
    else { return nil }
    return unsafe BorrowedBytes(start, end - start, isEscaped: false)
  }

  /// Returns the offset and the count of an attribute's value in `stretch`; nil if it lies elsewhere.
  @inline(__always)
  func place(of index: Int, in stretch: BorrowedBytes) -> (first: Int, count: Int)? {
    guard let begin = unsafe field(index, 3), let end = unsafe field(index, 4) else { return nil }
    return unsafe stretch.place(of: begin, end)
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
    self.count = count
  }

  /// The default namespace that is declared here, if any.
  var defaultNamespace: DictionaryString? {
    guard let fields = unsafe fields else { return nil }
    for index in 0..<max(count, 0) where unsafe fields[index * 2] == nil {
      return unsafe DictionaryString(fields[index * 2 + 1])
    }
    return nil
  }
}
