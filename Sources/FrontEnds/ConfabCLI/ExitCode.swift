package import ConfabClient
import JSON
package import LineProtocol

/// How `confab` ends; the numbers are for scripts and never change.
package enum ExitCode: Int32, CaseIterable, Sendable {
  /// Done.
  case done = 0
  /// The daemon refused.
  case refused = 1
  /// Stored, then failed.
  case failed = 2
  /// Stored, and the time ran out; `confab wait` goes on.
  case timedOut = 3
  /// The command line is wrong.
  case usage = 64
  /// A text that cannot be sent.
  case badText = 65
  /// No daemon answers, or the outcome of the request is unknown.
  case noDaemon = 69
  /// Standard output could not be written; the command itself was done.
  case outputFailed = 74
  /// Nothing was stored, and it is safe to repeat.
  case nothingStored = 75
  /// Not allowed.
  case notAllowed = 77

  /// The meaning of each, for `--help` and manual pages.
  package var meaning: String {
    switch self {
    case .done: "done"
    case .refused: "refused, or there is none (`draft`)"
    case .failed: "stored, then its delivery failed"
    case .timedOut: "stored, but the time ran out; 'confab wait' continues waiting"
    case .usage: "wrong usage: an option, an argument, a JID or a name"
    case .badText: "unusable text: not UTF-8, too large, or with characters that XML cannot carry"
    case .noDaemon: "no daemon answers, or the connection was cut and the outcome is unknown"
    case .outputFailed: "done, but standard output could not be written; a closed pipe is no such failure"
    case .nothingStored: "nothing was stored; it is safe to repeat"
    case .notAllowed: "not allowed"
    }
  }
}

extension ExitCode {
  /// For the final line of a request.
  package init(final line: ReceivedLine, of request: Request) {
    guard case .refused(let name, _) = line.kind else {
      let isNoDraft = request.verb == .draft && request.text == nil && line.object["text"]?.string?.isEmpty != false
      self = isNoDraft ? .refused : .done
      return
    }
    let concernsText = line.object["argument"]?.string == "text"
    let code = ErrorCode(rawValue: name).map { ExitCode($0, of: request, concernsText: concernsText) } ?? .refused
    // A room that I am not in takes nothing: no message was stored.
    self = code == .failed && line.object["id"] == nil ? .refused : code
  }

  private init(_ code: ErrorCode, of request: Request, concernsText: Bool) {
    let concernsMessage = [.send, .sendFile, .wait].contains(request.verb)
    switch code {
    case .timeout where concernsMessage: self = .timedOut
    // The server may have done what the request asks for.
    case .timeout: self = request.kind == .query ? .nothingStored : .refused
    case .failed: self = concernsMessage ? .failed : .refused
    case .notAllowed: self = .notAllowed
    case .tooLarge, .badEncoding: self = .badText
    case .badArgument: self = concernsText ? .badText : .usage
    case .accountNeeded: self = .usage
    case .noSpace, .storage, .busy, .limit, .notConnected: self = .nothingStored
    case .unknownVerb, .lineTooLong, .incomplete, .notFound, .keyMismatch, .alreadyWatching, .otherLog, .notSupported:
      self = .refused
    }
  }

  /// For a request that got no final line.
  package init(_ failure: TransportFailure, of request: Request) {
    switch failure.kind {
    case .outputClosed: self = .done
    case .notAllowed: self = .notAllowed
    case .noDaemon, .silent, .notConfab: self = .noDaemon
    case .busy, .cut:
      let isQuery = request.kind == .query && request.verb != .watch
      self = failure.nothingSent || isQuery ? .nothingStored : .noDaemon
    }
  }
}
