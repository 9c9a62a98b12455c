package import XMPPCore
import XML

/// XEP-0199: is somebody there?
package enum Ping {
  /// Asks. Without an address it is for our own server, on behalf of our account.
  package static func request(to jid: JID? = nil, id: String) -> [UInt8] {
    IQ.get(to: jid?.description, id: id) { $0.empty("ping", xmlns: Namespace.ping) }
  }

  static let requests = [
    Registry.Request(local: "ping", namespace: Namespace.ping) { _, _, _ throws(StanzaError) in }
  ]
}
