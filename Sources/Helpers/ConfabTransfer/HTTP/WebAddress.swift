import CCurl

/// An absolute URL as libcurl reads it, so that what is checked is what is requested. User name, password and fragment are
/// left out.
@safe package final class WebAddress {
  /// Lower case.
  package let scheme: String
  /// A name as it is, or an address without brackets; lower case, IPv4 addresses in four decimal parts.
  package let host: String
  /// 0 if the scheme has none.
  package let port: UInt16
  let handle: OpaquePointer

  /// The scheme of a text, in lower case; nil if it has none, as a relative reference (RFC 3986, section 3.1).
  package static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: 0x3A) else { return nil }
    let scheme = text[..<colon].lowercased()
    let isScheme = scheme.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    }
    return isScheme && scheme.utf8.first.map { $0 >= 0x61 } ?? false ? scheme : nil
  }

  /// - Returns: nil if it is no URL with a scheme and a host.
  package convenience init?(_ text: String) {
    guard let handle = unsafe curl_url() else { return nil }
    unsafe self.init(taking: handle, text)
  }

  /// Reads a reference relative to this address (RFC 3986, section 5).
  package func resolving(_ reference: String) -> WebAddress? {
    guard let handle = unsafe curl_url_dup(handle) else { return nil }
    return unsafe WebAddress(taking: handle, reference)
  }

  private init?(taking handle: OpaquePointer, _ text: String) {
    guard let parts = unsafe Self.read(handle, text) else {
      unsafe curl_url_cleanup(handle)
      return nil
    }
    unsafe self.handle = handle
    (scheme, host, port) = parts
  }

  private static func read(_ handle: OpaquePointer, _ text: String) -> (String, String, UInt16)? {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
      unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK
    else { return nil }
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
      unsafe curl_url_set(handle, part, nil, 0)
    }
    // A zone (RFC 6874) is an interface of one machine.
    guard let scheme = unsafe part(handle, CURLUPART_SCHEME), let host = unsafe part(handle, CURLUPART_HOST),
      unsafe part(handle, CURLUPART_ZONEID) == nil
    else { return nil }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    return (scheme.lowercased(), bare.lowercased(), unsafe part(handle, CURLUPART_PORT).flatMap { UInt16($0) } ?? 0)
  }

  deinit { unsafe curl_url_cleanup(handle) }

  /// Returns the address with another host: the A-labels of a name.
  package func naming(_ host: String) -> WebAddress? {
    guard let handle = unsafe curl_url_dup(handle) else { return nil }
    guard unsafe curl_url_set(handle, CURLUPART_HOST, host, 0) == CURLUE_OK,
      let text = unsafe Self.part(handle, CURLUPART_URL)
    else {
      unsafe curl_url_cleanup(handle)
      return nil
    }
    return unsafe WebAddress(taking: handle, text)
  }

  // Other schemes are read, to be refused by name; spaces and letters beyond ASCII get their codes.
  private static let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)

  private static func part(_ handle: OpaquePointer, _ part: CURLUPart) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text = unsafe text
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(validatingCString: text)
  }
}
