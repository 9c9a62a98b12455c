package import Bytes
package import Clocks
package import Reactor
package import Syscalls

/// One attempt to reach a host, for a protocol other than that of a link; by a proxy, which looks the name up, or directly.
///
/// It calls one of its two handlers once, from the loop, unless it is dropped before.
package final class HostConnection {
  private let connector: AnyObject?

  /// - Parameters:
  ///   - timeout: for each address.
  ///   - allows: says which addresses may be connected to directly.
  /// - Returns: nil if the proxy's protocol cannot carry the host or the credentials.
  package init?(
    loop: EventLoop, resolver: LoopResolver, proxy: SOCKSProxy?, host: String, port: UInt16, timeout: Interval,
    allows: @escaping (InternetAddress) -> Bool, onConnected: @escaping (consuming OwnedFD) -> Void,
    onFailed: @escaping (LinkFailure) -> Void
  ) {
    guard let proxy else {
      connector = SocketConnector(
        loop: loop, resolver: resolver, host: host, port: port, timeout: timeout, allows: allows,
        onConnected: { fd, _ in onConnected(fd) }, onFailed: onFailed)
      return
    }
    connector = ProxyConnector(
      loop: loop, resolver: resolver, proxy: proxy, host: host, port: port, timeout: timeout,
      onConnected: { fd, _ in onConnected(fd) }, onFailed: onFailed)
    if connector == nil { return nil }
  }
}
