import Bytes

/// What a client has just said when it is the server's turn, in the order of a login.
enum LoginMoment: CaseIterable {
  /// Its header in the clear, and the wish for TLS.
  case plainOpening, startTLS
  /// Its header within TLS.
  case opening
  /// The first and the last message of SCRAM.
  case auth, response
  /// Its header after the login, the resource, and stream management with the roster and the presence behind it.
  case reopening, bind, enable

  var isInTheClear: Bool { self == .plainOpening || self == .startTLS }

  init?(_ text: String, isSecured: Bool, isAuthenticated: Bool) {
    if text.contains("<stream:stream") {
      self = !isSecured ? .plainOpening : isAuthenticated ? .reopening : .opening
    } else if text.contains("<starttls ") {
      self = .startTLS
    } else if text.contains("<auth ") {
      self = .auth
    } else if text.contains("<response ") {
      self = .response
    } else if text.contains("urn:ietf:params:xml:ns:xmpp-bind") {
      self = .bind
    } else if text.contains("<enable ") {
      self = .enable
    } else {
      return nil
    }
  }
}

/// What a server says instead of what a good one says, and how it goes on.
struct Deviation {
  let moment: LoginMoment
  /// `$good` is the good server's answer, `$half` the first half of it, `$nonce` the client's nonce, `$id` the id of its
  /// iq; then each `{text}` becomes its base64.
  let text: String
  /// Each character comes alone, or a few of them where there are thousands.
  var isSlow = false
  /// Nil: the connection stays.
  var ending: Ending?
  /// How often it does so.
  var times = 1

  /// How a connection is ended.
  enum Ending: CaseIterable { case close, reset }

  func says(nonce: String, to request: String, good: String) -> [String] {
    let id = ScriptedStream.value(of: "id", in: request) ?? ""
    let filled = text.replacing("$good", with: good).replacing("$half", with: good.prefix(good.count / 2))
      .replacing("$nonce", with: nonce).replacing("$id", with: id)
    let said = Self.expanded(filled)
    return isSlow ? pieces(of: said, size: 1 + said.utf8.count / 4_000) : [said]
  }

  private func pieces(of text: String, size: Int) -> [String] {
    var pieces: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      pieces.append(String(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return pieces
  }

  /// Replaces each `{text}` by its base64.
  private static func expanded(_ text: String) -> String {
    text.components("{").enumerated().map { index, part in
      guard index > 0 else { return part }
      let halves = part.components("}")
      return Base64.encode(Array((halves.first ?? "").utf8)) + halves.dropFirst().joined(separator: "}")
    }.joined()
  }
}

/// What comes of a hostile deed.
enum Outcome: Equatable {
  /// The session lives, or begins as if nothing had been.
  case lives
  /// The connection is given up, with these words in `status`, and tried again later: with success, since the server is
  /// good then.
  case triesAgain(String)
  /// The same, and nothing is tried until somebody says `connect`.
  case givesUp(String)
  /// Waits for hours, because the password has worked before.
  case waitsForHours(String)
}

/// What hostile servers are made of.
enum Hostile {
  static let header =
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
    + "from='example.org' id='h1' version='1.0'>"

  static func features(_ content: String) -> String { header + "<stream:features>\(content)</stream:features>" }

  static func mechanisms(_ names: String...) -> String {
    let list = names.map { "<mechanism>\($0)</mechanism>" }.joined()
    return features("<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(list)</mechanisms>")
  }

  static func sasl(_ name: String, _ content: String = "") -> String {
    "<\(name) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(content)</\(name)>"
  }

  static func tls(_ name: String) -> String { "<\(name) xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>" }

  static func bound(_ jid: String, id: String = "$id", attributes: String = "") -> String {
    "<iq type='result' id='\(id)'\(attributes)><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>\(jid)</jid></bind></iq>"
  }

  static func streamError(_ condition: String, _ content: String = "") -> String {
    "<stream:error><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'>\(content)</\(condition)></stream:error>"
      + "</stream:stream>"
  }

  /// RFC 6120, section 4.9.3, and one that there is not.
  static let streamErrors = [
    "bad-format", "bad-namespace-prefix", "conflict", "connection-timeout", "host-gone", "host-unknown",
    "improper-addressing", "internal-server-error", "invalid-from", "invalid-namespace", "invalid-xml",
    "not-authorized", "not-well-formed", "policy-violation", "remote-connection-failed", "reset",
    "resource-constraint", "restricted-xml", "see-other-host", "system-shutdown", "undefined-condition",
    "unsupported-encoding", "unsupported-feature", "unsupported-stanza-type", "unsupported-version", "nonsense",
  ]

  /// XML that XMPP forbids, and the stream error that says so.
  static let forbiddenXML: [(name: String, text: String, condition: String)] = [
    ("a document type", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "not-well-formed"),
    ("a document type within", "<message><!DOCTYPE x><body/></message>", "not-well-formed"),
    ("an entity", "<message><body>&lol;</body></message>", "restricted-xml"),
    ("an entity in a value", "<message id='&lol;'/>", "restricted-xml"),
    ("a processing instruction", "<?php x?>", "restricted-xml"),
    ("a comment", "<!-- x -->", "restricted-xml"),
    ("a second declaration", "<?xml version='1.0' encoding='ISO-8859-1'?>", "not-well-formed"),
    ("a wrong end tag", "<message></presence>", "not-well-formed"),
    ("an attribute twice", "<message id='1' id='2'/>", "not-well-formed"),
    ("a prefix of nothing", "<x:message/>", "bad-namespace-prefix"),
    ("a NUL", "<message>\u{0}</message>", "not-well-formed"),
    ("a control character", "<message>&#1;</message>", "not-well-formed"),
    ("U+FFFE", "<message>\u{FFFE}</message>", "not-well-formed"),
    ("a surrogate", "<message>&#xD800;</message>", "not-well-formed"),
    ("text between stanzas", "text<a/>", "bad-format"),
  ]
}
