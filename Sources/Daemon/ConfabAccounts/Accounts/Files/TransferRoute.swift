package import Bytes
import HelperProtocol
import Records
package import ConfabConfiguration
import State
import XMPPExtensions

/// How an account's files move: by which proxy, with whose authorities, to which private addresses.
struct TransferRoute {
  let settings: AccountSettings
  let daemon: DaemonSettings
  /// The hosts of the account's own upload service.
  let hosts: [UploadHostRecord]
  /// The address of the account's own server, as `status` shows it.
  let server: String?

  func request(
    _ direction: TransferRequest.Direction, _ url: String, headers: [UploadSlot.Header] = [],
    type: String? = nil
  ) -> TransferRequest {
    let type = type.flatMap { TransferHeader(name: "Content-Type", value: $0) }
    return TransferRequest(
      direction, url: url,
      headers: headers.compactMap { TransferHeader(name: $0.name, value: $0.value) } + (type.map { [$0] } ?? []),
      privateAddresses: daemon.files.fetchesPrivate, privateOrigins: isServerPrivate ? hosts.compactMap(\.origin) : [],
      authorityFile: settings.caFile, authorityHosts: settings.caFile == nil ? [] : hosts.map(\.host),
      proxy: settings.proxy.map(SOCKSProxy.init), nameServers: daemon.dnsServers)
  }

  /// True if a slot has named this address's host, and the port, too.
  func knows(_ url: String) -> Bool {
    let (host, port) = (FileURL.host(url), FileURL.securePort(url).map(UInt32.init))
    return hosts.contains { $0.host == host && $0.port == port }
  }

  /// True if transfers to the account's own service have a route of their own.
  var hasOwnHosts: Bool { settings.caFile != nil || isServerPrivate }

  /// True if the account's own server has an address that is not globally reachable.
  private var isServerPrivate: Bool {
    guard let server, settings.proxy == nil else { return false }
    if server.hasPrefix("[") {
      let address = server.dropFirst().lowercased()
      return ["::1]", "fc", "fd", "fe8", "fe9", "fea", "feb"].contains { address.hasPrefix($0) }
    }
    let numbers = server.prefix { $0 != ":" }.split(separator: ".", omittingEmptySubsequences: false)
      .compactMap { UInt8($0) }
    return numbers.count == 4 && !AddressRules.isGlobal(numbers)
  }
}

extension UploadHostRecord {
  /// RFC 6454; nil if the port is unknown.
  fileprivate var origin: String? { port == 0 ? nil : "https://\(host):\(port)" }
}

extension SOCKSProxy {
  /// The proxy that an account is configured to use.
  package init(_ proxy: Proxy) {
    self.init(
      host: proxy.server.host, port: proxy.server.port, user: proxy.credentials.map { Array($0.user.utf8) },
      password: proxy.credentials?.password.bytes ?? [])
  }
}
