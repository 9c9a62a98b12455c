package import XML

/// Why a stanza came back (RFC 6120, section 8.3).
package struct StanzaError: Error, Sendable, Equatable {
  /// The sender's choices after the error (section 8.3.2).
  package enum ErrorType: String, Sendable, Hashable, CaseIterable {
    case auth, cancel, `continue`, modify, wait
  }

  package var type: ErrorType
  /// One of `conditions`.
  package var condition: String
  /// For people, from outside, at most `longestText` scalars.
  package var text: String?
  /// The entity that reports the error, if it is not the addressee.
  package var by: String?

  package static let longestText = 1_000

  /// The conditions that there are (section 8.3.3).
  static let conditions: [StaticString] = [
    "bad-request", "conflict", "feature-not-implemented", "forbidden", "gone", "internal-server-error",
    "item-not-found", "jid-malformed", "not-acceptable", "not-allowed", "not-authorized", "policy-violation",
    "recipient-unavailable", "redirect", "registration-required", "remote-server-not-found", "remote-server-timeout",
    "resource-constraint", "service-unavailable", "subscription-required", "undefined-condition", "unexpected-request",
  ]

  package init(type: ErrorType = .cancel, condition: String, text: String? = nil, by: String? = nil) {
    self.type = type
    self.condition = condition
    self.text = text
    self.by = by
  }

  /// Reads the error of a stanza, or an `<error/>` itself. Never fails: what cannot be understood is
  /// `undefined-condition`, and an unknown type means `cancel`.
  package init(parsing element: Element) {
    let error = element.isNamed("error", Namespace.client) ? element : element.child("error", Namespace.client)
    type = error?.attribute("type").flatMap(ErrorType.init) ?? .cancel
    condition = Self.condition(of: error)
    text = error?.child("text", Namespace.stanzaErrors).map { String($0.text.unicodeScalars.prefix(Self.longestText)) }
    by = error?.attribute("by")
  }

  /// Writes the `<error/>` of an answer.
  package func write(into writer: inout XMLWriter) {
    writer.open("error", attributes: ["by": by, "type": type.rawValue])
    let name = Self.conditions.first { "\($0)" == condition } ?? "undefined-condition"
    writer.empty(name, xmlns: Namespace.stanzaErrors)
    if let text { writer.element("text", xmlns: Namespace.stanzaErrors, text: text) }
    writer.close()
  }

  private static func condition(of error: Element?) -> String {
    guard let error else { return "undefined-condition" }
    for child in error.children {
      if let name = conditions.first(where: { child.isNamed($0, Namespace.stanzaErrors) }) { return "\(name)" }
    }
    return "undefined-condition"
  }
}

extension StanzaError {
  /// The request makes no sense (section 8.3.3.1).
  package static let badRequest = StanzaError(type: .modify, condition: "bad-request")
  /// Not handled here, or not for the one who asks (section 8.3.3.19).
  package static let serviceUnavailable = StanzaError(condition: "service-unavailable")
  /// There is no such thing (section 8.3.3.7).
  package static let itemNotFound = StanzaError(condition: "item-not-found")
}
