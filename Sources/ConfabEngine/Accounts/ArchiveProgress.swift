import Clocks
import Records

/// How far a session is with its account's archive (XEP-0313).
struct ArchiveProgress {
  /// What `status` says of it.
  enum State: String {
    /// Nobody has said yet whether there is one.
    case unknown
    case none
    case catchingUp = "catching-up"
    /// The first time, backwards from the newest.
    case filling
    case complete
    /// It could not go on, and will try again.
    case failed
  }

  var state = State.unknown
  /// Why, where it failed.
  var reason: String?
  /// What is under way; one at a time.
  var run: ArchiveRun?
  /// Its question that is out.
  var requestID = ""
  /// Messages taken out of it on this stream.
  var taken = 0
  /// Messages that came or went otherwise since the anchor was moved.
  var sinceAnchor = 0
  /// When to try again.
  var retryDue: Instant?
  /// Whether it shows what left on an earlier stream, and we are not announced before it has.
  var isSettling = false
  /// The question went out before the link was lost, on a stream that goes on.
  var isOwedFromBefore = false

  /// Its answer was late, and the link was asked for a sign of life behind the question.
  var isLinkAsked = false

  /// When the message that a probe found stands here; nil: it is not known.
  var probed: Timestamp?

  /// Whether the archive has shown on this stream that it has the anchor, by a page that follows the anchor or by the
  /// anchor itself.
  var knowsAnchor = false
  /// The archive's newest message, if the archive has nothing after the anchor.
  var newest: ArchiveRecord.Anchor?

  /// There is nothing more to be had from it, for now.
  var isAtRest: Bool { run == nil && (state == .none || state == .complete) }

  /// What was told of it last.
  var told: String?

  /// What a person is told of it, where it takes its time or does not go on.
  var words: String? {
    switch state {
    case .failed: "the archive could not be fetched: \(reason ?? "")"
    case .catchingUp where run?.isLong == true: "fetching what came meanwhile out of the archive"
    case .filling where run?.isLong == true: "fetching older messages out of the archive"
    default: nil
    }
  }
}
