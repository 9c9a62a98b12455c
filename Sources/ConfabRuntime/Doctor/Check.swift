import JSON

/// One thing that `confabd --doctor` looked at, and how it is.
struct Check: Equatable {
  enum Kind: String { case configuration, permissions, disk, clock, dns, port, certificate, login }
  enum Outcome: String { case ok, warning, wrong }

  let kind: Kind
  /// The account that it is about; nil: all of them.
  var account: String?
  let outcome: Outcome
  /// What was found, in words; part of it may have come from a server.
  let text: String
  /// How to mend it; nil where nothing is to be mended.
  var advice: String?
  /// Of the configuration: where the daemon's socket is.
  var socket: String?

  static func ok(_ kind: Kind, _ text: String, account: String? = nil) -> Check {
    Check(kind: kind, account: account, outcome: .ok, text: text)
  }

  static func warning(_ kind: Kind, _ text: String, account: String? = nil, mend advice: String) -> Check {
    Check(kind: kind, account: account, outcome: .warning, text: text, advice: advice)
  }

  static func wrong(_ kind: Kind, _ text: String, account: String? = nil, mend advice: String) -> Check {
    Check(kind: kind, account: account, outcome: .wrong, text: text, advice: advice)
  }

  /// One line of JSON: `{"check":"dns","account":"home","result":"ok","text":"…"}`.
  var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("check", kind.rawValue)
    if let account { writer.member("account", account) }
    writer.member("result", outcome.rawValue)
    writer.member("text", text)
    if let advice { writer.member("advice", advice) }
    if let socket { writer.member("socket", socket) }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}
