import Glibc
import Synchronization

/// Server certificates for `example.test`, good and bad, made once by this process; see Tests/Support/certificates.py.
package enum Certificates {
  /// The host they are for.
  package static let host = "example.test"

  package enum Kind: String, CaseIterable, Sendable {
    case good
    case wrongHost = "wrong-host"
    case expired
    case early
    case untrusted
    case selfSigned = "self-signed"
    case byAServer = "by-a-server"
    case commonName = "common-name"
    case wildcard
    case nul
    case clientOnly = "client-only"
  }

  /// The folder with `ca.pem`, `KIND.pem` and `KIND.key`; removed when this process ends.
  package static func folder() throws -> String {
    try made.get().path
  }

  /// The file of the authority that a client is to trust.
  package static func authority() throws -> String {
    try folder() + "/ca.pem"
  }

  private static let made = Result { try make() }

  private static func make() throws -> TemporaryFolder {
    let folder = try TemporaryFolder("certificates")
    toRemove.withLock { $0 = folder.path }
    atexit { Certificates.toRemove.withLock { $0.map(TestFiles.removeTree) } }
    let done = try Program.run(["/usr/bin/python3", "-B", Products.support("certificates.py"), folder.path, host])
    guard done.status == .exited(0) else { throw TestFailure("certificates.py: \(done.errorText)") }
    return folder
  }

  private static let toRemove = Mutex<String?>(nil)
}
