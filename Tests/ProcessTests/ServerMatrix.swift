import JSON
import TestSupport
import Testing

/// A way in which a connection or a daemon ends while messages are in flight both ways.
enum Ending: String, CaseIterable {
  case disconnect, interrupt, terminate, kill, reload, cut
}

/// How a correspondent chooses the stanza ids of its messages.
enum SenderIDs: String, CaseIterable {
  case own, absent, oneForAll

  /// The attribute of the message with this text.
  func attribute(of text: String) -> String {
    switch self {
    case .own: " id='\(text.filter { $0 != " " })'"
    case .absent: ""
    case .oneForAll: " id='same'"
    }
  }
}

/// A slixmpp client that talks with the daemon's account, with the texts that it sent and received.
final class Correspondent {
  let name: String
  private let peer: Peer
  private(set) var said: [String] = []
  private(set) var got: [String] = []

  init(_ name: String, at server: some AccountServer, in folder: TemporaryFolder) throws {
    self.name = name
    peer = try Peer(
      name, password: "secret-\(name.prefix(1))", port: server.directTLSPort, authority: server.authority, in: folder,
      direct: true)
  }

  var jid: String { "\(name)@example.test" }

  /// Lets alice see its presence, as she asked.
  func acceptSubscription() throws {
    try peer.event("presence") { $0.text("type") == "subscribe" }
    try peer.sendPresence(to: "alice@example.test", type: "subscribed")
    try peer.settle()
  }

  /// Sends the texts.
  func say(_ texts: [String], _ ids: SenderIDs) throws {
    said += texts
    for text in texts {
      try peer.send(
        xml: "<message to='alice@example.test' type='chat'\(ids.attribute(of: text))><body>\(text)</body></message>")
    }
  }

  /// Returns when it has received all of these texts.
  func wait(for texts: [String]) throws {
    var missing = Set(texts).subtracting(got)
    while !missing.isEmpty {
      do { got.append(try peer.message().text("text")) } catch {
        throw TestFailure("\(name) never got \(missing.sorted().prefix(5)), \(missing.count) in all: \(error)")
      }
      if let last = got.last { missing.remove(last) }
    }
  }

  /// Receives everything that the server sent to it before now.
  func settle() throws {
    let end = "end of \(name)"
    try peer.send(xml: "<message to='\(jid)' type='chat'><body>\(end)</body></message>")
    try wait(for: [end])
    got.removeAll { $0 == end }
  }
}

/// A real server with one archive policy, alice's daemon behind a proxy that can cut her link, and two correspondents: a
/// contact of hers and a stranger.
final class MatrixWorld {
  let daemon: Daemon
  let correspondents: [Correspondent]
  private let proxy: CountingProxy
  /// ejabberd hides, until her next login, the messages for alice that it stores as she logs in.
  private let hidesDuringLogin: Bool
  private var account: Daemon.Account
  private var client: SocketClient
  /// Alice's texts by idempotency key, oldest first, and how many of the requests were answered.
  private var requests: [(key: String, to: String, text: String)] = []
  private var answered = 0
  /// Numbers of alice's messages that are not known to be acknowledged.
  private var unacknowledged: [Int64] = []
  /// All texts from alice, by correspondent.
  private(set) var sent: [String: [String]] = [:]

  init(at server: some AccountServer, in folder: TemporaryFolder) throws {
    proxy = try CountingProxy(to: server.directTLSPort, in: folder)
    hidesDuringLogin = server is Ejabberd
    account = server.account("alice")
    account.port = proxy.port
    daemon = try Daemon("alice", in: folder, accounts: [account])
    client = try daemon.client()
    try client.waitUntilOnline()
    correspondents = try ["bob", "carol"].map { try Correspondent($0, at: server, in: folder) }
    try client.ask("add bob@example.test")
    try correspondents[0].acceptSubscription()
  }

  /// The accounts of the server.
  static let accounts = ["alice": "secret-a", "bob": "secret-b", "carol": "secret-c"]

