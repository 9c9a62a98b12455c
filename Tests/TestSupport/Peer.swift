import Bytes
package import JSON

/// The other person: a slixmpp client; see Tests/Support/peer.py for its events.
package final class Peer: Sendable {
  /// The address it is bound to.
  package let fullJID: String
  private let helper: HelperProcess

  /// Logs in and waits until it is online.
  package convenience init(
    _ name: String, password: String, at server: some AccountServer, in folder: TemporaryFolder, direct: Bool = false,
    priority: Int = 0, receipts: Bool = false, avatars: Bool = false
  ) throws {
    try self.init(
      name, password: password, port: direct ? server.directTLSPort : server.startTLSPort,
      authority: server.authority, in: folder, direct: direct, priority: priority, receipts: receipts,
      avatars: avatars)
  }

  /// Logs in to the server at a loopback port and waits until it is online.
  package init(
    _ name: String, password: String, port: UInt16, authority: String, in folder: TemporaryFolder,
    direct: Bool = false, priority: Int = 0, receipts: Bool = false, avatars: Bool = false
  ) throws {
    var arguments = ["--jid", "\(name)@\(Certificates.host)", "--password", password, "--port", "\(port)"]
    arguments +=
      ["--ca", authority, "--priority", "\(priority)"] + (direct ? ["--direct"] : [])
      + (receipts ? ["--receipts"] : []) + (avatars ? ["--avatars"] : [])
    helper = try HelperProcess("peer.py", arguments, log: folder.file("peer-\(name).log"))
    fullJID = try helper.event("online").text("jid")
  }

  /// Sends a text exactly as it is.
  package func send(_ text: String, to: String, id: String? = nil, type: String = "chat") throws {
    var members = [JSONMember("to", .string(to)), JSONMember("text", .string(text)), JSONMember("type", .string(type))]
    if let id { members.append(JSONMember("id", .string(id))) }
    try helper.do("send", members)
  }

  /// Sends one stanza as it stands.
  package func send(xml: String) throws {
    try helper.do("xml", [JSONMember("xml", .string(xml))])
  }

  /// Sends a request with an id that begins with `test-`, and waits for its answer, which is a result.
  @discardableResult
  package func ask(_ id: String, type: String, to: String? = nil, _ payload: String) throws -> JSONValue {
    let to = to.map { " to='\($0)'" } ?? ""
    try send(xml: "<iq type='\(type)' id='\(id)'\(to)>\(payload)</iq>")
    let answer = try event("iq") { $0.text("id") == id }
    guard answer.text("type") == "result" else { throw TestFailure("\(answer)") }
    return answer
  }

  /// Sends a presence; `type` may be subscribe, subscribed, unsubscribe, unsubscribed or unavailable.
  package func sendPresence(to: String? = nil, type: String? = nil, show: String? = nil, status: String? = nil) throws {
    let members = [("to", to), ("type", type), ("show", show), ("status", status)]
    try helper.do("presence", members.compactMap { name, value in value.map { JSONMember(name, .string($0)) } })
  }

  /// Waits for an event of that name that fits, and takes it.
  @discardableResult
  package func event(
    _ name: String, until deadline: Deadline = .seconds(60), where fits: (JSONValue) -> Bool = { _ in true }
  ) throws -> JSONValue {
    try helper.event(name, until: deadline, where: fits)
  }

  /// Waits for a message with a body, and takes it.
  package func message(until deadline: Deadline = .seconds(60)) throws -> JSONValue {
    try helper.event("message", until: deadline) { !$0.text("text").isEmpty }
  }

  /// Publishes a GIF picture on the account's nodes (XEP-0084).
  package func publish(avatar: [UInt8]) throws {
    try helper.do("publish-avatar", [JSONMember("data", .string(Base64.encode(avatar)))])
  }

  /// Sets a card with a photo (XEP-0054), and says so in the presence if there is a hash (XEP-0153).
  package func setCard(photo: [UInt8], hash: String? = nil) throws {
    try send(
      xml: "<iq type='set' id='card'><vCard xmlns='vcard-temp'><FN>Bob</FN><PHOTO><TYPE>image/gif</TYPE>"
        + "<BINVAL>\(Base64.encode(photo))</BINVAL></PHOTO></vCard></iq>")
    guard let hash else { return }
    try send(xml: "<presence><x xmlns='vcard-temp:x:update'><photo>\(hash)</photo></x></presence>")
  }

  /// The picture with this hash on somebody's node, or, without a hash, the photo of the card.
  package func avatar(of jid: String, hash: String? = nil) throws -> [UInt8]? {
    let members = [JSONMember("jid", .string(jid))] + (hash.map { [JSONMember("hash", .string($0))] } ?? [])
    try helper.do(hash == nil ? "photo" : "avatar", members)
    return Base64.decode(try helper.event("avatar").text("data"))
  }

  /// Asks the server for the roster.
  package func roster() throws -> [JSONValue] {
    try helper.do("roster")
    return try helper.event("roster")["items"]?.array ?? []
  }

  /// Asks somebody, by the full JID, for what it announces (XEP-0030).
  package func features(of jid: String) throws -> [String] {
    try helper.do("disco", [JSONMember("jid", .string(jid))])
    return try helper.event("disco")["features"]?.array?.compactMap(\.string) ?? []
  }

  /// Back when the server has taken everything that was sent before: it answers in order.
  package func settle() throws {
    _ = try roster()
  }

  /// Closes the stream; back when it is over.
  package func quit() throws {
    try helper.do("quit")
    try helper.event("offline")
  }
}
