import State
import Records
import SASL
import XMPPStream

/// The servers' offers at login, remembered so that the next login can be pipelined: its stanzas are sent ahead of the
/// server's answers (docs/decisions/0016-pipelined-login.md).
final class LoginOffers {
  private let state: AccountState
  private let storage: Storage
  /// True if our first stanzas were sent before the resource was bound, and the server has not shown that it took them.
  var isAhead = false
  /// The server's offer, recorded once it has answered our first stanzas.
  private var offer: OfferRecord?

  init(_ state: AccountState, _ storage: Storage) { (self.state, self.storage) = (state, storage) }

  /// A new try: what was offered is not known.
  func reset() { (isAhead, offer) = (false, nil) }

  /// A stream was negotiated.
  ///
  /// - Parameter pipeliningFailures: how many logins in a row were repeated because they were pipelined.
  func note(_ stream: NegotiatedStream, pipeliningFailures: UInt8) {
    offer = OfferRecord(stream, account: state.number)
    // Another offer, another server: pipelining has not failed there.
    let isOther = state.server.lastOffer.map { offer?.hasSameContent(as: $0) == false } ?? false
    offer?.pipeliningFailures = isOther ? 0 : pipeliningFailures
  }

  /// The server answered our first stanzas.
  func answered() {
    isAhead = false
    guard let offer = offer.take(), offer != state.server.lastOffer else { return }
    storage.append(.offer(offer))
  }
}

extension OfferRecord {
  /// More names than this, or longer ones, are not remembered: no login needs them.
  private static let maximumNames = 32
  private static let maximumNameBytes = 64

  /// The offer of a stream; nil if it is too long to be remembered.
  init?(_ stream: NegotiatedStream, account: UInt32) {
    self.init(account: account)
    mechanisms = stream.offer.mechanisms
    channelBindings = stream.offer.channelBindings ?? []
    streamManagement = stream.features.streamManagement
    rosterVersioning = stream.features.rosterVersioning
    let names = mechanisms + channelBindings
    guard names.count <= Self.maximumNames, names.allSatisfy({ $0.utf8.count <= Self.maximumNameBytes }) else {
      return nil
    }
  }

  /// The server offers the same, whatever came of it.
  func hasSameContent(as other: OfferRecord) -> Bool {
    var copy = self
    copy.pipeliningFailures = other.pipeliningFailures
    return copy == other
  }

  /// The offer as it is expected from the next login.
  var pipelining: Negotiator.Pipelining {
    var features = StreamFeatures()
    features.streamManagement = streamManagement
    features.rosterVersioning = rosterVersioning
    let bindings = channelBindings.isEmpty ? nil : channelBindings
    return .expected(SASLOffer(mechanisms: mechanisms, channelBindings: bindings), features)
  }
}

extension LoginRecord {
  /// The weakest mechanism that a login may use from now on. Nil also for one that a later version wrote and this one
  /// does not know: there is no telling what is weaker, and nobody is to be locked out for that.
  var pin: Mechanism? { mechanism.flatMap(Mechanism.init(named:)) }

  /// Such as `SCRAM-SHA-256-PLUS tls-exporter`.
  package var words: String { [mechanism, channelBinding].compactMap(\.self).joined(separator: " ") }
}
