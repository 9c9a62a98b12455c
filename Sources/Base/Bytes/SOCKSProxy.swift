/// A SOCKS5 proxy to connect through; Tor is one.
package struct SOCKSProxy: Equatable, Sendable {
  /// A name or an address.
  package let host: String
  package let port: UInt16
  /// 1 to 255 bytes; nil: the proxy wants none.
  package let user: [UInt8]?
  /// 1 to 255 bytes where there is a user.
  package let password: [UInt8]

  package init(host: String, port: UInt16, user: [UInt8]? = nil, password: [UInt8] = []) {
    self.host = host
    self.port = port
    self.user = user
    self.password = password
  }

  /// `127.0.0.1:9050`
  package var place: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
