import CIdn2
import Glibc

extension DomainName {
  /// The name as addresses have it (RFC 7622, section 3.2): letters in place of A-labels, in lower case and form C, after
  /// the same mapping as `ascii`. A name of ASCII without A-labels is only lower-cased and not judged.
  package static func unicode(_ domain: String) throws(DomainNameError) -> String {
    // Judges A-labels, and makes ASCII of all that is a letter.
    let name = try ascii(domain).lowercased()
    return claimsALabels(name) ? try letters(of: name) : name
  }

  /// The letters that A-labels stand for.
  static func letters(of name: String) throws(DomainNameError) -> String {
    var unicode: UnsafeMutablePointer<CChar>?
    let status = unsafe confab_idn2_to_unicode(name, &unicode)
    defer { unsafe idn2_free(unicode) }
    guard status == 0, let unicode = unsafe unicode else {
      throw DomainNameError(reason: unsafe String(cString: idn2_strerror(status)))
    }
    return unsafe String(cString: unicode)
  }

  /// True if this is an IPv6 address in brackets (RFC 7622, section 3.2).
  package static func isIPv6Literal(_ domain: String) -> Bool {
    guard domain.utf8.first == UInt8(ascii: "["), domain.utf8.last == UInt8(ascii: "]") else { return false }
    // The library would take what stands before it for the whole.
    guard !domain.utf8.contains(0) else { return false }
    var address = in6_addr()
    return unsafe inet_pton(AF_INET6, String(domain.dropFirst().dropLast()), &address) == 1
  }
}
