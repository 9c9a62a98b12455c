/// One SRV record (RFC 2782): where a service of a domain is.
package struct SRVRecord: Hashable, Sendable {
  /// Lower ones are tried first.
  package let priority: UInt16
  /// The share among those of equal priority.
  package let weight: UInt16
  package let port: UInt16
  /// A host name without a final dot.
  package let target: String

  package init(priority: UInt16, weight: UInt16, port: UInt16, target: String) {
    self.priority = priority
    self.weight = weight
    self.port = port
    self.target = target
  }
}

/// The DNS records of one service of a domain.
package enum SRVAnswer: Equatable, Sendable {
  /// At least one record, by priority, equal ones in the order of the answer.
  case records([SRVRecord])
  /// There are none: try the domain itself.
  case none
  /// The domain says that it does not offer the service (one record with target `.`).
  case decidedlyNot
  /// The look-up failed, with the reason; it may succeed later.
  case failed(String)
}

/// The services of XMPP's clients.
package enum ClientService: String, Hashable, Sendable {
  /// TLS from the first byte (XEP-0368).
  case direct = "_xmpps-client._tcp."
  /// STARTTLS (RFC 6120, section 3.2.1).
  case startTLS = "_xmpp-client._tcp."
}

/// The services of a domain, of both kinds.
package struct ServiceLookup: Equatable, Sendable {
  package let direct: SRVAnswer
  package let startTLS: SRVAnswer

  package init(direct: SRVAnswer, startTLS: SRVAnswer) {
    self.direct = direct
    self.startTLS = startTLS
  }
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
