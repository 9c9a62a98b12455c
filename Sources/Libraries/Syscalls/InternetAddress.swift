import CLinux
import Glibc

/// An IPv4 or IPv6 address with a port.
package struct InternetAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes in network order.
  package let bytes: [UInt8]
  package var port: UInt16
  /// The interface's index of a link-local IPv6 address, else 0.
  package let scope: UInt32

  package var isIPv6: Bool { bytes.count == 16 }
  var family: CInt { isIPv6 ? AF_INET6 : AF_INET }

  /// Nil unless there are 4 or 16 bytes.
  package init?(bytes: [UInt8], port: UInt16, scope: UInt32 = 0) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
    self.port = port
    self.scope = scope
  }

  /// Reads `127.0.0.1`, `::1` or `[::1]`; nil for anything else, names too.
  package init?(literal: String, port: UInt16) {
    let isBracketed = literal.hasPrefix("[") && literal.hasSuffix("]")
    let text = isBracketed ? String(literal.dropFirst().dropLast()) : literal
    guard !text.utf8.contains(0) else { return nil }
    let isIPv6 = isBracketed || text.utf8.contains(UInt8(ascii: ":"))
    var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    guard unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    self.init(bytes: bytes, port: port)
  }

  /// Reads an address with or without a port: `127.0.0.1:53`, `[::1]:53`, `127.0.0.1`, `::1`, `[::1]`.
  package init?(hostAndPort text: String, defaultPort: UInt16) {
    if let address = InternetAddress(literal: text, port: defaultPort) {
      self = address
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    let host = text[..<colon]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0,
      !host.contains(":") || host.hasPrefix("[")
    else { return nil }
    self.init(literal: String(host), port: port)
  }

  /// 127.0.0.1
  package static func loopback(port: UInt16) -> InternetAddress? {
    InternetAddress(bytes: [127, 0, 0, 1], port: port)
  }

  /// `127.0.0.1` or `::1`, without the port.
  package var host: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      guard let base = buffer.baseAddress,
        let text = unsafe inet_ntop(family, bytes, base, socklen_t(buffer.count))
      else { return "?" }
      return unsafe String(cString: text)
    }
  }

  /// `127.0.0.1:5222` or `[::1]:5222`.
  package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
