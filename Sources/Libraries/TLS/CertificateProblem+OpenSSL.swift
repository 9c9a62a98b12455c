import COpenSSL

extension CertificateProblem {
  /// The most names of a certificate that are shown.
  private static let namesTold = 8
  /// The most bytes of one name that are shown; a DNS name has 253.
  private static let longestName = 256

  /// Explains a failed check, from inside OpenSSL's verify callback.
  ///
  /// - Parameters:
  ///   - store: the check that failed.
  ///   - expected: the host that was asked for.
  init(_ store: OpaquePointer, expected: String) {
    let code = unsafe X509_STORE_CTX_get_error(store)
    guard let certificate = unsafe X509_STORE_CTX_get_current_cert(store) else {
      self = .other(CertificateProblem.words(code))
      return
    }
    unsafe self.init(code, certificate, expected: expected)
  }

  private init(_ code: CInt, _ certificate: OpaquePointer, expected: String) {
    switch code {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      self = unsafe .expired(since: CertificateProblem.time(X509_get0_notAfter(certificate)))
    case X509_V_ERR_CERT_NOT_YET_VALID:
      self = unsafe .notYetValid(from: CertificateProblem.time(X509_get0_notBefore(certificate)))
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      self = unsafe .wrongHost(expected: expected, names: CertificateProblem.names(of: certificate))
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      self = unsafe .selfSigned(subject: CertificateProblem.text(of: X509_get_subject_name(certificate)))
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
      X509_V_ERR_CERT_UNTRUSTED:
      self = unsafe .untrusted(issuer: CertificateProblem.text(of: X509_get_issuer_name(certificate)))
    case X509_V_ERR_CERT_REVOKED:
      self = .revoked
    default:
      self = .other(CertificateProblem.words(code))
    }
  }

  static func words(_ code: CInt) -> String {
    unsafe String(cString: X509_verify_cert_error_string(Int(code)))
  }

  /// The host names that a certificate is for.
  private static func names(of certificate: OpaquePointer) -> [String] {
    guard let list = unsafe confab_alternative_names(certificate) else { return [] }
    defer { unsafe GENERAL_NAMES_free(list) }
    var names: [String] = []
    for index in unsafe 0..<confab_names_count(list) where names.count < namesTold {
      var length: CInt = 0
      guard let bytes = unsafe confab_dns_name(list, index, &length) else { continue }
      unsafe names.append(printable(unsafe UnsafeBufferPointer(start: bytes, count: max(0, Int(length)))))
    }
    return names
  }

  /// A distinguished name in one line, RFC 2253, with everything but printable ASCII escaped.
  private static func text(of name: OpaquePointer?) -> String {
    guard let name = unsafe name, let bio = unsafe BIO_new(BIO_s_mem()) else { return "?" }
    defer { unsafe BIO_free(bio) }
    guard unsafe X509_NAME_print_ex(bio, name, 0, confab_one_line_name) >= 0 else { return "?" }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestName) { buffer in
      let count = unsafe BIO_read(bio, buffer.baseAddress, CInt(buffer.count))
      return unsafe printable(UnsafeBufferPointer(rebasing: buffer[..<max(0, Int(count))]))
    }
  }

  /// `YYYY-MM-DD HH:MM:SS`, in UTC.
  private static func time(_ time: UnsafePointer<ASN1_TIME>?) -> String {
    var parts: (CInt, CInt, CInt, CInt, CInt, CInt) = (0, 0, 0, 0, 0, 0)
    let isKnown = unsafe withUnsafeMutableBytes(of: &parts) {
      unsafe confab_time_parts(time, $0.assumingMemoryBound(to: CInt.self).baseAddress) == 1
    }
    guard isKnown else { return "an unknown time" }
    func pad(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.0)-\(pad(parts.1))-\(pad(parts.2)) \(pad(parts.3)):\(pad(parts.4)):\(pad(parts.5))"
  }

  /// Bounded, and `?` for all but printable ASCII: these bytes come from whoever answered.
  private static func printable(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let shown = unsafe bytes.prefix(longestName).map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: shown, as: UTF8.self)
  }
}
