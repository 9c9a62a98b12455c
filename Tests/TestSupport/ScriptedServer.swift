package import JSON

/// A server that does what a test tells it to, right or wrong; see Tests/Support/scripted_server.py for its stages,
/// commands and events.
package final class ScriptedServer: Sendable {
  /// Loopback ports.
  package let startTLSPort: UInt16
  package let directTLSPort: UInt16
  /// The file of the authority that clients are to trust.
  package let authority: String
  private let helper: HelperProcess

  /// What follows the bytes of a rule.
  package enum Ending: String, Sendable {
    /// Silence.
    case nothing
    /// The good server's own answer.
    case `default`
    /// The end of the stream, TLS and TCP, in order.
    case close
    /// The end of TCP without close_notify.
    case cut
    /// A reset.
    case abort
  }

  /// Starts it and waits until it listens.
  package init(
    in folder: TemporaryFolder, certificate: Certificates.Kind = .good,
    accounts: [String: String] = ["alice": "secret-a"], mechanisms: [String] = [], arguments more: [String] = [],
    wrapper: [String] = []
  ) throws {
    let certificates = try Certificates.folder() + "/" + certificate.rawValue
    var arguments = [
      "--certificate", certificates + ".pem", "--key", certificates + ".key", "--host", Certificates.host,
    ]
    arguments += accounts.sorted { $0.key < $1.key }.flatMap { ["--account", "\($0.key):\($0.value)"] }
    arguments += mechanisms.flatMap { ["--mechanism", $0] } + more
    helper = try HelperProcess(
      "scripted_server.py", arguments, log: folder.file("scripted_server.log"), wrapper: wrapper)
    let ready = try helper.event("ready")
    startTLSPort = try ready.port("starttls")
    directTLSPort = try ready.port("direct")
    authority = try Certificates.authority()
  }

  /// Makes `text` (with its `${...}` filled in) the answer at a stage.
  ///
  /// - Parameters:
  ///   - times: how often the rule holds; nil for always.
  ///   - skip: how many occurrences of the stage it leaves to others first.
  ///   - chunk: the most bytes in one TLS record; 1 sends them one by one.
  package func rule(
    on stage: String, send text: String = "", then: Ending = .nothing, times: Int? = nil, skip: Int = 0,
    chunk: Int? = nil
  ) throws {
    try rule(on: stage, send: .string(text), then: then, times: times, skip: skip, chunk: chunk)
  }

  /// The same with any BYTES of scripted_server.py: texts, base64, repetitions.
  package func rule(
    on stage: String, send bytes: JSONValue, then: Ending = .nothing, times: Int? = nil, skip: Int = 0,
    chunk: Int? = nil
  ) throws {
    var members = [
      JSONMember("on", .string(stage)), JSONMember("send", bytes), JSONMember("then", .string(then.rawValue)),
    ]
    members += [JSONMember("skip", .integer(Int64(skip)))]
    if let chunk { members.append(JSONMember("chunk", .integer(Int64(chunk)))) }
    if let times { members.append(JSONMember("times", .integer(Int64(times)))) }
    try command("rule", members)
  }

  /// Sends text on the newest connection, `${jid}` being the client's full address.
  package func send(_ text: String, chunk: Int = 16384) throws {
    try command("send", [JSONMember("send", .string(text)), JSONMember("chunk", .integer(Int64(chunk)))])
  }

  /// Any command: `ask`, `acknowledge`, `close`, `cut`, `abort`, `rules`, `set`, `raw`, `flood`, `burst`, `go`,
  /// `archive`, `archive-go`, `rooms`. What changes how it
  /// behaves is in force when this is back.
  package func command(_ name: String, _ members: [JSONMember] = []) throws {
    try helper.do(name, members)
    if ["rule", "rules", "set", "archive", "rooms"].contains(name) { try helper.event("taken") }
  }

  /// Sends a text `count` times, `$n` counting, and waits until the client has taken it; returns how many bytes it was.
  @discardableResult
  package func flood(_ text: String, count: Int, until deadline: Deadline = .seconds(120)) throws -> Int64 {
    try command("flood", [JSONMember("send", .string(text)), JSONMember("count", .integer(Int64(count)))])
    return try event("flooded", until: deadline)["bytes"]?.integer ?? 0
  }

  /// Waits for an event of that name that fits, and takes it.
  @discardableResult
  package func event(
    _ name: String, until deadline: Deadline = .seconds(60), where fits: (JSONValue) -> Bool = { _ in true }
  ) throws -> JSONValue {
    try helper.event(name, until: deadline, where: fits)
  }

  /// Waits for a stanza or other element of the client at a stage, and takes it; its bytes are the member `xml`.
  @discardableResult
  package func received(
    _ stage: String, until deadline: Deadline = .seconds(60), where fits: (String) -> Bool = { _ in true }
  ) throws -> String {
    try helper.event("received", until: deadline) { $0.text("stage") == stage && fits($0.text("xml")) }.text("xml")
  }

  /// Every event that has come and was not asked for.
  package func waitingEvents() -> [JSONValue] {
    helper.waitingEvents()
  }
}
