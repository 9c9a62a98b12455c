import Reactor
import Syscalls

/// Reports each time that the peer of a Unix socket has read something, and once at the beginning.
///
/// The kernel reports room to write with each piece that the peer reads, if it is asked for changes alone (epoll(7),
/// EPOLLET). A duplicate of the descriptor is watched, because the connection itself is watched for states.
final class PeerReadingWatch {
  private let fd: OwnedFD
  private let watch: Watch
  private let loop: EventLoop

  /// Fails if the process has no descriptor left.
  init(of socket: CInt, _ loop: EventLoop, onRead: @escaping () -> Void) throws(Errno) {
    let fd = try Descriptors.duplicate(socket)
    watch = try loop.watch(fd.raw, for: [.write, .onceEach]) { _ in onRead() }
    self.fd = fd
    self.loop = loop
  }

  deinit { loop.unwatch(watch) }
}
