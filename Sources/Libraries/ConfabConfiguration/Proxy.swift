/// `proxy =`: a SOCKS5 proxy (RFC 1928) through which an account connects, such as Tor.
package struct Proxy: Equatable, Sendable {
  package var server: HostPort
  /// User name and password (RFC 1929), 1 to 255 bytes each; nil: it wants none.
  package var credentials: Credentials?

  package struct Credentials: Equatable, Sendable {
    package var user: String
    package var password: Secret

    package init(user: String, password: Secret) {
      self.user = user
      self.password = password
    }
  }

  package init(server: HostPort, credentials: Credentials? = nil) {
    self.server = server
    self.credentials = credentials
  }

  /// IANA's port of SOCKS.
  private static let defaultPort: UInt16 = 1080

  /// Reads `socks5://[USER:PASSWORD@]HOST[:PORT]` or `HOST[:PORT]`; in user name and password `%` begins the code of a
  /// byte (RFC 3986, section 2.1). A proxy cannot itself be an onion service: its name would have to be looked up.
  init?(_ text: String) {
    let scheme = "socks5://"
    let isURL = text.hasPrefix(scheme)
    let rest = isURL ? text.dropFirst(scheme.count) : text[...]
    let at = rest.lastIndex(of: "@")
    let place = at.map { rest[rest.index(after: $0)...] } ?? rest
    guard let server = Endpoint.parse(String(place), defaultPort: Self.defaultPort), !OnionName.matches(server.host)
    else { return nil }
    self.server = server
    guard let at else { return }
    guard isURL, let credentials = Credentials(rest[..<at]) else { return nil }
    self.credentials = credentials
  }
}

extension Proxy.Credentials {
  /// Reads `USER:PASSWORD`.
  fileprivate init?(_ text: Substring) {
    guard let colon = text.firstIndex(of: ":"), let user = Self.decoded(text[..<colon]),
      let password = Self.decoded(text[text.index(after: colon)...])
    else { return nil }
    self.init(user: String(decoding: user, as: UTF8.self), password: Secret(password))
  }

  private static func decoded(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
        let code = UInt8(Substring(digits), radix: 16)
      else { return nil }
      bytes.append(code)
      rest.removeFirst(2)
    }
    return (1...255).contains(bytes.count) ? bytes : nil
  }
}
