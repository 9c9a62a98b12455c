import CLinux
import Glibc

/// Hears from the kernel what becomes of network interfaces, IPv4 addresses and the routes of both families. An IPv6
/// address is heard of by its local route, so that a router's advertisements, which renew addresses again and again,
/// wake nobody. rtnetlink(7)
package struct NetlinkSocket: ~Copyable {
  /// The descriptor to watch for reading.
  package var raw: CInt { fd.raw }
  private let fd: OwnedFD

  /// The result of `receive`.
  package enum Outcome: Equatable {
    /// Nothing waits.
    case nothing
    /// So many bytes of messages are in the buffer.
    case messages(Int)
    /// Something was said that could not be kept: it may have been anything.
    case lost
    /// Somebody else than the kernel wrote to us.
    case foreign
  }

  package init() throws(Errno) {
    fd = OwnedFD(taking: try systemCall("socket") { clinux_netlink_changes() })
  }

  /// Takes one datagram. recvmsg(2)
  package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Outcome {
    var (isFromKernel, isWhole): (CInt, CInt) = (0, 0)
    do throws(Errno) {
      let count = try nonBlockingCall("recvmsg", raw, buffer.count) {
        unsafe clinux_netlink_receive(raw, buffer.baseAddress, buffer.count, &isFromKernel, &isWhole)
      }
      guard let count else { return .nothing }
      guard isFromKernel != 0 else { return .foreign }
      return isWhole != 0 ? .messages(count) : .lost
    } catch {
      // The kernel had no room for what it had to say.
      guard error.code == ENOBUFS else { throw error }
      return .lost
    }
  }
}
