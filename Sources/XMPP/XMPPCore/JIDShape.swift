/// How long the parts of a normalised address are.
struct JIDShape {
  /// 0: there is none.
  var localCount: Int
  var domainCount: Int

  init(localCount: Int, domainCount: Int) {
    self.localCount = localCount
    self.domainCount = domainCount
  }

  /// Looks at an address once, without a copy: nil unless it is plain ASCII and as good as normalised already, which
  /// nearly every address of a server is. A text for which this is nil may still be an address.
  init?(ofPlain text: String) {
    let shape = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe Self.read(Span(_unsafeElements: $0)) }
    guard let found = shape, let found else { return nil }
    self = found
  }

  private static func read(_ bytes: Span<UInt8>) -> JIDShape? {
    guard bytes.count <= 3 * JID.longestPart + 2 else { return nil }
    var position = 0
    while position < bytes.count, isPlainLocal(bytes[position]) { position += 1 }
    var local = 0
    if position < bytes.count, bytes[position] == UInt8(ascii: "@") {
      local = position
      guard local > 0 else { return nil }
      position += 1
    } else {
      position = 0
    }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "/") { position += 1 }
    guard isPlainDomain(bytes, start..<position), isPlainResource(bytes, from: position),
      max(local, position - start, bytes.count - position - 1) <= JID.longestPart
    else { return nil }
    return JIDShape(localCount: local, domainCount: position - start)
  }

  private static func isPlainLocal(_ byte: UInt8) -> Bool {
    isPlainLabel(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }

  private static func isPlainLabel(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      || byte == UInt8(ascii: "-")
  }

  /// Labels with something in them, and a dot between each two.
  private static func isPlainDomain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var isInLabel = false
    for index in range {
      if isPlainLabel(bytes[index]) {
        isInLabel = true
      } else {
        guard isInLabel, bytes[index] == UInt8(ascii: ".") else { return false }
        isInLabel = false
      }
    }
    return isInLabel
  }

  /// Nothing, or a slash and printable ASCII.
  private static func isPlainResource(_ bytes: Span<UInt8>, from slash: Int) -> Bool {
    guard slash < bytes.count else { return true }
    guard slash + 1 < bytes.count else { return false }
    for index in slash + 1..<bytes.count where bytes[index] < 0x20 || bytes[index] > 0x7E { return false }
    return true
  }
}
