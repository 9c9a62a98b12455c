package import XML

/// XEP-0377: why somebody is blocked, for the operators of our server. It does not allow them to forward the report.
package struct AbuseReport: Sendable, Equatable {
  package enum Reason: String, CaseIterable, Sendable {
    /// Unwanted messages.
    case spam
    /// Anything else.
    case abuse
  }

  package static let namespace: StaticString = "urn:xmpp:reporting:1"

  package var reason: Reason
  /// For the operators, in the words of the user.
  package var text: String?

  package init(_ reason: Reason, text: String? = nil) { (self.reason, self.text) = (reason, text) }

  /// Writes the report, for the `<item/>` of a `<block/>`.
  package func write(into writer: inout XMLWriter) {
    writer.open("report", xmlns: Self.namespace, attributes: ["reason": "urn:xmpp:reporting:\(reason.rawValue)"])
    if let text { writer.element("text", text: text) }
    writer.close()
  }
}
