import CBytes

/// A string as it stands in JSON, quotes and all: escaped once, for who writes it many times.
public struct QuotedText: Sendable {
  @usableFromInline let bytes: [UInt8]

  public init(_ text: String) { bytes = Self.plain(text.utf8Span) ?? Self.escaped(text) }

  /// Quotes a text without characters to be escaped, as nearly all are, in one copy; nil for others.
  private static func plain(_ text: UTF8Span) -> [UInt8]? {
    let count = text.count
    var copied = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count + 2) { buffer, length in
      guard let start = buffer.baseAddress else { return }
      unsafe text.span.withUnsafeBufferPointer {
        copied = unsafe cbytes_copy_harmless(start.byte(UInt8(ascii: "\"")), $0.baseAddress, count)
      }
      guard copied == count else { return }
      unsafe start[count + 1] = UInt8(ascii: "\"")
      length = count + 2
    }
    return copied == count ? bytes : nil
  }

  private static func escaped(_ text: String) -> [UInt8] {
    var writer = JSONWriter(capacity: text.utf8.count + 8)
    writer.value(text)
    return writer.bytes
  }
}

extension JSONWriter {
  @inlinable @inline(__always)
  public mutating func member(_ name: StaticString, _ text: QuotedText) {
    buffer.reserve(name.utf8CodeUnitCount + 4 + text.bytes.count)
    unsafe text.bytes.withUnsafeBufferPointer { bytes in
      unsafe buffer.place = buffer.place.name(name, afterComma: needsComma).bytes(bytes)
    }
    needsComma = true
  }
}
