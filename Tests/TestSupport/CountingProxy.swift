import JSON

/// A TCP relay between a client and a server that counts what passes; see Tests/Support/counting_proxy.py.
package final class CountingProxy: Sendable {
  /// What passed on one connection.
  package struct Traffic: Equatable, Sendable {
    /// Runs of the client's bytes between bytes of the server's.
    package let flights: Int
    /// Bytes of the client's, and of the server's.
    package let sent: Int
    package let received: Int
  }

  /// The loopback port to connect to.
  package let port: UInt16
  private let helper: HelperProcess

  /// - Parameters:
  ///   - port: of the server, on loopback.
  ///   - folder: where its log is.
  package init(to port: UInt16, in folder: TemporaryFolder) throws {
    helper = try HelperProcess("counting_proxy.py", ["--to", "\(port)"], log: folder.file("counting_proxy.log"))
    self.port = try helper.event("ready").port("port")
  }

  /// Ends all connections by a reset; what one side said and the other has not got is gone.
  package func cut() throws {
    try helper.do("cut")
    try helper.event("cut")
  }

  /// Lets so many bytes pass on each of the next connections, both ways together, and then ends it by a reset.
  package func limit(_ bytes: [Int]) throws {
    try helper.do("limit", [JSONMember("bytes", .array(bytes.map { .number(Double($0)) }))])
  }

  /// Who speaks on a connection.
  package enum Side: String, CaseIterable, Sendable { case client, server }

  /// Nothing of what these say passes on the present connections any more; nobody is told.
  package func freeze(_ sides: [Side] = Side.allCases) throws {
    try helper.do("freeze", [JSONMember("of", .array(sides.map { .string($0.rawValue) }))])
    try helper.event("frozen")
  }

  /// What has passed on the newest connection, and how many connections there were.
  package func count() throws -> (traffic: Traffic, connections: Int) { try count(until: 1e12) }

  /// What passed on the newest connection before a time, in seconds since 1970, and how many connections there were.
  package func count(until time: Double) throws -> (traffic: Traffic, connections: Int) {
    try helper.do("count", [JSONMember("until", .number(time))])
    let counted = try helper.event("counted")
    let numbers = try ["flights", "sent", "received", "connections"].map { name in
      guard let number = counted[name]?.integer.flatMap({ Int(exactly: $0) }) else { throw TestFailure("\(counted)") }
      return number
    }
    return (Traffic(flights: numbers[0], sent: numbers[1], received: numbers[2]), numbers[3])
  }
}

extension Prosody {
  /// Waits for somebody's initial presence; when it came, in seconds since 1970.
  package func initialPresence(of user: String) throws -> Double {
    try event("presence") { $0.text("user") == user }.seconds("time")
  }

  /// Waits until somebody's stream is resumed; when it was, in seconds since 1970.
  package func resumption(of user: String) throws -> Double {
    try event("resumed") { $0.text("user") == user }.seconds("time")
  }
}

extension ScriptedServer {
  /// Waits for somebody's initial presence; when it came, in seconds since 1970.
  package func initialPresence(of user: String) throws -> Double {
    try event("presence") { $0.text("user") == user }.seconds("time")
  }
}

extension JSONValue {
  /// A member that is a time.
  fileprivate func seconds(_ name: String) throws -> Double {
    guard case .number(let time) = self[name] else { throw TestFailure("no time '\(name)' in \(self)") }
    return time
  }
}
