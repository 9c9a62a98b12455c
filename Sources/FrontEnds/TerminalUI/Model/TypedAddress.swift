import Bytes

/// Addresses as people type them.
enum TypedAddress {
  /// The bare JID as the daemon writes it, as far as that is known without its tables: without a resource, ASCII letters in
  /// lower case (RFC 7622). Nil: it cannot be one.
  static func bare(_ typed: String) -> String? {
    let bare = AddressURI.address(in: typed).prefix { $0 != "/" }
    let parts = bare.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), parts.count == 2 || bare.contains(".") else {
      return nil
    }
    return String(decoding: bare.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
