package import Glibc
import JSON

/// A burst of messages from the scripted server to whoever is on its newest connection.
package enum Burst {
  package struct Outcome: Sendable {
    package let count: Int
    /// From the first byte to the answer to the ping behind the last, and to the acknowledgement of everything.
    package let seconds: Double
    package let before: ProcessUsage
    package let after: ProcessUsage

    /// In microseconds, of all threads.
    package var cpuPerMessage: Double {
      Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1000 / Double(count)
    }
  }

  /// Sends `count` messages of 428 bytes and measures what that costs a process.
  package static func measure(count: Int, _ server: ScriptedServer, _ processID: pid_t) throws -> Outcome {
    try server.command("burst", [JSONMember("count", .integer(Int64(count)))])
    try server.event("burst-ready", until: .seconds(120))
    let before = try ProcessUsage(of: processID)
    try server.command("go")
    let done = try server.event("burst-done", until: .seconds(300))
    let after = try ProcessUsage(of: processID)
    guard case .number(let seconds) = done["seconds"] else { throw TestFailure("\(done)") }
    return Outcome(count: count, seconds: seconds, before: before, after: after)
  }
}
