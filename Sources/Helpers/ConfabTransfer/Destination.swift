import HelperProtocol
import AddressPreparation
import Syscalls

/// A URL that may be requested.
struct Destination {
  let address: WebAddress
  /// Addresses that are not globally reachable are allowed.
  let allowsPrivate: Bool
  let host: String
  let isSecure: Bool

  /// - Parameters:
  ///   - reference: a URL, or what a redirect says.
  ///   - previous: what redirects to it; nil for the request's own URL.
  init(_ reference: String, from previous: Destination?, for request: TransferRequest) throws(TransferFailure) {
    try Self.judge(scheme: WebAddress.scheme(of: reference))
    let address = previous.map { $0.address.resolving(reference) } ?? WebAddress(reference)
    guard let address, let named = Self.named(address) else {
      throw TransferFailure(.url, "the URL cannot be read")
    }
    // libcurl takes more for a scheme than RFC 3986.
    try Self.judge(scheme: named.scheme)
    self.address = named
    host = named.host
    isSecure = named.scheme == "https"
    allowsPrivate = request.privateAddresses || request.privateOrigins.contains { Self.isOrigin($0, of: named) }
    guard isSecure || previous?.isSecure != true else {
      throw TransferFailure(.notAllowed, "\(previous?.host ?? "the server") redirects to plain http")
    }
    try judgeLiteral()
  }

  private static func judge(scheme: String?) throws(TransferFailure) {
    guard let scheme, !["http", "https"].contains(scheme) else { return }
    throw TransferFailure(.notAllowed, "\(scheme): is not a scheme for files; http and https are")
  }

  /// True if the addresses of a host may be connected to.
  func allows(_ address: [UInt8]) -> Bool { allowsPrivate || AddressRules.isGlobal(address) }

  /// Why an address is refused.
  func refusal(_ address: String) -> TransferFailure {
    let name = address == host ? address : "\(host) (\(address))"
    return TransferFailure(.notAllowed, "\(name) is not an address of the Internet; fetch-private allows it")
  }

  /// An address as it is written, and names for this machine: a proxy would not ask.
  private func judgeLiteral() throws(TransferFailure) {
    let isLocal = host == "localhost" || host.hasSuffix(".localhost")
    let literal = InternetAddress(literal: host, port: 0)
    if isLocal && !allowsPrivate || literal.map({ !allows($0.bytes) }) ?? false { throw refusal(host) }
  }

  /// The address with A-labels in its host; nil if the host is neither a name nor an address.
  private static func named(_ address: WebAddress) -> WebAddress? {
    if InternetAddress(literal: address.host, port: 0) != nil { return address }
    guard let host = ascii(address.host), host.utf8.allSatisfy(isNameByte), !host.isEmpty else { return nil }
    return host == address.host ? address : address.naming(host)
  }

  private static func ascii(_ host: String) -> String? { try? DomainName.ascii(host.lowercased()).lowercased() }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A: true
    default: "-._".utf8.contains(byte)
    }
  }

  private static func isOrigin(_ origin: String, of address: WebAddress) -> Bool {
    guard let origin = WebAddress(origin).flatMap(named) else { return false }
    return (origin.scheme, origin.host, origin.port) == (address.scheme, address.host, address.port)
  }

  /// True if a configured host is the one of a URL.
  static func isSame(_ configured: String, _ host: String) -> Bool {
    let bare = configured.hasPrefix("[") ? String(configured.dropFirst().dropLast()) : configured
    return (ascii(bare) ?? bare.lowercased()) == host
  }
}
