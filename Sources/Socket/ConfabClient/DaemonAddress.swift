/// The path of a program's daemon, chosen for each attempt until one has answered. From then on the path stays, and so
/// does the user who answers there, so that nothing that was meant for one daemon reaches another.
package struct DaemonAddress {
  private let choose: () -> SocketPath.Choice
  private var first: SocketPath.Choice?

  /// - Parameter choose: where to try before a daemon has answered.
  package init(_ choose: @escaping () -> SocketPath.Choice) { self.choose = choose }

  /// The present choice of the path.
  package var choice: SocketPath.Choice { first ?? choose() }

  /// A daemon has answered.
  ///
  /// - Parameter owner: its user (SO_PEERCRED).
  package mutating func keep(_ choice: SocketPath.Choice, owner: UInt32) {
    first = choice
    first?.owner = owner
  }
}
