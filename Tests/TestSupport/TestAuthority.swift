/// A certificate authority of a test's own, and certificates that it signs, by the openssl command.
package final class TestAuthority: Sendable {
  private let folder: TemporaryFolder
  /// The authority's certificate, PEM.
  package var file: String { folder.file("ca.pem") }

  /// A certificate with its key, PEM.
  package struct Certificate: Sendable {
    package let file: String
    package let keyFile: String
  }

  private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  /// - Parameter key: how its key is made, in the words of `openssl req`.
  package init(key: [String] = key) throws {
    folder = try TemporaryFolder()
    try openssl(
      ["req", "-x509"] + key
        + ["-nodes", "-keyout", folder.file("ca.key"), "-out", file, "-subj", "/CN=Test CA/", "-days", "2"])
  }

  /// A server's certificate.
  ///
  /// - Parameters:
  ///   - names: its dNSNames; none, and it has the common name alone.
  ///   - commonName: of its subject.
  ///   - days: how long it is valid from now on; -1 makes it expired.
  ///   - signature: how it is signed, in the words of `openssl x509`.
  package func certificate(
    for names: [String], commonName: String = "test", days: Int = 2, signature: [String] = ["-sha256"]
  ) throws -> Certificate {
    let id = ([names.first ?? "none", commonName, "\(days)"] + signature).joined().replacing("*", with: "star")
    let made = Certificate(file: folder.file(id + ".pem"), keyFile: folder.file(id + ".key"))
    let request = folder.file(id + ".csr")
    let alternatives =
      names.isEmpty ? [] : ["-addext", "subjectAltName=" + names.map { "DNS:" + $0 }.joined(separator: ",")]
    try openssl(
      ["req"] + TestAuthority.key + ["-keyout", made.keyFile, "-out", request, "-subj", "/CN=\(commonName)/"]
        + alternatives)
    try openssl(
      ["x509", "-req", "-in", request, "-CA", file, "-CAkey", folder.file("ca.key"), "-CAcreateserial"]
        + ["-copy_extensions", "copyall", "-days", "\(days)", "-out", made.file] + signature)
    return made
  }

  /// A certificate that signed itself.
  package func selfSigned(for name: String, signature: [String] = ["-sha256"]) throws -> Certificate {
    let made = Certificate(file: folder.file("self.pem"), keyFile: folder.file("self.key"))
    try openssl(
      ["req", "-x509"] + TestAuthority.key + signature
        + [
          "-keyout", made.keyFile, "-out", made.file, "-subj", "/CN=\(name)/", "-addext", "subjectAltName=DNS:\(name)",
        ])
    return made
  }

  private func openssl(_ words: [String]) throws {
    let done = try Program.run(["openssl"] + words)
    guard done.status == .exited(0) else { throw TestFailure("openssl \(words[0]): \(done.errorText)") }
  }
}
