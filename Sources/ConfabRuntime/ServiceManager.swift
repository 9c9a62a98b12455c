import Syscalls

/// Tells systemd how the daemon is (sd_notify(3)); nothing where nobody asked.
struct ServiceManager {
  private let path: String?

  init(environment: [String: String]) { path = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Sends one state, such as `READY=1`. Whoever asked may be gone: that is no reason to fail.
  func notify(_ state: String) {
    guard let path else { return }
    // An abstract socket is written with @ in place of its leading NUL.
    let address = path.hasPrefix("@") ? "\0" + path.dropFirst() : path
    try? Sockets.sendUnixDatagram(Array(state.utf8), to: address)
  }
}
