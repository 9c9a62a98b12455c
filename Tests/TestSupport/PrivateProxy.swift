package import JSON

/// A SOCKS5 proxy of one's own on loopback; see Tests/Support/socks5_proxy.py.
package final class PrivateProxy: Sendable {
  package let port: UInt16
  private let helper: HelperProcess

  /// - Parameter places: where the proxy finds what it is asked for, both as `HOST:PORT`.
  package init(in folder: TemporaryFolder, places: [String: String], user: String? = nil, password: String = "") throws
  {
    let maps = places.flatMap { ["--map", "\($0.key)=\($0.value)"] }
    let credentials = user.map { ["--user", $0, "--password", password] } ?? []
    helper = try HelperProcess("socks5_proxy.py", maps + credentials, log: folder.file("socks5_proxy.log"))
    port = try helper.event("ready").port("port")
  }

  /// What it was asked for next: `type`, `host`, `port`, `user`.
  package func asked() throws -> JSONValue { try helper.event("asked") }
}
