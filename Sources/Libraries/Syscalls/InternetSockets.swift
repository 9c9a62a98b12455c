import CLinux
import Glibc

extension Sockets {
  /// Starts to connect to `address`; watch the descriptor for writing, then ask `pendingError`. connect(2)
  package static func startConnecting(to address: InternetAddress) throws(Errno) -> OwnedFD {
    let fd = OwnedFD(taking: try systemCall("socket") { clinux_socket_stream(address.family) })
    do throws(Errno) {
      try systemCall("connect", fd.raw, object: address.description) {
        unsafe clinux_inet_connect(fd.raw, address.bytes, address.bytes.count, address.port, address.scope)
      }
    } catch {
      guard error.code == EINPROGRESS else { throw error }
    }
    return fd
  }

  /// A listening TCP socket; port 0 takes a free one. For servers in tests.
  package static func listening(at address: InternetAddress) throws(Errno) -> OwnedFD {
    let fd = OwnedFD(taking: try systemCall("socket") { clinux_socket_stream(address.family) })
    try setOption(fd.raw, clinux_option_socket, clinux_option_reuse, 1)
    try bind(fd.raw, to: address)
    try listen(fd.raw)
    return fd
  }

  /// A bound UDP socket; port 0 takes a free one. For servers in tests.
  package static func datagram(at address: InternetAddress) throws(Errno) -> OwnedFD {
    let fd = OwnedFD(taking: try systemCall("socket") { clinux_socket_datagram(address.family) })
    try bind(fd.raw, to: address)
    return fd
  }

  /// The next datagram and who sent it; nil when none waits. recvfrom(2)
  package static func receiveDatagram(_ fd: CInt, atMost limit: Int) throws(Errno) -> (
    bytes: [UInt8], from: InternetAddress?
  )? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var peer = RawAddress()
    let got = try nonBlockingCall("recvfrom", fd, limit) {
      unsafe clinux_inet_receive_from(fd, &bytes, limit, &peer.bytes, &peer.count, &peer.port, &peer.scope)
    }
    return got.map { (Array(bytes.prefix($0)), peer.address) }
  }

  /// Sends one datagram. sendto(2)
  package static func sendDatagram(_ fd: CInt, _ bytes: [UInt8], to peer: InternetAddress) throws(Errno) {
    try systemCall("sendto", fd, bytes.count, object: peer.description) {
      unsafe clinux_inet_send_to(fd, bytes, bytes.count, peer.bytes, peer.bytes.count, peer.port, peer.scope)
    }
  }

  /// Returns the address to which the socket is bound; nil for a socket that is not of the Internet. getsockname(2)
  package static func localAddress(_ fd: CInt) throws(Errno) -> InternetAddress? {
    var own = RawAddress()
    try systemCall("getsockname", fd) {
      unsafe clinux_socket_name(fd, 0, &own.bytes, &own.count, &own.port, &own.scope)
    }
    return own.address
  }

  /// How a dead peer of a TCP connection is found out by the kernel alone, without waking us.
  package struct KeepAlive: Hashable, Sendable {
    /// Seconds of silence before the first probe.
    package var idleSeconds: Int32
    /// Seconds between probes.
    package var intervalSeconds: Int32
    /// Unanswered probes that end the connection.
    package var probes: Int32
    /// Milliseconds that sent bytes may stay unacknowledged (TCP_USER_TIMEOUT). It also ends the probing: were it
    /// shorter than the silence and all probes together, one lost probe would end the connection.
    package var unacknowledgedMilliseconds: Int32

    /// Silence shorter than the five minutes after which many NATs forget a connection; a dead peer is known after five
    /// minutes at most. A protocol that must know sooner asks by itself.
    package init(
      idleSeconds: Int32 = 240, intervalSeconds: Int32 = 15, probes: Int32 = 4,
      unacknowledgedMilliseconds: Int32 = 300_000
    ) {
      self.idleSeconds = idleSeconds
      self.intervalSeconds = intervalSeconds
      self.probes = probes
      self.unacknowledgedMilliseconds = unacknowledgedMilliseconds
    }
  }

  /// Small writes leave at once (TCP_NODELAY), and the kernel watches the peer. tcp(7)
  package static func setTCPOptions(_ fd: CInt, _ keepAlive: KeepAlive) throws(Errno) {
    try setOption(fd, clinux_option_tcp, clinux_option_no_delay, 1)
    try setOption(fd, clinux_option_tcp, clinux_option_keep_idle, keepAlive.idleSeconds)
    try setOption(fd, clinux_option_tcp, clinux_option_keep_interval, keepAlive.intervalSeconds)
    try setOption(fd, clinux_option_tcp, clinux_option_keep_count, keepAlive.probes)
    try setOption(fd, clinux_option_tcp, clinux_option_user_timeout, keepAlive.unacknowledgedMilliseconds)
    try setOption(fd, clinux_option_socket, clinux_option_keepalive, 1)
  }

  /// How the kernel watches the peer; nil if it does not. getsockopt(2)
  package static func keepAlive(_ fd: CInt) throws(Errno) -> KeepAlive? {
    guard try option(fd, clinux_option_socket, clinux_option_keepalive) != 0 else { return nil }
    return KeepAlive(
      idleSeconds: try option(fd, clinux_option_tcp, clinux_option_keep_idle),
      intervalSeconds: try option(fd, clinux_option_tcp, clinux_option_keep_interval),
      probes: try option(fd, clinux_option_tcp, clinux_option_keep_count),
      unacknowledgedMilliseconds: try option(fd, clinux_option_tcp, clinux_option_user_timeout))
  }

  /// Bounds the memory of what was sent and not read, which the kernel counts as this process's. The kernel doubles it for
  /// its own needs. socket(7), SO_SNDBUF
  package static func limitSendBuffer(_ fd: CInt, bytes: Int) throws(Errno) {
    try setOption(fd, clinux_option_socket, clinux_option_send_buffer, CInt(clamping: bytes))
  }

  private static func option(_ fd: CInt, _ level: CInt, _ name: CInt) throws(Errno) -> CInt {
    var value: CInt = 0
    try systemCall("getsockopt", fd) { unsafe clinux_get_option(fd, level, name, &value) }
    return value
  }

  private static func bind(_ fd: CInt, to address: InternetAddress) throws(Errno) {
    try systemCall("bind", fd, object: address.description) {
      unsafe clinux_inet_bind(fd, address.bytes, address.bytes.count, address.port, address.scope)
    }
  }

  private static func setOption(_ fd: CInt, _ level: CInt, _ name: CInt, _ value: CInt) throws(Errno) {
    try systemCall("setsockopt", fd) { clinux_set_option(fd, level, name, value) }
  }
}

/// An address as the shims fill it in.
private struct RawAddress {
  var bytes = [UInt8](repeating: 0, count: 16)
  var count = 0
  var port: UInt16 = 0
  var scope: UInt32 = 0

  var address: InternetAddress? {
    InternetAddress(bytes: Array(bytes.prefix(count)), port: port, scope: scope)
  }
}
