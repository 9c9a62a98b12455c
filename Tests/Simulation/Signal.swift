import Records

/// What somebody says of a message of the user's: how far it came (XEP-0184, XEP-0333), or that it came back (RFC 6120,
/// section 8.3).
struct Signal {
  /// How it is written. Old markers are those of XEP-0333 before 1.0.
  enum Form: CaseIterable { case receipt, oldReceipt, marker, oldMarker, error }

  let form: Form
  /// The stanza's id of the message.
  let message: String
  /// The id that names it: that one, its origin-id, or the id of a correction of it.
  let name: String

  /// What the message has become at least.
  var state: DeliveryState {
    switch form {
    case .receipt, .oldReceipt: .delivered
    case .marker, .oldMarker: .displayed
    case .error: .failed
    }
  }

  var isOld: Bool { form == .oldReceipt || form == .oldMarker }

  var xml: String {
    switch form {
    case .receipt: "<received xmlns='urn:xmpp:receipts' id='\(name)'/>"
    case .oldReceipt: "<received xmlns='\(Self.markers)' id='\(name)'/>"
    case .marker: "<displayed xmlns='\(Self.markers)' id='\(name)'/>"
    case .oldMarker: "<acknowledged xmlns='\(Self.markers)' id='\(name)'/>"
    case .error:
      "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
    }
  }

  static let markers = "urn:xmpp:chat-markers:0"
}

extension DeliveryState {
  /// True if a message has become what was said of it, or more: an error is the word of one device alone.
  func satisfies(_ said: DeliveryState) -> Bool {
    switch said {
    case .failed: [.failed, .delivered, .displayed].contains(self)
    case .delivered: self == .delivered || self == .displayed
    default: self == said
    }
  }
}

extension Parcel {
  /// Signals about messages of the user's, by somebody.
  init(_ signals: [Signal], from: String, in mailbox: Mailbox, number: Int) {
    self.init(from: from, to: mailbox.jid, number: number, time: mailbox.world.serverTime)
    (self.signals, isSignal) = (signals, true)
    stanzaID = id
  }

  /// True if it says that a message came back: nobody keeps that.
  var isError: Bool { signals.contains { $0.form == .error } }

  /// The ids by which signals may name it.
  var names: [String] { [stanzaID, originID].compactMap(\.self) }

  /// True if it is a message, or a correction of one, of which its recipient says how far it came.
  var isConfirmed: Bool {
    way == .fromDevice && stanzaID == id && !isSignal && (change == nil || change == .correction)
  }
}
