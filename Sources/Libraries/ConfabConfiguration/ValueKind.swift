import Clocks

/// The type of a key's value: its description, and how it is read.
struct ValueKind<Value: Sendable>: Sendable {
  /// A phrase for errors and the manual: `auto, starttls or direct`.
  let expected: String
  /// True if a value, by its text, is never shown and makes its file private to the owner.
  var isSecret: @Sendable (_ text: String) -> Bool = { _ in false }
  /// `${NAME}` and `~/` are expanded before it is read.
  var namesFile = false
  /// Reads the trimmed text; nil if it does not fit.
  let parse: @Sendable (_ text: String) -> Value?

  /// The value, or what is wrong with it.
  func read(_ text: String, environment: [String: String]) throws(Mismatch) -> Value {
    let text = namesFile ? try PathExpansion(environment: environment).expand(text) : text
    guard let value = parse(text) else {
      let found = text.isEmpty ? "nothing" : isSecret(text) ? nil : Printable.quoted(text)
      throw Mismatch(expected: expected, found: found)
    }
    return value
  }
}

extension ValueKind where Value == String {
  /// A path of at most 4,095 bytes (PATH_MAX without its NUL).
  static var path: Self { path("an absolute path", longest: 4095) }
  /// The path of a Unix socket; 107 bytes are what the kernel takes.
  static var socketPath: Self { path("an absolute path of at most 107 bytes", longest: 107) }

  private static func path(_ expected: String, longest: Int) -> Self {
    Self(expected: expected, namesFile: true) { text in
      text.utf8.first == UInt8(ascii: "/") && text.utf8.count <= longest && !text.utf8.contains(0) ? text : nil
    }
  }

  /// A command line; the shell judges it.
  static var command: Self {
    Self(expected: "a command such as pass show xmpp") { $0.isEmpty ? nil : $0 }
  }

  /// The shape only: one `@` with something on both sides, no resource, no spaces.
  static var address: Self {
    Self(expected: "an address such as alice@example.org") { text in
      let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy({ (1...1023).contains($0.count) }) else { return nil }
      return text.unicodeScalars.contains { $0 == "/" || $0.properties.isWhitespace } ? nil : text
    }
  }

  /// Any JID, by its length; what it is, the engine sees.
  static var recipient: Self {
    Self(expected: "a JID such as ops@example.org") { (1...3071).contains($0.utf8.count) ? $0 : nil }
  }

  /// An account's name; that it is configured is checked behind the last section.
  static var accountName: Self {
    Self(expected: "the name of an [account NAME] section") { (1...256).contains($0.utf8.count) ? $0 : nil }
  }

  /// A group's name or number, not looked up here.
  static var group: Self {
    Self(expected: "a group's name or number") { text in
      (1...256).contains(text.utf8.count) && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
        ? text : nil
    }
  }

  /// The last part of an XMPP address (RFC 7622, section 3.4), by its length.
  static var resource: Self {
    Self(expected: "1 to 1023 bytes") { (1...1023).contains($0.utf8.count) ? $0 : nil }
  }

  /// The address of a DNS server, by number, with or without a port.
  static var dnsServer: Self {
    Self(expected: "an IP address, or address:port, such as 127.0.0.1:53 or [::1]:53") { text in
      guard let server = Endpoint.parse(text, defaultPort: 53) else { return nil }
      return Endpoint.isIPv4(server.host) || Endpoint.isIPv6(server.host) ? text : nil
    }
  }
}

extension ValueKind where Value == UInt32 {
  /// A user by number; the largest one means "none" to the kernel.
  static var user: Self {
    Self(expected: "a user's number") { text in
      text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(text).flatMap { $0 == .max ? nil : $0 } : nil
    }
  }
}

extension ValueKind where Value == Bool {
  static var yesOrNo: Self { Self(expected: "yes or no") { ["yes": true, "no": false][$0] } }
}

