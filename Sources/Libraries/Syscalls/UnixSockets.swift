import CLinux
import Glibc

/// The peer of a Unix socket, as the kernel saw it when the connection was made.
package struct PeerCredentials: Hashable, Sendable {
  package let uid: UInt32
  package let gid: UInt32
  /// 0 if the peer's process is in a namespace that we cannot see.
  package let pid: Int32

  package init(uid: UInt32, gid: UInt32, pid: Int32) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
  }
}

extension Sockets {
  /// How many bytes a socket's path may have: 107 on Linux.
  package static var longestUnixPath: Int { Int(clinux_unix_path_capacity) - 1 }

  /// An unbound Unix stream socket. socket(2)
  package static func unixStream() throws(Errno) -> OwnedFD {
    OwnedFD(taking: try systemCall("socket") { clinux_socket_stream(AF_UNIX) })
  }

  /// Gives it its path. bind(2)
  package static func bindUnix(_ fd: CInt, path: String) throws(Errno) {
    let bytes = Array(path.utf8).map { CChar(bitPattern: $0) }
    try systemCall("bind", fd, object: path) { unsafe clinux_unix_bind(fd, bytes, bytes.count) }
  }

  /// A connection to the socket at `path`; Unix sockets connect at once or not at all. connect(2)
  package static func connectUnix(path: String) throws(Errno) -> OwnedFD {
    let bytes = Array(path.utf8).map { CChar(bitPattern: $0) }
    let fd = try unixStream()
    try systemCall("connect", fd.raw, object: path) { unsafe clinux_unix_connect(fd.raw, bytes, bytes.count) }
    return fd
  }

  /// Sends one datagram to a Unix socket; a path that starts with `@` is of the abstract namespace. sendto(2)
  package static func sendUnixDatagram(_ datagram: [UInt8], to path: String) throws(Errno) {
    let fd = try unixDatagram()
    try send(fd.raw, datagram, to: path)
  }

  /// An unbound Unix datagram socket. socket(2)
  package static func unixDatagram() throws(Errno) -> OwnedFD {
    OwnedFD(taking: try systemCall("socket") { clinux_socket_datagram(AF_UNIX) })
  }

  /// Sends one datagram over a socket; fails if it would have to wait. sendto(2)
  package static func send(_ fd: CInt, _ datagram: [UInt8], to path: String) throws(Errno) {
    let address = unixAddress(path)
    try systemCall("sendto", fd, datagram.count, object: path) {
      unsafe clinux_unix_send_to(fd, datagram, datagram.count, address, address.count)
    }
  }

  /// Sends a datagram of any size, as a sealed file in memory. memfd_create(2), sendmsg(2)
  package static func sendAsFile(_ fd: CInt, _ datagram: [UInt8], to path: String) throws(Errno) {
    let file = OwnedFD(taking: try systemCall("memfd_create") { unsafe clinux_sealable_file("datagram") })
    try Descriptors.writeAll(file.raw, datagram)
    try systemCall("fcntl", file.raw) { clinux_seal(file.raw) }
    let address = unixAddress(path)
    try systemCall("sendmsg", fd, object: path) {
      unsafe clinux_unix_send_descriptor(fd, file.raw, address, address.count)
    }
  }

  private static func unixAddress(_ path: String) -> [CChar] {
    var bytes = Array(path.utf8).map { CChar(bitPattern: $0) }
    if path.hasPrefix("@") { bytes[0] = 0 }
    return bytes
  }

  /// The peer that connected. SO_PEERCRED
  package static func peerCredentials(_ fd: CInt) throws(Errno) -> PeerCredentials {
    var (uid, gid): (UInt32, UInt32) = (0, 0)
    var pid: Int32 = 0
    try systemCall("getsockopt", fd) { unsafe clinux_peer_credentials(fd, &pid, &uid, &gid) }
    return PeerCredentials(uid: uid, gid: gid, pid: pid)
  }

  /// The supplementary groups of who connected, as they were then. SO_PEERGROUPS
  package static func peerGroups(_ fd: CInt) throws(Errno) -> [UInt32] {
    var groups: [UInt32] = []
    while true {
      let capacity = groups.count
      let count = try systemCall("getsockopt", fd) { unsafe clinux_peer_groups(fd, &groups, CInt(capacity)) }
      if count <= capacity { return Array(groups[..<Int(count)]) }
      groups = Array(repeating: 0, count: Int(count))
    }
  }

  /// The path to which a Unix socket is bound; nil for one without or of the abstract namespace. getsockname(2)
  package static func boundUnixPath(_ fd: CInt) -> String? {
    var path = [CChar](repeating: 0, count: Int(clinux_unix_path_capacity) + 1)
    guard unsafe clinux_unix_bound_path(fd, &path) > 0 else { return nil }
    return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
