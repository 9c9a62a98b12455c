/// The stable codes of final lines with `"ok":false`.
package enum ErrorCode: String, CaseIterable, Sendable {
  case unknownVerb = "unknown-verb"
  case badArgument = "bad-argument"
  case badEncoding = "bad-encoding"
  case lineTooLong = "line-too-long"
  case tooLarge = "too-large"
  case incomplete
  case notAllowed = "not-allowed"
  case notFound = "not-found"
  case notConnected = "not-connected"
  case accountNeeded = "account-needed"
  case keyMismatch = "key-mismatch"
  case alreadyWatching = "already-watching"
  case busy
  case otherLog = "other-log"
  case timeout
  case failed
  case noSpace = "no-space"
  case storage
  case limit

  /// One line for people: what it means and what was done.
  package var meaning: String {
    switch self {
    case .unknownVerb: "There is no such verb."
    case .badArgument: "An option, an argument or the request's form is wrong; `argument` names it where it is one."
    case .badEncoding: "The line or its text is not UTF-8, or a JSON string holds half a surrogate pair."
    case .lineTooLong: "The request line is longer than `limits.line`; it was dropped up to its end."
    case .tooLarge: "The text is longer than `limits.text`, or than 200,000 bytes as XML."
    case .incomplete: "The input ended inside the request; nothing was done."
    case .notAllowed: "This socket or this user may not do that."
    case .notFound: "There is no such message, contact, conversation or account."
    case .notConnected: "It needs a connection, there is none, and it is nothing that can wait for one."
    case .accountNeeded: "Several accounts are configured: say `account=`."
    case .keyMismatch: "The same `key` was used before with another JID or text; nothing was sent."
    case .alreadyWatching: "This connection has a watch already."
    case .busy: "Somebody else is doing the same just now."
    case .otherLog: "`since` is above the newest number, or the UUID is another log's: start anew."
    case .timeout: "The time ran out before the awaited state was reached; what was stored stays stored."
    case .failed: "The message's delivery failed."
    case .noSpace: "The disk is full; nothing was done."
    case .storage: "It could not be stored; nothing was done."
    case .limit:
      "A bound is reached: connections, or messages of a socket; nothing was done. `retry_after` says when it may be."
    }
  }
}
