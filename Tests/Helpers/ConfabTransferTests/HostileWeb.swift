import JSON
import TestSupport

/// The misbehaving server of Tests/Support/hostile_http.py. Its name server has it as `example.test`, for which it has a
/// certificate, `other.test`, and `secret.test`.
final class HostileWeb: Sendable {
  let http: UInt16
  /// At `::1`.
  let http6: UInt16
  let https: UInt16
  let nameServer: String
  let folder: TemporaryFolder
  private let helper: HelperProcess

  init(certificate: Certificates.Kind = .good) throws {
    folder = try TemporaryFolder()
    let file = try Certificates.folder() + "/" + certificate.rawValue
    helper = try HelperProcess(
      "hostile_http.py", ["--certificate", file + ".pem", "--key", file + ".key"], log: folder.file("hostile_http.log"))
    let ready = try helper.event("ready")
    http = try ready.port("http")
    http6 = try ready.port("http6")
    https = try ready.port("https")
    nameServer = "127.0.0.1:\(try ready.port("dns"))"
  }

  /// One for all tests that do not look at its requests.
  static func shared() throws -> HostileWeb { try one.get() }

  private static let one = Result { try HostileWeb() }

  /// A URL at the plain port.
  func plain(_ path: String, host: String = "example.test") -> String { "http://\(host):\(http)\(path)" }

  /// A URL at the TLS port.
  func secure(_ path: String, host: String = "example.test") -> String { "https://\(host):\(https)\(path)" }

  /// The next request that it has had.
  func request() throws -> JSONValue { try helper.event("request") }

  /// The body of `/file?count`.
  static func body(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }
}
