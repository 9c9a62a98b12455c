/// The service records of a domain (RFC 6120, section 3.2.1; XEP-0368).
package struct Services: Hashable, Sendable {
  package let direct: ServiceAnswer
  package let startTLS: ServiceAnswer
  package init(direct: ServiceAnswer, startTLS: ServiceAnswer) {
    (self.direct, self.startTLS) = (direct, startTLS)
  }
}

/// The answer of DNS for one kind of service.
package enum ServiceAnswer: Hashable, Sendable {
  /// At least one, by priority, equal ones in the order of the answer.
  case records([ServiceRecord])
  /// There are none: the domain itself is tried.
  case none
  /// The domain says that it does not offer the service: one record with the target `.`.
  case refused
  /// The look-up failed, with the reason in words; it may succeed later.
  case failed(String)
}

/// One SRV record (RFC 2782).
package struct ServiceRecord: Hashable, Sendable {
  /// Lower ones are tried first.
  package var priority: UInt16
  /// The share among those of equal priority.
  package let weight: UInt16
  /// Without a final dot.
  package let host: String
  package let port: UInt16
  package init(priority: UInt16, weight: UInt16, host: String, port: UInt16) {
    (self.priority, self.weight, self.host, self.port) = (priority, weight, host, port)
  }
}
