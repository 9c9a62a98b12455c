/// What the client says about channel binding in the GS2 header (RFC 5802, section 6).
package enum ChannelBindingFlag: Equatable, Sendable {
  /// `n`: the client does not support channel binding (for this connection).
  case unsupported
  /// `y`: the client supports it and believes that the server does not; a server that does must abort, because somebody
  /// in between took the -PLUS mechanisms off the list.
  case unoffered
  /// `p=type`: the exchange is bound to `data`, which both sides know of this connection under the type's definition.
  case bound(type: String, data: [UInt8])

  /// The GS2 header without an authorization identity, as it begins the first message.
  var header: String {
    switch self {
    case .unsupported: "n,,"
    case .unoffered: "y,,"
    case .bound(let type, _): "p=\(type),,"
    }
  }

  /// What `c=` stands for in the last message: the header again, then the binding's data.
  var input: [UInt8] {
    switch self {
    case .unsupported, .unoffered: Array(header.utf8)
    case .bound(_, let data): Array(header.utf8) + data
    }
  }
}
