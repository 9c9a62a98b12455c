package import Syscalls

/// Tells when the network may have changed: an interface, an address or a route came or went. Costs nothing while
/// nothing changes. Owned by who wants to know; it ends with it.
package final class NetworkChangeSource {
  private let socket: NetlinkSocket
  private let loop: EventLoop
  private var watch: Watch?
  private var picture = NetworkState()

  /// Datagrams taken before the loop looks at others.
  private static let mostAtOnce = 64

  /// - Parameter handler: called at most once for all that waits at a time.
  package init(loop: EventLoop, _ handler: @escaping () -> Void) throws(Errno) {
    self.loop = loop
    socket = try NetlinkSocket()
    watch = try loop.watch(socket.raw, for: .read) { [unowned self] _ in
      if readChanges() { handler() }
    }
  }

  deinit { end() }

  private func readChanges() -> Bool {
    var isChange = false
    for _ in 0..<Self.mostAtOnce {
      do throws(Errno) {
        guard let change = try readChange() else { return isChange }
        if change { isChange = true }
      } catch {
        // It would be reported for ever.
        end()
        return true
      }
    }
    return isChange
  }

  /// Takes one datagram; nil if none waits.
  private func readChange() throws(Errno) -> Bool? {
    var bytes: [UInt8] = []
    let outcome = try unsafe loop.withReadBuffer { (buffer) throws(Errno) in
      let outcome = try unsafe socket.receive(into: buffer)
      if case .messages(let count) = outcome { unsafe bytes = Array(buffer.prefix(count)) }
      return outcome
    }
    switch outcome {
    case .nothing: return nil
    case .messages: return picture.takes(bytes)
    case .foreign: return false
    case .lost:
      picture = NetworkState()
      return true
    }
  }

  private func end() {
    if let watch = watch.take() { loop.unwatch(watch) }
  }
}
