/// The services of XMPP's clients.
package enum ClientService: String, Hashable, Sendable {
  /// TLS from the first byte (XEP-0368).
  case direct = "_xmpps-client._tcp."
  /// STARTTLS (RFC 6120, section 3.2.1).
  case startTLS = "_xmpp-client._tcp."
}

/// The addresses of a host, of one family.
package enum AddressAnswer: Equatable, Sendable {
  /// At least one, in the order of the answer, without ports; 4 or 16 bytes each.
  case addresses([HostAddress])
  /// The name has none of this family, or there is no such name.
  case none
  case failed(String)
}

/// An address as DNS gives it.
package struct HostAddress: Hashable, Sendable {
  /// 4 or 16, in network order.
  package let bytes: [UInt8]
  /// The interface of a link-local IPv6 address, else 0.
  package let scope: UInt32
}

/// IPv4 or IPv6.
package enum AddressFamily: Hashable, Sendable, CaseIterable {
  case v6
  case v4
}
