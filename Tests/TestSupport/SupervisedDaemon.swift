package import JSON

/// A `confabd` that is started as systemd starts a service; see Tests/Support/service_manager.py.
package final class SupervisedDaemon: Sendable {
  /// The number of its process.
  package let processID: Int32
  private let helper: HelperProcess

  /// - Parameters:
  ///   - configuration: its file.
  ///   - notify: the address of the socket for what it says of itself; nil: nobody asks.
  ///   - listen: the path of a socket that is passed to it.
  ///   - variables: further ones; `%p` is the number of its process.
  package init(
    configuration: String, in folder: TemporaryFolder, notify: String? = nil, listen: String? = nil,
    variables: [String: String] = [:]
  ) throws {
    var arguments = ["--log", folder.file("confabd.log")]
    if let notify { arguments += ["--notify", notify] }
    if let listen { arguments += ["--listen", listen] }
    for (name, value) in variables { arguments += ["--variable", "\(name)=\(value)"] }
    arguments += ["--", Products.program("confabd"), "--config", configuration]
    helper = try HelperProcess("service_manager.py", arguments, log: folder.file("service_manager.log"))
    guard let number = try helper.event("ready")["pid"]?.integer.flatMap({ Int32(exactly: $0) }) else {
      throw TestFailure("no process")
    }
    processID = number
  }

  /// Waits until it says something that fits, and takes that: an object of its assignments.
  @discardableResult
  package func said(where fits: (JSONValue) -> Bool) throws -> JSONValue {
    guard let assignments = try helper.event("notified", where: { $0["assignments"].map(fits) ?? false })["assignments"]
    else { throw TestFailure("nothing said") }
    return assignments
  }

  /// Waits for an assignment.
  @discardableResult
  package func said(_ name: String, _ value: String) throws -> JSONValue {
    try said { $0[name]?.string == value }
  }

  /// What it said and nobody waited for, in its order.
  package func saidBesides() -> [JSONValue] {
    helper.waitingEvents().compactMap { $0["assignments"] }
  }

  package func signal(_ number: Int32) throws {
    try helper.do("signal", [JSONMember("number", .number(Double(number)))])
  }

  /// Waits for its end: its exit status, or the signal's number, negative.
  package func end() throws -> Int64 {
    guard let status = try helper.event("exited")["status"]?.integer else { throw TestFailure("no status") }
    return status
  }
}
