import CUnistring

/// Unicode normalisation (UAX #15), by libunistring.
package enum Normalization {
  /// The text in normalisation form C. ASCII costs one look and no copy.
  ///
  /// Returns the text unchanged if there is no memory.
  package static func nfc(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return nfc(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// UTF-8 in normalisation form C; what is no UTF-8 becomes U+FFFD. Nil if there is no memory.
  package static func nfc(_ utf8: [UInt8]) -> [UInt8]? {
    // No text grows to more than three times its size in form C (UAX #15, section 3).
    let capacity = utf8.count * 3 + 16
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      var length = capacity
      let result = unsafe utf8.withUnsafeBufferPointer {
        unsafe confab_nfc($0.baseAddress, $0.count, buffer.baseAddress, &length)
      }
      guard let result = unsafe result else { return nil }
      defer { if unsafe result != buffer.baseAddress { unsafe confab_unistring_free(result) } }
      return unsafe Array(UnsafeBufferPointer(start: result, count: length))
    }
  }
}
