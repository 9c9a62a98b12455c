package import Bytes
import Syscalls

/// The name service cannot be used, in words.
package struct ResolverError: Error, Equatable, Sendable, CustomStringConvertible {
  package let reason: String
  package var description: String { "DNS: \(reason)" }
}

/// Finds services and addresses without blocking: c-ares on the caller's loop.
///
/// Thread-confined. Its owner watches the sockets that `onSocket` names, calls `process` when one is ready or
/// `timeout` has passed, and asks for `timeout` again after every call. Answers come inside `process`, or inside the
/// question itself; they must not drop the resolver.
package final class Resolver {
  /// Called with a socket and what to watch it for; neither: stop watching, it is about to be closed.
  package var onSocket: (_ fd: CInt, _ forReading: Bool, _ forWriting: Bool) -> Void = { _, _, _ in }

  private var servers: [InternetAddress]
  private var channel: AresChannel?

  /// - Parameter servers: `127.0.0.1`, `127.0.0.1:5353`, `::1` or `[::1]:5353` each; none: those of the system.
  package init(servers: [String] = []) throws(ResolverError) {
    self.servers = try Self.addresses(servers)
  }

  private static func addresses(_ servers: [String]) throws(ResolverError) -> [InternetAddress] {
    try servers.map { (server) throws(ResolverError) in
      guard let address = InternetAddress(hostAndPort: server, defaultPort: 53) else {
        throw ResolverError(reason: "\(server) is not a server's address")
      }
      return address
    }
  }

  /// Milliseconds until `process` is to be called though no socket is ready; nil if nothing runs.
  package var timeout: Int64? { channel?.timeout }

  /// Handles a ready socket, or with neither the queries whose time is up.
  package func process(readable: CInt? = nil, writable: CInt? = nil) {
    let running = channel  // an answer may call `restart`
    running?.process(readable: readable, writable: writable)
  }

  /// Ends the running questions with a failure, so that the next ones see the network as it is. Not from inside an
  /// answer.
  package func restart() {
    channel = nil
  }

  /// Restarts the resolver with other servers.
  package func restart(asking servers: [String]) throws(ResolverError) {
    self.servers = try Self.addresses(servers)
    restart()
  }

  /// Looks for a service of a domain. A domain that is an address or stays on this machine is not asked for.
  package func services(
    _ service: ClientService, of domain: String, _ answer: @escaping (ServiceAnswer) -> Void
  ) {
    if InternetAddress(literal: domain, port: 0) != nil { return answer(.none) }
    guard let name = HostName.checked(domain), name.utf8.count + service.rawValue.utf8.count <= 253 else {
      return answer(.failed("\(domain) is not a valid DNS name"))
    }
    if HostName.isLocal(name) { return answer(.none) }
    if HostName.isOnion(name) { return answer(.failed(Self.onionWords)) }
    do throws(ResolverError) {
      try running().services(service.rawValue + name, answer)
    } catch {
      answer(.failed(error.reason))
    }
  }

  /// Looks for the addresses of a host: literals at once, then the hosts file, then DNS.
  package func addresses(
    of host: String, _ family: AddressFamily, _ answer: @escaping (AddressAnswer) -> Void
  ) {
    if let literal = HostName.literal(host, family) { return answer(literal) }
    guard let name = HostName.checked(host) else {
      return answer(.failed("\(host) is not a valid DNS name"))
    }
    if HostName.isLocal(name) { return answer(.addresses([HostName.loopback(family)])) }
    if HostName.isOnion(name) { return answer(.failed(Self.onionWords)) }
    do throws(ResolverError) {
      try running().addresses(name, family, answer)
    } catch {
      answer(.failed(error.reason))
    }
  }

  private static let onionWords = "only Tor resolves names in .onion; set proxy"

  /// The channel, made anew where none runs a question: c-ares reads resolv.conf at its making only, so that a change
  /// of network is seen by the next question; and an idle daemon keeps no memory for it.
  private func running() throws(ResolverError) -> AresChannel {
    if let channel, channel.timeout != nil { return channel }
    let list = servers.map(\.description).joined(separator: ",")
    let made = try AresChannel(servers: list) { [weak self] in self?.onSocket($0, $1, $2) }
    channel = made
    return made
  }
}
