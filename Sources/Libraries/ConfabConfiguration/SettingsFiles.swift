/// The files that settings are in; handed in, so that this layer opens none itself.
package protocol SettingsFiles: Sendable {
  /// All of a regular file, links followed.
  ///
  /// - Parameter limit: the most bytes that it may have; a longer one is `tooLong`.
  func contents(of path: String, limit: Int) throws(SettingsFileError) -> FileContents

  /// True if anything is at the path, readable or not.
  func exists(_ path: String) -> Bool

  /// Why others can change or replace the file; nil: they cannot.
  func openness(of path: String) -> String?

  /// The number of a group by its name or its number in digits; nil if the system has no such group.
  func groupID(of name: String) -> UInt32?
}

/// A file read at one moment.
package struct FileContents: Equatable, Sendable {
  package var bytes: [UInt8]
  /// The permission bits, of the very file that was read.
  package var mode: UInt32
  /// The user that owns it.
  package var owner: UInt32

  package init(bytes: [UInt8], mode: UInt32, owner: UInt32) {
    self.bytes = bytes
    self.mode = mode
    self.owner = owner
  }
}

/// Why a file could not be read.
package enum SettingsFileError: Error, Equatable, Sendable {
  /// Nothing is there.
  case missing
  case tooLong(limit: Int)
  /// The system's words: `Permission denied`.
  case failed(String)

  /// The failure as a mismatch between the required and the found value.
  func mismatch(_ what: String) -> Mismatch {
    switch self {
    case .missing: Mismatch(expected: what, found: "none")
    case .tooLong(let limit): Mismatch(expected: "\(what) of at most \(limit) bytes", found: "a longer one")
    case .failed(let words): Mismatch(expected: "\(what) that can be read", found: words)
    }
  }
}
