import ConfabConfiguration
/// The configured socket that each of those is that systemd passed.
enum Activation {
  /// A listening socket that was passed, with the name that its unit gives it and the path that it is bound to.
  struct PassedSocket: Equatable {
    let descriptor: Int32
    let name: String
    let path: String?
  }

  /// The sockets that were passed, and what is wrong with others, in words.
  struct Passed {
    var sockets: [PassedSocket] = []
    var problems: [String] = []
  }

  /// A passed socket that nothing in the configuration is about.
  struct Unknown: Error, CustomStringConvertible {
    let description: String
  }

  /// A name is that of a section (FileDescriptorName=); else the path tells; the rest is the main socket.
  ///
  /// A name that could be a section's and is none is refused: that socket was meant to have rights of its own.
  static func match(_ found: [PassedSocket], _ sockets: [SocketSettings]) throws(Unknown) -> [(Int32, SocketSettings)] {
    var matched: [(Int32, SocketSettings)] = []
    for socket in found {
      let named = sockets.first { $0.name == socket.name }
      let placed = sockets.first { $0.path != nil && $0.path == socket.path }
      guard let settings = named ?? placed ?? (isNameless(socket.name) ? sockets.first { $0.name == nil } : nil) else {
        throw Unknown(
          description:
            "systemd passed a socket named \(socket.name), but the configuration has no [socket \(socket.name)]")
      }
      matched.append((socket.descriptor, settings))
    }
    return matched
  }

  /// True if the unit names no socket: systemd then passes the unit's own name, such as `confabd.socket`.
  private static func isNameless(_ name: String) -> Bool { name.isEmpty || name == "unknown" || name.contains(".") }
}
