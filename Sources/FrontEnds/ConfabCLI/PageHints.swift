import ConfabClient
import JSON
import LineProtocol

/// Hints on what an answer leaves out, and on the commands that show it.
struct PageHints {
  let request: Request
  let invocation: Invocation
  /// The first and the last id shown of the page: message ids, or JIDs of conversations.
  let first: Value?
  let last: Value?

  /// One line each, for people.
  func lines(_ final: JSONValue) -> [String] {
    var lines: [String] = []
    if let bytes = final["unreadable"]?.integer, bytes > 0 {
      lines.append("\(bytes) bytes of the log cannot be read; confab log verify shows where")
    }
    let isMoreBefore = final["more_before"]?.bool == true
    switch request.verb {
    case .history:
      let position = [OptionName.after, .around, .row].first { request.options[$0] != nil }
      if isMoreBefore, position == nil || position == .around { lines += more("older messages", .before, first) }
      if final["more_after"]?.bool == true, position != nil { lines += more("newer messages", .after, last) }
    case .search where isMoreBefore: lines += more("older messages", .before, last)
    case .roster:
      if let count = final["requests_left_out"]?.integer, count > 0 {
        lines.append("\(count) requests to see your presence were left out: answer those that wait, and connect again")
      }
    case .devices where first == nil:
      let refresh = request.options[.refresh] == nil ? "; 'confab devices --refresh' asks the server" : ""
      lines.append("no device is known" + refresh)
    case .conversations where isMoreBefore: lines += more("more conversations", .before, last)
    default: break
    }
    return lines
  }

  private func more(_ what: String, _ option: OptionName, _ value: Value?) -> [String] {
    guard let value else { return [] }
    var next = request
    for position in [OptionName.before, .after, .around, .row] { next.options[position] = nil }
    next.options[option] = value
    return ["\(what): \(CommandWords.line(next, invocation))"]
  }
}
