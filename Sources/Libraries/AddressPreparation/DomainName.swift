import CIdn2

/// A domain's name as DNS, TLS and certificates have it, by libidn2.
package enum DomainName {
  /// The name with A-labels (`xn--…`) in place of what is beyond ASCII: IDNA 2008 (RFC 5891) after the non-transitional
  /// mapping of UTS #46. Other ASCII stays as it is and costs one look; what claims to be an A-label must be one, or a
  /// name would have two forms (RFC 5891, section 5.4). One final dot is kept.
  package static func ascii(_ domain: String) throws(DomainNameError) -> String {
    if domain.utf8.allSatisfy({ $0 < 0x80 }), !claimsALabels(domain) { return domain }
    let name = try lookUpForm(Array(domain.utf8))
    // The mapping makes ASCII of other characters: of U+2100 a slash, of U+3002 a dot.
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.enumerated().allSatisfy({ !$1.isEmpty || $0 > 0 && $0 == labels.count - 1 }) else {
      throw DomainNameError(reason: "it has an empty label")
    }
    guard labels.joined().allSatisfy(isAllowed) else {
      throw DomainNameError(reason: "string contains a disallowed character")
    }
    let text = String(decoding: name, as: UTF8.self)
    try judgeALabels(text)
    return text
  }

  /// Checks that each A-label is the one that its letters give (RFC 5890, section 2.3.2.1). The library judges an
  /// A-label alone more leniently than its letters: that of U+00B8, which is mapped to a space and an accent, passes.
  private static func judgeALabels(_ name: String) throws(DomainNameError) {
    guard claimsALabels(name) else { return }
    let letters = try letters(of: name.lowercased())
    guard let again = try? lookUpForm(Array(letters.utf8)), again.elementsEqual(name.lowercased().utf8) else {
      throw DomainNameError(reason: "string contains a disallowed character")
    }
  }

  static func claimsALabels(_ domain: String) -> Bool {
    domain.utf8.split(separator: UInt8(ascii: ".")).contains { Substring($0.prefix(4)).lowercased() == "xn--" }
  }

  private static func lookUpForm(_ utf8: [UInt8]) throws(DomainNameError) -> [UInt8] {
    // The library would take what stands before it for the whole.
    guard !utf8.contains(0) else { throw DomainNameError(reason: "string contains a disallowed character") }
    var ascii: UnsafeMutablePointer<UInt8>?
    let status = unsafe confab_idn2_lookup(utf8 + [0], &ascii)
    defer { unsafe idn2_free(ascii) }
    guard status == 0, let ascii = unsafe ascii else {
      throw DomainNameError(reason: unsafe String(cString: idn2_strerror(status)))
    }
    let text = unsafe String(cString: ascii)
    return Array(text.utf8)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    // The underscore is in use.
    case UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}

/// Why a name cannot be one in DNS.
package struct DomainNameError: Error, Equatable, Sendable {
  /// In libidn2's words: `string contains a disallowed character`.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
