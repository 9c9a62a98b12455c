/// XEP-0478: how long a stanza may be that a server takes; one that is longer ends the stream.
package enum AdvertisedLimits {
  /// Bytes of the longest stanza that servers take which do not say it: Prosody and ejabberd as they are installed.
  package static let usual = 256 << 10
  /// Bytes of a stanza around its payload: addresses, ids, elements.
  private static let surroundings = 2 << 10

  /// Bytes of the longest payload of a stanza of so many bytes.
  package static func payload(in stanza: Int) -> Int { max(0, stanza - surroundings) }

  /// Bytes of the longest picture that a stanza of so many bytes holds in base64.
  package static func picture(in stanza: Int) -> Int { payload(in: stanza) / 4 * 3 }
}
