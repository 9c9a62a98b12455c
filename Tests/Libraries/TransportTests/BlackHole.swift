import Syscalls
import Testing

/// An address on loopback that drops what comes: a listener whose backlog is full.
final class BlackHole {
  let address: InternetAddress
  private let listener: OwnedFD
  private let fillers: [Filler]

  /// - Parameter place: where; none: 127.0.0.1 with a port of its own.
  init(at place: InternetAddress? = nil) throws {
    let place = try #require(place ?? .loopback(port: 0))
    listener = try Sockets.listening(at: place)
    try Sockets.listen(listener.raw, backlog: 0)
    let address = try #require(try Sockets.localAddress(listener.raw))
    self.address = address
    fillers = try (0..<3).map { _ in try Filler(address) }
  }
}

/// A connection that takes up a place.
private final class Filler {
  let fd: OwnedFD
  init(_ address: InternetAddress) throws { fd = try Sockets.startConnecting(to: address) }
}
