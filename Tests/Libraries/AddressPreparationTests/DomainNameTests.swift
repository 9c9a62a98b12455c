import AddressPreparation
import Testing

@Suite struct DomainNameTests {
  @Test(arguments: [
    ("", ""), ("example.org", "example.org"), ("EXAMPLE.org", "EXAMPLE.org"), ("[::1]", "[::1]"), ("-.-", "-.-"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("XN--Bcher-KVA.example.", "xn--bcher-kva.example."),
    ("r3---sn-x.example", "r3---sn-x.example"), ("example.org.", "example.org."),
  ])
  func whatIsASCIIStaysAsItIs(_ domain: String, _ expected: String) throws {
    #expect(try DomainName.ascii(domain) == expected)
  }

  @Test(arguments: [
    ("b\u{FC}cher.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
    ("B\u{DC}CHER.Example", "xn--bcher-kva.example"), ("xn--bcher-kva.\u{FC}.de", "xn--bcher-kva.xn--tda.de"),
    ("_a.\u{FC}.de", "_a.xn--tda.de"), ("\u{FC}.de.", "xn--tda.de."), ("\u{FF41}\u{FF42}.de", "ab.de"),
    ("l\u{B7}l.cat", "xn--ll-0ea.cat"),
    ("\u{4F8B}\u{3048}\u{3002}\u{30C6}\u{30B9}\u{30C8}", "xn--r8jz45g.xn--zckzah"),
    // Non-transitional: the sharp s and the joiner between Indic letters are letters, and not mapped away.
    ("fa\u{DF}.de", "xn--fa-hia.de"), ("\u{915}\u{94D}\u{200D}\u{937}.in", "xn--11b2ezcw70k.in"),
  ])
  func whatIsNotBecomesALabels(_ domain: String, _ expected: String) throws {
    #expect(try DomainName.ascii(domain) == expected)
  }

  @Test(arguments: [
    ("\u{2603}.net", "string contains a disallowed character"),
    ("a\u{2100}b.de", "string contains a disallowed character"),
    ("\u{FC}\0.de", "string contains a disallowed character"),
    ("-\u{FC}.de", "string start/ends with forbidden hyphen"),
    ("ab--\u{FC}.de", "string contains forbidden two hyphens pattern"),
    ("\u{301}x.de", "string contains a forbidden leading combining character"),
    ("a\u{200D}b.de", "string contains a forbidden context-j character"),
    ("\u{5D0}a.de", "string has forbidden bi-directional properties"),
    ("xn--\u{FC}.de", "string contains invalid punycode data"),
    // Labels that only look like A-labels: of nothing, of ASCII alone, of what has another form, of no letter.
    ("xn--.de", "string contains invalid punycode data"), ("xn--abc-.de", "string contains invalid punycode data"),
    ("Xn--99999999.de", "punycode conversion resulted in overflow"),
    ("xn--u-ccb.com", "string is not in Unicode NFC format"), ("xn--n3h.de", "string contains a disallowed character"),
    ("xn--vba.kl", "string contains a disallowed character"),
    ("xn--tda..de", "it has an empty label"), (".xn--tda.de", "it has an empty label"),
    ("[\u{FC}].de", "A-label roundtrip failed"),
    ("\u{FC}\u{3002}\u{3002}de", "it has an empty label"),
    (String(repeating: "\u{FC}", count: 64) + ".de", "punycode encoded data will be too large"),
    (String(repeating: "\u{FC}.", count: 60) + "de", "domain name longer than 255 characters"),
  ])
  func whatIsNoNameIsRefusedInWords(_ domain: String, _ reason: String) {
    #expect(throws: DomainNameError(reason: reason)) { try DomainName.ascii(domain) }
  }
}
