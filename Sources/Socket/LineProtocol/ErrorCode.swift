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
  case notSupported = "not-supported"

  /// One line for people: the cause and the effect.
  package var meaning: String {
    switch self {
    case .unknownVerb: "There is no such verb."
    case .badArgument: "An option, an argument or the request's form is wrong; `argument` names the option or argument."
    case .badEncoding: "The line or its text is not UTF-8, or a JSON string holds half a surrogate pair."
    case .lineTooLong: "The request line is longer than `limits.line`; it was dropped up to its end."
    case .tooLarge:
      """
      The text is longer than `limits.text`, or than 200,000 bytes as XML; or a file is larger than the server or \
      `spool-size` takes (`limit`: so many bytes), or than `fetch-max`.
      """
    case .incomplete: "The input ended inside the request; nothing was done."
    case .notAllowed: "This socket or this user may not do that."
    case .notFound: "There is no such message, contact, conversation or account."
    case .notConnected: "The account is offline and this request cannot be queued."
    case .accountNeeded: "Several accounts are configured: choose one with `account=`."
    case .keyMismatch: "The same `key` was used before for another message; nothing was sent."
    case .alreadyWatching: "This connection already has a watch."
    case .busy: "Another client is already using this name."
    case .otherLog: "`since` is above the newest number, or the UUID is another log's: start over."
    case .timeout: "The time ran out before the state was reached; a stored message stays stored."
    case .failed: "The message could not be delivered, or the server or the configuration refused the request."
    case .noSpace: "The disk is full; nothing was done."
    case .storage: "The disk failed; nothing was done."
    case .notSupported: "The server, the account, or what is installed cannot do it."
    case .limit:
      """
      A limit of connections, of a socket's messages, of another user's messages that wait to be sent, or of files that \
      wait (`spool-size`) is reached; nothing was done. \
      `retry_after`, if there is one, says when to try again.
      """
    }
  }
}
