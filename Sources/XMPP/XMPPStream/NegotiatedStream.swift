package import Bytes
package import SASL
package import XMPPCore

extension TLSFacts {
  /// The data of this connection that a login can be bound to, by type.
  var channelBindings: [ChannelBindingType: [UInt8]] {
    var bindings: [ChannelBindingType: [UInt8]] = [:]
    bindings[.tlsExporter] = tlsExporter
    bindings[.tlsServerEndPoint] = tlsServerEndPoint
    return bindings
  }
}

/// The server's features on an authenticated stream (RFC 6120, section 4.3.2), as far as we can use them.
package struct StreamFeatures: Hashable, Sendable {
  /// XEP-0198, namespace `urn:xmpp:sm:3`, and the account wants it.
  package var streamManagement = false
  /// RFC 6121, section 2.6.
  package var rosterVersioning = false
  /// XEP-0352, section 4.1.
  package var clientState = false
  /// XEP-0478: bytes of the longest stanza that the server takes; nil: it does not say.
  package var maximumStanzaBytes: Int?

  package init() {}
}

/// A stream that is encrypted, authenticated by both sides and bound to a resource: ready for stanzas.
package struct NegotiatedStream: Equatable, Sendable {
  /// The full JID that the server bound; its bare part is the account's.
  package var jid: JID
  package var login: LoginMethod
  package var tls: TLSFacts
  /// The server's offer to log in.
  package var offer: SASLOffer
  package var features: StreamFeatures

  package init(jid: JID, login: LoginMethod, tls: TLSFacts, offer: SASLOffer, features: StreamFeatures) {
    self.jid = jid
    self.login = login
    self.tls = tls
    self.offer = offer
    self.features = features
  }
}
