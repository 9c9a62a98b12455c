import Clocks
import Facts
import Records
import SASL
import XMPPCore
import XMPPExtensions
import XMPPStream

/// The first words of a session, and how far the next login may go ahead of the server.
extension Session {
  /// Enables stream management, requests the roster and sends initial presence, all at once (RFC 6121, 2.2: the roster
  /// first). Presence precedes each archive query, even if unacknowledged messages wait for its answer: Prosody
  /// withholds offline messages from a session that has queried the archive (decision 0057).
  func greet(streamManagement: Bool, rosterVersioning: Bool) {
    if streamManagement {
      managementState = .asked
      output += StreamManagementWriter.enable()
      awaitAnswer()
    }
    let id = iqs.register(.roster, at: effects.now.instant)
    send(Roster.request(id: id, version: rosterVersioning ? account.rosterVersion ?? "" : nil))
    askFeatures()
    sendPresence()
  }

  /// Asks for the roster, which an earlier link was lost for.
  func requestRoster() {
    send(Roster.request(id: iqs.register(.roster, at: effects.now.instant), version: account.rosterVersion))
  }

  /// The resource is bound: what is durable may leave.
  ///
  /// - Parameters:
  ///   - setbacks: how many logins in a row had to be done again because they went ahead of the server.
  ///   - sequence: when this record is durable, all is known that the last stream came to.
  func begin(_ stream: NegotiatedStream, setbacks: UInt8, after sequence: UInt64) {
    own = stream.jid
    lastHeard = effects.now.instant
    expectDelayed()
    // What the stream before received and the disk has not stored yet: the server delivers it again.
    for (id, message) in storage.queue.messagesUnderWay(of: account.record.number) {
      underWay.note(KnownMessage(id: id, record: message))
    }
    remember(stream, setbacks: setbacks)
    if managementState == .off { found(StreamRecord.Beginning(jid: own.description)) }
    doubts = .waiting(after: sequence)
    settleDoubtsInTime()
  }

  private func remember(_ stream: NegotiatedStream, setbacks: UInt8) {
    offer = OfferRecord(stream, account: account.record.number)
    if let last = account.lastOffer, offer?.hasSameContent(as: last) == false {
      // Another offer, another server: it has disappointed nobody.
      offer?.setbacks = 0
    } else {
      offer?.setbacks = setbacks
    }
  }

  /// An earlier stream goes on: the server took what was said ahead of it.
  func understood(_ stream: NegotiatedStream) {
    remember(stream, setbacks: 0)
    wasUnderstood()
  }

  /// The server answered the first words.
  func wasUnderstood() {
    isAhead = false
    guard let offer = offer.take(), offer != account.lastOffer else { return }
    storage.append(.offer(offer))
  }
}

extension OfferRecord {
  /// More names than this, or longer ones, are not remembered: no login needs them.
  private static let maximumNames = 32
  private static let maximumNameBytes = 64

  /// What a stream was offered; nil where that is too much to be remembered.
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
    copy.setbacks = other.setbacks
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
