/// The types of channel binding that Confab has, strongest first. `tls-unique` (RFC 5929, section 3) is not among them:
/// it does not exist in TLS 1.3, and in TLS 1.2 it is not unique without the extended master secret (RFC 7627).
package enum ChannelBindingType: String, CaseIterable, Hashable, Sendable {
  /// Keying material of this very connection (RFC 9266).
  case tlsExporter = "tls-exporter"
  /// The server's certificate (RFC 5929, section 4): no help against who has its key.
  case tlsServerEndPoint = "tls-server-end-point"
}

/// The client's statement about channel binding in the GS2 header (RFC 5802, section 6).
package enum ChannelBindingFlag: Hashable, Sendable {
  /// `n`: the client does not support channel binding (for this connection).
  case unsupported
  /// `y`: the client supports it and believes that the server does not; a server that does must abort, because somebody
  /// in between took the -PLUS mechanisms off the list.
  case unoffered
  /// `p=type`: the exchange is bound to `data`, which both sides know of this connection under the type's definition.
  case bound(type: ChannelBindingType, data: [UInt8])

  /// The GS2 header without an authorization identity, as it begins the first message.
  var header: String {
    switch self {
    case .unsupported: "n,,"
    case .unoffered: "y,,"
    case .bound(let type, _): "p=\(type.rawValue),,"
    }
  }

  /// The decoded `c=` of the last message: the header again, then the binding's data.
  var input: [UInt8] {
    switch self {
    case .unsupported, .unoffered: Array(header.utf8)
    case .bound(_, let data): Array(header.utf8) + data
    }
  }
}
