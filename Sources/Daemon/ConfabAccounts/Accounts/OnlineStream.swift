import Clocks

/// The stream of an account that is online, or was last: since when, as whom, and who ended it.
struct OnlineStream {
  /// When it began, or was resumed.
  let since: Instant
  /// True if the server ended it; false if the link was lost.
  var isEndedByServer = false
  /// The login, for `status`, and the last sentence about the archive.
  private let signedIn: String
  private var reportedArchive: String?

  init(_ signedIn: String = "", since now: Instant) { (self.signedIn, since) = (signedIn, now) }

  /// Takes the new reason for being online, for `status`; nil if the archive's part of it is unchanged.
  mutating func takeReason(archive sentence: String?) -> String? {
    guard sentence != reportedArchive else { return nil }
    reportedArchive = sentence
    return signedIn + (sentence.map { "; \($0)" } ?? "")
  }
}
