package import XML
import XMPPCore

/// XEP-0461: the message that another one answers.
package enum MessageReplies {
  package static let namespace: StaticString = "urn:xmpp:reply:0"

  /// Scalars and lines of a quotation, at most.
  private static let longestQuote = 500
  private static let mostLines = 5

  /// The stanza's id of the message that is answered, and its author by the word of who answers.
  package static func target(_ reply: Element) -> (id: String, author: String?)? {
    StanzaIDs.id(in: reply).map { ($0, reply.attribute("to")) }
  }

  /// Returns the quotation before a reply, for clients that do not know the extension: the first lines of the message.
  package static func quotation(of text: String) -> String {
    let lines = text.split(separator: "\n", maxSplits: mostLines, omittingEmptySubsequences: false)
    let shown = lines.prefix(mostLines).joined(separator: "\n")
    let cut = shown.unicodeScalars.count > longestQuote || lines.count > mostLines
    let quote = String(String.UnicodeScalarView(shown.unicodeScalars.prefix(longestQuote))) + (cut ? "…" : "")
    return quote.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)\n" }.joined()
  }

  /// A quotation without its marks.
  package static func quoted(_ quotation: some StringProtocol) -> String {
    quotation.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("> ") ? String(line.dropFirst(2)) : line.hasPrefix(">") ? String(line.dropFirst()) : String(line)
    }.joined(separator: "\n").trimmingEnd
  }

  /// - Parameter quotation: Unicode scalars of it, with which the body begins.
  package static func write(_ id: String, author: String?, quotation: Int, into writer: inout XMLWriter) {
    writer.empty("reply", xmlns: namespace, attributes: ["to": author, "id": id])
    if quotation > 0 { FallbackIndication.write(for: namespace, 0..<quotation, into: &writer) }
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }
}
