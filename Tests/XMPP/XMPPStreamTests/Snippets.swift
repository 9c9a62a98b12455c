import XMPPStream

/// What the conversations are put together from.
enum Snippet {
  static let streams = "xmlns:stream='http://etherx.jabber.org/streams'"
  static let tls = "urn:ietf:params:xml:ns:xmpp-tls"
  static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
  static let bindNamespace = "urn:ietf:params:xml:ns:xmpp-bind"

  static let plainHeader =
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' \(streams) to='example.org' version='1.0' xml:lang='en'>"
  static let header =
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' \(streams) from='user@example.org' to='example.org' "
    + "version='1.0' xml:lang='en'>"

  static func opened(_ id: String) -> String {
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' \(streams) from='example.org' id='\(id)' "
      + "version='1.0' xml:lang='en'>"
  }

  static func features(_ content: String) -> String { "<stream:features>\(content)</stream:features>" }

  static let offersTLS = features("<starttls xmlns='\(tls)'><required/></starttls>")
  static let startTLS = "<starttls xmlns='\(tls)'/>"
  static let proceed = "<proceed xmlns='\(tls)'/>"

  static func offersLogin(_ names: String...) -> String { features(mechanisms(names)) }

  static func mechanisms(_ names: String...) -> String { mechanisms(names) }

  private static func mechanisms(_ names: [String]) -> String {
    "<mechanisms xmlns='\(sasl)'>\(names.map { "<mechanism>\($0)</mechanism>" }.joined())</mechanisms>"
  }

  /// XEP-0440.
  static func bindings(_ types: String...) -> String {
    let list = types.map { "<channel-binding type='\($0)'/>" }.joined()
    return "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'>\(list)</sasl-channel-binding>"
  }

  static func challenge(_ text: String) -> String { "<challenge xmlns='\(sasl)'>\(text)</challenge>" }
  static func success(_ text: String) -> String { "<success xmlns='\(sasl)'>\(text)</success>" }
  static func failure(_ content: String) -> String { "<failure xmlns='\(sasl)'>\(content)</failure>" }
  static func auth(_ mechanism: String, _ text: String) -> String {
    "<auth xmlns='\(sasl)' mechanism='\(mechanism)'>\(text)</auth>"
  }
  static func response(_ text: String) -> String {
    text.isEmpty ? "<response xmlns='\(sasl)'/>" : "<response xmlns='\(sasl)'>\(text)</response>"
  }
  static let abort = "<abort xmlns='\(sasl)'/>"
  static let close = "</stream:stream>"

  static let offersBind = features("<bind xmlns='\(bindNamespace)'/><sm xmlns='urn:xmpp:sm:3'/>")
  static let bind =
    "<iq type='set' id='q7-bind'><bind xmlns='\(bindNamespace)'><resource>confab</resource></bind></iq>"
  static func bound(_ jid: String, id: String = "q7-bind", from: String = "") -> String {
    "<iq type='result' id='\(id)'\(from)><bind xmlns='\(bindNamespace)'><jid>\(jid)</jid></bind></iq>"
  }

  static func streamError(_ content: String) -> String {
    "<stream:error>\(content)</stream:error></stream:stream>"
  }
  static func condition(_ name: String) -> String { "<\(name) xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>" }

  /// RFC 5802's exchange for "user" and "pencil".
  static let clientFirst = "{n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL}"
  static let serverFirst = "{r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096}"
  static let clientFinal =
    "{c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=}"
  static let serverFinal = "{v=rmF9pqV8S7suAoZWja4dJRkFsKQ=}"

  /// Lines of a conversation that bring it to a point from which a test goes on.
  static let untilTLS = """
    C: \(plainHeader)
    S: \(opened("s1"))\(offersTLS)
    C: \(startTLS)
    S: \(proceed)
    TLS
    """
  static let untilAuth = """
    \(untilTLS)
    C: \(header)
    S: \(opened("s2"))\(offersLogin("SCRAM-SHA-1"))
    C: \(auth("SCRAM-SHA-1", clientFirst))
    """
  static let untilFinal = """
    \(untilAuth)
    S: \(challenge(serverFirst))
    C: \(response(clientFinal))
    """
  static let untilSuccess = """
    \(untilFinal)
    S: \(success(serverFinal))
    C: \(header)
    """
  static let untilBind = """
    \(untilSuccess)
    S: \(opened("s3"))\(offersBind)
    C: \(bind)
    """
  static let whole = """
    \(untilBind)
    S: \(bound("user@example.org/confab"))
    READY user@example.org/confab
    """
}
