package import ConfabClient

/// A request that goes to the daemon with files; whoever owns the socket opens them.
package struct FileRequest: Equatable, Sendable {
  package let message: OutgoingText.ID
  package let paths: [String]
  /// The line.
  package let bytes: [UInt8]
}

/// A file of a message that the daemon is asked for.
package struct WantedFile: Equatable, Sendable {
  /// The use that is made of it.
  package enum Use: Equatable, Sendable {
    /// Saves it under a path, or into a folder.
    case save(String)
    /// Opens it by the program that is made for it.
    case open
    /// Draws it below its message.
    case show
    /// Draws it on the whole screen.
    case view

    var isDrawing: Bool { self == .show || self == .view }
  }

  package let message: UInt64
  /// From 0.
  package let index: Int
  package internal(set) var file: ShownAttachment
  package let use: Use
}
