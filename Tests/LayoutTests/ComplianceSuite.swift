import XMPPExtensions

/// The demands of XEP-0479 (XMPP Compliance Suites 2023) on a client, line by line. That a line is met is read off the table of
/// extensions; one that is not says why.
enum ComplianceSuite {
  enum Level: String {
    case core = "Client"
    case advanced = "Advanced Client"
  }

  struct Line {
    let feature: String
    let level: Level
    /// The extensions that provide it.
    let extensions: [Int]
    /// The provider below them, in words.
    var foundation: String?
    /// The missing part, in words; nil: none.
    var missing: String?

    init(_ feature: String, _ level: Level, _ extensions: Int..., by foundation: String? = nil, missing: String? = nil)
    {
      (self.feature, self.level, self.extensions) = (feature, level, extensions)
      (self.foundation, self.missing) = (foundation, missing)
    }

    /// True if all that it names is in the table.
    var isInTable: Bool { extensions.allSatisfy { number in Registry.rows.contains { $0.number == number } } }
  }

  static let core = [
    Line("Core features", .core, by: "RFC 6120"),
    Line("TLS", .core, by: "RFC 7590"),
    Line(
      "Direct TLS", .advanced, by: "XEP-0368: `Sources/Daemon/ConfabAccounts/Accounts/Connecting/ConnectionPlan.swift`"),
    Line("Feature discovery", .core, 30),
    Line("Feature broadcasts", .core, 115),
    Line("Event publishing", .advanced, 163),
  ]

  static let instantMessaging = [
    Line("Core features", .core, by: "RFC 6121"),
    Line("The /me Command", .core, 245),
    Line("User Avatars", .advanced, 84),
    Line("User Avatar Compatibility", .advanced, 153),
    Line("vcard-temp", .core, 54),
    Line("Outbound Message Synchronization", .core, 280),
    Line("User Blocking", .advanced, 191),
    Line("Group Chat", .core, 45, 249),
    Line("Advanced Group Chat", .advanced, 48, 313, 402, 410),
    Line(
      "Persistent Storage of Private Data via PubSub", .advanced, 223,
      missing: "is used for read positions (XEP-0490) and bookmarks of rooms (XEP-0402) alone"),
    Line("Private XML Storage", .advanced, 49),
    Line("Stream Management", .advanced, 198),
    Line("Message Acknowledgements", .advanced, 184),
    Line("History Storage / Retrieval", .advanced, 313),
    Line("Chat States", .advanced, 85),
    Line("Message Correction", .advanced, 308),
    Line("File Upload", .core, 363),
    Line(
      "Direct File Transfer", .advanced, 234, 261, missing: "would send files directly, and tell contacts our address"),
  ]

  /// The section of docs/XEPS.md.
  static var markdown: String {
    """
    ## Compliance suites

    What [XEP-0479](https://xmpp.org/extensions/xep-0479.html) (XMPP Compliance Suites 2023, 0.1.0) asks of a client:

    ### Core

    \(table(core))

    ### Instant Messaging

    \(table(instantMessaging))
    """
  }

  private static func table(_ lines: [Line]) -> String {
    let rows = lines.map { line in
      let provided = line.extensions.map { "XEP-\(XEPDocumentTests.digits($0))" } + [line.foundation].compactMap(\.self)
      return "| \(line.feature) | \(line.level.rawValue) | \(provided.joined(separator: ", ")) "
        + "| \(line.missing.map { "no: \($0)" } ?? "yes") |"
    }
    return (["| Feature | Level | By | Met |", "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
  }
}
