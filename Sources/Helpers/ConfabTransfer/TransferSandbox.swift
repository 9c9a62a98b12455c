package import HelperProtocol
package import Sandbox
import Syscalls

/// The rights that `confab-transfer` keeps once bytes of the network may come: the network itself, the file that it was
/// given, the daemon's socket, and reading what the resolver and TLS need.
package enum TransferSandbox {
  /// Enough for TLS, HTTP/2 and the buffers.
  private static let memory: UInt64 = 64 << 20
  private static let descriptors: UInt64 = 64

  /// Files of the resolver, of which c-ares reads some with each question, and of OpenSSL. Links lead out of some of the
  /// directories: what they lead to is named too.
  private static let readable = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/svc.conf", "/etc/ssl",
    "/usr/lib/ssl", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates",
  ]

  /// Gives up all other rights, for good. No other thread may run.
  ///
  /// - Throws: `Errno` or `SandboxError`; nothing may be done then.
  package static func enter(for direction: TransferRequest.Direction) throws {
    let size: UInt64 = if case .get(let limit) = direction { limit } else { 0 }
    try Confinement.seal()
    try Confinement.limit(.init(memory: memory, descriptors: descriptors, fileSize: size))
    try Confinement.limitFiles(toReading: readable)
    try filter.enforce()
  }

  package static let filter = SystemCallFilter(
    SystemCallFilter.running + SystemCallFilter.waiting + SystemCallFilter.connecting + SystemCallFilter.readingFiles)
}
