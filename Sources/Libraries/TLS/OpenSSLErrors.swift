import COpenSSL

/// The thread's queue of errors in OpenSSL, which a call adds to and never clears.
enum OpenSSLErrors {
  /// Empties the queue; before every call whose failure is to be explained.
  static func clear() { ERR_clear_error() }

  /// Empties the queue and gives the reasons in words, the first cause first.
  static func takeWords() -> String {
    var words: [String] = []
    while case let code = ERR_get_error(), code != 0 {
      if let reason = unsafe ERR_reason_error_string(code) { unsafe words.append(String(cString: reason)) }
    }
    return words.isEmpty ? "OpenSSL gives no reason" : words.joined(separator: "; ")
  }

  /// Empties the queue and says what ended a session.
  static func takeFailure() -> TLSFailure {
    let reason = ERR_GET_REASON(ERR_peek_error())
    if reason >= alertOffset {
      let words = unsafe String(cString: SSL_alert_desc_string_long(reason - alertOffset))
      clear()
      return .alert(words)
    }
    switch reason {
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG:
      clear()
      return .notTLS
    case SSL_R_UNEXPECTED_EOF_WHILE_READING:
      clear()
      return .cut
    default:
      return .protocolError(takeWords())
    }
  }

  /// Reasons from here on are alerts that the peer sent.
  private static let alertOffset: CInt = 1000
}
