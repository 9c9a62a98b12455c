/// Names of the files in the folder `files` of the data directory: a hash of the address, and the message that each is
/// kept for.
package enum KeptFileName {
  package static let folder = "files"

  package static func make(_ hash: String, for message: UInt64) -> String { "\(hash)-\(message)" }

  /// The message of a name; nil: it is none of these.
  package static func message(of name: String) -> UInt64? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count == 64 ? UInt64(parts[1]) : nil
  }
}
