import Glibc
package import JSON
import Synchronization
import Syscalls

/// A program of Tests/Support: JSON lines both ways, its standard error in a log file.
package final class HelperProcess: Sendable {
  private let name: String
  private let log: String
  private let process: ChildProcess
  private let commands: OwnedFD
  private let events: OwnedFD
  private let state: Mutex<Inbox>

  /// What has come and was not asked for yet.
  private struct Inbox: ~Copyable {
    let reader: LineReader
    var waiting: [JSONValue] = []
  }

  /// - Parameters:
  ///   - script: its name in Tests/Support.
  ///   - log: the file for what it writes to standard error.
  ///   - wrapper: a command that runs it.
  package init(_ script: String, _ arguments: [String], log: String, wrapper: [String] = []) throws {
    let (childInput, commands) = try Pipes.make()
    let (events, childOutput) = try Pipes.make()
    let errors = unsafe open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    defer { for descriptor in [childInput, childOutput, errors] { close(descriptor) } }
    self.commands = OwnedFD(taking: commands)
    self.events = OwnedFD(taking: events)
    self.log = log
    name = script
    process = try ChildProcess(
      wrapper + ["/usr/bin/python3", "-B", Products.support(script)] + arguments, input: childInput,
      output: childOutput, error: errors)
    state = Mutex(Inbox(reader: LineReader(borrowing: events)))
  }

  /// Sends a command: `do` and its members.
  package func `do`(_ command: String, _ members: [JSONMember] = []) throws {
    var writer = JSONWriter()
    writer.value(.object([JSONMember("do", .string(command))] + members))
    try Descriptors.writeAll(commands.raw, writer.bytes + [UInt8(ascii: "\n")])
  }

  /// Waits for the first event of a name that fits, and takes it; those before it stay to be asked for.
  @discardableResult
  package func event(
    _ name: String, until deadline: Deadline = .seconds(60), where fits: (JSONValue) -> Bool = { _ in true }
  ) throws -> JSONValue {
    try state.withLock { inbox in
      var index = 0
      while true {
        while index < inbox.waiting.count {
          let event = inbox.waiting[index]
          if event["event"]?.string == name && fits(event) { return inbox.waiting.remove(at: index) }
          index += 1
        }
        inbox.waiting.append(try nextEvent(of: inbox.reader, name, until: deadline, inbox.waiting))
      }
    }
  }

  /// Every event that has come and was not asked for.
  package func waitingEvents() -> [JSONValue] {
    state.withLock { $0.waiting }
  }

  /// Ends it by the end of its input, which it takes as the end of the test.
  package func stop() {
    process.kill(SIGKILL)
  }

  private func nextEvent(
    of reader: LineReader, _ wanted: String, until deadline: Deadline, _ others: [JSONValue]
  ) throws -> JSONValue {
    do {
      guard let line = try reader.next(until: deadline) else { throw TestFailure("it has ended") }
      return try JSONParser.parse(line)
    } catch {
      let seen = others.suffix(20).map { "\($0)" }.joined(separator: "\n  ")
      throw TestFailure("\(name): waiting for '\(wanted)': \(error)\n  \(seen)\n\(TestFiles.tail(log))")
    }
  }
}
