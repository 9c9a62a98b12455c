import Clocks
import XML
import XMPPStream

/// The events that a `Connector` reports to its account.
protocol ConnectorDelegate: AnyObject {
  /// True to connect now; if false, the account has said why in the status.
  func mayConnect() -> Bool
  /// The resource is requested: the first stanzas of a stream follow, if it may be pipelined before the server's
  /// answer.
  func sendInitialStanzas(streamManagement: Bool, rosterVersioning: Bool)
  /// A new stream is negotiated.
  func begin(_ stream: NegotiatedStream)
  /// The earlier stream goes on.
  func resumed(_ stream: NegotiatedStream, h: UInt32)
  func notResumed(_ condition: String, h: UInt32?)
  /// An item of the negotiated stream.
  func receive(_ item: consuming StreamItem)
  /// The negotiated stream lost its link, or is about to.
  func linkLost()
  /// The link of a stream that we closed is gone.
  func closed()
  /// How long the present stream has lasted, and whether it goes on with an earlier one; nil while there is none.
  var streamAge: (age: Interval, isResumed: Bool)? { get }
  /// True if the first stanzas were pipelined, and the server has not shown that it took them.
  var isAhead: Bool { get }
}
