/// What became of an address out of a file or of a command line.
package enum PreparedAddress: Equatable, Sendable {
  /// As the log has it.
  case address(String)
  /// It is none, for this reason.
  case wrong(String)
  /// Nobody can tell, for this reason.
  case unknown(String)
}

/// Prepares addresses, of which it is said whether a person typed them, as the daemon does: the libraries for that are no
/// part of the command line, so whoever runs the tool hands it in.
package typealias PrepareAddress = (_ address: String, _ isTyped: Bool) -> PreparedAddress

/// The addresses of a file. Files have the same ones again and again, so the last ones are remembered.
final class ImportedAddresses {
  private static let most = 10_000
  /// Bytes: local part, domain and resource (RFC 7622, section 3.1), and what is between them.
  private static let longest = 3 * 1023 + 2

  private let prepare: PrepareAddress
  /// By their bytes: a `String` is equal to others that look the same.
  private var known: [[UInt8]: PreparedAddress] = [:]

  init(_ prepare: @escaping PrepareAddress) { self.prepare = prepare }

  /// The address as the log has it.
  func address(_ text: String) throws(LineProblem) -> String {
    switch prepared(text) {
    case .address(let address): return address
    case .wrong(let reason): throw LineProblem(reason)
    case .unknown(let reason): throw LineProblem(reason, endsAll: true)
    }
  }

  private func prepared(_ text: String) -> PreparedAddress {
    let bytes = Array(text.utf8)
    if let known = known[bytes] { return known }
    let address = bytes.count > Self.longest ? .wrong("It is too long.") : prepare(text, false)
    if known.count >= Self.most { known = [:] }
    known[bytes] = address
    return address
  }
}