  /// Each sends `count` texts to each correspondent of alice, without waiting for an answer.
  func say(_ count: Int, _ label: String, _ ids: SenderIDs) throws {
    for correspondent in correspondents {
      let texts = (0..<count).map { "\(label) \($0)" }
      try correspondent.say(texts.map { "\(correspondent.name) \($0)" }, ids)
      for text in texts.map({ "alice to \(correspondent.name) \($0)" }) {
        requests.append((text.replacing(" ", with: "-"), correspondent.jid, text))
        sent[correspondent.name, default: []].append(text)
      }
    }
    try ask(from: requests.count - count * correspondents.count)
  }

  /// Ends the connection or the daemon, and lets everything continue.
  func end(by ending: Ending, meanwhile: () throws -> Void) throws {
    switch ending {
    case .disconnect: try whileDisconnected(meanwhile)
    case .interrupt: try restart(meanwhile) { try daemon.signal(2) }
    case .terminate: try restart(meanwhile) { try daemon.signal(15) }
    case .kill: try restart(meanwhile) { try daemon.signal(9) }
    case .reload:
      account.more = ["resource = desk\(requests.count)"]
      try daemon.configure(accounts: [account])
      try daemon.client().ask("reload")
      try waitForLogin()
      try meanwhile()
    case .cut:
      try proxy.cut()
      try meanwhile()
    }
    try waitForLogin()
  }

  /// Back when the server hides nothing any more as alice logs in.
  private func waitForLogin() throws {
    if hidesDuringLogin { try daemon.client().waitForLogin() }
  }

  private func whileDisconnected(_ body: () throws -> Void) throws {
    try daemon.client().ask("disconnect")
    try body()
    try settleCorrespondents()
    try daemon.client().ask("connect")
  }

  /// Waits until the server has stored the messages for alice.
  private func settleCorrespondents() throws { for correspondent in correspondents { try correspondent.settle() } }

  private func restart(_ meanwhile: () throws -> Void, _ end: () throws -> Void) throws {
    try end()
    try daemon.waitForEnd()
    // The daemon answered some requests before its end.
    while answered < requests.count, let answer = try? client.answer() { try take(answer) }
    try meanwhile()
    try settleCorrespondents()
    try daemon.start()
    client = try daemon.client()
    try ask(from: answered)
  }

  /// Returns when each text has reached its destination.
  func settle() throws {
    try daemon.client().waitUntilOnline()
    while answered < requests.count { try take(try client.answer()) }
    for correspondent in correspondents { try correspondent.wait(for: sent[correspondent.name] ?? []) }
    var missing = try missingAtAlice()
    if !missing.isEmpty, hidesDuringLogin {
      // Messages that the end of her last stream left unacknowledged are stored again, perhaps as she logged in.
      try daemon.client().ask("disconnect")
      try daemon.client().ask("connect")
      missing = try missingAtAlice()
    }
    guard missing.isEmpty else {
      throw TestFailure("alice never got \(missing.sorted().prefix(5)), \(missing.count) in all")
    }
    try settleCorrespondents()
    let waiting = try daemon.client()
    for id in unacknowledged { _ = try waiting.request("wait for=sent timeout=60s \(id)") }
    unacknowledged = []
  }

  /// Texts that were said to alice and have not come, once nothing more comes.
  private func missingAtAlice() throws -> Set<String> {
    let watcher = try daemon.client()
    try watcher.ask("watch since=0 kinds=message")
    var missing = Set(correspondents.flatMap(\.said))
    while !missing.isEmpty, let event = try? watcher.event("message") {
      missing.remove(event["message"]?.text("text") ?? "")
    }
    return missing
  }

  /// The whole conversation with a correspondent, in order.
  func messages(with correspondent: Correspondent) throws -> [JSONValue] {
    try daemon.client().wholeHistory(correspondent.jid)
  }

  private func ask(from first: Int) throws {
    let lines = requests[first...].map { "send key=\($0.key) \($0.to) \($0.text)\n" }
    try? client.send(bytes: Array(lines.joined().utf8))
  }

  private func take(_ answer: SocketClient.Answer) throws {
    guard answer.isOK else { throw TestFailure("\(requests[answered]) was not taken: \(answer.final)") }
    answered += 1
    if let id = answer.id { unacknowledged.append(id) }
  }
}
