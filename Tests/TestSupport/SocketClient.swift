import Glibc
package import JSON
package import Syscalls

/// A raw client of the daemon's socket: lines out, lines in. Not for use by two threads at once.
package final class SocketClient {
  /// One request's answer: its data lines, and its final one.
  package struct Answer {
    package let data: [JSONValue]
    package let final: JSONValue

    package var isOK: Bool { final["ok"]?.bool == true }
    package var error: String { final.text("error") }
    package var id: Int64? { final["id"]?.integer }
  }

  private let descriptor: OwnedFD
  private let reader: LineReader
  /// Events that came while an answer was waited for.
  private var events: [JSONValue] = []

  /// Connects to a socket on which somebody listens.
  package init(path: String) throws {
    descriptor = try Self.connect(path)
    reader = LineReader(borrowing: descriptor.raw)
    try Descriptors.setNonBlockingAndCloseOnExec(descriptor.raw)
  }

  /// Waits until the daemon says something, or another descriptor is readable; says whether it was the daemon.
  package func waitToRead(or other: CInt, until deadline: Deadline = .seconds(60)) throws -> Bool {
    if reader.hasLine { return true }
    let ready = Readiness.wait(forReading: [descriptor.raw, other], until: deadline)
    guard ready.contains(true) else { throw TestFailure("neither the daemon nor the other one says anything") }
    return ready[0]
  }

  /// Sends bytes as they are, taking in meanwhile what comes.
  package func send(bytes: [UInt8], until deadline: Deadline = .seconds(60)) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let ready = Readiness.wait([(descriptor.raw, Int16(POLLOUT | POLLIN))], until: deadline)[0]
      if ready == 0 { throw TestFailure("the daemon takes no more") }
      if ready & Int16(POLLIN) != 0 { try reader.readMore() }
      if ready & Int16(POLLOUT) != 0 || ready & Int16(POLLHUP | POLLERR) != 0 {
        let written = unsafe rest.withUnsafeBytes { bytes in
          unsafe Glibc.send(descriptor.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if written < 0 && errno != EAGAIN { throw TestFailure("send: errno \(errno)") }
        rest = rest.dropFirst(max(0, written))
      }
    }
  }

  /// Sends lines, each with its LF.
  package func send(_ lines: String...) throws {
    try send(bytes: Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// True if a line can be had without waiting.
  package var hasLine: Bool { reader.hasLine }

  /// The next line, whatever it is; nil at the end.
  package func line(until deadline: Deadline = .seconds(60)) throws -> JSONValue? {
    guard let line = try reader.next(until: deadline) else { return nil }
    return try JSONParser.parse(line)
  }

  /// The next line as its bytes; nil at the end.
  package func rawLine(until deadline: Deadline = .seconds(60)) throws -> [UInt8]? {
    try reader.next(until: deadline)
  }

  /// The daemon's first line.
  package func greeting() throws -> JSONValue {
    guard let greeting = try line(), greeting["confab"] != nil else { throw TestFailure("no greeting") }
    return greeting
  }

  /// The next answer up to its final line; events between are kept for `event`.
  package func answer(until deadline: Deadline = .seconds(60)) throws -> Answer {
    var data: [JSONValue] = []
    while let next = try line(until: deadline) {
      if next["ok"] != nil { return Answer(data: data, final: next) }
      if next["event"] != nil { events.append(next) } else { data.append(next) }
    }
    throw TestFailure("the daemon closed the connection before the end of an answer; so far: \(data)")
  }

  /// Sends one request and waits for its answer.
  package func request(_ line: String, until deadline: Deadline = .seconds(60)) throws -> Answer {
    try send(line)
    return try answer(until: deadline)
  }

  /// The same with a request in JSON: `verb` and its members.
  package func request(
    json verb: String, _ members: [JSONMember], until deadline: Deadline = .seconds(60)
  ) throws -> Answer {
    var writer = JSONWriter()
    writer.value(.object([JSONMember("verb", .string(verb))] + members))
    try send(bytes: writer.bytes + [UInt8(ascii: "\n")])
    return try answer(until: deadline)
  }

  /// The next event of that name that fits; others before it are dropped.
  package func event(
    _ name: String, until deadline: Deadline = .seconds(60), where fits: (JSONValue) -> Bool = { _ in true }
  ) throws -> JSONValue {
    var others: [JSONValue] = []
    do {
      while true {
        let next = try events.isEmpty ? line(until: deadline) : events.removeFirst()
        guard let next else { throw TestFailure("the daemon closed the connection") }
        if next.text("event") == name && fits(next) { return next }
        others.append(next)
      }
    } catch {
      throw TestFailure("waiting for an event '\(name)' behind \(others.suffix(3)): \(error)")
    }
  }

  /// Closes the writing side, as `nc -N` does.
  package func closeWriting() {
    shutdown(descriptor.raw, Int32(SHUT_WR))
  }

  /// Every line to the end.
  package func lines(until deadline: Deadline = .seconds(60)) throws -> [JSONValue] {
    var lines: [JSONValue] = []
    while let line = try line(until: deadline) { lines.append(line) }
    return lines
  }

  /// A blocking connection to a socket.
  package static func connect(_ path: String) throws -> OwnedFD {
    let descriptor = OwnedFD(taking: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
      guard bytes.count < target.count else { return false }
      unsafe target.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw TestFailure("socket path too long: \(path)") }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe Glibc.connect(descriptor.raw, address, size)
      }
    }
    guard result == 0 else { throw Errno(errno, "connect", object: path) }
    return descriptor
  }
}
