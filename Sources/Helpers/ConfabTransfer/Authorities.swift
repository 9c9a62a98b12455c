import HelperProtocol
import Syscalls
import TLS

/// Whom certificates are to be signed by.
struct Authorities {
  /// The account's own, PEM, and the hosts at which they are trusted in place of the system's.
  private let own: [UInt8]?
  private let hosts: [String]
  private let system: HTTPRequest.Authorities

  private static let longestFile = 4 << 20

  /// Reads the file.
  init(for request: TransferRequest) throws(TransferFailure) {
    hosts = request.authorityHosts
    do throws(Errno) {
      own = try request.authorityFile.map { (path) throws(Errno) in
        try WholeFile(path: path, limit: Self.longestFile).bytes
      }
    } catch {
      throw TransferFailure(.tls, "ca-file cannot be read: \(error.description)")
    }
    system = Self.system()
  }

  func trusted(at host: String) -> HTTPRequest.Authorities {
    guard let own, hosts.contains(where: { Destination.isSame($0, host) }) else { return system }
    return .bytes(own)
  }

  private static func system() -> HTTPRequest.Authorities {
    switch SystemAuthorities.place {
    case .directory(let path): .directory(path)
    case .bundles(let paths, _):
      .bytes(paths.lazy.compactMap { try? WholeFile(path: $0, limit: longestFile).bytes }.first ?? [])
    case nil: .bytes([])
    }
  }
}
