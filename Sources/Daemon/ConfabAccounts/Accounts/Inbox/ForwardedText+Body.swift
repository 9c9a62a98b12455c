import Clocks
package import Records

extension ForwardedText {
  /// A body, and behind it what it lacks of the messages inside and of the files' addresses.
  package static func whole(_ body: String, _ inside: [ForwardedText], _ files: [Attachment]) -> String {
    let messages = inside.filter { ($0.body.isEmpty || !body.contains($0.body)) && !body.contains($0.quoted) }
      .map(\.quoted)
    let addresses = files.map(\.url).filter { !body.contains($0) }
    return ([body].filter { !$0.isEmpty } + messages + addresses).joined(separator: "\n")
  }

  /// All of its body: the addresses of its files stand at the end, but those of encrypted ones, which say nothing.
  var body: String { text + attachments.filter { !$0.url.isEmpty && $0.key == nil }.addresses(behind: text) }

  /// For clients that do not know forwarded messages.
  package var quoted: String {
    let head = "> \(from)" + (time.map { ", " + Timestamp(milliseconds: $0).rfc3339 } ?? "") + ":\n"
    let names = attachments.filter { $0.key != nil }.map { $0.name ?? "a file" }
    let whole = ([body].filter { !$0.isEmpty || names.isEmpty } + names).joined(separator: "\n")
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
    return head + lines.joined(separator: "\n")
  }
}
