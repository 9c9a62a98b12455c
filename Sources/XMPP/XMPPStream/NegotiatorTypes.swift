package import Bytes
package import SASL
package import XML
package import XMPPCore

extension Negotiator {
  /// How a connection becomes encrypted. There is no plaintext.
  package enum TLSMode: Hashable, Sendable {
    /// TLS first, then XMPP (XEP-0368).
    case direct
    /// XMPP's own upgrade (RFC 6120, section 5).
    case startTLS
  }

  /// How far the client goes ahead of the server. Each wait less is a way there and back across the network less.
  ///
  /// Never ahead of the server go what is secret (the proof of the password stands behind the server's challenge, and a
  /// password behind the features) and what is a user's: messages leave on a stream that is ready.
  package enum Pipelining: Hashable, Sendable {
    /// Not at all: each thing is said when the one before is answered.
    case none
    /// Sends the session's first stanzas right behind the request for the resource, as soon as the features ask for
    /// one.
    case known
    /// Besides, what the features would ask for if they are as expected goes out with our headers.
    case expected(SASLOffer, StreamFeatures)
  }

  /// The parameters of one negotiation. Each has a new nonce and id prefix.
  package struct Parameters: Equatable, Sendable {
    /// The account, a bare JID with a localpart.
    package var jid: JID
    /// The resource to ask for; empty: the server chooses.
    package var resource: String
    package var tls: TLSMode
    /// Unpredictable (at least 18 bytes of it), printable ASCII without a comma.
    package var nonce: String
    /// Unpredictable; begins the id of our iq.
    package var iqIDPrefix: String
    /// The weakest mechanism to log in with: what an earlier login used; nil: any.
    package var pin: Mechanism?
    /// True if the account's owner allows PLAIN.
    package var allowsPlain: Bool
    package var pipelining: Pipelining
    /// True if XEP-0198 is wanted when the server offers it. Enabling it is the session's business.
    package var requestStreamManagement: Bool
    /// The stream to resume, where the server offers that; else, and where it refuses, a resource is bound.
    package var resumption: Resumption?

    package init(
      jid: JID, resource: String, tls: TLSMode, nonce: String, iqIDPrefix: String, pin: Mechanism? = nil,
      allowsPlain: Bool = false, pipelining: Pipelining = .none, requestStreamManagement: Bool = true,
      resumption: Resumption? = nil
    ) {
      self.jid = jid
      self.resource = resource
      self.tls = tls
      self.nonce = nonce
      self.iqIDPrefix = iqIDPrefix
      self.pin = pin
      self.allowsPlain = allowsPlain
      self.pipelining = pipelining
      self.requestStreamManagement = requestStreamManagement
      self.resumption = resumption
    }
  }

  /// An earlier stream that is to go on (XEP-0198, section 5).
  package struct Resumption: Equatable, Sendable {
    /// The full JID that is bound to it.
    package var jid: JID
    package var previousID: String
    /// Our `h`.
    package var handled: UInt32

    package init(jid: JID, previousID: String, handled: UInt32) {
      (self.jid, self.previousID, self.handled) = (jid, previousID, handled)
    }
  }

  /// An event for the negotiator.
  package enum Input: Sendable {
    /// The TCP connection is up. With direct TLS this only says so; `secured` begins the stream.
    case connected
    /// The TLS handshake is done and the certificate verified for the account's domain.
    case secured(TLSFacts)
    /// The present parser delivered an item.
    case item(StreamItem)
    /// The driver, asked for a new parser, found that the old one held bytes or items behind the one that made us ask.
    case leftover
    /// The result of `derive`.
    case derived(credential: [UInt8])
  }

  /// An action for the caller; the order matters.
  package enum Action: Equatable, Sendable {
    /// Write these bytes.
    case send([UInt8])
    /// Replace the stream's parser by a fresh one with these limits. If the old one still holds bytes
    /// (`StreamParser.pendingBytes`), or items of the same read were not handed in yet, drop them, drop the actions
    /// behind this one, and hand in `leftover`: nobody may speak before we open the new stream, so what was said is
    /// injected in the clear behind `<proceed/>`, or a violation.
    case newParser(StreamLimits)
    /// Begin the TLS handshake; `secured` follows. Failures of TLS are the driver's to report.
    case startTLS
    /// Make this of the account's password, off the loop or from a cache; `derived` follows.
    case derive(CredentialRequest)
    /// Write what a session says first, behind what was sent before: its resource is asked for. Only a `ready` makes it
    /// a session.
    case sendInitialStanzas(streamManagement: Bool, rosterVersioning: Bool)
    /// Done: the earlier stream goes on, and the server has handled so many of our stanzas. The parser's items from now
    /// on are the session's.
    case resumed(NegotiatedStream, handled: UInt32)
    /// The earlier stream is over. The server may still say how many of our stanzas it had handled. A resource is bound
    /// instead.
    case notResumed(condition: String, handled: UInt32?)
    /// Done: stanzas may flow. The parser's items from now on are the session's.
    case ready(NegotiatedStream)
    /// It is over: flush what was sent, then close the connection. Always the last action.
    case fail(StreamFailure)
  }
}
