import Synchronization

/// A certificate authority of a test's own, and certificates that it signs, by the openssl command.
package final class TestAuthority: Sendable {
  private let folder: TemporaryFolder
  private let made = Atomic<Int>(0)
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
  ///   - names: its dNSNames.
  ///   - others: its other alternative names, in the words of `x509v3_config`; without any it has the common name alone.
  ///   - commonName: of its subject.
  ///   - usage: its extended key usage, in the same words; nil: it has none.
  ///   - days: how long it is valid from now on; -1 makes it expired.
  ///   - signature: how it is signed, in the words of `openssl x509`.
  package func certificate(
    for names: [String], others: [String] = [], commonName: String = "test", usage: String? = nil, days: Int = 2,
    signature: [String] = ["-sha256"]
  ) throws -> Certificate {
    let alternatives = (names.map { "DNS:" + $0 } + others).joined(separator: ",")
    let (request, made) = try request(commonName: commonName, alternatives: alternatives, usage: usage)
    try openssl(
      ["x509", "-req", "-in", request, "-CA", file, "-CAkey", folder.file("ca.key"), "-CAcreateserial"]
        + ["-copy_extensions", "copyall", "-days", "\(days)", "-out", made.file] + signature)
    return made
  }

  /// A server's certificate that is valid in another time.
  ///
  /// - Parameter times: from and to, `YYYYMMDDHHMMSSZ`.
  package func certificate(for name: String, valid times: (String, String)) throws -> Certificate {
    let (request, made) = try request(commonName: name, alternatives: "DNS:\(name)", usage: nil)
    let settings = """
      [ca]
      default_ca = own
      [own]
      database = \(folder.file("index"))
      serial = \(folder.file("serial"))
      new_certs_dir = \(folder.path)
      default_md = sha256
      policy = names
      copy_extensions = copyall
      [names]
      commonName = supplied
      """
    for (name, text) in [("ca.cnf", settings), ("index", ""), ("serial", "1000\n")] {
      _ = try folder.write(name, text)
    }
    try openssl(
      ["ca", "-batch", "-notext", "-config", folder.file("ca.cnf"), "-cert", file, "-keyfile", folder.file("ca.key")]
        + ["-startdate", times.0, "-enddate", times.1, "-in", request, "-out", made.file])
    return made
  }

  /// A certificate that signed itself.
  package func selfSigned(for name: String, signature: [String] = ["-sha256"]) throws -> Certificate {
    let made = next()
    try openssl(
      ["req", "-x509"] + TestAuthority.key + signature
        + [
          "-keyout", made.keyFile, "-out", made.file, "-subj", "/CN=\(name)/", "-addext", "subjectAltName=DNS:\(name)",
        ])
    return made
  }

  /// A certificate's key, and the file of what is to be signed.
  private func request(
    commonName: String, alternatives: String, usage: String?
  ) throws -> (request: String, Certificate) {
    let made = next()
    let extensions =
      (alternatives.isEmpty ? [] : ["-addext", "subjectAltName=" + alternatives])
      + (usage.map { ["-addext", "extendedKeyUsage=" + $0] } ?? [])
    let request = made.file + ".csr"
    try openssl(
      ["req"] + TestAuthority.key + ["-keyout", made.keyFile, "-out", request, "-subj", "/CN=\(commonName)/"]
        + extensions)
    return (request, made)
  }

  private func next() -> Certificate {
    let number = made.add(1, ordering: .relaxed).newValue
    return Certificate(file: folder.file("\(number).pem"), keyFile: folder.file("\(number).key"))
  }

  private func openssl(_ words: [String]) throws {
    let done = try Program.run(["openssl"] + words)
    guard done.status == .exited(0) else { throw TestFailure("openssl \(words[0]): \(done.errorText)") }
  }
}