extension ValueKind where Value == Int {
  /// Decimal digits alone, within a range.
  static func count(_ range: ClosedRange<Int>) -> Self {
    Self(expected: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      digits(text[...]).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Bytes, or with a K or M behind it KiB or MiB.
  static func size(_ range: ClosedRange<Int>) -> Self {
    let ends = [range.lowerBound, range.upperBound].map { $0 % (1 << 20) == 0 ? "\($0 >> 20)M" : "\($0 >> 10)K" }
    return Self(expected: "a size from \(ends[0]) to \(ends[1]) such as 65536, 256K or 16M") { text in
      let shift = text.hasSuffix("K") ? 10 : text.hasSuffix("M") ? 20 : 0
      guard let number = digits(shift == 0 ? text[...] : text.dropLast()), number <= Int.max >> shift else {
        return nil
      }
      return range.contains(number << shift) ? number << shift : nil
    }
  }

  /// Bytes of files, from 1M up: with a K, M or G behind them KiB, MiB or GiB.
  static var fileSize: Self {
    Self(expected: "a size from 1M to 1024G such as 64M or 1G") { text in
      let shift = ["K": 10, "M": 20, "G": 30][text.suffix(1)] ?? 0
      guard let number = digits(shift == 0 ? text[...] : text.dropLast()), number <= Int.max >> shift else {
        return nil
      }
      return ((1 << 20)...(1 << 40)).contains(number << shift) ? number << shift : nil
    }
  }

  private static func digits(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}

extension ValueKind where Value == SocketRights {
  static var rights: Self {
    Self(expected: Phrase.oneOf(SocketRights.allCases.map(\.rawValue))) { SocketRights(rawValue: $0) }
  }
}

extension ValueKind where Value == SendRate {
  static var rate: Self {
    Self(expected: "messages for a time such as 10/m or 100/24h") { SendRate($0) }
  }
}

extension ValueKind where Value == HostPort {
  static var server: Self {
    Self(expected: "host or host:port such as xmpp.example.org:5222 or [::1]:5222") {
      Endpoint.parse($0, defaultPort: 5222)
    }
  }
}

extension ValueKind where Value == Proxy {
  static var proxy: Self {
    Self(
      expected: "host, host:port or socks5://user:password@host:port, not in .onion",
      isSecret: { $0.utf8.contains(UInt8(ascii: "@")) }, parse: { Proxy($0) })
  }
}

extension ValueKind where Value == Interval {
  static var interval: Self {
    Self(expected: "a duration above zero such as 90s, 30m, 24h or 7d") {
      Interval($0).flatMap { $0 > .zero ? $0 : nil }
    }
  }
}

extension ValueKind where Value == ArchiveSpan {
  static var archiveSpan: Self {
    Self(expected: "a duration above zero such as 30d, none or all") { text in
      if text == "none" { return ArchiveSpan.none }
      if text == "all" { return .all }
      return Interval(text).flatMap { $0 > .zero ? .since($0) : nil }
    }
  }
}

extension ValueKind where Value == Secret {
  static var password: Self {
    Self(expected: "a password", isSecret: { _ in true }) { text in
      var bytes = Array(text.utf8)
      defer { bytes.wipe() }
      return bytes.isEmpty ? nil : Secret(bytes)
    }
  }
}

extension ValueKind where Value == LogLevel {
  static var logLevel: Self {
    Self(expected: Phrase.oneOf(LogLevel.allCases.map(\.name))) { text in
      LogLevel.allCases.first { $0.name == text }
    }
  }
}

extension ValueKind where Value == TLSMode {
  static var tls: Self {
    Self(expected: Phrase.oneOf(TLSMode.allCases.map(\.rawValue))) { TLSMode(rawValue: $0) }
  }
}

extension ValueKind where Value == PlainLogin {
  static var plain: Self {
    Self(expected: Phrase.oneOf(PlainLogin.allCases.map(\.rawValue))) { PlainLogin(rawValue: $0) }
  }
}

extension ValueKind where Value == ReceiptPolicy {
  static var receiptPolicy: Self {
    Self(expected: Phrase.oneOf(ReceiptPolicy.allCases.map(\.rawValue))) { ReceiptPolicy(rawValue: $0) }
  }
}

extension ValueKind where Value == InDoubtPolicy {
  static var inDoubtPolicy: Self {
    Self(expected: Phrase.oneOf(InDoubtPolicy.allCases.map(\.rawValue))) { InDoubtPolicy(rawValue: $0) }
  }
}

extension ValueKind where Value == EncryptionSetting {
  static var encryption: Self {
    Self(expected: Phrase.oneOf(EncryptionSetting.allCases.map(\.rawValue))) { EncryptionSetting(rawValue: $0) }
  }
}

extension ValueKind where Value == TrustPolicy {
  static var trust: Self {
    Self(expected: Phrase.oneOf(TrustPolicy.allCases.map(\.rawValue))) { TrustPolicy(rawValue: $0) }
  }
}

extension ValueKind where Value == StopPolicy {
  static var stopPolicy: Self {
    Self(expected: Phrase.oneOf(StopPolicy.allCases.map(\.rawValue))) { StopPolicy(rawValue: $0) }
  }
}
