import Glibc

/// A folder of a test's own, mode 0700, removed with all that is in it when the last reference goes.
package final class TemporaryFolder: Sendable {
  /// Absolute, without a final slash; short enough for the path of a Unix socket in it.
  package let path: String

  package init() throws {
    var template = Array("/tmp/confab-test-XXXXXX\0".utf8.map { CChar(bitPattern: $0) })
    guard unsafe mkdtemp(&template) != nil else { throw POSIXFailure(code: errno, what: "mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of `name` in the folder.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file into the folder and gives its path.
  @discardableResult
  package func write(_ name: String, _ text: String, mode: UInt32 = 0o600) throws -> String {
    let path = file(name)
    let fd = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard fd >= 0 else { throw POSIXFailure(code: errno, what: path) }
    defer { close(fd) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(fd, $0.baseAddress, $0.count) }
      guard count > 0 else { throw POSIXFailure(code: errno, what: path) }
      bytes = bytes.dropFirst(count)
    }
    guard unsafe chmod(path, mode) == 0 else { throw POSIXFailure(code: errno, what: path) }
    return path
  }

  deinit {
    _ = try? runCommand("rm", "-rf", path)
  }
}

/// A failed call in a test's own scaffolding.
package struct POSIXFailure: Error, CustomStringConvertible {
  package let code: CInt
  package let what: String
  package var description: String { unsafe "\(what): \(String(cString: strerror(code)))" }
}
