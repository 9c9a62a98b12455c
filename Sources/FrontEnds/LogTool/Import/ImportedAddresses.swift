/// The result of preparing an address from a file or a command line.
package enum PreparedAddress: Equatable, Sendable {
  /// The address as the log stores it.
  case address(String)
  /// It is none, for this reason.
  case wrong(String)
  /// The address cannot be checked, for this reason.
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
  /// By their bytes, since a `String` is equal to others that look the same, and 1 or 0 behind them: typed or not.
  private var known: [[UInt8]: PreparedAddress] = [:]

  init(_ prepare: @escaping PrepareAddress) { self.prepare = prepare }

  /// The address as the log has it.
  func address(_ text: String) throws(LineProblem) -> String { try prepared(text, isTyped: false) }

  /// The address of who wrote, and the bare JID that he has; nil where he is not the one with this bare JID. One domain may
  /// be written in two ways, with A-labels and without: where they are the same person as soon as both are prepared as
  /// people type them, so they are taken.
  func person(
    _ written: String, being owner: String
  ) throws(LineProblem) -> (address: String, owner: String)? {
    let address = try address(written)
    guard Self.bare(address) != owner else { return (address, owner) }
    do throws(LineProblem) {
      let typed = (address: try prepared(address, isTyped: true), owner: try prepared(owner, isTyped: true))
      return Self.bare(typed.address) == typed.owner ? typed : nil
    } catch {
      if error.endsAll { throw error }
      return nil
    }
  }

  private static func bare(_ address: String) -> String {
    String(decoding: address.utf8.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
  }

  private func prepared(_ text: String, isTyped: Bool) throws(LineProblem) -> String {
    switch outcome(text, isTyped) {
    case .address(let address): return address
    case .wrong(let reason): throw LineProblem(reason)
    case .unknown(let reason): throw LineProblem(reason, endsAll: true)
    }
  }

  private func outcome(_ text: String, _ isTyped: Bool) -> PreparedAddress {
    let key = Array(text.utf8) + [isTyped ? 1 : 0]
    if let known = known[key] { return known }
    let address = key.count > Self.longest + 1 ? .wrong("It is too long.") : prepare(text, isTyped)
    if known.count >= Self.most { known = [:] }
    known[key] = address
    return address
  }
}
