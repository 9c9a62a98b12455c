import Clocks
import ConfabClient
import JSON
import LineProtocol

/// A message to oneself through a running daemon: what ends the setup.
struct SelfMessage {
  let runner: CommandRunner
  /// The path of the daemon's socket.
  let socket: String
  let account: String

  /// Until the account is online, and the message has come back.
  private static let patience: Int64 = 90_000
  private static let text = "Confab is set up."

  /// True if a daemon answers on the socket.
  ///
  /// - Parameter isComing: one was just started, and may take a moment.
  func hasDaemon(isComing: Bool) -> Bool {
    (try? runner.console.dial(socket, false, isComing)) != nil
  }

  /// Lets the daemon read its configuration again.
  func reload() throws(SetupFailure) {
    var client = client()
    try check(
      try asking { () throws(TransportFailure) in try client.ask(Request(.reload)) }, "the daemon does not accept it")
  }

  /// Waits for the account, sends, and shows what comes back.
  ///
  /// - Parameter isPassing: whether the daemon ends with the setup.
  func run(isPassing: Bool = false) throws(SetupFailure) {
    var client = client()
    let jid = try online(&client)
    let send = Request(
      .send, options: [.wait: .string("sent"), .timeout: .duration(.seconds(30))], arguments: [.to: .string(jid)],
      text: Self.text, account: account)
    let sent = try check(
      try asking { () throws(TransportFailure) in try client.ask(send) }, "the test message was not sent")
    runner.say("Sent to \(TerminalText.clean(jid)): \(Self.text)")
    let wait = Request(
      .wait, options: [.for: .string("delivered"), .timeout: .duration(.seconds(30))],
      arguments: [.id: .id(UInt64(exactly: sent.object["id"]?.integer ?? 0) ?? 0)])
    let back = try asking { () throws(TransportFailure) in try client.ask(wait) }
    guard back.kind == .done else {
      throw SetupFailure("the account is set up, but the test message has not come back within 30 seconds", .timedOut)
    }
    runner.say(isPassing ? "It came back: the account works." : "It came back: you are online.")
  }

  /// The account's address once it is online.
  private func online(_ client: inout DaemonClient) throws(SetupFailure) -> String {
    let request = Request(
      .status, options: [.for: .string("online"), .timeout: .duration(.seconds(60))], account: account)
    var jid = ""
    var reason = ""
    let each = { (line: ReceivedLine) throws(TransportFailure) in
      jid = line.object["account"]?["jid"]?.string ?? jid
      reason = line.object["account"]?["reason"]?.string ?? reason
    }
    let final = try asking { () throws(TransportFailure) in try client.ask(request, each) }
    guard case .refused(let code, let words) = final.kind else { return jid }
    if code == ErrorCode.notFound.rawValue {
      throw SetupFailure("the daemon at \(socket) has another configuration; stop it and start it again")
    }
    throw SetupFailure("the account is set up, but not online: \(reason.isEmpty ? words : reason)")
  }

  private func client() -> DaemonClient {
    DaemonClient { (isRepeat: Bool) throws(TransportFailure) in
      let transport = try runner.console.dial(socket, false, true)
      transport.setPatience(milliseconds: Self.patience)
      return transport
    }
  }

  private func asking<Answer>(_ body: () throws(TransportFailure) -> Answer) throws(SetupFailure) -> Answer {
    do {
      return try body()
    } catch {
      throw SetupFailure("the account is set up, but the test message did not come back: \(error.reason)")
    }
  }

  @discardableResult
  private func check(_ final: ReceivedLine, _ what: String) throws(SetupFailure) -> ReceivedLine {
    guard case .refused(_, let reason) = final.kind else { return final }
    throw SetupFailure("the account is set up, but \(what): \(reason)")
  }
}
