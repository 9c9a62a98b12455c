/// The names of all namespaces in use.
package enum Namespace {
  // RFC 6120
  package static let client: StaticString = "jabber:client"
  package static let streams: StaticString = "http://etherx.jabber.org/streams"
  package static let streamErrors: StaticString = "urn:ietf:params:xml:ns:xmpp-streams"
  package static let stanzaErrors: StaticString = "urn:ietf:params:xml:ns:xmpp-stanzas"
  package static let tls: StaticString = "urn:ietf:params:xml:ns:xmpp-tls"
  package static let sasl: StaticString = "urn:ietf:params:xml:ns:xmpp-sasl"
  package static let bind: StaticString = "urn:ietf:params:xml:ns:xmpp-bind"

  // RFC 6121
  package static let roster: StaticString = "jabber:iq:roster"
  package static let rosterVersioning: StaticString = "urn:xmpp:features:rosterver"

  // Extensions
  package static let saslChannelBinding: StaticString = "urn:xmpp:sasl-cb:0"
  package static let discoInfo: StaticString = "http://jabber.org/protocol/disco#info"
  package static let discoItems: StaticString = "http://jabber.org/protocol/disco#items"
  package static let dataForms: StaticString = "jabber:x:data"
  package static let version: StaticString = "jabber:iq:version"
  package static let caps: StaticString = "http://jabber.org/protocol/caps"
  package static let streamManagement: StaticString = "urn:xmpp:sm:3"
  package static let clientState: StaticString = "urn:xmpp:csi:0"
  package static let streamLimits: StaticString = "urn:xmpp:stream-limits:0"
  package static let ping: StaticString = "urn:xmpp:ping"
  package static let time: StaticString = "urn:xmpp:time"
  package static let delay: StaticString = "urn:xmpp:delay"
  package static let stanzaIDs: StaticString = "urn:xmpp:sid:0"
  package static let forward: StaticString = "urn:xmpp:forward:0"
  package static let carbons: StaticString = "urn:xmpp:carbons:2"
  package static let hints: StaticString = "urn:xmpp:hints"
  package static let resultSets: StaticString = "http://jabber.org/protocol/rsm"
  package static let archive: StaticString = "urn:xmpp:mam:2"
  package static let receipts: StaticString = "urn:xmpp:receipts"
  package static let chatMarkers: StaticString = "urn:xmpp:chat-markers:0"
}
