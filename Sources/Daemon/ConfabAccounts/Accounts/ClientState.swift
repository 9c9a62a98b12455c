import XMPPExtensions
import XMPPStream

/// Sends the server the client state (XEP-0352), active or inactive, if the server supports it.
package final class ClientState: StreamPart {
  private let stream: ReliableStream
  private var isWanted = false
  private var isActive = false
  /// The state that the server takes us to be in.
  private var known = ClientStateIndication.active

  init(_ stream: ReliableStream) { self.stream = stream }

  /// We are active, whether a stream begins or goes on (section 5).
  func streamBegins(_ stream: NegotiatedStream) {
    (isWanted, known) = (stream.features.clientState, .active)
    indicate()
  }

  func linkLost() { isWanted = false }

  /// Sends the client state to the server, if it changed.
  package func set(isActive: Bool) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    indicate()
  }

  private func indicate() {
    let state: ClientStateIndication = isActive ? .active : .inactive
    guard isWanted, state != known else { return }
    known = state
    stream.output.append(state.bytes)
  }
}
