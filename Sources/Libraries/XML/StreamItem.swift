/// One thing that an XML stream brought.
package enum StreamItem: Sendable, Equatable {
  /// The stream was opened: always the first item, exactly once.
  indirect case header(StreamHeader)
  /// A whole child of the stream, delivered at its end tag: a stanza, or features, a SASL element, a stream error.
  case stanza(Element)
  /// The start of the answer that is delivered in parts (`StreamParser.partedAnswerIDs`): the start tags of the iq and
  /// of its child, without content.
  case answerBegins(Element)
  /// A complete child of the iq's child in such an answer.
  case answerPart(Element)
  /// The end of such an answer; an answer over its limit ends in `refused` instead.
  case answerEnds
  /// A stanza over our limits, skipped to its end.
  indirect case refused(RefusedStanza)
  /// The parser's budget of names is spent (`StreamLimits.names`), and the stream's start tag is too long for a new parser
  /// to take over: said once, between two stanzas, and the stream still works. Acknowledge what is stored and make a new
  /// stream.
  case namesExhausted
  /// `</stream:stream>`: always the last item.
  case end
  /// The stream cannot go on: always the last item.
  case failed(XMLFailure)
}

/// The opening tag of a stream (RFC 6120, section 4.7), not judged yet.
package struct StreamHeader: Sendable, Equatable {
  /// The element's local name; `stream` in a good one.
  package var local: String
  /// The element's own namespace; `http://etherx.jabber.org/streams` in a good one.
  package var streamNamespace: String
  /// The default namespace that it declares, for its children; `jabber:client` in a good one. Empty: none.
  package var namespace: String
  package var from: String?
  package var to: String?
  package var id: String?
  package var version: String?
  /// `xml:lang`.
  package var language: String?

  /// True if this opens an XMPP stream at all, whatever the namespace of its content.
  package var isStream: Bool {
    local.utf8.elementsEqual("stream".utf8)
      && streamNamespace.utf8.elementsEqual("http://etherx.jabber.org/streams".utf8)
  }

  package init(
    local: String = "stream", streamNamespace: String = "http://etherx.jabber.org/streams",
    namespace: String = "jabber:client", from: String? = nil, to: String? = nil, id: String? = nil,
    version: String? = nil, language: String? = nil
  ) {
    self.local = local
    self.streamNamespace = streamNamespace
    self.namespace = namespace
    self.from = from
    self.to = to
    self.id = id
    self.version = version
    self.language = language
  }
}

/// A stanza that was over the limits. The strings are as they came, and left out where longer than
/// any valid one.
package struct RefusedStanza: Sendable, Equatable {
  /// Local name: message, presence, iq, or anything else.
  package var name: String
  package var namespace: String
  package var from: String?
  package var id: String?
  package var type: String?
  /// Size on the wire.
  package var bytes: Int
  /// The limit that it was over, in words.
  package var reason: String

  package init(
    name: String, namespace: String = "jabber:client", from: String? = nil, id: String? = nil, type: String? = nil,
    bytes: Int, reason: String
  ) {
    self.name = name
    self.namespace = namespace
    self.from = from
    self.id = id
    self.type = type
    self.bytes = bytes
    self.reason = reason
  }
}
