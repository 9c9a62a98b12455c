package import JSON
import LineProtocol

/// The daemon's first line.
package struct Greeting: Equatable, Sendable {
  /// The UUID of the log; empty before the first greeting.
  package var log = ""
  package var version = ""
  /// `full`, `send` or `read`.
  package var rights = "full"
  /// Longest text of a message, in bytes of UTF-8.
  package var textLimit = 60_000
  /// Longest line of a request, in bytes without its LF.
  package var lineLimit = Limits.line

  package init() {}

  /// nil if the line greets in no version that we know.
  package init?(_ object: JSONValue) {
    guard object["confab"]?.integer == 1 else { return nil }
    log = object["log"]?.string ?? ""
    version = object["version"]?.string ?? ""
    rights = object["rights"]?.string ?? "full"
    textLimit = Int(clamping: object["limits"]?["text"]?.integer ?? 60_000)
    lineLimit = Int(clamping: object["limits"]?["line"]?.integer ?? Int64(Limits.line))
  }

  /// Why a request cannot be sent, for people; nil if no line of it is too long.
  func refusal(ofRequest bytes: [UInt8]) -> String? {
    let isLong = bytes.count > lineLimit && bytes.split(separator: 0x0A).contains { $0.count > lineLimit }
    return isLong ? "the request has \(bytes.count - 1) bytes; at most \(lineLimit) can be sent" : nil
  }

  /// Why a text cannot be sent, for people; nil if its length is no hindrance.
  func refusal(ofText text: String) -> String? {
    let count = text.utf8.count
    return count > textLimit ? "Not sent: the text has \(count) bytes; at most \(textLimit) can be sent." : nil
  }
}
