package import Bytes
package import Clocks
package import Crypto

/// One file to be moved over HTTP by `confab-transfer`, and what that program may do for it.
package struct TransferRequest: Equatable, Sendable {
  package enum Direction: Equatable, Sendable {
    /// GET into the file, from its start; more than `limit` bytes of it is a failure.
    case get(limit: UInt64)
    /// PUT of the file, which has exactly so many bytes.
    case put(size: UInt64)
  }

  package var direction: Direction
  /// http or https. A user name and a password in it are left out, and so is a fragment.
  package var url: String
  /// Sent to the host of `url` only.
  package var headers: [TransferHeader]
  /// Addresses that are not globally reachable are allowed everywhere.
  package var privateAddresses: Bool
  /// Origins (RFC 6454) at which they are allowed, such as `https://up.example.org:443`.
  package var privateOrigins: [String]
  /// PEM; trusted in place of the system's authorities, at `authorityHosts` only.
  package var authorityFile: String?
  /// Hosts as they are in URLs.
  package var authorityHosts: [String]
  /// Resolves names and connects; nil: direct connections.
  package var proxy: SOCKSProxy?
  /// `127.0.0.1:5353` each; none: those of the system.
  package var nameServers: [String]
  /// Hashes wanted of the bytes as they come or go.
  package var hashes: [HashAlgorithm]
  /// A transfer ends after this time with less than 1 KiB moved.
  package var patience: Interval
  /// The file is encrypted by it on its way out, and decrypted on its way in, with the tag behind its bytes; nil: it moves
  /// as it is. Sizes and hashes are those of the file itself.
  package var key: FileKey?

  package init(
    _ direction: Direction, url: String, headers: [TransferHeader] = [], privateAddresses: Bool = false,
    privateOrigins: [String] = [], authorityFile: String? = nil, authorityHosts: [String] = [],
    proxy: SOCKSProxy? = nil, nameServers: [String] = [], hashes: [HashAlgorithm] = [],
    patience: Interval = .seconds(60), key: FileKey? = nil
  ) {
    self.direction = direction
    self.url = url
    self.headers = headers
    self.privateAddresses = privateAddresses
    self.privateOrigins = privateOrigins
    self.authorityFile = authorityFile
    self.authorityHosts = authorityHosts
    self.proxy = proxy
    self.nameServers = nameServers
    self.hashes = hashes
    self.patience = patience
    self.key = key
  }

  /// Bytes that move beside those of the file: the tag.
  package var overhead: UInt64 { key == nil ? 0 : UInt64(FileKey.tagBytes) }
}

/// A header of a request.
package struct TransferHeader: Equatable, Sendable {
  package let name: String
  package let value: String

  /// Nil unless the name is a token (RFC 9110, section 5.6.2) and the value has neither control characters nor white
  /// space at its ends, so that it stays one line.
  package init?(name: String, value: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte), value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
      value.first != " ", value.last != " "
    else { return nil }
    self.name = name
    self.value = value
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
