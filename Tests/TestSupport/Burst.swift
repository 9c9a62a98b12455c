package import Glibc
import JSON

/// A burst of messages from the scripted server to whoever is on its newest connection.
package enum Burst {
  /// How the bytes come.
  package enum Shape: Sendable {
    /// At once, in TLS records of 16 KiB.
    case full
    /// At once, in TLS records of so many bytes.
    case records(ClosedRange<Int64>)
    /// In TCP segments of so many bytes.
    case segments(ClosedRange<Int64>)
    /// So many messages a second.
    case trickle(perSecond: Int64)

    fileprivate var members: [JSONMember] {
      switch self {
      case .full: []
      case .records(let sizes): [Self.range("records", sizes)]
      case .segments(let sizes): [Self.range("segments", sizes)]
      case .trickle(let rate): [JSONMember("rate", .integer(rate))]
      }
    }

    private static func range(_ name: String, _ sizes: ClosedRange<Int64>) -> JSONMember {
      JSONMember(name, .array([.integer(sizes.lowerBound), .integer(sizes.upperBound)]))
    }
  }

  package struct Outcome: Sendable {
    package let count: Int
    /// From the first byte to the answer to the ping behind the last, and to the acknowledgement of everything.
    package let seconds: Double
    package let before: ProcessUsage
    package let after: ProcessUsage
    /// Of a trickle: when each message left, in microseconds by CLOCK_MONOTONIC.
    package let sent: [Double]

    /// In microseconds, of all threads.
    package var cpuPerMessage: Double {
      Double(after.cpuNanoseconds - before.cpuNanoseconds) / 1000 / Double(count)
    }
  }

  /// Sends `count` messages of 428 bytes and measures what that costs a process.
  ///
  /// - Parameters:
  ///   - first: the number of the first, where it is not the first burst: no two messages are the same.
  ///   - senders: how many people write them.
  ///   - room: where it is said, by occupants; nil: to the account.
  ///   - isArchived: as results of the room's archive, which nobody asked for.
  ///   - listen: is called when the first one leaves.
  package static func measure(
    count: Int, _ server: ScriptedServer, _ processID: pid_t, _ shape: Shape = .full, first: Int = 0,
    senders: Int = 20, room: String? = nil, isArchived: Bool = false, listening listen: () throws -> Void = {}
  ) throws -> Outcome {
    let numbers = [("count", count), ("first", first), ("senders", senders)].map {
      JSONMember($0.0, .integer(Int64($0.1)))
    }
    let place = room.map { [JSONMember("room", .string($0)), JSONMember("archived", .bool(isArchived))] } ?? []
    try server.command("burst", numbers + place + shape.members)
    try server.event("burst-ready", until: .seconds(120))
    let before = try ProcessUsage(of: processID)
    try server.command("go")
    try listen()
    let done = try server.event("burst-done", until: .seconds(300))
    let after = try ProcessUsage(of: processID)
    guard case .number(let seconds) = done["seconds"] else { throw TestFailure("\(done)") }
    let sent = (done["times"]?.array ?? []).compactMap { if case .number(let time) = $0 { time * 1e6 } else { nil } }
    return Outcome(count: count, seconds: seconds, before: before, after: after, sent: sent)
  }
}
