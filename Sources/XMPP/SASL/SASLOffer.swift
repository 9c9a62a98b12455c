package import Crypto

/// A server's offer to log in, as its stream features state it.
package struct SASLOffer: Hashable, Sendable {
  /// Names of mechanisms, in the server's order (RFC 6120, section 6.4.1).
  package var mechanisms: [String]
  /// Types of channel binding, in the server's order (XEP-0440); nil: the server does not speak of them.
  package var channelBindings: [String]?

  package init(mechanisms: [String], channelBindings: [String]? = nil) {
    self.mechanisms = mechanisms
    self.channelBindings = channelBindings
  }

  /// True if the server shows in any way that it can bind a login to the connection.
  var speaksOfChannelBinding: Bool {
    channelBindings?.isEmpty == false || mechanisms.contains { $0.utf8.suffix(5).elementsEqual("-PLUS".utf8) }
  }

  func offers(_ mechanism: Mechanism) -> Bool { mechanisms.contains { Mechanism(named: $0) == mechanism } }

  func offers(_ type: ChannelBindingType) -> Bool {
    channelBindings?.contains { $0.utf8.elementsEqual(type.rawValue.utf8) } == true
  }

  /// The hash by which the server's first SCRAM message can confirm the offer (XEP-0474, "Server Sends Downgrade
  /// Protection Hash"): both lists sorted by their bytes, parted by characters that XML cannot carry.
  package func hash(_ algorithm: HashAlgorithm) throws(CryptoError) -> [UInt8] {
    var text = Self.joined(mechanisms)
    if let channelBindings { text += [0x1F] + Self.joined(channelBindings) }
    return try Digest.hash(text, algorithm)
  }

  private static func joined(_ names: [String]) -> [UInt8] {
    Array(names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x1E]))
  }
}
