import Clocks

/// The stream of an account that is online, or was last: since when, as whom, and who ended it.
struct OnlineStream {
  /// When it began, or was resumed.
  private(set) var since: Instant
  /// Whether the server ended it; false if the link was lost.
  var isEndedByServer = false
  /// As whom, for `status`, and what was added about the archive.
  private var signedIn = ""
  private var reportedArchive: String?

  init(since now: Instant) { since = now }

  /// A stream begins, or is resumed.
  init(_ signedIn: String, since now: Instant) { (since, self.signedIn) = (now, signedIn) }

  /// The reason for being online, for `status`, if it is another one by what the archive is at.
  mutating func reason(archive sentence: String?) -> String? {
    guard sentence != reportedArchive else { return nil }
    reportedArchive = sentence
    return signedIn + (sentence.map { "; \($0)" } ?? "")
  }
}
