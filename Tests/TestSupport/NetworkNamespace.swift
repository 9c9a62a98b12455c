import Glibc
import Syscalls

/// A network of its own on this machine, with nothing in it but a loopback interface: for what happens when a network
/// fails and comes back. It ends with this object and what runs in it. Needs root.
package final class NetworkNamespace: Sendable {
  private let holder: ChildProcess
  private let input: OwnedFD

  /// True if this process may make one; tests that need it are skipped where not.
  package static let isAvailable = (try? runCommand("unshare", "-n", "ip", "link", "set", "lo", "up")) == 0

  /// Makes it, with its loopback interface up.
  package init() throws {
    let (childInput, input) = try Pipes.make()
    let (output, childOutput) = try Pipes.make()
    self.input = OwnedFD(taking: input)
    let ready = OwnedFD(taking: output)
    defer { for descriptor in [childInput, childOutput] { close(descriptor) } }
    holder = try ChildProcess(
      ["unshare", "-n", "sh", "-c", "ip link set lo up && echo ready && exec cat"], input: childInput,
      output: childOutput, error: 2)
    guard try LineReader(borrowing: ready.raw).next() != nil else { throw TestFailure("no network namespace") }
  }

  /// What makes a command run in it, before the command's own words.
  package var wrapper: [String] { ["nsenter", "-t", "\(holder.processID)", "-n", "--"] }

  /// Takes its interface away, or brings it back: everybody in it is told.
  package func setLink(up: Bool) throws { try run(["ip", "link", "set", "lo", up ? "up" : "down"]) }

  /// Swallows every packet, or no longer: nobody is told.
  package func setSilence(_ isSilent: Bool) throws {
    try run(["tc", "qdisc", isSilent ? "add" : "del", "dev", "lo", "root"] + (isSilent ? ["blackhole"] : []))
  }

  private func run(_ command: [String]) throws {
    let result = try Program.run(wrapper + command)
    guard result.status == .exited(0) else { throw TestFailure("\(command.joined(separator: " ")): \(result.status)") }
  }
}
