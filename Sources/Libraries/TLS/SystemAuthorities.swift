import COpenSSL

/// The certificate authorities that this system trusts.
package enum SystemAuthorities: Equatable, Sendable {
  /// A directory with hashed names, which is read one file at a time as they are needed.
  case directory(String)
  /// Files, one of which may be there, and the directory that has no hashed names. Reading one costs 18 ms.
  case bundles([String], directory: String)

  /// Nil if OpenSSL has no default directory.
  package static var place: SystemAuthorities? {
    guard let directory = unsafe X509_get_default_cert_dir(), let file = unsafe X509_get_default_cert_file() else {
      return nil
    }
    let path = unsafe String(cString: directory)
    if HashedDirectory.hasCertificates(path) { return .directory(path) }
    return .bundles([unsafe String(cString: file), path + "/ca-certificates.crt"], directory: path)
  }
}
